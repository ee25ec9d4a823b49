/*
 * Says what a trace lacks, in numbers and in one sentence: the same words in every answer from it.
 */
#ifndef GLIMPSE_TRACE_STREAM_LOSSES_H
#define GLIMPSE_TRACE_STREAM_LOSSES_H

#include "base/json.h"
#include "trace/trace.h"

struct losses {
	uint64_t events;   /* that the program could not write */
	uint64_t not_kept; /* events beyond the limit of GLIMPSE_KEEP */
	uint64_t bytes;    /* of logs, that could not be read */
	uint64_t records;  /* that events with the style "lost" count */
	uint64_t off; /* how often an event says that something was switched off: the style "off" */
	bool recorder_died;  /* before the program ended */
	uint64_t unobserved; /* ns that the program went on from then on, as far as is known */
};

/* Returns what a trace lacks; a pass over all events, if some have the style "lost". */
struct losses losses_of(const struct trace *t);

/* Returns whether any of the numbers is not 0. */
static inline bool losses_any(const struct losses *l)
{
	return l->events || l->not_kept || l->bytes || l->records || l->off || l->recorder_died;
}

/* Returns whether a trace lacks events, which may have been any instance's; without a pass. */
bool losses_has_events(const struct trace *t);

/*
 * Returns the sentence that says what a trace lacks, "3 events, 17 samples were lost: counts, times
 * and shares are less precise"; NULL if it lacks nothing. The caller frees it.
 */
char *losses_text(const struct trace *t);
/* Adds the numbers to an object, as a member "losses", if there are any. */
void losses_json(struct json *j, const struct losses *l);

#endif
