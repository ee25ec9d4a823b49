/*
 * Describes the lanes of objects: which thread holds the object, which threads wait, and which
 * thread wakes which. Colours are those of threads.
 */
#ifndef GLIMPSE_GORGE_SCENE_OBJECT_SCENE_H
#define GLIMPSE_GORGE_SCENE_OBJECT_SCENE_H

#include "viewers/gorge/scene/scene.h"

/* An event that names the object, and neither begins nor ends a hold or wait. */
struct object_mark {
	uint32_t lane, thread; /* thread: in the list below */
	double x;
	const struct event_type *type;
	uint64_t id; /* event_id */
};

/* From who lets go to who goes on. */
struct object_link {
	uint32_t lane;
	uint32_t from_row, to_row;
	double x0, x1;
	const struct interval *interval;
	uint64_t anchor; /* event_id */
};

/* A thread with its colour. */
struct object_thread {
	unsigned thread; /* index in the trace */
	uint32_t number;
	char *name;
	rgba colour;
	bool shown; /* it is in the picture */
};

struct object_scene {
	/*
	 * Bars in the lanes of objects. The keys are those of threads, two each: as it holds, and
	 * as it waits. A bar's anchor is the place of its span in the object (object_index.h).
	 */
	struct scene *bars;
	VECTOR(struct object_thread) threads;
	VECTOR(struct object_mark) marks; /* lane by lane, in the order of time */
	VECTOR(struct object_link) links;
	uint32_t *objects; /* by lane: its object; NO_KEY: it is another lane */
	bool pending;      /* more is still being found */
	bool crowded;      /* there are too many events and links to draw them */
};

struct object_scene *object_scene_new(const struct scene *s);
void object_scene_free(struct object_scene *o);

/* Returns the colour of a thread, by its index; and that in which it waits. */
rgba object_thread_colour(const struct theme *theme, unsigned thread);
rgba object_wait_colour(const struct theme *theme, rgba colour);

#endif
