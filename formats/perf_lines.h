/*
 * Reads the lines that `perf script` prints: who, when and what; frames of call stacks; fields of
 * tracepoints.
 */
#ifndef GLIMPSE_FORMATS_PERF_LINES_H
#define GLIMPSE_FORMATS_PERF_LINES_H

#include "formats/logs_named.h"

/* The first line of a record. Its texts are parts of the line, which a NUL ends. */
struct perf_line {
	const char *comm;
	size_t ncomm;
	uint32_t pid, tid; /* pid: 0: the line does not say it; -1 becomes 0, as the idle ones */
	bool has_processor;
	uint32_t processor;
	int64_t time; /* ns */
	uint64_t period;
	const char *event; /* of records without samples: PERF_RECORD_... */
	size_t nevent;
	const char *rest; /* behind the event */
};

/* Takes a line apart. Returns false if it is no first line of a record, or has no time. */
bool perf_line_read(const char *text, struct perf_line *l);
/* Returns whether an event is a tracepoint, by its name: the others are samples. */
bool perf_is_tracepoint(const struct perf_line *l);

/*
 * Returns the name of the function in a line of a call stack, which the caller frees: if it is not
 * known, the file in brackets. NULL: it is no such line; *cut: since its end is missing.
 */
char *perf_frame_read(const char *text, bool *cut);

/*
 * Finds the fields of a tracepoint in its text, which is changed: KEY=VALUE, or KEY: VALUE with
 * commas.
 */
unsigned perf_fields_read(char *text, struct logs_argument *to, unsigned most);

#endif
