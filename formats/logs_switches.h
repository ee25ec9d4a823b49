/*
 * What a kernel says of threads (switches, wake-ups, forks, exits) as events of the recorder's
 * specification "scheduler": states of threads, and who let whom go on. Used by all formats that
 * have such records; they come in the order of time.
 */
#ifndef GLIMPSE_FORMATS_LOGS_SWITCHES_H
#define GLIMPSE_FORMATS_LOGS_SWITCHES_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/logs.h"

struct logs_switches {
	struct logs *logs;
	const struct logs_event *started, *executed, *in, *out, *blocks, *readied, *migrated,
	    *exited, *wakes, *woken, *lost;
	VECTOR(struct switch_thread *) threads;
	struct hash_table by_tid;
	VECTOR(struct switch_thread *) running; /* by processor; NULL: none that is known */
	uint32_t wakeups, processors;
	bool unnumbered; /* processors have numbers of ours */
	int64_t last;
};

/* processors: how many there are; 0: not known. */
void switches_begin(struct logs_switches *s, struct logs *l, uint32_t processors);
/* Ends what is still going on at the time of the last record, and frees it. */
void switches_end(struct logs_switches *s);

/*
 * Says which process a thread is of, and its name; NULL: not known. A thread whose process is not
 * given before its first record is a process of its own. 0 is no thread: a processor that is idle.
 */
void switches_thread(struct logs_switches *s, uint32_t tid, uint32_t pid, const char *name);
/* Returns the process of a thread; 0: it is not known. */
uint32_t switches_process(struct logs_switches *s, uint32_t tid);
/* Returns the thread with that number, for other events of it. */
struct logs_thread *switches_logs_thread(struct logs_switches *s, uint32_t tid);

/* The format does not say which: threads are given the lowest number that is free. */
#define SWITCH_ANY_PROCESSOR UINT32_MAX

enum switch_why { SWITCH_BLOCKS, SWITCH_PREEMPTED, SWITCH_EXITS };
/* A processor goes from one thread to another; either may be 0. */
void switches_switch(struct logs_switches *s, int64_t time, uint32_t processor, uint32_t from,
		     enum switch_why why, uint32_t to);
/* A thread lets another one go on; by: 0: not known, or nothing of a thread's. */
void switches_wake(struct logs_switches *s, int64_t time, uint32_t by, uint32_t tid);
void switches_fork(struct logs_switches *s, int64_t time, uint32_t by, uint32_t tid);
void switches_exec(struct logs_switches *s, int64_t time, uint32_t tid, const char *program);
void switches_exit(struct logs_switches *s, int64_t time, uint32_t tid);
/* The kernel lost records of that processor: what its threads do is not known. */
void switches_lost(struct logs_switches *s, int64_t time, uint32_t processor, uint64_t records);

#endif
