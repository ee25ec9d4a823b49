/* Whether a thread of this process waits, as the kernel knows it, so that tests need no time limits. */
#ifndef GLIMPSE_TESTS_PROBES_BLOCKED_H
#define GLIMPSE_TESTS_PROBES_BLOCKED_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps, not by one of the functions that are observed. */
static inline void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (syscall(SYS_nanosleep, &t, &t))
		;
}

static inline int is_blocked(int tid)
{
	char path[64], text[16] = "";
	FILE *f;
	long number;

	snprintf(path, sizeof path, "/proc/self/task/%d/syscall", tid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (!fgets(text, sizeof text, f))
		text[0] = '\0';
	fclose(f);
	number = atol(text);
	return text[0] >= '0' && text[0] <= '9' &&
	       (number == SYS_futex || number == SYS_nanosleep || number == SYS_clock_nanosleep);
}

/* Returns once the thread that stores its id to *tid waits, or after some seconds. */
static inline void blocked_wait(const volatile int *tid)
{
	while (!*tid)
		pause_ms(1);
	for (int i = 0; i < 5000 && !is_blocked(*tid); i++)
		pause_ms(1);
}

#endif
