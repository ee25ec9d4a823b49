/* The engine: a plan, and rows of words that meet in the order of the stream, or lie in buckets, with a search in each. */
#include "base/array.h"
#include "base/parallel.h"
#include "match/join/match.h"
#include "match/join/search.h"
#include "match/join/stream_join.h"
#include <stdlib.h>

struct matching {
	struct matches *matches;
	struct meet meet;
};

/* A bucket, where equal keys do not decide alone. */
static void search_bucket(void *context, size_t i, unsigned worker)
{
	const struct search *s = context;
	struct scratch *scratch = &s->scratch[worker];
	size_t n = rows_count(s->rows, i);

	if (n == 0)
		return;
	if (!s->rows->keys) {
		group_all(s, rows_all(s->rows), n, scratch);
		return;
	}
	scratch->rows =
	    spill_reserve(scratch->rows, &scratch->room_rows, n * s->rows->width,
			  sizeof *scratch->rows);
	rows_gather(s->rows, i, scratch->rows);
	group_bucket(s, scratch->rows, n, scratch);
}

static void search_all(struct matches *m, const struct plan *plan, struct rows *rows)
{
	unsigned workers = parallel_workers();
	atomic_size_t searched = 0;
	struct search s = {
		.plan = plan, .rows = rows, .moments = {&m->anchors, &m->partners},
		.partner_of = m->partner_of, .searched = &searched,
		.scratch = array_zero(workers, sizeof *s.scratch),
	};

	for (size_t i = 0; i < rows->nbuckets; i++)
		s.all += rows_count(rows, i);
	parallel_for(rows->nbuckets, search_bucket, &s);
	m->faults += rows->faults;
	for (unsigned i = 0; i < workers; i++) {
		m->tested += s.scratch[i].tested;
		m->visited += s.scratch[i].index.visited;
		m->faults += s.scratch[i].faults;
		scratch_clear(&s.scratch[i]);
	}
	free(s.scratch);
}

static void plan_rank(struct plan *plan, const struct matches *m)
{
	for (unsigned i = 0; i < plan->norder; i++)
		if (pair_needs_ranks(&plan->order[i]))
			pair_rank(&plan->order[i], &m->anchors, &m->partners);
}

/* The two sides of a couple, one of which has waited. */
static void take_couples(void *context, const struct couple *couples, size_t n)
{
	const struct matching *x = context;
	uint32_t *partner_of = x->matches->partner_of;
	bool anchors_wait = x->meet.waits == SIDE_ANCHOR;

	for (size_t i = 0; i < n; i++) {
		const struct couple *c = &couples[i];

		if (c->waited == MEET_NOBODY)
			continue;
		if (anchors_wait)
			partner_of[c->waited] = (uint32_t)c->came;
		else
			partner_of[c->came] = (uint32_t)c->waited;
	}
}

/* False: too many would wait. */
static bool match_stream(struct matching *x, const struct plan *plan)
{
	struct matches *m = x->matches;
	bool good;

	meet_begin(&x->meet, plan, 0);
	x->meet.take = take_couples;
	x->meet.context = x;
	good = rows_meet(&x->meet, &m->anchors, &m->partners, &m->faults);
	meet_end(&x->meet);
	return good;
}

struct buckets {
	const struct rows *rows;
	struct meet *meet;
	struct scratch *scratch; /* one for each worker */
};

static void meet_in_bucket(void *context, size_t i, unsigned worker)
{
	struct buckets *b = context;
	struct scratch *scratch = &b->scratch[worker];
	size_t n = rows_count(b->rows, i);

	scratch->rows =
	    spill_reserve(scratch->rows, &scratch->room_rows, n * b->rows->width,
			  sizeof *scratch->rows);
	rows_gather(b->rows, i, scratch->rows);
	meet_bucket(b->meet, worker, scratch->rows, n, NULL);
}

static void meet_all(struct matching *x, const struct plan *plan, const struct rows *rows)
{
	unsigned workers = parallel_workers();
	struct buckets b = {rows, &x->meet, array_zero(workers, sizeof *b.scratch)};

	meet_begin(&x->meet, plan, workers);
	x->meet.take = take_couples;
	x->meet.context = x;
	parallel_for(rows->nbuckets, meet_in_bucket, &b);
	x->matches->faults += rows->faults;
	for (unsigned i = 0; i < workers; i++)
		scratch_clear(&b.scratch[i]);
	free(b.scratch);
	meet_end(&x->meet);
}

static void match_in_buckets(struct matching *x, const struct plan *plan)
{
	struct matches *m = x->matches;
	struct rows rows;

	rows_read(&rows, plan, &m->anchors, &m->partners);
	if (meet_can(plan))
		meet_all(x, plan, &rows);
	else
		search_all(m, plan, &rows);
	rows_clear(&rows);
}

struct matches *match_moments(const struct interval *interval, struct moments anchors,
			      struct moments partners)
{
	struct matches *m = matches_new(interval, anchors, partners);
	struct plan *plan = plan_new(interval);
	struct matching x = {.matches = m};

	if (anchors.count > MOST_MOMENTS || partners.count > MOST_MOMENTS)
		array_fail("more than 2,147,483,647 events of one type cannot be matched");
	plan_rank(plan, m);
	progress_begin("matching");
	if (!meet_can(plan) || !match_stream(&x, plan))
		match_in_buckets(&x, plan);
	progress_end();
	plan_free(plan);
	matches_count(m);
	return m;
}

struct matches *match_interval(struct trace *t, const struct interval *interval)
{
	struct moments anchors = moments_of_end(t, &interval->anchor, match_interval);
	struct moments partners = moments_of_end(t, &interval->partner, match_interval);

	return match_moments(interval, anchors, partners);
}
