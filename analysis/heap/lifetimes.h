/*
 * Finds lifetimes, and the event that ends each: as match_interval() finds instances, but within
 * each process, because the same address in another process is another object. An object that
 * begins again has ended before, though no event says so: its earlier lifetime ends there, and that
 * end is unseen. With `once`, an object may be alive several times.
 */
#ifndef GLIMPSE_ANALYSIS_HEAP_LIFETIMES_H
#define GLIMPSE_ANALYSIS_HEAP_LIFETIMES_H

#include "analysis/activity/roles.h"
#include "base/search.h"
#include "spec/layout.h"
#include "trace/stream/moments.h"

/* Instead of the place of an end: the life is open; the event begins none. */
#define LIFE_OPEN UINT32_MAX
#define LIFE_NONE (UINT32_MAX - 1)
#define LIFE_UNSEEN (UINT32_MAX - 2) /* the thing began again: see lifetimes_again() */

/* What an event that may end lives did. */
enum life_end {
	END_NONE,
	END_UNUSED,
	END_USED,
	END_SHARED
}; /* it is none; it ended nothing; one; several */

struct unseen_end {
	uint32_t start, again; /* places of both starts */
};

struct lifetimes {
	const struct trace *trace;
	const struct role *role;
	const struct event_list *starts, *ends; /* all events of the types */
	size_t nstarts, nends;
	uint32_t *end_of;          /* by start: the place of its end, or one of the above */
	unsigned char *ends_are;   /* by end: enum life_end */
	uint32_t *process_of;      /* by thread: their indices in the trace */
	struct unseen_end *unseen; /* by start, ascending */
	size_t nunseen;
};

struct lifetimes *lifetimes_find(struct trace *t, const struct role *role);
void lifetimes_free(struct lifetimes *l);

/* Finds the unseen ends, once the engine has found the others. */
void lifetimes_find_unseen(struct lifetimes *l);

/* Whether an event of the trace ended a life. */
static inline bool life_has_end(uint32_t end_of)
{
	return end_of < LIFE_UNSEEN;
}

/* Returns the place of the start that ended an earlier life whose end is unseen. */
static inline uint32_t lifetimes_again(const struct lifetimes *l, size_t start)
{
	return l->unseen[lower_bound(i, 0, l->nunseen, l->unseen[i].start < start)].again;
}

/* Returns the index of the thread of an event of a list. */
static inline size_t lifetimes_thread(const struct event_list *l, size_t i)
{
	return section_log(&l->sections[entry_section(l, i)], l->entries[i]);
}

static inline uint32_t lifetimes_process(const struct lifetimes *l, const struct event_list *list,
					 size_t i)
{
	return l->process_of[lifetimes_thread(list, i)];
}

static inline uint64_t lifetimes_object(const struct event_list *l, size_t i, int attribute)
{
	struct event e;

	entry_look(l, i, &e);
	return (uint64_t)record_value(e.type, (unsigned)attribute, e.record).integer;
}

/* Lowers a place to a value below it; several threads may. */
static inline void place_lower(uint32_t *to, uint32_t value)
{
	uint32_t is = __atomic_load_n(to, __ATOMIC_RELAXED);

	while (value < is && !__atomic_compare_exchange_n(to, &is, value, true, __ATOMIC_RELAXED,
							  __ATOMIC_RELAXED))
		continue;
}

#endif
