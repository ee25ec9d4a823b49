/* Chooses which objects have lanes, from the list of --lanes. */
#ifndef GLIMPSE_GORGE_BUILD_OBJECT_LANES_H
#define GLIMPSE_GORGE_BUILD_OBJECT_LANES_H

#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/query/view.h"

/* The lanes of one kind of object, below a heading. */
struct object_group {
	unsigned kind;
	size_t first, n; /* in the list of objects */
	size_t all;      /* how many there are, with those without a lane */
	bool bare;       /* it has no heading */
};

struct object_lanes {
	struct object_index *index; /* NULL: it is still being made */
	bool threads;               /* threads have lanes, too, */
	bool first;                 /* below those of objects */
	VECTOR(struct object_group) groups;
	VECTOR(uint32_t) objects; /* their places in the index */
};

/*
 * Returns the lanes of a view's objects; of a trace with states and a view that names no lanes,
 * those for which threads waited most; NULL if it shows threads alone, or asks for what is not
 * there: then *good is false, and diag was told.
 */
struct object_lanes *object_lanes_new(const struct view *v, struct trace_index *m,
				      struct diag *diag, bool *good);
void object_lanes_free(struct object_lanes *l);

/*
 * Returns how --lanes and headings call a kind: by the plural of the attribute, or as the interval;
 * to be freed.
 */
char *object_kind_plural(const struct object_kind *kind);

#endif
