/* The parts of a tally: what each thread gave to each curve. */
#include "base/array.h"
#include "base/hash.h"
#include "match/join/table.h"
#include "viewers/nibble/sample/tally_cells.h"

#include <stdlib.h>

static bool keeps_values(const struct window_tally *y)
{
	return y->keep == KEEP_VALUES || y->keep == KEEP_POINTS;
}

/* Pages that are not touched cost nothing. */
static void part_resize(const struct window_tally *y, struct tally_part *p, size_t room)
{
	p->room = room;
	if (keeps_values(y))
		p->values = array_resize(p->values, room, sizeof *p->values);
	if (y->keep == KEEP_POINTS)
		p->times = array_resize(p->times, room, sizeof *p->times);
	if (y->keep == KEEP_TIMES)
		p->since = array_resize(p->since, room, sizeof *p->since);
}

void part_reserve(const struct window_tally *y, struct tally_part *p, size_t n)
{
	if (p->room - p->nvalues < n)
		part_resize(y, p, 2 * (p->nvalues + n));
}

static struct tally_part *part_new(struct window_tally *y, size_t thread, int64_t key, uint64_t most)
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

struct tally_part *tally_part(struct window_tally *y, size_t thread, int64_t key, uint64_t most)
{
	struct tally_thread *t = &y->threads[thread];
	struct tally_part *p;
	struct slot *slot;

	if (y->node->source.per != PER_ATTRIBUTE)
		return t->parts.n > 0 ? t->parts.at[0] : part_new(y, thread, key, most);
	if (!t->places)
		t->places = array_zero(1, sizeof *t->places);
	slot = table_slot(t->places, word_mix((uint64_t)key), (uint64_t)key);
	if (slot->head != TABLE_NOTHING)
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

void tally_settle(struct window_tally *y)
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
	/* What is no family is a curve without events, too. */
	if (y->parts.n == 0 && y->node->source.per == PER_NOTHING)
		y->ncurves = 1;
	y->firsts[y->ncurves] = y->parts.n;
}

static void part_free(struct tally_part *p)
{
	free(p->cells);
	free(p->values);
	free(p->times);
	free(p->since);
	free(p);
}

void tally_parts_free(struct window_tally *y)
{
	for (unsigned k = 0; k < y->trace->nthreads; k++) {
		struct tally_thread *t = &y->threads[k];

		for (size_t i = 0; i < t->parts.n; i++)
			part_free(t->parts.at[i]);
		free(t->parts.at);
		if (t->places)
			table_clear(t->places);
		free(t->places);
	}
	free(y->parts.at);
	free(y->firsts);
}
