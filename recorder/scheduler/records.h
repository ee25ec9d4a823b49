/*
 * Reads the kernel's records of switches between threads, from perf_event: one buffer for each
 * processor, which the threads that run there share. Needs no privileges for processes of the same
 * user where kernel.perf_event_paranoid is 2 or less.
 */
#ifndef GLIMPSE_RECORDER_SCHEDULER_RECORDS_H
#define GLIMPSE_RECORDER_SCHEDULER_RECORDS_H

#include "recorder/recorder.h"

enum switch_kind {
	SWITCH_IN,
	SWITCH_BLOCKED,   /* out, by itself */
	SWITCH_PREEMPTED, /* out, though it could go on */
	SWITCH_FORK,      /* a thread or process began: tid, made by the thread other */
	SWITCH_EXIT,
	SWITCH_NAME,    /* the thread has another name */
	SWITCH_EXEC,    /* and runs another program, of that name */
	SWITCH_WAKE,    /* the thread was woken, by the thread other; 0: by none */
	SWITCH_LOST,    /* the kernel had no room for `count` records of the processor */
	SWITCH_FIGURES, /* no record: schedstat was read, it says `count` and `delay` */
	SWITCH_FUTEX,   /* no record: it is blocked in a wait on a futex without a time limit */
	SWITCH_KERNEL,  /* no record: it waits in the kernel, in kernel wait number `count` */
	/* no record: it waits for the futex `count`, at `delay`, with the call stack `other` */
	SWITCH_INNER
};

struct kernel_record {
	int64_t time;   /* CLOCK_MONOTONIC */
	int64_t begun;  /* before that was read; the same clock */
	uint64_t order; /* of reading */
	enum switch_kind kind;
	uint32_t pid, tid;
	uint32_t processor;
	uint32_t other;
	uint64_t count, delay;
	char name[16]; /* NUL-terminated */
};

struct kernel_records {
	struct kernel_record *at;
	size_t n, room;
};

/*
 * Begins to record the switches of r->root, and of what it will start; of a process that runs
 * already those of all its threads. With access to tracefs also who wakes them. Returns false with
 * errno set, and *what set to what could not be done.
 */
bool records_open(const struct recording *r, const char **what);
int records_fds(struct pollfd *fds, int room);
/* Returns whether there are records of threads that are not observed, too. */
bool records_have_strangers(void);
/* Whether each wake-up by a thread that is observed is recorded. */
bool records_have_wakeups(void);
/* Appends all records that there are, in no order. */
void records_read(struct kernel_records *records);
void records_close(void);

/* Orders records by time; those of one time as they were read. */
void records_sort(struct kernel_record *records, size_t n);

#endif
