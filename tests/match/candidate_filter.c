/*
 * sieve SPEC DIRECTORY: whether intervals whose partners were sieved have the instances that the engine
 * finds among all partners. Says where not, with status 1; prints how many were sieved.
 */
#include "match/join/candidate_filter.h"
#include "base/parallel.h"
#include "trace/stream/section.h"
#include <stdio.h>
#include <string.h>

static bool same_event(const struct event *a, const struct event *b)
{
	return a->time == b->time && a->thread == b->thread && a->seq == b->seq;
}

/* Says which is the first instance that differs. */
static bool compare(const struct matches *sieved, const struct matches *all)
{
	bool same = sieved->count == all->count && sieved->matched == all->matched;

	for (size_t i = 0; same && i < all->count; i++) {
		bool alone = all->partner_of[i] == UNMATCHED;
		struct instance a, b;

		same = alone == (sieved->partner_of[i] == UNMATCHED);
		if (!same || alone)
			continue;
		matches_get(sieved, i, &a);
		matches_get(all, i, &b);
		same = same_event(&a.anchor, &b.anchor) && same_event(&a.partner, &b.partner);
	}
	if (!same)
		printf("# %s differs\n", all->interval->name);
	return same;
}

static struct trace *open_trace(char **argv, struct diag *diag)
{
	const char *directory = argv[2];

	return trace_open(&directory, 1, argv[1], diag);
}

/* One interval of a trace that is opened for it, as lists that are there are not sieved. */
static bool interval_same(char **argv, unsigned number, struct diag *diag, unsigned *sieved)
{
	struct trace *t = open_trace(argv, diag), *u = open_trace(argv, diag);
	const struct interval *interval = t->spec->intervals[number];
	struct matches *m, *again, *all = match_interval(u, u->spec->intervals[number]);
	bool same;

	match_intervals(t, &interval, 1, &m);
	same = compare(m, all);
	/* the anchors' list is there now */
	match_intervals(t, &interval, 1, &again);
	same &= compare(again, all);
	matches_free(again);
	*sieved += m->sieved != NULL;
	if (m->sieved && event_list_size(m->sieved) > all->partners.count)
		same = false;
	matches_free(m);
	matches_free(all);
	trace_close(t);
	trace_close(u);
	return same;
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "sieve"};
	unsigned sieved = 0, n;
	bool good = true;
	struct trace *t;

	candidate_filter_many = 0;
	section_events = 1;
	if (argc != 3 || !(t = open_trace(argv, &diag)))
		return 2;
	n = t->spec->nintervals;
	trace_close(t);
	for (unsigned i = 0; i < n; i++) {
		section_events = i % 2 ? 1 : 1 << 18;
		good &= interval_same(argv, i, &diag, &sieved);
	}
	printf("%u sieved\n", sieved);
	return !good;
}
