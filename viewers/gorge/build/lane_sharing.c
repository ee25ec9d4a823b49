#include "viewers/gorge/build/lane_sharing.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

struct shared_lane {
	const struct tenant *last;
	/* the place of the first of its threads in the order of the lanes */
	unsigned first;
};

struct sharing {
	const struct tenant *tenants;
	struct shared_lane *lanes;
	unsigned n;
};

static int compare_starts(const void *pa, const void *pb, void *context)
{
	const struct tenant *tenants = context;
	unsigned i = *(const unsigned *)pa, k = *(const unsigned *)pb;
	const struct tenant *a = &tenants[i], *b = &tenants[k];

	return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (i > k) - (i < k);
}

/* Returns a lane that is free when the thread begins, best one of its like; n: there is none. */
static unsigned free_lane(const struct sharing *s, const struct tenant *tenant)
{
	unsigned best = s->n;

	for (unsigned i = 0; i < s->n; i++) {
		const struct tenant *last = s->lanes[i].last;

		if (last->to >= tenant->from)
			continue;
		if (!strcmp(last->pattern, tenant->pattern))
			return i;
		best = best < s->n ? best : i;
	}
	return best;
}

static int compare_tenants(const void *pa, const void *pb, void *context)
{
	const struct sharing *s = context;
	const struct tenant *a = pa, *b = pb;
	unsigned i = s->lanes[a->lane].first, k = s->lanes[b->lane].first;

	if (i != k)
		return i < k ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

/* Numbers the lanes in their new order. */
static void number_lanes(struct tenant *tenants, unsigned n)
{
	unsigned lane = 0;

	for (unsigned i = 0, next; i < n; i = next, lane++) {
		unsigned before = tenants[i].lane;

		for (next = i; next < n && tenants[next].lane == before; next++)
			tenants[next].lane = lane;
	}
}

static void take_lane(struct sharing *s, unsigned lane, unsigned place)
{
	unsigned first = lane < s->n ? s->lanes[lane].first : place;

	s->n += lane == s->n;
	s->lanes[lane] = (struct shared_lane){&s->tenants[place], first < place ? first : place};
}

unsigned lanes_share(struct tenant *tenants, unsigned n, unsigned most)
{
	struct sharing s = {.tenants = tenants, .lanes = array_zero(most, sizeof *s.lanes)};
	unsigned *by_start = array_zero(n, sizeof *by_start), i;

	for (i = 0; i < n; i++)
		by_start[i] = i;
	qsort_r(by_start, n, sizeof *by_start, compare_starts, tenants);
	for (i = 0; i < n; i++) {
		struct tenant *tenant = &tenants[by_start[i]];

		tenant->lane = free_lane(&s, tenant);
		if (tenant->lane == most)
			break;
		take_lane(&s, tenant->lane, by_start[i]);
	}
	if (i < n) {
		s.n = 0;
	} else {
		qsort_r(tenants, n, sizeof *tenants, compare_tenants, &s);
		number_lanes(tenants, n);
	}
	free(by_start);
	free(s.lanes);
	return s.n;
}
