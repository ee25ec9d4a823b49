/*
 * Keeps the logs of a growing trace (trace_open_growing()): each is in reserved address space,
 * where it grows without moving, so that successive traces of one run share the bytes.
 */
#ifndef GLIMPSE_TRACE_LOG_GROWING_LOG_H
#define GLIMPSE_TRACE_LOG_GROWING_LOG_H

#include "base/address_space.h"
#include "trace/log/log.h"
#include <stdatomic.h>

/* What a trace and those that grew out of it share. */
struct growth {
	atomic_uint traces;
	struct address_space *space;
	size_t log_room;        /* bytes of address space for each log */
	bool broken;            /* no trace can grow out of this any more */
	uint64_t growths;       /* traces so far: only the newest can grow */
	struct schemas schemas; /* of the newest trace */
};

/* Returns NULL if there is no address space for so many logs. */
struct growth *growth_new(size_t nlogs);
struct growth *growth_hold(struct growth *g);
/* Returns whether that was the last trace. */
bool growth_release(struct growth *g);
void growth_free(struct growth *g);

/* One log: its file with the tail's bytes in it, from the header on. */
struct growing_log {
	unsigned char *bytes;
	size_t room, size;
	struct checkpoint *checkpoints;
	size_t ncheckpoints; /* there is room for */
	uint64_t tail_lost;  /* events that the tail says were lost */
	/* Where scanning resumes. */
	struct {
		size_t done; /* bytes of the log's segment */
		uint64_t upper, newest;
		bool timed, claimed;
	} resume;
};

/*
 * Moves a log that was loaded, and not yet scanned, into reserved address space. Returns false,
 * with nothing changed, if it is a log that cannot grow.
 */
bool growing_log_begin(struct growth *g, struct log *log);
/*
 * Reads what is new in the log's file at path and in its tail (NULL: no tail). Returns false if
 * that does not continue the log.
 */
bool growing_log_extend(struct growing_log *g, const char *path, const struct log_tail *t);

#endif
