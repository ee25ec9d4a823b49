/*
 * Logs from what our own exports embed in other tools' formats (formats/tracks.h): the
 * specification, what the processes and threads were, and events with their raw values. An importer
 * that finds a specification hands on that alone, and leaves all else out, as it follows from the
 * events.
 */
#ifndef GLIMPSE_FORMATS_LOGS_RESTORE_H
#define GLIMPSE_FORMATS_LOGS_RESTORE_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/import.h"
#include "formats/logs_named.h"

struct restored_process {
	uint32_t pid;
	char *program, *directory;
};

struct restored_thread {
	uint64_t tid;
	uint32_t process, number, log;
	char *name, *owner, *first; /* first: its name before it was renamed, or NULL */
	struct logs_thread *thread;
};

/* A value of the event that is read. */
struct restored_value {
	struct logs_value value;
	VECTOR(char) text; /* of a string; what an address is called */
	bool bytes;        /* all bytes of the string are known */
	bool cut, named;
};

struct restore {
	struct import_input *in;
	struct logs *logs;
	bool active; /* there is a specification */
	bool settled;
	VECTOR(char) specification;
	int64_t origin, origin_real;
	VECTOR(struct restored_process) processes;
	VECTOR(struct restored_thread) threads;
	struct hash_table by_id;
	VECTOR(const char *) objects; /* names of attributes that are objects */
	/* The event that is read; NULL: none. */
	const struct logs_event *event;
	struct restored_thread *thread;
	int64_t time;
	VECTOR(struct restored_value) values; /* by attribute */
	unsigned at;                          /* the attribute of the last argument */
	uint64_t unknown;                     /* events of threads or types that nothing says */
};

void restore_begin(struct restore *r, struct import_input *in, struct logs *l);
/*
 * Frees it; if `good`, writes the last event and warns of what is missing. Returns false after a
 * report to diag.
 */
bool restore_end(struct restore *r, bool good);

/* What comes before the events. A specification may come in several parts. */
void restore_specification(struct restore *r, const char *text, size_t length);
void restore_trace(struct restore *r, const struct logs_argument *arguments, size_t n);
void restore_process(struct restore *r, const struct logs_argument *arguments, size_t n);
void restore_thread(struct restore *r, const struct logs_argument *arguments, size_t n);

/*
 * Begins an event of the thread with an id (of the file) at a time of CLOCK_MONOTONIC. Its
 * arguments may come in parts. Returns false after a report to diag.
 */
bool restore_event(struct restore *r, uint64_t id, int64_t time, const char *name);
void restore_arguments(struct restore *r, const struct logs_argument *arguments, size_t n);

#endif
