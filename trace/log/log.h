/*
 * Opens all that one thread logged: log.N with its tail and, if signal handlers interrupted events,
 * log.N.1 and so on with theirs. Their records form one content, with ranges that are intact.
 */
#ifndef GLIMPSE_TRACE_LOG_LOG_H
#define GLIMPSE_TRACE_LOG_LOG_H

#include "base/file.h"
#include "grammar/diag.h"
#include "trace/format/clock.h"
#include "trace/format/schema.h"
#include "trace/log/tail.h"
#include "trace/pack/pack.h"

/* One file of the thread, with its tail. */
struct log_file {
	char *path;
	struct file file;
	bool altered;                    /* differs from the file on the disk by bytes of a tail */
	unsigned char *tail;             /* owned; NULL: the tail adds nothing */
	struct clock_sample sample;      /* of its header */
	const struct unpacked *unpacked; /* while it is loaded; NULL: all is there */
	/* What log_scan() found. */
	size_t range; /* the first of its ranges */
	uint64_t events;
	bool disordered; /* their times step back */
};

/*
 * Contiguous content from one file or tail. A position is an offset in the content of all segments.
 * Each segment begins at a multiple of 4.
 */
struct log_segment {
	unsigned char *bytes;
	size_t size;
	const char *path; /* for messages: the file, and the offset in it */
	uint64_t position;
	uint64_t place;
	bool fresh; /* the time is not known from what is before it */
	/* Of a packed file: */
	bool lost;           /* the bytes before it are damaged */
	bool known;          /* upper and seq are known at its beginning */
	uint64_t upper, seq; /* upper bits of the time, and how many events are before it */
};

/* Consecutive intact records. */
struct record_range {
	const unsigned char *start, *end;
	uint64_t upper; /* upper bits of the time at its start, in place */
	uint64_t seq;   /* of its first event */
	uint64_t place; /* of its start, in a log that is merged */
};

/* Every 64th event: reading can start there. */
#define CHECKPOINT_EVENTS 64
struct checkpoint {
	uint64_t place; /* of its record */
	uint64_t upper; /* of the time, in place */
	uint64_t seq;
	size_t range; /* which has it */
};

/*
 * In a merged log, ranges from different files follow each other, and places count what is read.
 * After the last range is one more, at the greatest place.
 */
#define MERGED_SHIFT 8

/* A note LOST or SWITCH: events are missing, or the thread was switched on or off. */
enum log_mark_kind { MARK_LOST, MARK_ON, MARK_OFF };
struct log_mark {
	enum log_mark_kind kind;
	uint64_t from, to; /* ticks; MARK_LOST: of the events around it, UINT64_MAX: none */
	uint64_t events;   /* that a note LOST counts; 0: it is not known how many */
};

struct log_marks {
	struct log_mark *list;
	size_t count, room;
	bool open; /* the newest is a MARK_LOST, and no event has followed yet */
};

struct log {
	uint32_t number; /* the N of log.N */
	uint32_t pid;
	uint64_t tid;
	uint32_t clock; /* enum log_clock */
	bool graze, swapped;
	char *name; /* the newest; NULL: none */
	/* of the header, once a note has given another; else NULL */
	char *first_name;
	bool renamed;           /* a note has given the name */
	struct log_file *files; /* by level */
	unsigned nfiles;
	struct log_segment *segments;
	unsigned nsegments;
	uint64_t size; /* files and tails */
	uint64_t lost; /* as tails, then notes say */
	/* What log_scan() found. */
	struct log_marks marks;
	const struct id_table *ids;
	struct record_range *ranges;
	size_t nranges;
	struct checkpoint *checkpoints;
	size_t ncheckpoints;
	uint64_t events;      /* of all types, those that -s leaves out too */
	uint64_t used;        /* of the trace's specification */
	uint64_t first, last; /* least and greatest ticks of the events */
	struct {
		bool known;
		uint64_t first, last;
	} whole;                /* the same of all of a log that is read in part */
	bool disordered;        /* times step back, or several files have events */
	/* Then log_order() has put its ranges in order, or has made one of copied records. */
	uint32_t *merged;       /* owned: which range has a place, by place >> MERGED_SHIFT */
	unsigned char *ordered; /* owned: the copy */
	struct {
		uint64_t bytes;
		unsigned count;
		const char *path; /* the first */
		uint64_t position;
		const char *why;
		bool at_end;
	} skipped;
	const struct clock *time;    /* from its ticks to nanoseconds */
	struct growing_log *growing; /* owns its bytes and checkpoints; NULL: the log does */
};

/*
 * Adds one file of the thread, lower levels first, and the tail that continues it (or NULL), whose
 * bytes and the path become the log's. unpacked: the content of the file, which the log takes;
 * NULL: the file is read from the path. Returns false, after a report to diag, if the file is no
 * log or not one of the same thread. An empty log is all zeros but for its number.
 */
bool log_add(struct log *log, char *path, struct unpacked *unpacked, struct log_tail *tail,
	     struct diag *diag);
void log_clear(struct log *log);
/* Gives up what a file of the log and its tail have in memory. */
void log_file_unload(struct log_file *f);

/* Returns the record at a place of a merged log. */
static inline const unsigned char *merged_record(const struct log *log, uint64_t place)
{
	const struct record_range *r = &log->ranges[log->merged[place >> MERGED_SHIFT]];

	while (__builtin_expect(r[1].place <= place, 0))
		r++;
	return r->start + (place - r->place);
}

static inline const unsigned char *log_record(const struct log *log, uint64_t place)
{
	const struct log_segment *s;

	if (log->merged)
		return merged_record(log, place);
	s = &log->segments[log->nsegments - 1];
	while (place < s->place)
		s--;
	return s->bytes + (place - s->place);
}

/* Returns the place of a record; next: the range after its own. */
static inline uint64_t log_place(const struct log *log, size_t next, const unsigned char *record)
{
	const struct log_segment *s = log->segments;

	if (log->merged) {
		const struct record_range *r = &log->ranges[next - 1];

		return r->place + (uint64_t)(record - r->start);
	}
	while (record < s->bytes || record >= s->bytes + s->size)
		s++;
	return s->place + (uint64_t)(record - s->bytes);
}

/* Returns the place of the end, in words. */
static inline uint64_t log_units(const struct log *log)
{
	const struct log_segment *s = &log->segments[log->nsegments - 1];

	if (log->merged) {
		const struct record_range *r = &log->ranges[log->nranges - 1];

		return (r->place + (uint64_t)(r->end - r->start)) >> 2;
	}
	return (s->place + s->size + 3) >> 2;
}

/* Adds a mark; returns false when there is no memory. */
bool log_mark_add(struct log *log, struct log_mark mark);
/* Counts bytes of a segment as skipped; why must outlive the log. */
void log_skip(struct log *log, const struct log_segment *segment, uint64_t offset, uint64_t bytes,
	      const char *why);
/* Warns diag of all that was skipped, in one message. */
void log_report(const struct log *log, struct diag *diag);

#endif
