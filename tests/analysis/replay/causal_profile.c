/*
 * How many candidates of a causal profile are replayed: all of a short run, fewer of a longer one, a few always; by the
 * number of its steps alone.
 */
#include "analysis/replay/answer/causal_profile.h"
#include "tests/tap.h"
#include <math.h>

static bool falls(size_t candidates)
{
	size_t before = candidates;

	for (uint64_t steps = 1; steps < UINT64_C(1) << 40; steps += steps / 3 + 1) {
		size_t tried = profile_tried(candidates, steps);

		if (tried > before || (candidates && !tried))
			return false;
		before = tried;
	}
	return true;
}

/* 30 twice as fast and four more factors of ten: 70 replays of a million steps. */
static bool limits(void)
{
	return profile_tried(30, 1000000) == 30 && profile_tried(30, 2000000) == 10 &&
	       profile_tried(30, 10000000) == 3 && profile_tried(2, 10000000) == 2 &&
	       profile_tried(0, 10000000) == 0;
}

int main(void)
{
	ok(profile_tried(PROFILE_TRIED, 0) == PROFILE_TRIED,
	   "all candidates of an empty run are tried");
	ok(falls(PROFILE_TRIED) && falls(1) && falls(0),
	   "fewer of a longer run, never none of some");
	ok(limits(), "so many that the replays together have few enough steps");
	ok(profile_factors[PROFILE_TWICE] == 2 && isinf(profile_factors[PROFILE_FACTORS - 1]),
	   "the factors have twice as fast among them, and gone at the end");
	return tap_end();
}
