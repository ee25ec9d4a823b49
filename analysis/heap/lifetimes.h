/*
 * Which lives there are, and with which event each ends: as the engine finds the instances, but
 * within each process, as the same address in another process is another thing.
 */
#ifndef GLIMPSE_ANALYSIS_HEAP_LIFETIMES_H
#define GLIMPSE_ANALYSIS_HEAP_LIFETIMES_H

#include "analysis/activity/roles.h"
#include "trace/stream/moments.h"

/* Instead of the place of an end: the life is open; the event begins none. */
#define LIFE_OPEN UINT32_MAX
#define LIFE_NONE (UINT32_MAX - 1)

/* What an event that may end lives did. */
enum life_end { END_NONE, END_UNUSED, END_USED };       /* it is none; it ended nothing; it did */

struct lifetimes {
	const struct trace *trace;
	const struct role *role;
	const struct event_list *starts, *ends; /* all events of the types */
	size_t nstarts, nends;
	uint32_t *end_of;               /* by start: the place of its end, or one of the above */
	unsigned char *ends_are;        /* by end: enum life_end */
	uint32_t *process_of;           /* by thread: their indices in the trace */
};

struct lifetimes *lifetimes_find(struct trace *t, const struct role *role);
void lifetimes_free(struct lifetimes *l);

/* Returns the index of the thread of an event of a list. */
static inline size_t lifetimes_thread(const struct event_list *l, size_t i)
{
	return section_log(&l->sections[entry_section(l, i)], l->entries[i]);
}

#endif
