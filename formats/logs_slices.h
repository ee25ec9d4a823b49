/*
 * Slices: what begins and ends in a thread, within what began there before; what begins and ends
 * anywhere, by an id; and flows from one to another. For formats with such events (Chrome's, FXT,
 * Perfetto's).
 */
#ifndef GLIMPSE_FORMATS_LOGS_SLICES_H
#define GLIMPSE_FORMATS_LOGS_SLICES_H

#include "formats/import.h"
#include "formats/logs_named.h"

/* A slice that is open in a thread. */
struct open_slice {
	const struct named_type *type;
	int64_t end; /* INT64_MAX: it has not come yet */
};

/* A thread, and what is open in it. */
struct slice_thread {
	struct logs_thread *thread;
	VECTOR(struct open_slice) open;
};

struct slices {
	struct logs *logs;
	struct named_types types;
	VECTOR(struct slice_thread *) threads;
	struct hash_table by_thread;
	const struct logs_event *flow_start, *flow_step, *flow_end;
	uint64_t ends, unended; /* ends without a beginning; the opposite */
	uint64_t crossed;       /* that end after the one of their name around them */
	uint64_t misnamed;      /* ends whose name is not that of the innermost slice */
};

/* An event; its arguments. */
struct slice_event {
	struct slice_thread *thread;
	int64_t time;
	const char *name;
	struct logs_argument arguments[ARGUMENTS_MOST + 2];
	unsigned narguments;
};

void slices_begin(struct slices *s, struct logs *l);
/* Ends what is open and whose end is known, and frees it; if `good`, warns of what is missing. */
void slices_end(struct slices *s, struct import_input *in, bool good);

struct slice_thread *slices_thread(struct slices *s, uint32_t pid, uint64_t tid);
/* The same of one that has no numbers. */
struct slice_thread *slices_thread_of(struct slices *s, struct logs_thread *thread);

/* Return false after a report to diag, when the specification can take no more. */
bool slices_instant(struct slices *s, const struct slice_event *e);
/* end: when it ends; INT64_MAX: slices_close() says. */
bool slices_open(struct slices *s, const struct slice_event *e, int64_t end);
/*
 * Ends the innermost slice of a thread that has no end yet; name: which one it says to end; NULL:
 * it does not say.
 */
void slices_close(struct slices *s, struct slice_thread *t, int64_t time, const char *name);
/* What an id tells: the first argument. */
bool slices_open_keyed(struct slices *s, const struct slice_event *e);
bool slices_close_keyed(struct slices *s, const struct slice_event *e);
/* From the start of a flow to its end, by name and id. */
enum slice_flow { FLOW_START, FLOW_STEP, FLOW_END };
bool slices_flow(struct slices *s, const struct slice_event *e, enum slice_flow kind,
		 const struct logs_value *id);

#endif
