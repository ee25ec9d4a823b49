/*
 * What the logs of a trace stand on that goes on (trace_open_growing()): address space in which each log grows where
 * it is, so that traces of one run share what they have in common.
 */
#ifndef GLIMPSE_TRACE_LOG_GROWING_LOG_H
#define GLIMPSE_TRACE_LOG_GROWING_LOG_H

#include "base/address_space.h"
#include "trace/log/log.h"
#include <stdatomic.h>

/* Shared by a trace and those that grew out of it. */
struct growth {
	atomic_uint traces;
	struct address_space *space;
	size_t share;           /* of a log: bytes */
	bool broken;            /* none can grow out of it any more */
	uint64_t growths;       /* only from where the last one led to there is a way on */
	struct schemas schemas; /* of the newest trace */
};

/* NULL: there is no room for so many logs. */
struct growth *growth_new(size_t nlogs);
struct growth *growth_hold(struct growth *g);
/* Whether that was the last trace. */
bool growth_release(struct growth *g);
void growth_free(struct growth *g);

/* Of one log: its file as if the tail stood in it, from the header on. */
struct growing_log {
	unsigned char *bytes;
	size_t room, size;
	struct checkpoint *checkpoints;
	size_t ncheckpoints;          /* there is room for */
	uint64_t tail_lost;     /* events that the tail says were lost */
	/* Where scanning goes on. */
	struct {
		size_t done;            /* of the log's part */
		uint64_t upper, newest;
		bool timed, claimed;
	} place;
};

/* Moves a log that was loaded, and not scanned yet, onto its ground. False: it is none that can grow; nothing was done. */
bool growing_log_settle(struct growth *g, struct log *log);
/*
 * Reads what is new in the log: in its file at path, and in its tail (NULL: there is none). False: it does not go on where
 * it ended.
 */
bool growing_log_extend(struct growing_log *g, const char *path, const struct tail *t);

#endif
