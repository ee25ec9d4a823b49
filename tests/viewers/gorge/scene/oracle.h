/*
 * Scenes by a walk over all events and all matches, without an index: what gorge's scenes are held
 * against.
 */
#ifndef GLIMPSE_TESTS_VIEWERS_GORGE_ORACLE_H
#define GLIMPSE_TESTS_VIEWERS_GORGE_ORACLE_H

#include "viewers/gorge/build/building.h"

/* The events and matches of a trace, which are the same in all its scenes; the trace stays open as long. */
struct oracle;
struct oracle *oracle_new(struct trace *t);
void oracle_free(struct oracle *o);
/* Returns what scene_build() should; things are told by their places in event lists and matches. */
struct scene *oracle_scene(const struct oracle *o, const struct view *v);

/* Bars that are stacked as they come. */
struct pile;
/* Begins the bars of a scene; rows: of a lane at most. */
struct pile *pile_new(struct scene *s, unsigned rows);
/* Adds an instance, in the order of starts, in the first row of its lane that is free. */
void pile_add(struct pile *p, uint32_t lane, uint32_t key, int64_t start, int64_t end,
	      uint64_t anchor);
/* Ends the bars; p is gone. */
void pile_end(struct pile *p);

#endif
