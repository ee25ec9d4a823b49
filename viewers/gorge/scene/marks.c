#include "viewers/gorge/scene/marks.h"
#include <stdlib.h>

/* So many marks in a row that would hide each other form a strip. */
enum { CROWD = 3 };

/* From how many in a pixel on they are a few, and many. */
enum { FEW = 2, MANY = 8 };

struct mark_builder {
	unsigned key, nlanes;
	int near;
	size_t *newest; /* for each lane and shift: 1 + the index of its last mark; 0: none */
	struct mark_list all;
};

struct mark_builder *marks_begin(const struct scene *s, unsigned key)
{
	struct mark_builder *m = array_zero(1, sizeof *m);

	m->key = key;
	m->nlanes = s->nlanes;
	m->near = s->near;
	m->newest = array_zero((size_t)s->nlanes * SHIFTS, sizeof *m->newest);
	return m;
}

void marks_count(struct mark_builder *m, uint32_t lane, int32_t column, uint8_t shift,
		 uint64_t first, uint64_t count)
{
	size_t *newest = &m->newest[(size_t)lane * SHIFTS + shift];

	if (*newest && m->all.at[*newest - 1].x0 == column) {
		m->all.at[*newest - 1].count += count;
		return;
	}
	*vector_add(&m->all) = (struct scene_mark){
	    .lane = lane,
	    .key = m->key,
	    .x0 = column,
	    .x1 = column + 1,
	    .count = count,
	    .first = first,
	    .shift = shift,
	};
	*newest = m->all.n;
}

/*
 * Returns the marks lane by lane, in the same order. first[i] is where those of lane i begin,
 * first[nlanes] their number.
 */
static struct scene_mark *sort_by_lane(const struct mark_builder *m, size_t *first)
{
	struct scene_mark *sorted = array_zero(m->all.n, sizeof *sorted);
	size_t *next = array_zero(m->nlanes, sizeof *next);

	for (size_t i = 0; i < m->all.n; i++)
		first[m->all.at[i].lane + 1]++;
	for (unsigned l = 0; l < m->nlanes; l++) {
		first[l + 1] += first[l];
		next[l] = first[l];
	}
	for (size_t i = 0; i < m->all.n; i++)
		sorted[next[m->all.at[i].lane]++] = m->all.at[i];
	free(next);
	return sorted;
}

static uint8_t marks_level_of(uint64_t count)
{
	return count >= MANY ? 3 : count >= FEW ? 2 : 1;
}

/* Adds n marks as a strip: neighbouring columns of the same level are one. */
static void add_strip(struct mark_list *list, const struct scene_mark *marks, size_t n)
{
	size_t last[SHIFTS] = {0};

	for (size_t i = 0; i < n; i++) {
		struct scene_mark m = marks[i];
		size_t *before = &last[m.shift];
		m.level = marks_level_of(m.count);
		if (*before && list->at[*before - 1].x1 == m.x0 &&
		    list->at[*before - 1].level == m.level) {
			list->at[*before - 1].x1 = m.x1;
			list->at[*before - 1].count += m.count;
			continue;
		}
		*vector_add(list) = m;
		*before = list->n;
	}
}

/* Returns the end of the marks from i on that are near to each other. */
static size_t crowd_end(const struct scene_mark *marks, size_t i, size_t n, int near)
{
	for (i++; i < n && marks[i].x0 - marks[i - 1].x0 < near; i++)
		;
	return i;
}

static int compare_marks(const void *pa, const void *pb)
{
	const struct scene_mark *a = pa, *b = pb;

	if (a->x0 != b->x0)
		return a->x0 < b->x0 ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

/* Joins marks of one shift in one column; returns how many are left. */
static size_t join_columns(struct scene_mark *marks, size_t n)
{
	size_t newest[SHIFTS] = {0}, left = 0;

	for (size_t i = 0; i < n; i++) {
		size_t *last = &newest[marks[i].shift];
		if (*last && marks[*last - 1].x0 == marks[i].x0) {
			marks[*last - 1].count += marks[i].count;
			continue;
		}
		marks[left++] = marks[i];
		*last = left;
	}
	return left;
}

/* Sorts marks that were added shift by shift or thread by thread; returns how many are left. */
static size_t sort_by_column(struct scene_mark *marks, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (marks[i].x0 < marks[i - 1].x0) {
			qsort(marks, n, sizeof *marks, compare_marks);
			return join_columns(marks, n);
		}
	return n;
}

static void add_lane(struct mark_list *list, const struct scene_mark *marks, size_t n, int near)
{
	for (size_t i = 0, end; i < n; i = end) {
		end = crowd_end(marks, i, n, near);
		if (end - i >= CROWD) {
			add_strip(list, marks + i, end - i);
			continue;
		}
		for (size_t j = i; j < end; j++)
			*vector_add(list) = marks[j];
	}
}

void marks_end(struct mark_builder *m, struct mark_list *list)
{
	size_t *first = array_zero(m->nlanes + 1, sizeof *first);
	struct scene_mark *sorted = sort_by_lane(m, first);

	for (unsigned l = 0; l < m->nlanes; l++) {
		size_t n = sort_by_column(sorted + first[l], first[l + 1] - first[l]);
		add_lane(list, sorted + first[l], n, m->near);
	}
	free(sorted);
	free(first);
	free(m->newest);
	free(m->all.at);
	free(m);
}

void marks_lane(const struct scene *s, uint32_t lane, uint32_t key, unsigned shifts,
		const struct mark_cell *cells, struct mark_list *list)
{
	struct scene_mark *marks = array_zero((size_t)s->columns * shifts, sizeof *marks);
	size_t n = 0;

	for (unsigned i = 0; i < s->columns * shifts; i++) {
		int32_t column = (int32_t)(i / shifts);
		if (cells[i].count)
			marks[n++] = (struct scene_mark){
			    .lane = lane,
			    .key = key,
			    .x0 = column,
			    .x1 = column + 1,
			    .count = cells[i].count,
			    .first = cells[i].first,
			    .shift = (uint8_t)(i % shifts),
			};
	}
	add_lane(list, marks, n, s->near);
	free(marks);
}
