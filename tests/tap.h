/* TAP for the test programs of this folder. */
#ifndef GLIMPSE_TESTS_VIEWERS_TAP_H
#define GLIMPSE_TESTS_VIEWERS_TAP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failures;

static inline bool ok(bool good, const char *name)
{
	tap_failures += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", ++tap_count, name);
	return good;
}

static inline void is(const char *text, const char *wanted, const char *name)
{
	if (!ok(!strcmp(text, wanted), name))
		printf("# got '%s', wanted '%s'\n", text, wanted);
}

/* The program's exit status. */
static inline int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failures != 0;
}

#endif
