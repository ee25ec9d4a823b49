/*
 * Finds the directory to which a thread's log belongs. A process has one for each program that it
 * ran; if it has none (a program that loads no libraries), one is made.
 */
#ifndef GLIMPSE_RECORDER_MERGE_HOMES_H
#define GLIMPSE_RECORDER_MERGE_HOMES_H

#include "recorder/merge/recorder_lines.h"
#include "recorder/numbers.h"
#include "recorder/obstacles.h"
#include "trace/open/opened.h"

/* A thread of the recorder's logs, while it ran one program. */
struct thread_life {
	const struct log *log;
	/* the namespace of its own number; 0: the recorder's, or not known */
	uint64_t space;
	uint32_t number;  /* of the thread, in that namespace */
	int64_t from, to; /* times of its first and last event, CLOCK_MONOTONIC */
	int64_t until;    /* when it was over: `to`, or INT64_MAX if nobody saw its end */
	/* It has the events of its log from `begin` on, before `end`: another life has the rest. */
	int64_t begin, end;
	bool forked, executed;      /* it began by fork(); it ended by exec() */
	bool ended;                 /* the recorder saw its end */
	bool met;                   /* it had begun earlier: nobody saw when */
	bool continued;             /* the life after it is the same to readers */
	struct thread_life *before; /* which it continues; NULL: none */
	struct home *home;
};

struct home {
	char *path;
	uint64_t space; /* the namespace of pid; 0: the recorder's, or not known */
	uint32_t pid;
	int64_t start;                       /* of its run */
	const struct directory *directory;   /* NULL: it was made now */
	const struct trace_process *process; /* the same */
	struct thread_life *leader; /* the first thread of the process in it; NULL: none yet */
	uint32_t next;              /* the number of the next new log */
};

struct homes {
	struct home **list;
	size_t n;
	const struct opened *trace;
	const struct directory *recorder; /* the recorder's own directory */
	const char *directory;            /* of the trace */
	uint32_t root;                    /* the process whose logs belong right there */
	bool rooted;                      /* a home is the directory of the trace itself */
	char **specs;                     /* files that each home needs */
	size_t nspecs;
	struct thread_life **lives; /* by thread, then by time */
	size_t nlives;
	struct thread_life **named; /* the same, by namespace, own number, then by time */
	struct numbers numbers;
	struct home **programs; /* those of the trace, by namespace, process, then start */
	size_t nprograms;
	const struct log **logs; /* of the trace, by thread */
	size_t nlogs;
	struct recorder_lines *modules, *made; /* what files of the recorder say of processes */
};

/* Lists the directories of a trace. */
void homes_open(struct homes *h, const struct opened *trace, const struct directory *recorder,
		uint32_t root);
/* Notes that homes need the recorder's specification of that name. */
void homes_need(struct homes *h, const char *name);
/*
 * Gives each life the home that is its own; makes those that are missing. Divides lives in which a
 * program was executed unnoticed: adds to *n at most the number of directories, for which there is
 * room. Returns false with errno set if a home cannot be made.
 */
bool homes_assign(struct homes *h, struct thread_life *lives, size_t *n);
/* Whether the log of a life has events of other lives, too. */
static inline bool life_is_part(const struct thread_life *l)
{
	return l->begin != INT64_MIN || l->end != INT64_MAX;
}

/* Returns the log of a thread in its home that was open during its life, or NULL. */
const struct log *home_log(const struct homes *h, const struct home *home,
			   const struct thread_life *life);
/* Returns the number that a thread has in its home. */
uint32_t home_number(const struct thread_life *life);
/*
 * Returns the same of the thread that had a number of the recorder's at a time; that number if it
 * was not observed.
 */
uint32_t homes_number(const struct homes *h, uint32_t tid, int64_t time);
/* Copies the specifications to a home that lacks them; returns false with errno set. */
bool home_specs_copy(const struct homes *h, const struct home *home);
/*
 * Lists the processes in which the probes' libraries logged nothing of a program; returns how many.
 * The caller frees *list. To be called after homes_assign().
 */
size_t homes_unprobed(const struct homes *h, struct unprobed **list);
void homes_close(struct homes *h);

#endif
