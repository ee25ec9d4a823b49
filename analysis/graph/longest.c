#include "analysis/graph/longest.h"
#include "base/array.h"
#include "base/sort.h"
#include <stdlib.h>

enum progress { UNKNOWN, BEGUN, KNOWN };

struct longest {
	const struct graph *graph;
	size_t n;                       /* stretches of all threads */
	size_t *first;                  /* of each thread, and one more */
	struct keyed *order;            /* stretches: i, by their ends, latest first */
	uint32_t *thread_of;
	struct path_length *ends;       /* the longest path to the end of each stretch */
	unsigned char *progress;        /* enum progress, of each stretch */
	size_t *need;                   /* of each stretch: the first need after its beginning; NULL: there are none */
	size_t *at;                     /* of each thread: in the part's spans */
	const struct part *part;
	double kept;
};

static void order_make(struct longest *l)
{
	for (uint32_t t = 0; t < l->graph->trace->nthreads; t++) {
		const struct timeline *line = &l->graph->threads[t];

		for (size_t i = 0; i < line->n; i++) {
			size_t place = l->first[t] + i;

			l->order[place] = (struct keyed){(uint64_t)stretch_end(line, i), place};
			l->thread_of[place] = t;
		}
	}
	sort_keyed(l->order, l->n);
}

static void needs_place(struct longest *l)
{
	const struct graph *g = l->graph;

	l->need = array_new(l->n, sizeof *l->need);
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		size_t need = g->first_need[t];

		for (size_t i = 0; i < g->threads[t].n; i++) {
			while (need < g->first_need[t + 1] && g->needs.at[need].time <= g->threads[t].stretches[i].from)
				need++;
			l->need[l->first[t] + i] = need;
		}
	}
}

struct longest *longest_new(const struct graph *g)
{
	struct longest *l = array_zero(1, sizeof *l);
	uint32_t nthreads = g->trace->nthreads;

	l->graph = g;
	l->first = array_new((size_t)nthreads + 1, sizeof *l->first);
	for (uint32_t i = 0; i < nthreads; i++) {
		l->first[i] = l->n;
		l->n += g->threads[i].n;
	}
	l->first[nthreads] = l->n;
	l->order = array_new(l->n, sizeof *l->order);
	l->thread_of = array_new(l->n, sizeof *l->thread_of);
	l->ends = array_new(l->n, sizeof *l->ends);
	l->progress = array_new(l->n, sizeof *l->progress);
	l->at = array_new(nthreads, sizeof *l->at);
	order_make(l);
	if (g->first_need)
		needs_place(l);
	return l;
}

void longest_free(struct longest *l)
{
	free(l->first);
	free(l->order);
	free(l->thread_of);
	free(l->ends);
	free(l->progress);
	free(l->need);
	free(l->at);
	free(l);
}

/* ---- one question ---- */

/* Adds time of a thread, of which a part is shortened. */
static struct path_length longer(struct longest *l, struct path_length to, uint32_t thread,
				 int64_t from, int64_t until)
{
	double part = 0;

	if (l->part)
		part = -(double)part_until_next(l->part, thread, from, &l->at[thread]);
	if (l->part)
		part += (double)part_until_next(l->part, thread, until, &l->at[thread]);
	to.length += (double)(until - from) - (1 - l->kept) * part;
	to.part += part;
	return to;
}

/* Of paths of the same length the one with less of the part, which stays the longest when that is cut. */
static struct path_length longer_of(struct path_length a, struct path_length b)
{
	if (a.length != b.length)
		return a.length > b.length ? a : b;
	return a.part < b.part ? a : b;
}

static bool end_find(struct longest *l, size_t place);

static struct path_length thread_begin(struct longest *l, uint32_t thread);

/* Sets *to to the longest path to the beginning of a stretch; false: it depends on what asks. */
static bool begin_find(struct longest *l, size_t place, struct path_length *to)
{
	uint32_t thread = l->thread_of[place];

	if (place == l->first[thread]) {
		*to = thread_begin(l, thread);
		return true;
	}
	if (!end_find(l, place - 1))
		return false;
	*to = l->ends[place - 1];
	return true;
}

static bool moment_find(struct longest *l, uint32_t thread, int64_t time, struct path_length *to);

/* Returns the longer one of a path to a moment in a stretch and of those by what the thread needed in it until then. */
static struct path_length needs_meet(struct longest *l, struct path_length to, size_t place, int64_t until)
{
	const struct graph *g = l->graph;
	uint32_t thread = l->thread_of[place];
	struct path_length by;

	if (!l->need)
		return to;
	for (size_t i = l->need[place]; i < g->first_need[thread + 1] && g->needs.at[i].time <= until; i++)
		if (moment_find(l, g->needs.at[i].of, g->needs.at[i].moment, &by))
			to = longer_of(to, longer(l, by, thread, g->needs.at[i].time, until));
	return to;
}

/* Sets *to to the longest path to a moment in a thread. */
static bool moment_find(struct longest *l, uint32_t thread, int64_t time, struct path_length *to)
{
	const struct timeline *line = &l->graph->threads[thread];
	size_t i = stretch_before(line, time);

	if (i == line->n) {
		*to = thread_begin(l, thread);
		return true;
	}
	if (!begin_find(l, l->first[thread] + i, to))
		return false;
	if (line->stretches[i].cause_thread != NO_THREAD && time == stretch_end(line, i)) {
		if (!end_find(l, l->first[thread] + i))
			return false;
		*to = l->ends[l->first[thread] + i];
	} else {
		*to = longer(l, *to, thread, line->stretches[i].from, time);
		*to = needs_meet(l, *to, l->first[thread] + i, time);
	}
	return true;
}

static struct path_length thread_begin(struct longest *l, uint32_t thread)
{
	const struct timeline *line = &l->graph->threads[thread];
	struct path_length to;

	if (line->creator != NO_THREAD && line->created <= line->begin &&
	    moment_find(l, line->creator, line->created, &to)) {
		to.length += (double)(line->begin - line->created);
		return to;
	}
	return (struct path_length){.length = (double)line->begin};
}

/* Finds the longest path to the end of a stretch. Returns false in a circle of one moment. */
static bool end_find(struct longest *l, size_t place)
{
	uint32_t thread = l->thread_of[place];
	const struct timeline *line = &l->graph->threads[thread];
	size_t i = place - l->first[thread];
	const struct stretch *s = &line->stretches[i];
	int64_t end = stretch_end(line, i);
	struct path_length to, let;

	if (l->progress[place] != UNKNOWN)
		return l->progress[place] == KNOWN;
	l->progress[place] = BEGUN;
	if (!begin_find(l, place, &to))
		to = (struct path_length){.length = (double)s->from};
	if (s->cause_thread != NO_THREAD && moment_find(l, s->cause_thread, s->cause_time, &let)) {
		let.length += (double)(end - s->cause_time);
		to = longer_of(to, let);
	} else {
		to = longer(l, to, thread, s->from, end);
	}
	to = needs_meet(l, to, place, end);
	l->ends[place] = to;
	l->progress[place] = KNOWN;
	return true;
}

struct path_length longest_path(struct longest *l, const struct part *p, double kept)
{
	struct path_length longest = {0};

	l->part = p;
	l->kept = kept;
	memset(l->progress, UNKNOWN, l->n);
	memset(l->at, 0, l->graph->trace->nthreads * sizeof *l->at);
	for (size_t i = l->n; i-- > 0;)
		end_find(l, l->order[i].i);
	for (uint32_t t = 0; t < l->graph->trace->nthreads; t++)
		if (l->graph->threads[t].n)
			longest = longer_of(longest, l->ends[l->first[t + 1] - 1]);
	return longest;
}

/*
 * The length is a convex function of how much is cut, made of lines, one for each path. Where the
 * line of the longest path uncut meets that of the longest one when more is cut, less may be cut;
 * until the longest one there is the first one again (Newton's method on lines: it ends).
 */
double longest_slack(struct longest *l, const struct part *p)
{
	struct path_length whole = longest_path(l, p, 1);
	double cut = 1;

	while (whole.part > 0) {
		struct path_length there = longest_path(l, p, 1 - cut);
		double line = whole.length - cut * whole.part, meet;

		if (there.length <= line + 1e-3 || there.part >= whole.part)
			return cut * whole.part;
		/* the other path's line: there.length + (cut - x) * there.part */
		meet = (whole.length - there.length - cut * there.part) /
		       (whole.part - there.part);
		if (meet >= cut)
			return cut * whole.part;
		cut = meet > 0 ? meet : 0;
		if (cut == 0)
			return 0;
	}
	return 0;
}
