#include "viewers/gorge/web.h"
#include "viewers/gorge/sheet.h"
#include <stdlib.h>
#include <string.h>

/*
 * A level is coarse enough for a window with at most BUDGET strands of a class in it. One is made
 * of the level below while that has more than FEW, in cells that hold CROWD at first.
 */
enum { BUDGET = 4000, FEW = 2000, CROWD = 8 };

static unsigned class_of(int64_t length)
{
	return length <= 0 ? 0 : 63 - (unsigned)__builtin_clzll((uint64_t)length);
}

static int compare_starts(const void *pa, const void *pb)
{
	const struct strand *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

/* What parts the strands of one cell: their threads, so many next to each other taken as one. */
struct cell {
	unsigned time, lanes;   /* powers of two */
};

static bool same_cell(struct cell c, const struct strand *a, const struct strand *b)
{
	return a->start >> c.time == b->start >> c.time && a->from >> c.lanes == b->from >> c.lanes &&
	       a->to >> c.lanes == b->to >> c.lanes;
}

static int compare_threads(const void *pa, const void *pb, void *context)
{
	const struct strand *a = pa, *b = pb;
	unsigned lanes = *(const unsigned *)context;

	if (a->from >> lanes != b->from >> lanes)
		return a->from < b->from ? -1 : 1;
	if (a->to >> lanes != b->to >> lanes)
		return a->to < b->to ? -1 : 1;
	return compare_starts(a, b);
}

/* The strands of one stretch of time, sorted by their threads, are joined in the new level. */
static void join(struct level *level, struct strand *strands, size_t n, struct cell cell)
{
	size_t first = level->strands.n;

	qsort_r(strands, n, sizeof *strands, compare_threads, &cell.lanes);
	for (size_t i = 0; i < n; i++) {
		struct strand *last = level->strands.n > first ?
					      &level->strands.at[level->strands.n - 1] : NULL;
		if (last && same_cell(cell, last, &strands[i]))
			last->count += strands[i].count;
		else
			*vector_add(&level->strands) = strands[i];
	}
	qsort(level->strands.at + first, level->strands.n - first, sizeof *strands, compare_starts);
}

static struct level coarser(const struct level *fine, struct cell cell)
{
	size_t n = fine->strands.n, end;
	struct strand *copy = zeroed(n, sizeof *copy);
	struct level level = {0};

	memcpy(copy, fine->strands.at, n * sizeof *copy);
	for (size_t i = 0; i < n; i = end) {
		for (end = i; end < n && copy[end].start >> cell.time == copy[i].start >> cell.time;)
			end++;
		join(&level, copy + i, end - i, cell);
	}
	free(copy);
	return level;
}

/* Cells of so much time that CROWD strands lie in one. */
static unsigned first_time(const struct level *l)
{
	size_t n = l->strands.n;
	int64_t span = l->strands.at[n - 1].start - l->strands.at[0].start;

	return class_of(span / (int64_t)n * CROWD + 1);
}

static void add_levels(struct web_class *c)
{
	struct cell cell = {.lanes = 0};

	c->nlevels = 1;
	if (c->levels[0].strands.n <= FEW)
		return;
	cell.time = first_time(&c->levels[0]);
	while (c->nlevels < WEB_LEVELS && c->levels[c->nlevels - 1].strands.n > FEW) {
		const struct level *fine = &c->levels[c->nlevels - 1];
		struct level level = coarser(fine, cell);
		/* threads that all talk to all keep a cell full: then they are joined, too */
		cell.lanes += 2 * level.strands.n > fine->strands.n;
		cell.time += cell.time < 61 ? 2 : 0;
		c->levels[c->nlevels++] = level;
	}
}

static void class_end(struct web_class *c)
{
	struct level *all = &c->levels[0];

	if (all->strands.n == 0)
		return;
	qsort(all->strands.at, all->strands.n, sizeof *all->strands.at, compare_starts);
	for (size_t i = 0; i < all->strands.n; i++)
		pieces_add(&c->pieces, all->strands.at[i].start, all->strands.at[i].end,
			   all->strands.at[i].anchor);
	c->pieces.loose = true;
	pieces_end(&c->pieces);
	add_levels(c);
}

struct web *web_new(const struct trace *t, const struct matches *m)
{
	struct web *w = zeroed(1, sizeof *w);
	bool backwards = m->interval->direction == BACKWARDS;
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		if (m->partner_of[a] == UNMATCHED)
			continue;
		matches_look(m, a, &i);
		if (i.anchor.thread == i.partner.thread)
			continue;
		uint32_t first = thread_index(t, i.anchor.thread),
			 second = thread_index(t, i.partner.thread);
		*vector_add(&w->classes[class_of(i.end - i.start)].levels[0].strands) =
			(struct strand){i.start, i.end, a, backwards ? second : first,
					backwards ? first : second, 1};
		w->any = true;
	}
	for (unsigned c = 0; c < WEB_CLASSES; c++)
		class_end(&w->classes[c]);
	return w;
}

void web_free(struct web *w)
{
	if (!w)
		return;
	for (unsigned c = 0; c < WEB_CLASSES; c++) {
		pieces_free(&w->classes[c].pieces);
		for (unsigned l = 0; l < WEB_LEVELS; l++)
			free(w->classes[c].levels[l].strands.at);
	}
	free(w);
}

void web_count(const struct web *w, const struct window *window, struct interval_key *key)
{
	for (unsigned c = 0; c < WEB_CLASSES; c++)
		if (w->classes[c].pieces.list.n)
			pieces_count(&w->classes[c].pieces, window, key);
}

static size_t strand_from(const struct level *l, int64_t time)
{
	size_t low = 0, high = l->strands.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (l->strands.at[middle].start < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void web_visit(const struct web *w, const struct window *window, bool each,
	       void (*take)(void *context, const struct strand *s), void *context)
{
	for (unsigned i = 0; i < WEB_CLASSES; i++) {
		const struct web_class *c = &w->classes[i];
		for (unsigned l = 0; l < c->nlevels; l++) {
			const struct level *level = &c->levels[l];
			size_t first = strand_from(level, window->from - c->pieces.longest),
			       end = strand_from(level, window->to + 1);
			if (end - first > BUDGET && l + 1 < c->nlevels && !each)
				continue;
			for (size_t s = first; s < end; s++)
				if (level->strands.at[s].end >= window->from)
					take(context, &level->strands.at[s]);
			break;
		}
	}
}
