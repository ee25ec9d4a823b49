/*
 * All that one thread logged: log.N with its tail, and where signal handlers interrupted its events, log.N.1 and so on with
 * theirs. Their records are one content, of which some stretches are intact.
 */
#ifndef GLIMPSE_TRACE_LOG_LOG_H
#define GLIMPSE_TRACE_LOG_LOG_H

#include "base/file.h"
#include "grammar/diag.h"
#include "trace/format/clock.h"
#include "trace/format/schema.h"
#include "trace/log/marks.h"
#include "trace/log/tail.h"
#include "trace/pack/pack.h"

/* One file of the thread, with its tail. */
struct log_file {
	char *path;
	struct file file;
	bool altered;           /* a tail's bytes stand in it, which the file on the disk has not */
	unsigned char *tail;    /* owned; NULL: none, or nothing in it that the file has not */
	struct clock_sample pair; /* of its header */
	const struct unpacked *unpacked;        /* while it is taken up: what is there of the file; NULL: all */
};

/* Contiguous content. Places count through the parts, each of which begins at a multiple of 4. */
struct log_segment {
	unsigned char *bytes;
	size_t size;
	const char *path;       /* for messages: the file, and where in it */
	uint64_t position;
	uint64_t place;
	bool fresh;             /* what was known of the time before it does not hold */
	/* Of a packed file: */
	bool lost;              /* what stood before it is damaged */
	bool known;             /* what is known at its beginning: */
	uint64_t upper, seq;    /* upper bits of the time, and how many events stand before it */
};

/* Intact records, one behind the other. */
struct record_range {
	const unsigned char *start, *end;
	uint64_t upper;         /* upper bits of the time at its start, in place */
	uint64_t seq;           /* of its first event */
};

/* Where the log can be taken up again: an event, every so many. */
#define CHECKPOINT_EVENTS 64
struct checkpoint {
	uint64_t place;         /* of its record */
	uint64_t upper;         /* of the time, in place */
	uint64_t seq;
	size_t extent;          /* in which it is */
};

/* One event of a log whose times step back, or of several files. */
struct sorted_event {
	uint64_t ticks;
	uint64_t place;
};

struct log {
	uint32_t number;                /* the N of log.N */
	uint32_t pid;
	uint64_t tid;
	uint32_t clock;                 /* enum log_clock */
	bool graze, swapped;
	char *name;                     /* the newest; NULL: none */
	struct log_file *files;         /* by level */
	unsigned nfiles;
	struct log_segment *segments;
	unsigned nsegments;
	uint64_t size;                  /* files and tails */
	uint64_t lost;                  /* as tails, then notes say */
	/* What log_scan() found. */
	struct marks marks;
	const struct id_table *ids;
	struct record_range *ranges;
	size_t nranges;
	struct checkpoint *checkpoints;
	size_t ncheckpoints;
	uint64_t events;                /* of all types, those left out too */
	uint64_t used;                  /* of the trace's specification */
	uint64_t first, last;           /* least and greatest ticks of the events */
	struct {
		bool known;
		uint64_t first, last;
	} whole;                        /* the same of all of a log that is read in part */
	bool disordered;                /* times step back */
	struct sorted_event *sorted;    /* if so, all its events by their ticks, else in the order of their places */
	struct {
		uint64_t bytes;
		unsigned count;
		const char *path;       /* the first */
		uint64_t position;
		const char *why;
		bool at_end;
	} skipped;
	const struct clock *time;       /* from its ticks to nanoseconds */
	struct growing_log *growing;          /* whose its bytes and checkpoints are (trace/log/growing_log.h); NULL: its own */
};

/*
 * Takes up one file of the log, lower levels first: path becomes the log's, and the bytes of the tail that continues it, if
 * not NULL. unpacked: its content, which the log takes; NULL: it is read from the path. False, and diag knows why, when that
 * is no log, or not one of the same thread. An empty log is all zeros but for its number.
 */
bool log_add(struct log *log, char *path, struct unpacked *unpacked, struct tail *tail, struct diag *diag);
void log_clear(struct log *log);

static inline const unsigned char *log_record(const struct log *log, uint64_t place)
{
	const struct log_segment *p = &log->segments[log->nsegments - 1];

	while (place < p->place)
		p--;
	return p->bytes + (place - p->place);
}

static inline uint64_t log_place(const struct log *log, const unsigned char *record)
{
	const struct log_segment *p = log->segments;

	while (record < p->bytes || record >= p->bytes + p->size)
		p++;
	return p->place + (uint64_t)(record - p->bytes);
}

/* Adds to what was skipped; why must outlive the log. */
void log_skip(struct log *log, const struct log_segment *part, uint64_t offset, uint64_t bytes, const char *why);
/* The one warning of what was skipped. */
void log_report(const struct log *log, struct diag *diag);

#endif
