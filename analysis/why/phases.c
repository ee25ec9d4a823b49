#include "analysis/why/phases.h"
#include "analysis/why/change_points.h"
#include "analysis/why/span_walk.h"
#include "base/sort.h"
#include <stdlib.h>
#include <string.h>

/*
 * A phase is looked at in so many bins, if the shortest that there may be has no more than a tenth
 * of them.
 */
enum { BINS = 512, PARTS = 10 };
/* Of groups of threads that compute, and of waits, those with most time are looked at. */
enum { GROUPS = 4, WAITS = 4 };
enum { READY, FIRST_GROUP, FIRST_WAIT = FIRST_GROUP + GROUPS, MEASURES = FIRST_WAIT + WAITS };

/* ---- what threads do, as a series ---- */

/* A group of threads that run, or an interval that threads wait in. */
struct doing {
	bool waits;
	int64_t key;
	int64_t time;
};

struct phase_series {
	const struct evidence *evidence;
	int64_t from, to;
	/* at last those with most time: the groups, then the waits */
	VECTOR(struct doing) doings;
	struct hash_table known;
	double *values; /* BINS * MEASURES: parts of the processors' time */
};

static bool doing_of(const struct phase_series *s, uint32_t thread, const struct stretch *stretch,
		     struct doing *d)
{
	d->waits = stretch->activity == ACTIVITY_WAITING;
	d->key = d->waits ? (int64_t)stretch->role : s->evidence->groups[thread];
	return d->waits || stretch->activity == ACTIVITY_RUNNING;
}

typedef void stretch_visit(struct phase_series *s, uint32_t thread, const struct stretch *stretch,
			   int64_t from, int64_t to);

static void stretches_each(struct phase_series *s, stretch_visit *visit)
{
	const struct graph *g = s->evidence->graph;

	for (uint32_t t = 0; t < s->evidence->trace->nthreads; t++) {
		const struct timeline *l = &g->threads[t];
		size_t i = stretch_before(l, s->from);

		for (i = i == l->n ? 0 : i; i < l->n && l->stretches[i].from < s->to; i++) {
			int64_t from = l->stretches[i].from, to = stretch_end(l, i);

			from = from > s->from ? from : s->from;
			to = to < s->to ? to : s->to;
			if (from < to)
				visit(s, t, &l->stretches[i], from, to);
		}
	}
}

static void doing_add(struct phase_series *s, uint32_t thread, const struct stretch *stretch,
		      int64_t from, int64_t to)
{
	struct doing d = {0};
	struct hash_slot *slot;

	if (!doing_of(s, thread, stretch, &d))
		return;
	slot = hash_table_slot(&s->known, hash_mix((uint64_t)d.key), d.waits);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)s->doings.n;
		*vector_add(&s->doings) = d;
	}
	s->doings.at[slot->head].time += to - from;
}

static int most_first(const void *a, const void *b)
{
	const struct doing *x = a, *y = b;

	if (x->waits != y->waits)
		return x->waits ? 1 : -1;
	return (x->time < y->time) - (x->time > y->time);
}

/* Gives those with most time their measures: in the slots, for all that is known. */
static void measures_choose(struct phase_series *s)
{
	size_t groups = 0, waits = 0;

	if (s->doings.n)
		qsort(s->doings.at, s->doings.n, sizeof *s->doings.at, most_first);
	for (size_t i = 0; i < s->doings.n; i++) {
		const struct doing *d = &s->doings.at[i];
		size_t measure = d->waits ? FIRST_WAIT + waits++ : FIRST_GROUP + groups++;
		bool has = d->waits ? waits <= WAITS : groups <= GROUPS;

		hash_table_slot(&s->known, hash_mix((uint64_t)d->key), d->waits)->head =
		    (uint32_t)(has ? measure : MEASURES);
	}
}

static size_t measure_of(struct phase_series *s, uint32_t thread, const struct stretch *stretch)
{
	struct doing d;

	if (stretch->activity == ACTIVITY_READY)
		return READY;
	if (!doing_of(s, thread, stretch, &d))
		return MEASURES;
	return hash_table_slot(&s->known, hash_mix((uint64_t)d.key), d.waits)->head;
}

static void bins_add(struct phase_series *s, uint32_t thread, const struct stretch *stretch,
		     int64_t from, int64_t to)
{
	size_t measure = measure_of(s, thread, stretch);
	double width = (double)(s->to - s->from) / BINS;
	double a = (double)(from - s->from) / width, b = (double)(to - s->from) / width;

	if (measure == MEASURES)
		return;
	for (size_t i = (size_t)a; i < BINS && (double)i < b; i++) {
		double begin = a > (double)i ? a : (double)i,
		       end = b < (double)(i + 1) ? b : (double)(i + 1);

		s->values[i * MEASURES + measure] += (end - begin) / s->evidence->idle->processors;
	}
}

/* More that wait than there are processors are as many. */
static void series_make(struct phase_series *s)
{
	stretches_each(s, doing_add);
	measures_choose(s);
	s->values = array_zero((size_t)BINS * MEASURES, sizeof *s->values);
	stretches_each(s, bins_add);
	for (size_t i = 0; i < (size_t)BINS * MEASURES; i++)
		s->values[i] = s->values[i] < 1 ? s->values[i] : 1;
}

static void series_free(struct phase_series *s)
{
	free(s->values);
	free(s->doings.at);
	hash_table_free(&s->known);
}

/* ---- phases ---- */

struct phase_search {
	phase_list *phases;
	const struct evidence *evidence;
	int64_t least; /* ns */
};

static void found_add(struct phase_search *l, size_t within, int64_t from, int64_t to);

/* The bins of the shortest phase that there may be. */
static size_t least_bins(const struct phase_search *l, int64_t length)
{
	double bins = BINS * (double)l->least / (double)length;

	return (size_t)bins + 1;
}

/*
 * Parts a time where what threads do changes; nothing, if a tenth of it is too short for a phase.
 */
static void changes_add(struct phase_search *l, size_t within, int64_t from, int64_t to)
{
	struct change_rule rule = {least_bins(l, to - from), PHASE_CHANGE, PHASE_LEVEL};
	struct phase_series s = {.evidence = l->evidence, .from = from, .to = to};
	change_points changes = {0};
	int64_t last = from;

	if (to - from < PARTS * l->least || to - from < BINS)
		return;
	series_make(&s);
	change_points_find(s.values, BINS, MEASURES, &rule, &changes);
	series_free(&s);
	for (size_t i = 0; i < changes.n; i++) {
		int64_t at = from + (int64_t)((double)(to - from) * (double)changes.at[i] / BINS);

		found_add(l, within, last, at);
		last = at;
	}
	if (changes.n)
		found_add(l, within, last, to);
	free(changes.at);
}

static unsigned number_of(const phase_list *phases, size_t within, const char *name)
{
	unsigned number = 1;

	for (size_t i = 0; i < phases->n; i++)
		number += phases->at[i].within == within &&
			  (phases->at[i].name == name ||
			   (name && phases->at[i].name && strcmp(phases->at[i].name, name) == 0));
	return number;
}

static void phase_add(struct phase_search *l, const char *name, size_t within, int64_t from,
		      int64_t to)
{
	struct phase p = {name,   number_of(l->phases, within, name),
			  from,   to,
			  within, within == NO_PHASE ? 0 : l->phases->at[within].depth + 1};

	*vector_add(l->phases) = p;
}

static void found_add(struct phase_search *l, size_t within, int64_t from, int64_t to)
{
	size_t phase = l->phases->n;

	phase_add(l, NULL, within, from, to);
	changes_add(l, phase, from, to);
}

/* The innermost named phase that a time lies in. */
static size_t within_of(const phase_list *phases, int64_t from, int64_t to)
{
	for (size_t i = phases->n; i-- > 0;)
		if (phases->at[i].name && phases->at[i].from <= from && phases->at[i].to >= to)
			return i;
	return NO_PHASE;
}

static int named_order(const void *a, const void *b)
{
	const struct span_of_time *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to > y->to ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* A phase that others are in comes before them. */
static void named_add(struct phase_search *l, int64_t from, int64_t to)
{
	const struct evidence *g = l->evidence;
	bool *places = array_zero(evidence_places(g), sizeof *places);
	struct focus all = focus_all(g, from, to);
	VECTOR(struct span_of_time) named = {0};
	struct span_of_time s;

	for (size_t i = 0; i < evidence_places(g); i++)
		places[i] = place_class(g, i)->role && place_class(g, i)->role->kind == KIND_PHASE;
	for (struct span_walk w = span_walk_begin(g, &all, places); span_walk_next(&w, &s);)
		*vector_add(&named) = s;
	if (named.n)
		qsort(named.at, named.n, sizeof *named.at, named_order);
	for (size_t i = 0; i < named.n; i++) {
		const struct interval *interval = place_class(g, named.at[i].place)->role->interval;
		int64_t a = named.at[i].from > from ? named.at[i].from : from;
		int64_t b = named.at[i].to < to ? named.at[i].to : to;

		if (b - a >= l->least)
			phase_add(l, style_label(&interval->style, interval->name),
				  within_of(l->phases, a, b), a, b);
	}
	focus_free(&all);
	free(named.at);
	free(places);
}

void phases_find(phase_list *phases, const struct evidence *g, int64_t from, int64_t to)
{
	struct phase_search l = {phases, g, (int64_t)(PHASE_LEAST * (double)(to - from))};
	size_t named;

	named_add(&l, from, to);
	named = phases->n;
	for (size_t i = 0; i < named; i++)
		changes_add(&l, i, phases->at[i].from, phases->at[i].to);
	changes_add(&l, NO_PHASE, from, to);
}

size_t phase_of(const phase_list *phases, int64_t from, int64_t to)
{
	size_t found = NO_PHASE;

	for (size_t i = 0; i < phases->n; i++) {
		const struct phase *p = &phases->at[i];
		int64_t length = p->to - p->from, slack = length / 50;

		if (from >= p->from - slack && to <= p->to + slack &&
		    (found == NO_PHASE || length < phases->at[found].to - phases->at[found].from))
			found = i;
	}
	return found;
}

/* "2.1": the first phase in the second. */
static char *numbers_text(const phase_list *phases, size_t i)
{
	const struct phase *p = &phases->at[i];
	char *outer, *text;

	if (p->within == NO_PHASE || phases->at[p->within].name)
		return text_format("%u", p->number);
	outer = numbers_text(phases, p->within);
	text = text_format("%s.%u", outer, p->number);
	free(outer);
	return text;
}

char *phase_text(const phase_list *phases, size_t i)
{
	const struct phase *p = &phases->at[i];
	char *numbers, *text, *outer;

	if (p->name)
		return text_format("%s %u", p->name, p->number);
	numbers = numbers_text(phases, i);
	text = text_format("phase %s", numbers);
	free(numbers);
	while (p->within != NO_PHASE && !p->name)
		p = &phases->at[p->within];
	if (!p->name)
		return text;
	outer = text_format("%s %u, %s", p->name, p->number, text);
	free(text);
	return outer;
}
