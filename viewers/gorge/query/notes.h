/*
 * Reads notes about a trace: a text of lines
 *
 *	TIME or TIME-TIME, THREAD or -, TEXT
 *
 * with a tab or two spaces between them: "120ms-150ms  parser-1  stalls here". Empty lines and
 * lines that begin with # say nothing.
 */
#ifndef GLIMPSE_GORGE_QUERY_NOTES_H
#define GLIMPSE_GORGE_QUERY_NOTES_H

#include "base/array.h"
#include "base/json.h"
#include "trace/trace.h"

/* Bytes of all notes, and of a line; and how many notes. */
enum { NOTES_MOST_BYTES = 1 << 16, NOTE_MOST_BYTES = 1000, NOTES_MOST = 500 };

#define NOTE_NO_THREAD UINT32_MAX

struct note {
	int64_t from, to; /* the same: it is of a time */
	uint32_t thread;  /* its index in the trace; NOTE_NO_THREAD: of all */
	char *text, *line;
};

struct notes {
	VECTOR(struct note) list;
	VECTOR(char *) wrong; /* "line 3: ..." */
};

/* text may be NULL. Lines that are damaged are in wrong; all others hold. */
struct notes notes_read(const char *text, const struct trace *t);
void notes_free(struct notes *notes);

/* Writes "notes" and "wrong". */
void notes_write(const struct notes *notes, const struct trace *t, struct json *j);

#endif
