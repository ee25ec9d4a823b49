/*
 * One thread's log: its file and its tail as one content, its header, and which stretches of it are intact records.
 */
#ifndef GLIMPSE_TRACE_LOG_H
#define GLIMPSE_TRACE_LOG_H

#include "grammar/diag.h"
#include "trace/clock.h"
#include "trace/file.h"
#include "trace/schema.h"
#include "trace/tail.h"

/* Contiguous content. Places (below) count through the parts, each of which begins at a multiple of 4. */
struct part {
	unsigned char *bytes;
	size_t size;
	uint64_t position;      /* in the log, for messages */
	uint64_t place;
};

/* Intact records, one behind the other. */
struct extent {
	const unsigned char *start, *end;
	uint64_t upper;         /* upper bits of the time at its start, in place */
	uint64_t seq;           /* of its first event */
};

/* One event of a log whose times step back. */
struct sorted_event {
	uint64_t ticks;
	uint64_t place;
	uint64_t seq;
};

struct log {
	char *path;
	uint32_t number;                /* the N of log.N */
	uint32_t pid;
	uint64_t tid;
	uint32_t clock;                 /* enum log_clock */
	uint32_t ring;
	bool graze, swapped;
	struct clock_pair pair;
	char *name;                     /* the newest; NULL: none */
	struct file file;
	unsigned char *tail;            /* owned */
	struct part parts[2];
	unsigned nparts;
	uint64_t size;                  /* file and tail */
	/* What log_scan() found. */
	const struct id_table *ids;
	struct extent *extents;
	size_t nextents;
	uint64_t events;                /* of all types, those left out too */
	uint64_t used;                  /* of the trace's specification */
	uint64_t lost;
	uint64_t first, last;           /* least and greatest ticks of the events */
	bool disordered;                /* times step back */
	struct sorted_event *sorted;    /* if so, all its events by (ticks, seq) */
	struct {
		uint64_t bytes;
		unsigned count;
		uint64_t first;         /* position */
		const char *why;
		bool at_end;
	} skipped;
	const struct clock *time;       /* from its ticks to nanoseconds */
};

/*
 * Reads path (which becomes the log's) and puts the tail, if not NULL, behind it; the tail's bytes become the log's.
 * False, and diag knows why, when it is no log at all.
 */
bool log_load(struct log *log, char *path, uint32_t number, struct tail *tail, struct diag *diag);
void log_clear(struct log *log);

static inline const unsigned char *log_record(const struct log *log, uint64_t place)
{
	const struct part *p = &log->parts[log->nparts > 1 && place >= log->parts[1].place];

	return p->bytes + (place - p->place);
}

static inline uint64_t log_place(const struct log *log, const unsigned char *record)
{
	const struct part *p = &log->parts[0];

	if (record < p->bytes || record >= p->bytes + p->size)
		p = &log->parts[1];
	return p->place + (uint64_t)(record - p->bytes);
}

/* Adds to what was skipped. */
void log_skip(struct log *log, uint64_t position, uint64_t bytes, const char *why);
/* The one warning of what was skipped. */
void log_report(const struct log *log, struct diag *diag);

#endif
