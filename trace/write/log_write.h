/* Writes a log file, record by record. */
#ifndef GLIMPSE_TRACE_WRITE_LOG_WRITE_H
#define GLIMPSE_TRACE_WRITE_LOG_WRITE_H

#include "trace/format/clock.h"
#include "trace/format/log_name.h"
#include <stdbool.h>
#include <stdio.h>

/* What the header says. */
struct log_head {
	struct log_name name;
	uint32_t pid;
	uint64_t tid;
	uint32_t clock;             /* enum log_clock */
	struct clock_sample opened; /* a pair of the process' clock */
	const char *thread;         /* its name */
};

struct log_file_writer {
	FILE *file;
	uint64_t upper; /* of the time, in place, as the records have it */
	bool timed;
};

/* Makes the new file log.N.L in a directory; returns false with errno set if that fails. */
bool log_file_begin(struct log_file_writer *w, const char *directory, const struct log_head *head);
void log_file_schema(struct log_file_writer *w, uint64_t identity, uint32_t base, uint32_t events,
		     const char *name);
void log_file_lost(struct log_file_writer *w, uint64_t events, uint32_t reason);
/* Writes an event of `size` bytes: its first word is made of the id and the ticks. */
void log_file_event(struct log_file_writer *w, uint32_t id, uint64_t ticks,
		    const unsigned char *record, size_t size);
/* Ends the file; returns false with errno set if anything could not be written. */
bool log_file_end(struct log_file_writer *w);

/*
 * Opens the file of a log for the head of its records, which are there already: its header, and
 * notes. log_file_end_head() fills the room up to the records and closes the file. The head has at
 * most 4096 bytes, and at least 8 must be left.
 */
bool log_file_begin_head(struct log_file_writer *w, const char *directory,
			 const struct log_head *head);
bool log_file_end_head(struct log_file_writer *w, uint32_t room);

#endif
