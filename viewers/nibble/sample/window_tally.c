#include "viewers/nibble/sample/window_tally.h"
#include "base/array.h"
#include "base/hash.h"
#include "trace/stream/pass.h"
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t tally_least = 1 << 16;
size_t tally_most = 1 << 23;

/* ---- what each thread gives to each curve ---- */

/* Makes room for values; pages that are not touched cost nothing. */
static void part_resize(const struct window_tally *y, struct tally_part *p, size_t room)
{
	p->room = room;
	if (y->keep == KEEP_VALUES || y->keep == KEEP_POINTS)
		p->values = array_resize(p->values, room, sizeof *p->values);
	if (y->keep == KEEP_POINTS)
		p->times = array_resize(p->times, room, sizeof *p->times);
	if (y->keep == KEEP_TIMES)
		p->since = array_resize(p->since, room, sizeof *p->since);
}

static struct tally_part *part_new(struct window_tally *y, size_t thread, int64_t key,
				   uint64_t most)
{
	struct tally_part *p;

	if (__atomic_add_fetch(&y->ncells, y->windows.n, __ATOMIC_RELAXED) > tally_most)
		return NULL;
	p = *vector_add(&y->threads[thread].parts) = array_zero(1, sizeof *p);
	p->key = key;
	p->thread = thread;
	p->cells = array_zero(y->windows.n, sizeof *p->cells);
	if (most > 0)
		part_resize(y, p, most);
	return p;
}

static struct tally_part *tally_part(struct window_tally *y, size_t thread, int64_t key,
				     uint64_t most)
{
	struct tally_thread *t = &y->threads[thread];
	struct tally_part *p;
	struct hash_slot *slot;

	if (y->node->source.per != PER_ATTRIBUTE)
		return t->parts.n > 0 ? t->parts.at[0] : part_new(y, thread, key, most);
	if (!t->places)
		t->places = array_zero(1, sizeof *t->places);
	slot = hash_table_slot(t->places, hash_mix((uint64_t)key), (uint64_t)key);
	if (slot->head != HASH_NOTHING)
		return t->parts.at[slot->head];
	p = part_new(y, thread, key, most);
	if (p)
		slot->head = (uint32_t)t->parts.n - 1;
	return p;
}

static int compare_parts(const void *left, const void *right)
{
	const struct tally_part *a = *(struct tally_part *const *)left;
	const struct tally_part *b = *(struct tally_part *const *)right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static void tally_settle(struct window_tally *y)
{
	for (unsigned k = 0; k < y->trace->nthreads; k++)
		for (size_t i = 0; i < y->threads[k].parts.n; i++)
			*vector_add(&y->parts) = y->threads[k].parts.at[i];
	if (y->parts.n > 1)
		qsort(y->parts.at, y->parts.n, sizeof *y->parts.at, compare_parts);
	y->firsts = array_zero(y->parts.n + 2, sizeof *y->firsts);
	for (size_t i = 0; i < y->parts.n; i++)
		if (i == 0 || y->parts.at[i]->key != y->parts.at[i - 1]->key)
			y->firsts[y->ncurves++] = i;
	/* What is no family is a curve even without events. */
	if (y->parts.n == 0 && y->node->source.per == PER_NOTHING)
		y->ncurves = 1;
	y->firsts[y->ncurves] = y->parts.n;
}

static void tally_part_free(struct tally_part *p)
{
	free(p->cells);
	free(p->values);
	free(p->times);
	free(p->since);
	free(p);
}

static void tally_parts_free(struct window_tally *y)
{
	for (unsigned k = 0; k < y->trace->nthreads; k++) {
		struct tally_thread *t = &y->threads[k];

		for (size_t i = 0; i < t->parts.n; i++)
			tally_part_free(t->parts.at[i]);
		free(t->parts.at);
		if (t->places)
			hash_table_free(t->places);
		free(t->places);
	}
	free(y->parts.at);
	free(y->firsts);
}

/* ---- the inner loops of the pass: chunks of events, and of these the runs in one window ---- */

/* The selected events of a chunk, with their values. */
struct chunk_events {
	size_t n;
	int64_t time[EVENT_CHUNK];
	double value[EVENT_CHUNK];
};

/* Chooses the records of a chunk that are selected; returns their number. */
static size_t tally_choose(const struct window_tally *y, const struct event_chunk *b,
			   struct chunk_events *c, const unsigned char **records, uint64_t *faults)
{
	const struct trace_thread *t = &y->trace->threads[b->thread];
	struct operand event = {
	    .event = b->type, .thread = t->number, .owner = t->owner, .process = t->directory};
	struct binding one = {.side = {event, event}};

	if (y->conditions.n == 0) {
		memcpy(c->time, b->time, b->n * sizeof *c->time);
		memcpy(records, b->record, b->n * sizeof *records);
		return b->n;
	}
	c->n = 0;
	for (size_t i = 0; i < b->n; i++) {
		for (int side = 0; side < 2; side++) {
			one.side[side].record = b->record[i];
			one.side[side].time = b->time[i];
		}
		c->time[c->n] = b->time[i];
		records[c->n] = b->record[i];
		c->n += conditions_hold(&y->conditions, &one, faults);
	}
	return c->n;
}

/* Reads numbers of a type into doubles or words. */
#define READ_ALL(type) \
	for (size_t i = 0; i < n; i++) { \
		type number; \
		memcpy(&number, records[i] + a->offset, sizeof number); \
		values[i] = (__typeof__(*values))number; \
	} \
	break

static void values_read(const struct attribute *a, const unsigned char *const *records, size_t n,
			double *values)
{
	switch (a->type) {
	case TYPE_INT:
		READ_ALL(int32_t);
	case TYPE_UINT:
		READ_ALL(uint32_t);
	case TYPE_LONG:
		READ_ALL(int64_t);
	case TYPE_DOUBLE:
		READ_ALL(double);
	default:
		READ_ALL(uint64_t);
	}
}

static void keys_read(const struct attribute *a, const unsigned char *const *records, size_t n,
		      int64_t *values)
{
	switch (a->type) {
	case TYPE_INT:
		READ_ALL(int32_t);
	case TYPE_UINT:
		READ_ALL(uint32_t);
	default:
		READ_ALL(int64_t);
	}
}

static void keep_ends(struct tally_cell *cell, const int64_t *times, size_t n)
{
	size_t i = 0;

	if (cell->n == 0) {
		cell->first = times[0];
		cell->at_first = 0;
	}
	while (i < n && times[i] == cell->first)
		i++;
	cell->at_first += i;
	cell->last = times[n - 1];
}

static void keep_sum(struct tally_cell *cell, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cell->sum += values[i];
}

static void keep_extremes(struct tally_cell *cell, const double *values, size_t n)
{
	double least = INFINITY, greatest = -INFINITY;

	if (cell->n > 0) {
		least = cell->least;
		greatest = cell->greatest;
	}
	for (size_t i = 0; i < n; i++) {
		least = values[i] < least ? values[i] : least;
		greatest = values[i] > greatest ? values[i] : greatest;
	}
	cell->least = least;
	cell->greatest = greatest;
}

static void keep_times(const struct window_tally *y, struct tally_part *p, struct tally_cell *cell,
		       const int64_t *times, size_t n)
{
	int64_t base = tally_base(y, p->window);
	uint32_t *since = p->since + p->nvalues;

	if (cell->n == 0)
		cell->start = p->nvalues;
	for (size_t i = 0; i < n; i++)
		since[i] = (uint32_t)(times[i] - base);
	p->nvalues += n;
}

static void keep_values(struct tally_part *p, struct tally_cell *cell, const struct chunk_events *c,
			size_t from, size_t n)
{
	if (cell->n == 0)
		cell->start = p->nvalues;
	if (p->values)
		memcpy(p->values + p->nvalues, c->value + from, n * sizeof *p->values);
	for (size_t i = 0; p->times && i < n; i++)
		p->times[p->nvalues + i] = (double)c->time[from + i];
	p->nvalues += n;
}

/* Adds the events of one window. */
static void stretch_take(const struct window_tally *y, struct tally_part *p,
			 const struct chunk_events *c, size_t from, size_t to)
{
	struct tally_cell *cell = &p->cells[p->window];

	switch (y->keep) {
	case KEEP_COUNT:
		break;
	case KEEP_ENDS:
		keep_ends(cell, c->time + from, to - from);
		break;
	case KEEP_SUM:
		keep_sum(cell, c->value + from, to - from);
		break;
	case KEEP_EXTREMES:
		keep_extremes(cell, c->value + from, to - from);
		break;
	case KEEP_VALUES:
	case KEEP_POINTS:
		keep_values(p, cell, c, from, to - from);
		break;
	case KEEP_TIMES:
		keep_times(y, p, cell, c->time + from, to - from);
		break;
	}
	cell->n += to - from;
}

/* Adds the events from..to-1 to one part. */
static void stretches_take(const struct window_tally *y, struct tally_part *p,
			   const struct chunk_events *c, size_t from, size_t to)
{
	size_t i = from;

	for (; i < to && c->time[i] < y->from; i++)
		p->before++;
	while (i < to) {
		while (p->window < y->windows.n && c->time[i] >= y->until[p->window])
			p->window++;
		if (p->window == y->windows.n)
			return;
		from = i;
		if (c->time[to - 1] < y->until[p->window])
			i = to;
		while (i < to && c->time[i] < y->until[p->window])
			i++;
		stretch_take(y, p, c, from, i);
	}
}

/* Adds the events of a thread to its own curve, or to the only one. */
static void whole_take(struct window_tally *y, const struct event_chunk *b,
		       const struct chunk_events *c)
{
	const struct trace_thread *thread = &y->trace->threads[b->thread];
	uint64_t most = y->trace->events_of_type[b->type->index];
	int64_t key = y->node->source.per == PER_THREAD ? (int64_t)thread->number : 0;
	struct tally_part *p;

	most = most < thread->events ? most : thread->events;
	p = tally_part(y, b->thread, key, most);
	if (p)
		stretches_take(y, p, c, 0, c->n);
}

/* Adds each event to the curve of its value; neighbours often have the same. */
static void keyed_take(struct window_tally *y, const struct event_chunk *b,
		       const struct chunk_events *c, const unsigned char *const *records)
{
	int64_t keys[EVENT_CHUNK];
	size_t from, to;

	keys_read(&b->type->attributes[y->node->source.per_attribute], records, c->n, keys);
	for (from = 0; from < c->n; from = to) {
		struct tally_part *p = tally_part(y, b->thread, keys[from], 0);

		if (!p)
			return;
		for (to = from + 1; to < c->n && keys[to] == keys[from]; to++)
			;
		if (p->room - p->nvalues < to - from)
			part_resize(y, p, 2 * (p->nvalues + (to - from)));
		stretches_take(y, p, c, from, to);
	}
}

static void tally_take(struct window_tally *y, const struct event_chunk *b)
{
	const struct expr_subject *subject = &y->node->source.subject;
	const unsigned char *records[EVENT_CHUNK];
	struct chunk_events c;

	if (!y->selected[b->thread] || __atomic_load_n(&y->ncells, __ATOMIC_RELAXED) > tally_most)
		return;
	c.n = tally_choose(y, b, &c, records, &y->threads[b->thread].faults);
	if (c.n == 0)
		return;
	if (subject->has_value)
		values_read(&b->type->attributes[subject->attribute], records, c.n, c.value);
	if (y->node->source.per == PER_ATTRIBUTE)
		keyed_take(y, b, &c, records);
	else
		whole_take(y, b, &c);
}

/* ---- the pass over the logs ---- */

/* If the events are in lists, a pass pays only for at least this part of them. */
enum { LEAST_PART = 8 };

/* Rounds the edges to whole nanoseconds; the last window includes its end. */
static void edges_round(struct window_tally *y)
{
	const struct windows *g = &y->windows;

	y->from = (int64_t)ceil(g->edges[0]);
	y->until = array_zero(g->n, sizeof *y->until);
	for (size_t w = 0; w + 1 < g->n; w++)
		y->until[w] = (int64_t)ceil(g->edges[w + 1]);
	y->until[g->n - 1] = (int64_t)floor(g->edges[g->n]) + 1;
}

/* Returns whether the members of a family are told apart by texts or what is computed, of which a
 * tally knows nothing. */
static bool is_by_text(const struct event_type *type, const struct node *n)
{
	return n->source.per == PER_EXPRESSION ||
	       (n->source.per == PER_ATTRIBUTE &&
		type_is_symbolic(type->attributes[n->source.per_attribute].type));
}

bool tally_pays(const struct evaluation *v, const struct node *n)
{
	const struct event_type *type = n->source.subject.event;
	uint64_t events = type ? evaluation_events(v, type) : 0;

	return type && !is_by_text(type, n) && events >= tally_least &&
	       events >= v->trace->events_of_type[type->index] / LEAST_PART &&
	       (v->range.to - v->range.from) / evaluation_window(v, n) <= (double)tally_most;
}

bool tally_add(struct evaluation *v, const struct node *n, enum tally_keep keep,
	       struct windows windows)
{
	struct window_tally *y;

	if (windows.n > tally_most / v->trace->nthreads ||
	    (keep == KEEP_TIMES && v->range.to - v->range.from >= (double)UINT32_MAX * windows.n)) {
		windows_free(&windows);
		return false;
	}
	y = *vector_add(&v->tallies) = array_zero(1, sizeof *y);
	*y = (struct window_tally){.node = n, .trace = v->trace, .keep = keep, .windows = windows};
	edges_round(y);
	y->conditions = conditions_of(&n->source);
	y->selected = evaluation_threads(v, &n->source);
	y->threads = array_zero(v->trace->nthreads, sizeof *y->threads);
	return true;
}

static void take_all(void *context, const struct event_chunk *b)
{
	const struct evaluation *v = context;

	for (size_t i = 0; i < v->tallies.n; i++)
		if (v->tallies.at[i]->node->source.subject.event == b->type)
			tally_take(v->tallies.at[i], b);
}

static void tally_free(struct window_tally *y)
{
	tally_parts_free(y);
	conditions_free(&y->conditions);
	free(y->threads);
	free(y->selected);
	free(y->until);
	windows_free(&y->windows);
	free(y);
}

/* Keeps the tallies that have all their events. */
static void tallies_settle(struct evaluation *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->tallies.n; i++) {
		struct window_tally *y = v->tallies.at[i];

		if (y->ncells > tally_most) {
			trace_announce(v->trace, y->node->source.subject.event);
			tally_free(y);
			continue;
		}
		for (unsigned k = 0; k < y->trace->nthreads; k++)
			v->faults += y->threads[k].faults;
		tally_settle(y);
		v->tallies.at[kept++] = y;
	}
	v->tallies.n = kept;
}

void tallies_fill(struct evaluation *v)
{
	bool *wanted = array_zero(v->trace->spec->nevents, sizeof *wanted);

	for (size_t i = 0; i < v->tallies.n; i++)
		wanted[v->tallies.at[i]->node->source.subject.event->index] = true;
	if (v->tallies.n > 0)
		trace_visit_events(v->trace, wanted, take_all, v);
	free(wanted);
	tallies_settle(v);
}

void tallies_free(struct evaluation *v)
{
	for (size_t i = 0; i < v->tallies.n; i++)
		tally_free(v->tallies.at[i]);
	free(v->tallies.at);
}

const struct window_tally *tally_find(const struct evaluation *v, const struct node *n)
{
	for (size_t i = 0; i < v->tallies.n; i++)
		if (v->tallies.at[i]->node == n)
			return v->tallies.at[i];
	return NULL;
}
