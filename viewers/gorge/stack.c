#include "viewers/gorge/stack.h"
#include <stdlib.h>

static int compare_stretches(const void *pa, const void *pb)
{
	const struct stretch *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->lane > b->lane) - (a->lane < b->lane);
}

/* Forward intervals come in the order of their starts already, most others nearly so. */
void stretches_sort(struct stretches *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (compare_stretches(&s->at[i - 1], &s->at[i]) > 0) {
			qsort(s->at, s->n, sizeof *s->at, compare_stretches);
			return;
		}
}

const struct stretch *stretches_next(struct stretches *all, unsigned n, unsigned *key)
{
	struct stretches *best = NULL;

	for (struct stretches *s = all; s < all + n; s++)
		if (s->next < s->n &&
		    (!best || compare_stretches(&s->at[s->next], &best->at[best->next]) < 0))
			best = s;
	if (!best)
		return NULL;
	*key = (unsigned)(best - all);
	return &best->at[best->next++];
}

static struct pieces *file_at(const struct stack *s, unsigned lane, unsigned row, unsigned key)
{
	return &s->files[((size_t)lane * s->rows + row) * s->nkeys + key];
}

/* ends: of the last instance in each row of the lane. The last row takes what has no other place. */
static unsigned row_for(struct stack *s, const int64_t *ends, int64_t start)
{
	for (unsigned row = 0; row < s->rows; row++)
		if (ends[row] <= start)
			return row;
	s->deep++;
	return s->rows - 1;
}

struct stack *stack_new(unsigned nlanes, unsigned rows, struct stretches *all, unsigned nkeys)
{
	struct stack *s = zeroed(1, sizeof *s);
	size_t nfiles = (size_t)nlanes * rows * nkeys;
	int64_t *ends = zeroed((size_t)nlanes * rows, sizeof *ends);
	const struct stretch *t;
	unsigned key;

	*s = (struct stack){.nlanes = nlanes, .rows = rows, .nkeys = nkeys,
			    .files = zeroed(nfiles, sizeof *s->files)};
	for (size_t i = 0; i < (size_t)nlanes * rows; i++)
		ends[i] = INT64_MIN;
	while ((t = stretches_next(all, nkeys, &key))) {
		int64_t *lane_ends = &ends[(size_t)t->lane * rows];
		unsigned row = row_for(s, lane_ends, t->start);
		lane_ends[row] = t->end > lane_ends[row] ? t->end : lane_ends[row];
		pieces_add(file_at(s, t->lane, row, key), t->start, t->end, t->anchor);
	}
	for (size_t i = 0; i < nfiles; i++)
		pieces_end(&s->files[i]);
	free(ends);
	return s;
}

void stack_free(struct stack *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < (size_t)s->nlanes * s->rows * s->nkeys; i++)
		pieces_free(&s->files[i]);
	free(s->files);
	free(s);
}

bool stack_has(const struct stack *s, unsigned key)
{
	for (size_t i = key; i < (size_t)s->nlanes * s->rows * s->nkeys; i += s->nkeys)
		if (s->files[i].list.n)
			return true;
	return false;
}

unsigned stack_depth(const struct stack *s, unsigned thread)
{
	unsigned depth = 0;

	for (unsigned row = 0; row < s->rows; row++)
		for (unsigned key = 0; key < s->nkeys; key++)
			if (file_at(s, thread, row, key)->list.n)
				depth = row + 1;
	return depth;
}

/* Where a file is while the files of a row are read together. */
struct cursor {
	const struct pieces *file;
	size_t i, end;
};

static struct cursor cursor_at(const struct pieces *file, const struct window *w)
{
	size_t i = pieces_from(file, w->from);

	return (struct cursor){file, i, file->list.n ? pieces_seek(file, i, w->to + 1) : 0};
}

/* All pieces that start in the cursor's column: but for the last one, they end in it. */
static void put_column(struct cursor *c, struct bars *bars, const struct scene *scene,
		       uint32_t lane, unsigned row, unsigned key)
{
	const struct piece *p = c->file->list.at;
	int32_t column = scene_column(scene, p[c->i].start);
	size_t i = c->i, next = pieces_seek(c->file, i, scene_column_end(scene, column));

	if (next > c->end)
		next = c->end;
	if (next <= i)
		next = i + 1;
	c->i = next;
	if (!c->file->loose && next - i > 1) {
		bars_narrow(bars, lane, row, key, column, next - 1 - i,
			    p[next - 1].before - p[i].before, p[i].anchor);
		i = next - 1;
	}
	for (; i < next; i++)
		if (p[i].end >= scene->window.from)
			bars_put(bars, lane, row, key, p[i].start, p[i].end, p[i].anchor);
}

/* The cursor whose next piece starts first; NULL: all are through. */
static struct cursor *earliest(struct cursor *cursors, unsigned n)
{
	struct cursor *best = NULL;

	for (struct cursor *c = cursors; c < cursors + n; c++)
		if (c->i < c->end && (!best || c->file->list.at[c->i].start <
						       best->file->list.at[best->i].start))
			best = c;
	return best;
}

void stack_put(const struct stack *s, unsigned thread, struct bars *bars, struct scene *scene,
	       uint32_t lane, unsigned first_row)
{
	struct cursor *cursors = zeroed(s->nkeys, sizeof *cursors), *c;

	for (unsigned row = 0; row < s->rows; row++) {
		for (unsigned key = 0; key < s->nkeys; key++) {
			const struct pieces *file = file_at(s, thread, row, key);
			cursors[key] = cursor_at(file, &scene->window);
			pieces_count(file, &scene->window, &scene->intervals[key]);
		}
		while ((c = earliest(cursors, s->nkeys)))
			put_column(c, bars, scene, lane, first_row + row,
				   (unsigned)(c - cursors));
	}
	free(cursors);
}
