/*
 * Names of code that no module has: perf maps and jitdump files of code that a program makes at run
 * time. Anybody may have written them: what is read is bounded, and no line and no record is
 * trusted.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_MADE_NAMES_H
#define GLIMPSE_RECORDER_SAMPLES_MADE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer names are cut, and more names are not read. */
enum { MADE_NAME = 1000, MADE_MOST = 1 << 16 };

/*
 * Code in a process, [start, end), that had a name from a time on (CLOCK_MONOTONIC, ns); 0: the
 * time is not known.
 */
struct made_name {
	uint64_t time, start, end;
	const char *name; /* of `length` bytes, not 0; valid during the call */
	size_t length;
};

typedef void made_take(void *context, const struct made_name *m);

/*
 * Read an open regular file, and give the names for n addresses, which are in ascending order.
 * Return false if the file has more than is read and names may be missing.
 *
 * Of a perf map the last line that contains an address counts. Of a jitdump file all records count,
 * in the file's order; code that was moved comes with the record of its first place.
 */
bool perf_map_read(int fd, const uint64_t *addresses, size_t n, made_take *take, void *context);
bool jitdump_read(int fd, const uint64_t *addresses, size_t n, made_take *take, void *context);

#endif
