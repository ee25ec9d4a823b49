#include "match/join/match.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spill.h"
#include "match/join/anchor_filter.h"
#include "match/join/group.h"
#include "match/join/row_reader.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- matches ---- */

struct matches *matches_new(const struct interval *interval, struct moments anchors,
			    struct moments partners)
{
	struct matches *m = array_zero(1, sizeof *m);

	m->interval = interval;
	m->anchors = anchors;
	m->partners = partners;
	m->count = anchors.count;
	m->partner_of = spill_new(m->count, sizeof *m->partner_of);
	parallel_fill(m->partner_of, 0xff, m->count * sizeof *m->partner_of); /* UNMATCHED */
	return m;
}

void matches_count(struct matches *m)
{
	m->matched = 0;
	for (size_t i = 0; i < m->count; i++)
		m->matched += m->partner_of[i] != UNMATCHED;
}

static void instance_fill(const struct matches *m, size_t anchor, struct instance *i,
			  void (*event)(const struct moments *, size_t, struct event *))
{
	uint32_t partner = m->partner_of[anchor];

	event(&m->anchors, anchor, &i->anchor);
	i->start = i->end = i->anchor.time;
	if (partner == UNMATCHED) {
		memset(&i->partner, 0, sizeof i->partner);
		return;
	}
	event(&m->partners, partner, &i->partner);
	if (i->partner.time < i->start)
		i->start = i->partner.time;
	else
		i->end = i->partner.time;
}

void matches_get(const struct matches *m, size_t anchor, struct instance *i)
{
	instance_fill(m, anchor, i, moments_event);
}

void matches_look(const struct matches *m, size_t anchor, struct instance *i)
{
	instance_fill(m, anchor, i, moments_look);
}

int64_t matches_duration(const struct matches *m, size_t anchor)
{
	int64_t a = moments_time(&m->anchors, anchor);
	int64_t b = moments_time(&m->partners, m->partner_of[anchor]);

	return a < b ? b - a : a - b;
}

void matches_bind(const struct matches *m, size_t anchor, bool names, struct binding *b)
{
	int64_t a, p;

	/* field by field: to clear all of it first takes as long as to fill it */
	moments_bind(&m->anchors, anchor, names, &b->side[SIDE_ANCHOR]);
	moments_bind(&m->partners, m->partner_of[anchor], names, &b->side[SIDE_PARTNER]);
	a = b->side[SIDE_ANCHOR].time;
	p = b->side[SIDE_PARTNER].time;
	b->duration = a < p ? p - a : a - p;
	b->aggregate = NULL;
	b->context = NULL;
}

void matches_warn(const struct matches *m, struct diag *diag)
{
	if (m->faults)
		diag_warning(diag, "faults", m->interval->where,
			     "the condition of %s overflows or divides by zero in %" PRIu64 " of "
			     "its tests, and counts as false there",
			     m->interval->name, m->faults);
}

void matches_free(struct matches *m)
{
	if (!m)
		return;
	free(m->anchors.pick);
	free(m->partners.pick);
	event_list_free(m->sieved);
	spill_free(m->partner_of);
	free(m);
}

/* ---- the moments of an end ---- */

static int compare_picks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Lists the starts or the ends of all instances, in the order of the stream. */
static struct moments moments_of_matches(const struct matches *m, enum moment which)
{
	bool at_anchor = (m->interval->direction == FORWARDS) == (which == MOMENT_START);
	const struct moments *from = at_anchor ? &m->anchors : &m->partners;
	struct moments to = *from;

	to.pick = array_new(m->matched, sizeof *to.pick);
	to.count = 0;
	for (size_t i = 0; i < m->count; i++)
		if (m->partner_of[i] != UNMATCHED)
			to.pick[to.count++] =
			    (uint32_t)moments_place(from, at_anchor ? i : m->partner_of[i]);
	qsort(to.pick, to.count, sizeof *to.pick, compare_picks);
	return to;
}

struct moments moments_of_end(struct trace *t, const struct interval_end *end,
			      struct matches *(*find)(struct trace *, const struct interval *))
{
	struct moments moments = {.trace = t};
	struct matches *m;

	if (!end->interval) {
		moments.list = trace_events(t, end->event);
		if (!moments.list)
			array_exhausted();
		moments.count = event_list_size(moments.list);
		return moments;
	}
	m = find(t, end->interval);
	moments = moments_of_matches(m, end->moment);
	matches_free(m);
	return moments;
}

/* ---- the engine ---- */

struct match_join {
	struct matches *matches;
	struct stream_join join;
	const struct partition *partition;
	struct bucket_rows {
		uint64_t *words;
		size_t room;
	} * rows; /* one for each worker */
};

static void pairs_take(void *context, const struct joined *pairs, size_t n)
{
	const struct match_join *x = context;
	uint32_t *partner_of = x->matches->partner_of;
	bool anchors_wait = x->join.waits == SIDE_ANCHOR;

	for (size_t i = 0; i < n; i++) {
		const struct joined *p = &pairs[i];

		if (p->waited == JOIN_ALONE)
			continue;
		if (anchors_wait)
			partner_of[p->waited] = (uint32_t)p->came;
		else
			partner_of[p->came] = (uint32_t)p->waited;
	}
}

static void bucket_join(void *context, size_t bucket, unsigned worker)
{
	struct match_join *x = context;
	const struct partition *p = x->partition;
	struct bucket_rows *rows = &x->rows[worker];
	size_t n = partition_count(p, bucket);

	rows->words = spill_reserve(rows->words, &rows->room, n * p->width, sizeof *rows->words);
	partition_gather(p, bucket, rows->words);
	stream_join_bucket(&x->join, worker, rows->words, n, NULL);
}

static void partition_join(struct match_join *x, const struct plan *plan, const struct partition *p)
{
	unsigned workers = parallel_workers();

	x->partition = p;
	x->rows = array_zero(workers, sizeof *x->rows);
	stream_join_begin(&x->join, plan, true, pairs_take, x);
	parallel_for(p->nbuckets, bucket_join, x);
	stream_join_end(&x->join);
	for (unsigned i = 0; i < workers; i++)
		spill_free(x->rows[i].words);
	free(x->rows);
}

static void matches_find(struct matches *m, const struct plan *plan)
{
	struct match_join x = {.matches = m};
	struct partition partition;

	if (plan_is_equality(plan)) {
		bool done;

		stream_join_begin(&x.join, plan, false, pairs_take, &x);
		done = rows_stream_join(&x.join, plan, &m->anchors, &m->partners, &m->faults);
		stream_join_end(&x.join);
		if (done)
			return;
	}
	rows_partition(&partition, plan, &m->anchors, &m->partners, &m->faults);
	if (plan_is_equality(plan))
		partition_join(&x, plan, &partition);
	else
		groups_match(m, plan, &partition);
	partition_clear(&partition);
}

struct matches *match_moments(const struct interval *interval, struct moments anchors,
			      struct moments partners)
{
	struct plan *plan = plan_new(interval);
	struct matches *m;
	uint64_t faults = 0;
	size_t not_asked;

	if (anchors.count > MOST_MOMENTS || partners.count > MOST_MOMENTS)
		array_fail("more than 2,147,483,647 events of one type cannot be matched");
	not_asked = anchors_choose(plan, &anchors, &faults);
	m = matches_new(interval, anchors, partners);
	m->not_asked = not_asked;
	m->faults = faults;
	for (unsigned i = 0; i < plan->norder; i++)
		comparison_rank(&plan->order[i], &m->anchors, &m->partners);
	progress_begin("matching");
	matches_find(m, plan);
	progress_end();
	plan_free(plan);
	matches_count(m);
	return m;
}

/* Returns the anchors of which that is known; anchors: all of a list. */
static struct moments known_choose(const struct moments *anchors, const uint32_t *known,
				   uint32_t what)
{
	struct moments chosen = *anchors;
	size_t n = 0;

	for (size_t i = 0; i < anchors->count; i++)
		n += known[i] == what;
	chosen.pick = array_new(n, sizeof *chosen.pick);
	chosen.count = 0;
	for (size_t i = 0; i < anchors->count; i++)
		if (known[i] == what)
			chosen.pick[chosen.count++] = (uint32_t)i;
	return chosen;
}

struct matches *match_known(const struct interval *interval, struct moments anchors,
			    struct moments partners, const uint32_t *known, struct moments some)
{
	struct moments open = known_choose(&anchors, known, KNOWN_OPEN), chosen = anchors;
	struct matches *rest = match_moments(interval, open, some), *m;
	uint32_t *to = array_new(anchors.count, sizeof *to);
	size_t at = 0;

	chosen.pick = array_new(anchors.count, sizeof *chosen.pick);
	chosen.count = 0;
	for (size_t i = 0; i < anchors.count; i++) {
		uint32_t partner = known[i];

		if (partner == KNOWN_OPEN) {
			if (at == rest->count || moments_place(&rest->anchors, at) != i)
				continue;
			partner = rest->partner_of[at++];
			if (partner != UNMATCHED)
				partner = (uint32_t)moments_place(&rest->partners, partner);
		} else if (partner == KNOWN_UNASKED)
			continue;
		to[chosen.count] = partner;
		chosen.pick[chosen.count++] = (uint32_t)i;
	}
	m = matches_new(interval, chosen, partners);
	memcpy(m->partner_of, to, m->count * sizeof *to);
	m->not_asked = anchors.count - m->count;
	m->faults = rest->faults;
	m->tested = rest->tested;
	m->visited = rest->visited;
	matches_count(m);
	matches_free(rest);
	free(to);
	return m;
}

struct matches *match_interval(struct trace *t, const struct interval *interval)
{
	struct moments anchors = moments_of_end(t, &interval->anchor, match_interval);
	struct moments partners = moments_of_end(t, &interval->partner, match_interval);

	return match_moments(interval, anchors, partners);
}
