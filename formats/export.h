/*
 * Exports: a trace as another tool's file. One file of this folder for each format; export.c lists
 * them.
 */
#ifndef GLIMPSE_FORMATS_EXPORT_H
#define GLIMPSE_FORMATS_EXPORT_H

#include "trace/trace.h"
#include <stdio.h>

/* What is exported. */
struct export_request {
	struct trace *trace;
	const bool *threads;                     /* by index; NULL: all */
	const struct interval *const *intervals; /* those chosen; the list ends with NULL */
	int64_t slice; /* ns of the time in one file; 0: as the format chooses */
	struct diag *diag;
};

struct export_format {
	const char *name;
	const char *summary; /* a line of --format=list */
	bool calls;     /* of what functions cost: a trace without calls or samples is refused */
	bool intervals; /* of intervals, too: export_request.intervals is set */
	bool slices;    /* in files of slices of time: export_request.slice counts */
	/* One of these is set. Writes to a stream; returns false after a report to diag. */
	bool (*write)(FILE *out, const struct export_request *r);
	/*
	 * Writes an empty file by its name, and no other files; returns false after a report to
	 * diag.
	 */
	bool (*save)(const char *path, const struct export_request *r);
	/* Fills a new directory; returns false after a report to diag, or an interruption. */
	bool (*fill)(const char *directory, const struct export_request *r);
};

extern const struct export_format export_avro, export_chrome, export_csv, export_ctf,
    export_firefox, export_folded, export_fxt, export_graze, export_jsonl, export_logfmt,
    export_otf2, export_otlp, export_paje, export_parquet, export_perfetto, export_postgresql,
    export_pprof, export_speedscope, export_sqlite;

/* All of them, in the order of their names; ends with NULL. */
extern const struct export_format *const export_formats[];

/* Returns whether a thread, by its number, is exported. */
bool export_has_thread(const struct export_request *r, uint32_t number);

/*
 * Warns once of each kind of thing that a format cannot hold: "FORMAT cannot hold WHAT: N were left
 * out; REMEDY". Nothing if n is 0.
 */
void export_left_out(const struct export_request *r, const struct export_format *f, uint64_t n,
		     const char *what);
/* What columns of tables do not say of a string. */
#define EXPORT_CUT_MARKS "the marks of strings that were cut"

/* Reports which library a format needs, and which packages have it. Returns false. */
bool export_built_without(const struct export_request *r, const char *library, const char *format,
			  const char *packages);

#endif
