/*
 * Timers on the processor time of each thread, which send the thread a signal of ours. Signals are
 * blocked while the lock is held, so that all functions here may be called in signal handlers.
 */
#ifndef GLIMPSE_PROBES_SAMPLES_TIMERS_H
#define GLIMPSE_PROBES_SAMPLES_TIMERS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define FRAMES_MOST 512

/* A thread that is sampled, or is about to start. */
struct sampled {
	struct sampled *all, *next_free;
	pid_t tid;   /* 0: it has not started */
	int timer;   /* the kernel's number; -1: none */
	bool hidden; /* of who creates it: our signal seems blocked */
	bool off;    /* it has no timer any more */
	void *(*posix)(void *argument);
	int (*c11)(void *argument);
	void *argument;
	uintptr_t frames[FRAMES_MOST]; /* the handler's */
};

/* The calling thread; NULL: it is not sampled. */
extern __thread struct sampled *sampled_self __attribute__((tls_model("initial-exec")));

/* Returns the number of our signal; 0: there is none, as nothing is sampled. */
int timers_signal(void);
/* Returns whether the calling process is the one that is sampled: a child of vfork() is not. */
bool timers_here(void);

/* Begins with the calling thread: samples every `period` ns, by this signal. */
void timers_begin(int64_t period, int number);
/* Sends another signal from now on; 0: no more samples are taken. */
void timers_change(int number);
/* In a forked child: its only thread begins anew. */
void timers_forked(void);

/* Returns a thread that is about to start, or NULL if nothing is sampled or there is no memory. */
struct sampled *sampled_new(void);
/* The thread of that entry starts; it is the calling one. */
void sampled_start(struct sampled *s);
/* The thread has ended, or was not created. */
void sampled_end(struct sampled *s);

/* The calling thread is not sampled any more. A signal that its timer has sent may still arrive. */
void sampled_stop(void);

/* Returns whether a signal is from a timer of ours. */
bool timers_sent(const siginfo_t *info);

#endif
