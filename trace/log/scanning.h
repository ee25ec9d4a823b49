/* A log that is being scanned: what the parts of the scan share. */
#ifndef GLIMPSE_TRACE_LOG_SCANNING_H
#define GLIMPSE_TRACE_LOG_SCANNING_H

#include "trace/log/scan.h"

struct scan {
	const struct scanner *scanner;
	struct log *log;
	const struct log_segment *part; /* at hand */
	size_t room;		 /* for checkpoints */
	const struct id_table *ids;
	uint64_t upper;	 /* in place */
	uint64_t newest; /* ticks of the event before */
	uint64_t before; /* events of the log that were not read */
	bool timed;	 /* upper is known */
	bool claimed;	 /* the log itself has said what its ids mean */
	const unsigned char *at; /* where the scan stopped last, and */
	const char *why; /* what is wrong with the record there */
	bool failed;	 /* no memory */
};

/* Here events are missing, up to the next that there is. */
void mark_lost(struct scan *s);
/* Takes up what a note says. */
void take_note(struct scan *s, unsigned char *record);
/*
 * The size of the record that is not an event of the table; 0 and s->why when it cannot be one.
 * What is reserved, or is an event that nothing announced, has no size that we could know.
 */
size_t other_size(struct scan *s, const unsigned char *at, size_t room);
/* Behind a damaged place: the next record TIME that records follow, or end. */
unsigned char *records_find(struct scan *s, unsigned char *at, const unsigned char *end);

#endif
