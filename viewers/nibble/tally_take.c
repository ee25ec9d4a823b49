/* The inner loops of the pass over the logs: by batches of events, and stretches of one window. */
#include "viewers/nibble/tally_cells.h"
#include "viewers/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The events of a batch that are selected, with their values. */
struct chosen {
	size_t n;
	int64_t time[BATCH];
	double value[BATCH];
};

/* Which records of the batch are selected; their number. */
static size_t choose(const struct tally *y, const struct batch *b, struct chosen *c,
		     const unsigned char **records, uint64_t *faults)
{
	const struct trace_thread *t = &y->trace->threads[b->thread];
	struct binding one = {.side = {{.event = b->type, .thread = t->number, .owner = t->name}}};

	if (y->conditions.n == 0) {
		memcpy(c->time, b->time, b->n * sizeof *c->time);
		memcpy(records, b->record, b->n * sizeof *records);
		return b->n;
	}
	c->n = 0;
	for (size_t i = 0; i < b->n; i++) {
		one.side[SIDE_ANCHOR].record = b->record[i];
		one.side[SIDE_ANCHOR].time = b->time[i];
		one.side[SIDE_PARTNER] = one.side[SIDE_ANCHOR];
		c->time[c->n] = b->time[i];
		records[c->n] = b->record[i];
		c->n += conditions_hold(&y->conditions, &one, faults);
	}
	return c->n;
}

#define READ_ALL(type)                                                                             \
	for (size_t i = 0; i < n; i++) {                                                           \
		type number;                                                                       \
		memcpy(&number, records[i] + a->offset, sizeof number);                            \
		values[i] = (double)number;                                                        \
	}                                                                                          \
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

static void keep_values(struct tally_thread *t, struct held *cell, const struct chosen *c,
			size_t from, size_t n)
{
	if (cell->n == 0)
		cell->start = t->nvalues;
	if (t->values)
		memcpy(t->values + t->nvalues, c->value + from, n * sizeof *t->values);
	for (size_t i = 0; t->times && i < n; i++)
		t->times[t->nvalues + i] = (double)c->time[from + i];
	t->nvalues += n;
}

/* Events that stand in one window. */
static void stretch_take(const struct tally *y, struct tally_thread *t, const struct chosen *c,
			 size_t from, size_t to)
{
	struct held *cell = &t->cells[t->window];

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
	case KEEP_TIMES:
		keep_values(t, cell, c, from, to - from);
		break;
	}
	cell->n += to - from;
}

static void chosen_take(const struct tally *y, struct tally_thread *t, const struct chosen *c)
{
	size_t i = 0, from;

	for (; i < c->n && c->time[i] < y->from; i++)
		t->before++;
	while (i < c->n) {
		while (t->window < y->windows.n && c->time[i] >= y->until[t->window])
			t->window++;
		if (t->window == y->windows.n)
			return;
		from = i;
		if (c->time[c->n - 1] < y->until[t->window])
			i = c->n;
		while (i < c->n && c->time[i] < y->until[t->window])
			i++;
		stretch_take(y, t, c, from, i);
	}
}

/* Pages that are not touched cost nothing. */
static double *numbers_new(uint64_t n)
{
	double *numbers = reallocarray(NULL, n + 1, sizeof *numbers);

	if (!numbers)
		memory_exhausted();
	return numbers;
}

static void thread_begin(const struct tally *y, struct tally_thread *t, const struct batch *b)
{
	uint64_t most = y->trace->events_of_type[b->type->index];

	t->cells = zeroed(y->windows.n, sizeof *t->cells);
	most = most < y->trace->threads[b->thread].events ? most : y->trace->threads[b->thread].events;
	if (y->keep == KEEP_VALUES || y->keep == KEEP_POINTS)
		t->values = numbers_new(most);
	if (y->keep == KEEP_POINTS || y->keep == KEEP_TIMES)
		t->times = numbers_new(most);
}

void tally_take(struct tally *y, const struct batch *b)
{
	const struct subject *subject = &y->node->source.subject;
	const unsigned char *records[BATCH];
	struct tally_thread *shared = &y->threads[b->thread], t;
	struct chosen c;

	if (!y->selected[b->thread])
		return;
	t = *shared;
	c.n = choose(y, b, &c, records, &t.faults);
	if (c.n > 0 && !t.cells)
		thread_begin(y, &t, b);
	if (c.n > 0 && subject->has_value)
		values_read(&b->type->attributes[subject->attribute], records, c.n, c.value);
	chosen_take(y, &t, &c);
	*shared = t;
}
