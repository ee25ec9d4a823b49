/* Writes logs of runs that nobody made: for benches that want the same trace each time. */
#ifndef GLIMPSE_BENCH_LOG_FILE_H
#define GLIMPSE_BENCH_LOG_FILE_H

#include "spec/spec.h"
#include <stdio.h>

/* The log of a thread. Times are in ticks of half a nanosecond. */
struct log_file {
	FILE *f;
	uint64_t upper;
};

/* What a record of an event begins with: its number, from LOG_FIRST_EVENT on, and a part of its time. */
enum { LOG_FIRST_EVENT = 16 };

/*
 * Opens DIRECTORY/log.THREAD, of a thread with a name, whose events are all those of the
 * specification. Here and below: where it cannot be written the program ends with a message.
 */
struct log_file log_file_open(const char *directory, unsigned thread, const char *name,
			      const struct spec *spec);
/*
 * Adds an event. event: its number, from LOG_FIRST_EVENT on. record: its words; the first one is filled in here.
 * size: of the record, in bytes.
 */
void log_file_put(struct log_file *l, uint64_t ticks, uint32_t event, uint32_t *record,
		  size_t size);
void log_file_close(struct log_file *l);
/* Prints why it cannot go on, and ends the program with status 2. */
__attribute__((noreturn)) void log_file_fail(const char *what);

#endif
