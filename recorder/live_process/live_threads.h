/*
 * Reads from /proc what the threads of a running process do. Nothing is stopped: a thread may go on
 * while its files are read.
 */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_THREADS_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_THREADS_H

#include "base/array.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The system call in which a thread is blocked. */
struct live_call {
	enum {
		CALL_UNKNOWN, /* we may not read it */
		CALL_NONE,    /* the thread runs, or is blocked outside of calls: by a page fault */
		CALL_KNOWN
	} state;
	long number;
	uint64_t arguments[6];
	uint64_t sp, pc; /* of the program */
};

struct live_thread {
	pid_t tid;
	pid_t own; /* the number in its own pid namespace, as its memory has it */
	char name[64];
	char state;        /* as in /proc: R, S, D, T, t, Z, X, I */
	int processor;     /* where it ran last; -1: not known */
	uint64_t switches; /* since it began; UINT64_MAX: not known */
	int64_t blocked;   /* for at least so long, ns; -1: not known */
	struct live_call call;
	char kernel[64]; /* the kernel's function in which it is blocked; "": not known */
};

struct live_threads {
	pid_t pid;
	char program[64];
	pid_t tracer;                    /* a process that traces it; 0: none */
	bool namespaced;                 /* it is in another pid namespace than we are */
	VECTOR(struct live_thread) list; /* in the order of their numbers */
};

/* Why a process cannot be looked at. */
enum live_refusal { LIVE_FINE, LIVE_MISSING, LIVE_IS_THREAD, LIVE_ENDED, LIVE_KERNEL };

/*
 * Reads all threads. Sets t->pid to the process if pid is one of its other threads
 * (LIVE_IS_THREAD). The caller frees with live_threads_free(), also after a refusal.
 */
enum live_refusal live_threads_read(struct live_threads *t, pid_t pid);
void live_threads_free(struct live_threads *t);

/* Reads what a thread does now; false: it has ended. */
bool live_thread_read(const struct live_threads *t, struct live_thread *thread);

/* Reads the system call in which a thread is blocked; false: it is in none, or not readable. */
bool live_call_read(pid_t pid, pid_t tid, struct live_call *call);

/*
 * Returns whether a thread has not run between two readings: it is in the same call since then.
 */
bool live_thread_stayed(const struct live_thread *before, const struct live_thread *now);

#endif
