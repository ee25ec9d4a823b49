/*
 * Times with ever more of a change against the same from the definition of the nearest falling
 * times, and against what may be said of them at all. Prints its seed; SEED=N in the environment
 * starts from case N, CASES=N does that many.
 * tested: oracles with random cases, CASES series (CASES=1000000): the nearest falling times, and
 * their definition.
 */
#include "analysis/replay/answer/predicted_time.h"
#include "tests/cases.h"
#include "tests/random.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 7, CASES = 20000, WIDE = 1000000 };

static struct random numbers;

static int64_t dice(unsigned n)
{
	return random_below(&numbers, n);
}

static size_t times_random(unsigned seed, struct predicted_time *t, int64_t width)
{
	size_t n;

	numbers = (struct random){seed};
	n = (size_t)dice(MOST + 1);
	for (size_t i = 0; i < n; i++) {
		int64_t predicted = 100 + dice(60);

		t[i] = (struct predicted_time){.known = dice(8) > 0,
					       .predicted = predicted,
					       .low = predicted - dice((unsigned)width),
					       .high = predicted + dice((unsigned)width)};
	}
	return n;
}

/* The mean of the known times from i to k. */
static double mean(const struct predicted_time *t, size_t i, size_t k)
{
	double sum = 0, n = 0;

	for (; i <= k; i++)
		if (t[i].known) {
			sum += (double)t[i].predicted;
			n++;
		}
	return sum / n;
}

/* The nearest falling times at i: the least of the greatest means. */
static double nearest(const struct predicted_time *t, size_t n, size_t i)
{
	double least = INFINITY;

	for (size_t from = 0; from <= i; from++) {
		double most = -INFINITY;

		for (size_t to = i; to < n && t[from].known; to++)
			if (t[to].known)
				most = fmax(most, mean(t, from, to));
		if (t[from].known)
			least = fmin(least, most);
	}
	return least;
}

/* With ranges as wide as that nothing is unknown. */
static bool is_nearest(unsigned seed)
{
	struct predicted_time t[MOST], was[MOST];
	size_t n = times_random(seed, t, 1);

	for (size_t i = 0; i < n; i++) {
		t[i].low -= WIDE;
		t[i].high += WIDE;
		was[i] = t[i];
	}
	predicted_times_order(t, n, NULL, false);
	for (size_t i = 0; i < n; i++)
		if (t[i].known != was[i].known ||
		    (t[i].known && fabs((double)t[i].predicted - nearest(was, n, i)) > 1))
			return false;
	return true;
}

/* They fall, none is above the fixed one, and each is within its range; nothing becomes known. */
static bool is_ordered(unsigned seed)
{
	struct predicted_time t[MOST], was[MOST];
	size_t n = times_random(seed, t, 20);
	int64_t fixed = 100 + dice(60), last = fixed;
	bool rises = dice(2);

	for (size_t i = 0; i < n; i++)
		was[i] = t[i];
	predicted_times_order(t, n, &fixed, rises);
	for (size_t i = 0; i < n; i++) {
		if (t[i].known + t[i].contradicts != was[i].known)
			return false;
		if (!t[i].known)
			continue;
		if (rises ? t[i].predicted < last : t[i].predicted > last)
			return false;
		if (t[i].predicted < t[i].low || t[i].predicted > t[i].high ||
		    t[i].low > was[i].low || t[i].high < was[i].high)
			return false;
		last = t[i].predicted;
	}
	return true;
}

/* Times that fall anyway stay. */
static bool is_kept(unsigned seed)
{
	struct predicted_time t[MOST];
	int64_t time = 200;

	numbers = (struct random){seed};
	for (size_t i = 0; i < MOST; i++) {
		time -= dice(10);
		t[i] = (struct predicted_time){
		    .known = true, .predicted = time, .low = time - 1, .high = time + 1};
	}
	predicted_times_order(t, MOST, &(int64_t){200}, false);
	for (size_t i = MOST; i-- > 0;) {
		if (!t[i].known || t[i].predicted != time || t[i].high != time + 1)
			return false;
		time = i ? t[i - 1].predicted : 0;
	}
	return true;
}

int main(void)
{
	cases_hold(is_nearest, CASES, "times that do not fall become the nearest ones that do");
	cases_hold(is_ordered, CASES,
		   "times fall from the one without the change on, or are unknown");
	cases_hold(is_kept, CASES, "times that fall stay");
	return tap_end();
}
