/* Groups threads, each group below a heading. */
#ifndef GLIMPSE_GORGE_BUILD_GROUPS_H
#define GLIMPSE_GORGE_BUILD_GROUPS_H

#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/view.h"

/*
 * A group: its number is the same whatever is shown of it, and its name is what it is chosen by.
 * By process, the number is the process' place in the trace; by creator that of the creating thread
 * and 1, or 0; by name that of its first thread.
 */
struct lane_group {
	uint32_t number;
	char *name;
};

struct lane_groups {
	enum grouping by;
	VECTOR(struct lane_group) list;
	unsigned *of;    /* of each of the trace's threads, by index */
	unsigned joined; /* that of several processes: its place, from 1; 0: none */
};

/* creators: as trace_creators() returns them, or NULL. */
struct lane_groups groups_new(const struct trace *t, enum grouping by, const uint32_t *creators);
/*
 * Makes those processes one group behind all others, which are hidden by a heading; by: process.
 * which: by process.
 */
void groups_join_processes(struct lane_groups *g, const struct trace *t, const bool *which);
void groups_free(struct lane_groups *g);
/* Returns "p1", by which a page knows group 1 of processes; to be freed. */
char *group_key(enum grouping by, uint32_t number);

/*
 * Returns for each thread, by index, that of the thread that created it, or NO_CREATOR: from
 * the intervals of kind "cause" that lead to the start of a thread's life. To be freed.
 */
#define NO_CREATOR UINT32_MAX
uint32_t *trace_creators(const struct trace_index *t);

/* Returns the process of a thread, both by their places in the trace. */
unsigned process_of(const struct trace *t, unsigned thread);

#endif
