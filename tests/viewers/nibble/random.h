/* Random samples for the tests of nibble, and the seed that makes them again. */
#ifndef GLIMPSE_TESTS_VIEWERS_NIBBLE_RANDOM_H
#define GLIMPSE_TESTS_VIEWERS_NIBBLE_RANDOM_H

#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t random_state;

/* Takes the seed from SEED, or the clock, and prints it. */
static inline void random_seed(void)
{
	const char *seed = getenv("SEED");

	random_state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
	printf("# SEED=%llu\n", (unsigned long long)random_state);
}

/* Below n. */
static inline unsigned random_below(unsigned n)
{
	random_state = random_state * 6364136223846793005 + 1442695040888963407;
	return (unsigned)((random_state >> 33) % n);
}

enum { RANDOM_THREADS = 3 };

/* Up to 40 samples whose times lie in 0 to length and often meet, in order. */
static inline struct value_samples random_samples(unsigned length)
{
	struct value_samples s = {.has_end = true, .has_value = true, .has_thread = true};

	for (unsigned n = random_below(40); n > 0; n--) {
		double at = random_below(length + 1), value = (double)random_below(30) - 5;

		samples_add(&s, &(struct value_sample){at, at + random_below(length / 3), value, 0,
						random_below(RANDOM_THREADS)});
	}
	samples_sort(&s);
	return s;
}

static inline struct limits random_range(unsigned length)
{
	double from = random_below(2) ? 0 : random_below(length / 3);

	return (struct limits){from, length - (random_below(2) ? 0 : random_below(length / 3))};
}

#endif
