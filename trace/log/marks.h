/* Places in a log at which events are missing, or its thread was switched off or on: the notes LOST
 * and SWITCH. */
#ifndef GLIMPSE_TRACE_LOG_MARKS_H
#define GLIMPSE_TRACE_LOG_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mark_kind { MARK_LOST, MARK_ON, MARK_OFF };

struct mark {
	enum mark_kind kind;
	uint64_t from, to;      /* ticks; MARK_LOST: of the events around it, UINT64_MAX: none */
};

struct marks {
	struct mark *list;
	size_t count, room;
	bool open;              /* the newest is a MARK_LOST that waits for the event behind it */
};

/* False: no memory. */
bool marks_add(struct marks *m, struct mark mark);

static inline void marks_close(struct marks *m, uint64_t ticks)
{
	m->list[m->count - 1].to = ticks;
	m->open = false;
}

#endif
