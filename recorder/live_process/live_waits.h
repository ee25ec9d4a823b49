/*
 * Says what each thread of a running process waits for, who holds it, and where each chain of
 * owners ends.
 */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_WAITS_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_WAITS_H

#include "recorder/live_process/live_objects.h"

#define LIVE_NO_THREAD SIZE_MAX

struct live_wait {
	struct live_object object;
	char *name;        /* of the object: a variable, a descriptor's file; NULL: not known */
	const char *call;  /* the system call; NULL: not known, or none */
	int descriptor;    /* -1: none */
	size_t owner;      /* index of the thread that it waits for; LIVE_NO_THREAD: not known */
	size_t end;        /* the last thread of the chain of owners; itself, if it has none */
	unsigned deadlock; /* the number of the circle that it is in, from 1; 0: in none */
	const struct live_frame *site; /* where the program waits or runs; NULL: not known */
};

struct live_waits {
	const struct live_threads *threads;
	const struct live_stacks *stacks;
	VECTOR(struct live_wait) list; /* as the threads */
	unsigned deadlocks;
};

/* threads and stacks are kept, not copied. The caller calls live_waits_free(). */
void live_waits_read(struct live_waits *w, const struct live_threads *t,
		     const struct live_stacks *s);
void live_waits_free(struct live_waits *w);

#endif
