/* The inner loops of the pass over the logs: by batches of events, and stretches of one window. */
#include "base/array.h"
#include "viewers/nibble/sample/tally_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The events of a batch that are selected, with their values. */
struct chosen {
	size_t n;
	int64_t time[EVENT_CHUNK];
	double value[EVENT_CHUNK];
};

/* Which records of the batch are selected; their number. */
static size_t choose(const struct window_tally *y, const struct event_chunk *b, struct chosen *c,
		     const unsigned char **records, uint64_t *faults)
{
	const struct trace_thread *t = &y->trace->threads[b->thread];
	struct operand event = {.event = b->type, .thread = t->number, .owner = t->name};
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

/* As the type of what is read into. */
#define READ_ALL(type)                                                  \
	for (size_t i = 0; i < n; i++) {                                \
		type number;                                            \
		memcpy(&number, records[i] + a->offset, sizeof number); \
		values[i] = (__typeof__(*values))number;                \
	}                                                               \
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

static void keep_ends(struct held *cell, const int64_t *times, size_t n)
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

static void keep_sum(struct held *cell, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cell->sum += values[i];
}

static void keep_extremes(struct held *cell, const double *values, size_t n)
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

static void keep_times(const struct window_tally *y, struct tally_part *p, struct held *cell,
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

static void keep_values(struct tally_part *p, struct held *cell, const struct chosen *c,
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

/* Events that stand in one window. */
static void stretch_take(const struct window_tally *y, struct tally_part *p, const struct chosen *c,
			 size_t from, size_t to)
{
	struct held *cell = &p->cells[p->window];

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

/* Those from..to-1, to one part. */
static void stretches_take(const struct window_tally *y, struct tally_part *p, const struct chosen *c,
			   size_t from, size_t to)
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

/* What one thread of the tally gives to its own curve, or to the only one. */
static void whole_take(struct window_tally *y, const struct event_chunk *b, const struct chosen *c)
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

/* Each event to the curve of its value; neighbours are often of one. */
static void keyed_take(struct window_tally *y, const struct event_chunk *b, const struct chosen *c,
		       const unsigned char *const *records)
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
		part_reserve(y, p, to - from);
		stretches_take(y, p, c, from, to);
	}
}

void tally_take(struct window_tally *y, const struct event_chunk *b)
{
	const struct subject *subject = &y->node->source.subject;
	const unsigned char *records[EVENT_CHUNK];
	struct chosen c;

	if (!y->selected[b->thread] || __atomic_load_n(&y->ncells, __ATOMIC_RELAXED) > tally_most)
		return;
	c.n = choose(y, b, &c, records, &y->threads[b->thread].faults);
	if (c.n == 0)
		return;
	if (subject->has_value)
		values_read(&b->type->attributes[subject->attribute], records, c.n, c.value);
	if (y->node->source.per == PER_ATTRIBUTE)
		keyed_take(y, b, &c, records);
	else
		whole_take(y, b, &c);
}
