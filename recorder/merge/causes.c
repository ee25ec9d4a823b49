#include "recorder/merge/causes.h"
#include "base/array.h"
#include "base/progress.h"
#include "base/search.h"
#include "base/spill.h"
#include "match/join/pair_stream.h"
#include <stdlib.h>
#include <string.h>

static void causes_grow(struct causes *c)
{
	size_t room = c->room ? 2 * c->room : 256;
	struct cause_wait *at = spill_new(room, sizeof *at);

	if (c->n)
		memcpy(at, c->at, c->n * sizeof *at);
	spill_free(c->at);
	c->at = at;
	c->room = room;
}

void causes_ask(struct causes *c, uint32_t thread, int64_t blocked, int64_t readied, int64_t ran)
{
	if (c->n == c->room)
		causes_grow(c);
	c->at[c->n++] = (struct cause_wait){.thread = thread,
					    .blocked = blocked,
					    .ran = ran,
					    .from = INT64_MIN,
					    .readied = readied};
}

static int wait_compare(const void *left, const void *right)
{
	const struct cause_wait *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->ran > b->ran) - (a->ran < b->ran);
}

/* Sorting takes as much memory again. */
static void causes_sort(struct causes *c)
{
	size_t i = 1;

	while (i < c->n && wait_compare(&c->at[i - 1], &c->at[i]) <= 0)
		i++;
	if (i < c->n)
		qsort(c->at, c->n, sizeof *c->at, wait_compare);
}

/* Returns the first wait of a thread that it left at that time or later. */
static size_t wait_from(const struct causes *c, uint32_t thread, int64_t ran)
{
	struct cause_wait key = {.thread = thread, .ran = ran};

	return lower_bound(i, 0, c->n, wait_compare(&c->at[i], &key) < 0);
}

struct causes_finding {
	struct causes *causes;
	int64_t origin;
	const struct interval **intervals;
	bool *ends_wait; /* by interval of kind "cause": its later event also ends waits */
};

/* Of nested waits the first one to end is the innermost: the one that the thread is blocked for. */
static void wait_visit(struct causes *c, uint32_t thread, int64_t begin, int64_t end)
{
	for (size_t i = wait_from(c, thread, begin); i < c->n; i++) {
		struct cause_wait *w = &c->at[i];

		if (w->thread != thread || w->ran > end)
			break;
		if (w->blocked < begin || w->ends)
			continue;
		w->ends = true;
		w->end = end;
		w->from = INT64_MIN;
	}
}

/*
 * Returns whether a cause counts, and more than those so far. Of the causes of a wait a signal,
 * from which the interval leads forwards, chose the thread; the last release before the wait's end,
 * to which the interval leads back, may be older than it. Then the first one counts.
 */
static bool cause_counts(const struct cause_wait *w, bool ends_wait, const struct cause_wait *cause)
{
	if (ends_wait && (!w->ends || w->end != cause->end))
		return false;
	if (!ends_wait && w->ends)
		return false;
	if (w->from == INT64_MIN)
		return true;
	if (ends_wait && w->signal != cause->signal)
		return cause->signal;
	return w->end == cause->end && cause->from < w->from;
}

static void cause_visit(struct causes *c, const struct cause_wait *cause, bool ends_wait)
{
	for (size_t i = wait_from(c, cause->thread, cause->from); i < c->n; i++) {
		struct cause_wait *w = &c->at[i];

		if (w->thread != cause->thread || w->ran > cause->end || w->blocked > cause->from)
			break;
		if (!cause_counts(w, ends_wait, cause))
			continue;
		w->from = cause->from;
		w->end = cause->end;
		w->signal = cause->signal;
	}
}

static void pair_visited(void *context, unsigned interval, const struct event *earlier,
			 const struct event *later)
{
	const struct causes_finding *f = context;
	int64_t from = earlier->time + f->origin, to = later->time + f->origin;

	if (f->intervals[interval]->kind == KIND_WAIT) {
		if (earlier->thread == later->thread)
			wait_visit(f->causes, later->thread, from, to);
	} else if (earlier->thread != later->thread) {
		cause_visit(f->causes,
			    &(struct cause_wait){
				.thread = later->thread,
				.from = from,
				.end = to,
				.signal = f->intervals[interval]->direction == FORWARDS,
			    },
			    f->ends_wait[interval]);
	}
}

/* Lists the intervals of a kind that may have instances, and returns how many they are. */
static unsigned intervals_choose(const struct trace *t, enum interval_kind kind,
				 const struct interval **list)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		const struct interval *interval = t->spec->intervals[i];

		if (interval->kind == kind && interval->anchor.event && interval->partner.event &&
		    t->events_of_type[interval->anchor.event->index] &&
		    t->events_of_type[interval->partner.event->index])
			list[n++] = interval;
	}
	return n;
}

static const struct event_type *later_type(const struct interval *interval)
{
	return interval->direction == FORWARDS ? interval->partner.event : interval->anchor.event;
}

/* Waits stand before causes in the list: at one event they are visited first. */
static unsigned finding_open(struct causes_finding *f, const struct trace *t)
{
	unsigned nwaits, ncauses;

	f->intervals = array_new(t->spec->nintervals + 1, sizeof *f->intervals);
	f->ends_wait = array_zero(t->spec->nintervals + 1, sizeof *f->ends_wait);
	nwaits = intervals_choose(t, KIND_WAIT, f->intervals);
	ncauses = intervals_choose(t, KIND_CAUSE, f->intervals + nwaits);
	if (!ncauses)
		return 0;
	for (unsigned i = nwaits; i < nwaits + ncauses; i++)
		for (unsigned k = 0; k < t->spec->nintervals; k++)
			if (t->spec->intervals[k]->kind == KIND_WAIT &&
			    later_type(t->spec->intervals[k]) == later_type(f->intervals[i]))
				f->ends_wait[i] = true;
	return nwaits + ncauses;
}

void causes_find(struct causes *c, struct trace *t)
{
	struct causes_finding f = {c, t->origin, NULL, NULL};
	struct pair_stream *s;
	unsigned n;

	if (!c->n)
		return;
	causes_sort(c);
	n = finding_open(&f, t);
	progress_begin("finding who woke the threads");
	if (n) {
		s = pair_stream_new(t, f.intervals, n, pair_visited, &f);
		pair_stream_read(s, t);
		c->unsure = pair_stream_unsure(s);
		if (c->unsure > c->n)
			c->unsure = c->n;
		pair_stream_free(s);
	}
	progress_end();
	free(f.intervals);
	free(f.ends_wait);
}

const struct cause_wait *causes_wait(const struct causes *c, uint32_t thread, int64_t ran)
{
	size_t i = wait_from(c, thread, ran);

	return i < c->n && c->at[i].thread == thread && c->at[i].ran == ran ? &c->at[i] : NULL;
}

void causes_free(struct causes *c)
{
	spill_free(c->at);
}
