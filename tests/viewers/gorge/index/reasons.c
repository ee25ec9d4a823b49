/*
 * reasons DIR...: each blocked state goes to the wait that a plain double loop over all
 * instances finds: the one that lasts for at least half of it, of several the one that began last.
 * Prints TAP.
 */
#include "tests/tap.h"
#include "viewers/gorge/index/layer.h"
#include "viewers/gorge/index/trace_index.h"
#include <inttypes.h>
#include <stdlib.h>

/* An instance within a thread; of a state: what explains it. */
struct stay {
	int64_t start, end;
	uint32_t first, last, anchor;
	unsigned thread, wait;
};

struct stays {
	VECTOR(struct stay) at;
};

static struct trace_index *indexed;

static void take_within(struct stays *m, const struct interval *interval, unsigned wait)
{
	struct matches *matches = match_interval(indexed->trace, interval);
	struct instance i;

	for (size_t a = 0; a < matches->count; a++) {
		matches_get(matches, a, &i);
		if (!i.partner.record || i.anchor.thread != i.partner.thread)
			continue;
		uint32_t anchor = event_id_unit(event_index_id(indexed->events, &i.anchor));
		uint32_t partner = event_id_unit(event_index_id(indexed->events, &i.partner));
		bool backwards = interval->direction == BACKWARDS;
		*vector_add(&m->at) =
		    (struct stay){i.start,
				  i.end,
				  backwards ? partner : anchor,
				  backwards ? anchor : partner,
				  anchor,
				  trace_thread_index(indexed->trace, i.anchor.thread),
				  wait};
	}
	matches_free(matches);
}

/* Whether a wait began later than another one, or with the same event and is the shorter one. */
static bool is_later(const struct stay *a, const struct stay *b)
{
	if (a->first != b->first)
		return a->first > b->first;
	return a->last != b->last ? a->last < b->last : a->wait > b->wait;
}

static bool lasts_for_half(const struct stay *wait, const struct stay *state)
{
	int64_t common = 0;

	if (wait->end < state->start || wait->start > state->end)
		return false;
	common += wait->end < state->end ? wait->end : state->end;
	common -= wait->start > state->start ? wait->start : state->start;
	return common * 2 >= state->end - state->start;
}

static void explain_plainly(struct stay *state, const struct stays *waits, unsigned none)
{
	const struct stay *best = NULL;

	for (size_t k = 0; k < waits->at.n; k++) {
		const struct stay *wait = &waits->at.at[k];

		if (wait->thread == state->thread && lasts_for_half(wait, state) &&
		    (!best || is_later(wait, best)))
			best = wait;
	}
	state->wait = best ? best->wait : none;
	state->anchor = best ? best->anchor : 0;
}

/* ---- what the reasons say ---- */

static void take_reason(struct stays *found, const struct reasons *r, unsigned thread,
			unsigned wait)
{
	const struct reason *why = reasons_at(r, thread, wait);
	int64_t *starts = spans_starts(&why->spans, indexed->events);

	for (size_t i = 0; i < why->spans.n; i++)
		*vector_add(&found->at) = (struct stay){starts[i],
							starts[i] + spans_length(&why->spans, i),
							why->spans.start[i],
							why->spans.end[i],
							wait < r->nwaits ? why->anchors[i] : 0,
							thread,
							wait};
	free(starts);
}

static int compare_states(const void *pa, const void *pb)
{
	const struct stay *a = pa, *b = pb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->last > b->last) - (a->last < b->last);
}

static bool same_states(const char *name, struct stays *plain, struct stays *found)
{
	size_t bad = plain->at.n != found->at.n;

	if (bad)
		printf("# %s: %zu states, not %zu\n", name, found->at.n, plain->at.n);
	qsort(plain->at.at, plain->at.n, sizeof *plain->at.at, compare_states);
	qsort(found->at.at, found->at.n, sizeof *found->at.at, compare_states);
	for (size_t i = 0; !bad && i < plain->at.n; i++) {
		const struct stay *a = &plain->at.at[i], *b = &found->at.at[i];

		if (!compare_states(a, b) && a->start == b->start && a->end == b->end &&
		    a->wait == b->wait && a->anchor == b->anchor)
			continue;
		printf("# %s: thread %u, %" PRId64 " to %" PRId64 ": wait %u at %u, not %u at %u\n",
		       name, a->thread, a->start, a->end, b->wait, b->anchor, a->wait, a->anchor);
		bad++;
	}
	return !bad;
}

/* Whether the case is worth something: most waits explain some states, and some states have no reason. */
static bool is_rich(const struct stays *states, unsigned nwaits)
{
	size_t *counts = array_zero(nwaits + 1, sizeof *counts);
	unsigned explaining = 0;

	for (size_t i = 0; i < states->at.n; i++)
		counts[states->at.at[i].wait]++;
	for (unsigned w = 0; w <= nwaits; w++) {
		printf("# %zu states have reason %u\n", counts[w], w);
		explaining += w < nwaits && counts[w] > 0;
	}
	bool rich = explaining * 2 > nwaits && counts[nwaits] > 0;
	free(counts);
	return rich;
}

static void test_reasons(const char *name)
{
	const struct spec *spec = indexed->trace->spec;
	const struct interval *blocked = spec_interval(spec, "Blocked");
	const struct interval **waits = array_zero(spec->nintervals, sizeof(struct interval *));
	bool *wanted = array_zero(spec->nintervals, 1);
	struct stays plain = {0}, open = {0}, found = {0};
	struct reasons *r;
	unsigned n = 0;

	take_within(&plain, blocked, 0);
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (wait_class_of(spec, spec->intervals[i]) != WAIT_NONE) {
			take_within(&open, spec->intervals[i], n);
			waits[n++] = spec->intervals[i];
			wanted[i] = true;
		}
	for (size_t i = 0; i < plain.at.n; i++)
		explain_plainly(&plain.at.at[i], &open, n);
	matcher_wait(indexed->matcher, wanted, -1);
	trace_index_use(indexed, blocked);
	r = trace_index_reasons(indexed, blocked, waits, n);
	for (unsigned t = 0; t < r->nthreads; t++)
		for (unsigned w = 0; w <= n; w++)
			take_reason(&found, r, t, w);
	ok(same_states(name, &plain, &found),
	   "each blocked state has the reason that a plain loop finds");
	ok(is_rich(&plain, n), "most waits explain some, and some have no reason");
	reasons_free(r);
	trace_index_used();
	free(waits);
	free(wanted);
	free(plain.at.at);
	free(open.at.at);
	free(found.at.at);
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "reasons"};

	for (int i = 1; i < argc; i++) {
		const char *const *directory = (const char *const *)argv + i;
		struct trace *t = trace_open(directory, 1, NULL, &diag);
		struct trace_index *m = t ? trace_index_new(t, &diag) : NULL;

		if (!m)
			return 2;
		indexed = m;
		test_reasons(argv[i]);
		trace_index_free(m);
	}
	return tap_end();
}
