/*
 * The 95 % interval of a share that samples say: within 0 and 1, around the share, and right as often as it says, for
 * functions with few samples, too. Prints its seed; SEED=N begins with another.
 */
#include "analysis/samples/sample_share.h"
#include "tests/random.h"
#include "tests/tap.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 20000, SAMPLES = 400 };

static double uniform(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

/* How many of the samples are of a function that has a share. */
static uint64_t draw(struct random *r, uint64_t n, double share)
{
	uint64_t k = 0;

	for (uint64_t i = 0; i < n; i++)
		k += uniform(r) < share;
	return k;
}

static bool ranges_fit(void)
{
	static const uint64_t numbers[] = {1, 2, 3, 10, 997, 1000000, UINT64_C(10000000000)};
	bool fit = true;

	for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
		for (unsigned part = 0; part <= 8; part++) {
			uint64_t n = numbers[i], k = n * part / 8;
			struct share_range r = sample_share(k, n);
			double share = (double)k / (double)n;

			fit &= 0 <= r.low && r.low <= share && share <= r.high && r.high <= 1;
			fit &= (k == 0) == (r.low == 0) && (k == n) == (r.high == 1);
		}
	return fit;
}

/*
 * How often the interval has the share, over runs in which a function is expected in `least` to `most` samples. Any one
 * expectation has more or less than 95 %, as numbers of samples are whole.
 */
static double coverage(struct random *r, double least, double most)
{
	unsigned right = 0;

	for (unsigned i = 0; i < RUNS; i++) {
		double share = least * pow(most / least, uniform(r)) / SAMPLES;
		struct share_range range = sample_share(draw(r, SAMPLES, share), SAMPLES);

		right += range.low <= share && share <= range.high;
	}
	printf("# %g to %g of %d samples: %.2f %%\n", least, most, SAMPLES, 100.0 * right / RUNS);
	return (double)right / RUNS;
}

static bool is_right(double share)
{
	/* 0.95 is off by less than 0.006 in 20,000 runs, but for one of 10,000 */
	return share > 0.935 && share < 0.975;
}

int main(void)
{
	const char *seed = getenv("SEED");
	struct random r = {seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)};
	struct share_range none = sample_share(0, 0);

	printf("# SEED=%" PRIu64 "\n", r.state);
	ok(none.low == 0 && none.high == 1, "of no samples all shares are possible");
	ok(ranges_fit(), "intervals are within 0 and 1, and have the share");
	ok(is_right(coverage(&r, 0.5, 5)), "a function with one sample, or none, or five");
	ok(is_right(coverage(&r, 5, 40)), "one with five to forty");
	ok(is_right(coverage(&r, 40, 360)), "one with a tenth to nine tenths");
	return tap_end();
}
