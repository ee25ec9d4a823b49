/*
 * Opens traces: one or several log directories, merged in the order of (time, thread, seq).
 * Everything is read through maps of the logs; a trace owns all that its functions return.
 */
#ifndef GLIMPSE_TRACE_TRACE_H
#define GLIMPSE_TRACE_TRACE_H

#include "base/search.h"
#include "grammar/diag.h"
#include "spec/spec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_thread {
	uint32_t number; /* the N of log.N; after the first directory counted on */
	/*
	 * What output calls it, maybe others, too: by its own name, "main", the function that it
	 * begins with, or the name that it has from its creator; "thread N" if it has none.
	 */
	const char *name;
	const char *owner;  /* the newest name that the system knows, or "thread N" */
	bool named;         /* that is its own, neither its program's nor its creator's */
	const char *label;  /* what output calls it: "NAME", or "NAME (NUMBER)" if not alone */
	const char *path;   /* the log's file */
	uint32_t process;   /* process id; 0 in the original format */
	uint32_t directory; /* index of its process in the trace */
	uint64_t tid;
	uint64_t events;
	uint64_t bytes;      /* of its log, tail included */
	uint64_t lost;       /* events that the runtime says it could not write */
	uint64_t skipped;    /* bytes that could not be read */
	int64_t first, last; /* times of its first and last event; 0 if it has none */
};

/* A time in which a process' counter did not go on as before: its times are approximate there. */
struct trace_break {
	int64_t from, to; /* times of the trace */
	int64_t ahead;    /* ns by which the counter leapt; negative: it fell behind */
};

/* One log directory: the logs of one process. */
enum process_state {
	PROCESS_UNKNOWN,
	PROCESS_ENDED,
	PROCESS_FILTERED, /* logged nothing after it installed a seccomp filter */
	PROCESS_RUNS,
	PROCESS_DIED,
	PROCESS_EXECUTED /* another program, which may have a directory of its own */
};

struct trace_process {
	const char *path;      /* the directory, as it was given, or one within it */
	const char *program;   /* its name; "" if unknown */
	uint32_t pid;          /* 0 if unknown */
	uint32_t first_thread; /* in the trace's threads, where its threads are adjacent */
	uint32_t nthreads;
	bool ended;               /* in order; false: it runs, died, or is of the original format */
	enum process_state state; /* when it was opened, as far as this machine can tell */
	const char *executed;     /* the program that it executed; NULL: none that is known */
	bool limited;             /* only the oldest or the newest events were to be kept */
	uint32_t rank;            /* in a parallel job, from 1; 0: none */
	char host[37];            /* the machine since its boot: boot_id of proc(5); "": unknown */
	bool recorder; /* what a recorder logged of others, and could not yet give them */
	/*
	 * Of a recorder that died: the times of its last record and of the last that is known of
	 * the run. Between these nothing was observed. Both 0: it did not die.
	 */
	int64_t observed_to, lived_to;
	bool counter;       /* its clock is the processor's counter; false: CLOCK_MONOTONIC */
	double frequency;   /* of that clock, Hz */
	const char *source; /* the kernel's clock source where that is no counter; else "" */
	const struct trace_break *breaks; /* in the order of time */
	size_t nbreaks;
	uint64_t event_cost; /* picoseconds, as calibrated; 0: not measured */
	uint64_t dropped;    /* events that no log could record; part of trace.lost */
};

/*
 * Returns what a process is called beside others: its rank in a parallel job, or its directory's
 * name. The caller frees it.
 */
char *trace_process_name(const struct trace_process *p);

/* A process of the run that could not be recorded. */
struct trace_missing {
	uint32_t pid;
	const char *program; /* its name, all visible */
	const char *reason;  /* why */
};

/* A time in which events are missing. */
#define EVERY_THREAD UINT32_MAX
enum gap_kind { GAP_LOST, GAP_OFF };
struct trace_gap {
	enum gap_kind kind;            /* they were lost; or their type was switched off */
	const struct event_type *type; /* which was switched off; NULL: any may be missing */
	uint32_t thread;               /* index in the trace's threads; EVERY_THREAD: all */
	int64_t from, to;
};

struct trace {
	const struct spec *spec; /* of the log, or the one given */
	const struct trace_thread *threads;
	unsigned nthreads;
	const struct trace_process *processes;
	unsigned nprocesses;
	const struct trace_gap *gaps; /* in no order */
	size_t ngaps;
	const struct trace_missing *missing;
	size_t nmissing;
	uint64_t events;
	uint64_t *events_of_type; /* indexed by event_type.index */
	int64_t origin;           /* CLOCK_MONOTONIC (ns) of the first event: time 0 */
	int64_t origin_real;      /* the same moment, CLOCK_REALTIME; 0 if unknown */
	int64_t duration;         /* time of the last event */
	/*
	 * CLOCK_MONOTONIC (ns) when the logs began to be read, or copied: of a program that runs,
	 * no log has less than what was logged up to then
	 */
	int64_t read_from;
	uint64_t lost;
};

/*
 * Opens n log directories, and those directly within them, as one trace. spec_path: another
 * specification than the one in the logs, or NULL. Warns diag of all that is skipped; returns NULL,
 * after a report to diag, if there is nothing to read or the specification is wrong.
 */
struct trace *trace_open(const char *const *directories, unsigned n, const char *spec_path,
			 struct diag *diag);
/* As trace_open(); but a run in which nothing was logged is a trace, too, of no threads. */
struct trace *trace_open_even_empty(const char *const *directories, unsigned n,
				    const char *spec_path, struct diag *diag);
void trace_close(struct trace *t);

/*
 * Returns the command that `glimpse record` ran, all visible; NULL: it is not known. The caller
 * frees it.
 */
char *trace_command(const struct trace *t);
/*
 * Returns how to record something that the machine did not give the recorder of a run, all visible.
 * NULL: it was given, or it is not known. The caller frees it. what, as in doc/log-format.md:
 * "switches", "states", "wake-ups", "samples", "kernel", "names", "futexes" or
 * "futex-rate".
 */
char *trace_refused(const struct trace *t, const char *what);

/*
 * Whether directories of runs that followed each other are read as one trace; else they are
 * refused: mostly somebody has written DIR*, and means the last one.
 */
extern bool trace_joins_runs;
/*
 * Whether recordings of `glimpse record` that followed each other are refused however soon the next
 * one began, and gorge's commands for two runs are named. Other directories may be processes of one
 * run: they are joined with a warning.
 */
extern bool trace_asks_runs;
/*
 * Returns, after a warning to diag, whether a directory has no logs since its program ended before
 * its first event. trace_open() opens it beside others that have some, not alone.
 */
bool trace_lacks_logs(const char *path, struct diag *diag);

/* Which events are wanted. */
struct trace_part {
	int64_t from, to;          /* times of the trace */
	const char *const *events; /* names, or patterns with * and ? */
	unsigned nevents;          /* 0: all */
};
/*
 * Opens a trace as trace_open() does, but reads only those blocks of packed files that have wanted
 * events. There may be other events, too; counts are of what was read; times, threads and seq are
 * those of the whole. Directories are read completely.
 */
struct trace *trace_open_part(const char *const *directories, unsigned n, const char *spec_path,
			      const struct trace_part *part, struct diag *diag);
/* Returns the thread with a number, or NULL. */
const struct trace_thread *trace_thread(const struct trace *t, uint32_t number);

/* Returns the index in the trace's threads of the one with a number, or the number of threads. */
static inline uint32_t trace_thread_index(const struct trace *t, uint32_t number)
{
	const struct trace_thread *found;

	if (number < t->nthreads && t->threads[number].number == number)
		return number;
	found = trace_thread(t, number);
	return found ? (uint32_t)(found - t->threads) : t->nthreads;
}

/* One event of the stream. */
struct event {
	int64_t time; /* nanoseconds since the trace's first event */
	const struct event_type *type;
	const unsigned char *record; /* native byte order; see record_value() in spec/layout.h */
	uint32_t thread;             /* number in the trace */
	uint32_t level;              /* 0; of one frame of its code, see address_frames() */
	uint64_t seq;                /* of all events of its thread, -s or not; from 0 */
};

struct operand event_operand(const struct trace *t, const struct event *e);

/* The merged stream, in order of (time, thread, seq). */
struct merge;
/* Returns NULL when there is no memory. */
struct merge *merge_open(const struct trace *t);
bool merge_next(struct merge *m, struct event *e);
void merge_close(struct merge *m);

/*
 * All events of one type, in the order of the stream, with random access; built on first use, and
 * kept with the trace. The rank is a number in the order of the whole stream, which decides
 * "earlier" and "later" where times are equal.
 */
struct event_list;
typedef unsigned __int128 event_rank;
/* Announces a call of trace_events(): all types that are announced are listed in one pass. */
void trace_announce(struct trace *t, const struct event_type *type);
/*
 * Returns NULL when there is no memory. Without announcements the first call lists all types that
 * intervals use.
 */
const struct event_list *trace_events(struct trace *t, const struct event_type *type);
/* Frees all lists, which nothing may use any more; trace_events() builds them again. */
void trace_forget_events(struct trace *t);
size_t event_list_size(const struct event_list *l);
void event_list_get(const struct event_list *l, size_t i, struct event *e);
/* Gets an event, but not its seq, which takes the most time. */
void event_list_look(const struct event_list *l, size_t i, struct event *e);
int64_t event_list_time(const struct event_list *l, size_t i);
event_rank event_list_rank(const struct event_list *l, size_t i);

/* Returns the first event that is not before the time. */
static inline size_t event_list_from(const struct event_list *l, int64_t time)
{
	return lower_bound(i, 0, event_list_size(l), event_list_time(l, i) < time);
}

#endif
