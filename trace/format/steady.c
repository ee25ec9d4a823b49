#include "trace/format/steady.h"
#include "trace/format/clock.h"

#define LEAP_LEAST 20000.0  /* ns: a smaller leap may be an error of a sample */
#define SAMPLE_ERROR 5000.0 /* ns, mostly much less */
#define DRIFT 0.0005        /* of a crystal, and of a clock that is being adjusted */
#define SPAN_LEAST 500000.0 /* ns that a piece takes whose rate means something */
#define SPAN_GOOD 10000000.0

/* The rate that is expected of the next piece. */
struct expected_rate {
	double rate;  /* ticks in a nanosecond */
	double error; /* a part of it */
	double span;  /* ns in which it was seen */
};

static double piece_ticks(const struct clock_sample *s)
{
	return (double)(s[1].ticks - s[0].ticks);
}

static double piece_ns(const struct clock_sample *s)
{
	return (double)(s[1].monotonic - s[0].monotonic);
}

static struct expected_rate rate_of(const struct clock_sample *s)
{
	double ns = piece_ns(s);

	return (struct expected_rate){piece_ticks(s) / ns, DRIFT + SAMPLE_ERROR / ns, ns};
}

/* Returns by how many nanoseconds the counter is ahead at the end of a piece. */
static double piece_ahead(const struct clock_sample *s, double rate)
{
	return piece_ticks(s) / rate - piece_ns(s);
}

/* No system counts slower than 1 MHz or faster than 1 THz. */
static bool rate_known(const struct expected_rate *expected)
{
	return expected->rate >= 0.001 && expected->rate <= 1000;
}

static bool piece_fits(const struct clock_sample *s, const struct expected_rate *expected)
{
	double ahead = piece_ahead(s, expected->rate);

	return (ahead < 0 ? -ahead : ahead) <= LEAP_LEAST + piece_ns(s) * expected->error;
}

/* Takes the rate of a piece that is long enough for it to be better than the one before. */
static void rate_take(struct expected_rate *expected, const struct clock_sample *s)
{
	double ns = piece_ns(s);

	if (ns >= SPAN_LEAST && (ns >= expected->span || ns >= SPAN_GOOD || !rate_known(expected)))
		*expected = rate_of(s);
}

static int64_t nanoseconds_of(double ns)
{
	return ns > 2e18    ? INT64_C(2000000000000000000)
	       : ns < -2e18 ? -INT64_C(2000000000000000000)
			    : (int64_t)ns;
}

/*
 * Sets the rate that is expected after a break: the next piece's where that is not as before.
 */
static void rate_after(struct expected_rate *expected, const struct clock_sample *s, bool next)
{
	if (!next || piece_ns(s + 1) < SPAN_LEAST)
		return;
	if (!piece_fits(s + 1, expected))
		*expected = rate_of(s + 1);
}

size_t breaks_find(const struct clock_sample *samples, size_t n, uint64_t frequency,
		   double roughness, struct clock_break *breaks)
{
	struct expected_rate expected = {(double)frequency / 1e9, roughness, 0};
	size_t found = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		const struct clock_sample *s = &samples[i];

		if (rate_known(&expected) && !piece_fits(s, &expected)) {
			breaks[found++] = (struct clock_break){
			    .piece = i,
			    .from = s[0].monotonic,
			    .to = s[1].monotonic,
			    .ahead = nanoseconds_of(piece_ahead(s, expected.rate)),
			    .rate = expected.rate,
			};
			rate_after(&expected, s, i + 2 < n);
		} else {
			rate_take(&expected, s);
		}
	}
	return found;
}
