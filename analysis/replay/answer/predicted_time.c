#include "analysis/replay/answer/predicted_time.h"
#include "base/array.h"
#include <stdlib.h>

/* Times that follow each other and are one time now. */
struct pooled {
	double sum;
	size_t n;
	int64_t low, high;
};

static double mean(const struct pooled *p)
{
	return p->sum / (double)p->n;
}

static int64_t mirrored(int64_t time, bool rises)
{
	return rises ? -time : time;
}

static void mirror(struct predicted_time *t)
{
	int64_t low = t->low;

	t->predicted = -t->predicted;
	t->low = -t->high;
	t->high = -low;
}

static void drop(struct predicted_time *t)
{
	t->known = false;
	t->contradicts = true;
}

/* With any of the change the run is no longer than without. */
static void limit(struct predicted_time *t, int64_t most)
{
	if (!t->known || t->predicted <= most)
		return;
	if (t->low > most)
		drop(t);
	else
		t->predicted = most;
}

/* Joins the last two while the later one is longer. */
static size_t pools_join(struct pooled *pools, size_t n)
{
	while (n > 1 && mean(&pools[n - 1]) > mean(&pools[n - 2])) {
		struct pooled *a = &pools[n - 2], *b = &pools[n - 1];

		a->sum += b->sum;
		a->n += b->n;
		a->low = a->low < b->low ? a->low : b->low;
		a->high = a->high > b->high ? a->high : b->high;
		n--;
	}
	return n;
}

static void pools_set(struct predicted_time *times, size_t n, const struct pooled *pools)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (!times[i].known)
			continue;
		if (!left)
			left = pools->n;
		times[i].predicted = (int64_t)mean(pools);
		times[i].low = pools->low;
		times[i].high = pools->high;
		if (!--left)
			pools++;
	}
}

static void times_fall(struct predicted_time *times, size_t n, const int64_t *fixed)
{
	struct pooled *pools = array_new(n, sizeof *pools);
	size_t npools = 0;

	for (size_t i = 0; i < n; i++) {
		struct predicted_time *t = &times[i];

		if (fixed)
			limit(t, *fixed);
		if (t->known && npools && t->low > pools[npools - 1].high)
			drop(t);
		if (!t->known)
			continue;
		pools[npools++] = (struct pooled){(double)t->predicted, 1, t->low, t->high};
		npools = pools_join(pools, npools);
	}
	pools_set(times, n, pools);
	free(pools);
}

void predicted_times_order(struct predicted_time *times, size_t n, const int64_t *fixed, bool rises)
{
	int64_t without = fixed ? mirrored(*fixed, rises) : 0;

	for (size_t i = 0; rises && i < n; i++)
		mirror(&times[i]);
	times_fall(times, n, fixed ? &without : NULL);
	for (size_t i = 0; rises && i < n; i++)
		mirror(&times[i]);
}
