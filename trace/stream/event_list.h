/* Defines struct event_list inline, because inner loops read events one by one. */
#ifndef GLIMPSE_TRACE_STREAM_EVENT_LIST_H
#define GLIMPSE_TRACE_STREAM_EVENT_LIST_H

#include "trace/stream/section.h"
#include "trace/trace.h"

#define HINT_SHIFT 12

struct event_list {
	const struct event_type *type;
	const struct section *sections;
	const struct log *logs;
	int64_t origin;
	uint64_t *entries; /* numbers of events in their sections */
	size_t size;
	size_t *first;   /* by section: its first entry; then the size */
	uint32_t *hints; /* the section of every 4096th entry */
};

/*
 * Selects the events of a type that enter its list. keep() is called once for each section, by
 * several workers in parallel. It gets the numbers of all events of the section in order, writes
 * those that it keeps, never more than it got, and returns how many.
 */
struct event_sieve {
	const struct event_type *type;
	size_t (*keep)(void *context, unsigned worker, const struct section *s,
		       const uint64_t *numbers, size_t n, uint64_t *kept);
	void *context;
	struct event_list *list; /* what becomes of it; NULL: there is no memory */
};

/* Makes the lists of sieves, and in the same pass those that are announced. */
void trace_events_sieved(struct trace *t, struct event_sieve *sieves, size_t n);
void event_list_free(struct event_list *l);
/* Whether the list of all events of a type is there. */
bool trace_events_made(struct trace *t, const struct event_type *type);

/* Returns the section of an entry. */
static inline size_t entry_section(const struct event_list *l, size_t i)
{
	size_t section = l->hints[i >> HINT_SHIFT];

	while (l->first[section + 1] <= i)
		section++;
	return section;
}

/* Returns the first entry of the next section. */
static inline size_t section_until(const struct event_list *l, size_t section)
{
	return l->first[section + 1];
}

/* Returns the rank of an entry in that section. */
static inline event_rank entry_rank_in(const struct event_list *l, size_t i, size_t section)
{
	return (event_rank)section << 64 | l->entries[i];
}

static inline event_rank entry_rank(const struct event_list *l, size_t i)
{
	return entry_rank_in(l, i, entry_section(l, i));
}

static inline int64_t entry_time(const struct event_list *l, size_t i)
{
	return section_time(&l->sections[entry_section(l, i)], l->entries[i]) - l->origin;
}

/* Reads an entry in that section, but not its seq. */
static inline void entry_decode(const struct event_list *l, size_t i, size_t section,
				struct event *e)
{
	const struct section *s = &l->sections[section];
	uint64_t number = l->entries[i];
	const struct section_log *log = &s->logs[section_log(s, number)];

	e->time = section_time(s, number) - l->origin;
	e->type = l->type;
	e->record = log->records ? log->records + 4 * section_unit(s, number)
				 : section_record(s, l->logs, number);
	e->thread = log->thread;
	e->level = 0;
	e->seq = 0;
}

static inline void entry_look(const struct event_list *l, size_t i, struct event *e)
{
	entry_decode(l, i, entry_section(l, i), e);
}

#endif
