/*
 * Many events become few marks: one for each pixel, and strips where symbols would lie on each
 * other.
 */
#ifndef GLIMPSE_GORGE_SCENE_MARKS_H
#define GLIMPSE_GORGE_SCENE_MARKS_H

#include "viewers/gorge/scene/scene.h"

/* Collects the marks of one key. */
struct marks;
struct marks *marks_begin(const struct scene *s, unsigned key);

/*
 * The next events, in the order of time, all in one column; shift is 0 unless the key is shifted.
 * first: where the first of them is among those of its type.
 */
void marks_count(struct marks *m, uint32_t lane, int32_t column, uint8_t shift, uint64_t first,
		 uint64_t count);

/* Appends the marks to the list, lane by lane from left to right. m is gone. */
void marks_end(struct marks *m, struct mark_list *list);

/* What a column of a lane has of one shift: so many events, and the first of them. */
struct mark_cell {
	uint64_t count, first;
};

/*
 * The same for one lane of which all is known: appends the marks of its cells, column by column, of each so many
 * shifts. Several lanes may be done at once, each to a list of its own.
 */
void marks_lane(const struct scene *s, uint32_t lane, uint32_t key, unsigned shifts,
		const struct mark_cell *cells, struct mark_list *list);

#endif
