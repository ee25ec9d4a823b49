/* What fails.c, in a program, shares with the test by a file. */
#ifndef GLIMPSE_TESTS_HOSTILE_FAILS_H
#define GLIMPSE_TESTS_HOSTILE_FAILS_H

#include <stdint.h>

enum { FAILS_CALLS_MOST = 64 };

struct fails {
	uint32_t call, nth, on, error, in_recorder, failed;
	uint32_t count[FAILS_CALLS_MOST];
};

#endif
