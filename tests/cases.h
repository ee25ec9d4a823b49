/* Tries random cases: SEED=N in the environment starts from case N, CASES=N does that many. */
#ifndef GLIMPSE_TESTS_CASES_H
#define GLIMPSE_TESTS_CASES_H

#include "tests/tap.h"
#include <stdlib.h>

/* Prints a check: whether `holds` of so many cases, or else how to do the first other one again. */
static inline void cases_hold(bool (*holds)(unsigned seed), unsigned cases, const char *name)
{
	const char *seed = getenv("SEED"), *number = getenv("CASES");
	unsigned from = seed ? (unsigned)atoi(seed) : 1;
	unsigned n = number ? (unsigned)atoi(number) : cases, i = 0;

	while (i < n && holds(from + i))
		i++;
	if (!ok(i == n, name))
		printf("# SEED=%u CASES=1 does it again\n", from + i);
}

#endif
