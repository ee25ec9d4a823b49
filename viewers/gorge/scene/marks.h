/*
 * Makes few marks of many events: one for each pixel, and strips where symbols would hide each
 * other.
 */
#ifndef GLIMPSE_GORGE_SCENE_MARKS_H
#define GLIMPSE_GORGE_SCENE_MARKS_H

#include "viewers/gorge/scene/scene.h"

/* Collects the marks of one key. */
struct mark_builder;
struct mark_builder *marks_begin(const struct scene *s, unsigned key);

/*
 * Adds the next count events, in the order of time, all in one column. shift: 0 unless the key is
 * shifted. first: the id of the first of them.
 */
void marks_count(struct mark_builder *m, uint32_t lane, int32_t column, uint8_t shift,
		 uint64_t first, uint64_t count);

/* Appends the marks to the list, lane by lane from left to right; frees m. */
void marks_end(struct mark_builder *m, struct mark_list *list);

/* The events of one shift in a column of a lane, and the first of them. */
struct mark_cell {
	uint64_t count, first;
};

/*
 * Appends the marks of one lane whose cells are all known, column by column, with so many shifts
 * each. Several lanes may be done at once, each to a list of its own.
 */
void marks_lane(const struct scene *s, uint32_t lane, uint32_t key, unsigned shifts,
		const struct mark_cell *cells, struct mark_list *list);

#endif
