/*
 * Says what each thread of a running process waits for, who holds it, and where each chain of
 * owners ends.
 */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_WAITS_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_WAITS_H

#include "recorder/live_process/live_objects.h"

#define LIVE_NO_THREAD SIZE_MAX
#define LIVE_NO_GUESS SIZE_MAX

/* Indexes of threads, in order. */
struct live_list {
	size_t *at, n, room;
};

/* Who may hold a lock: live_holders.h. */
struct live_guess {
	uint64_t word;                 /* 0: the lock is known by its call site */
	const struct live_frame *site; /* of the first thread that waits for it */
	const struct object_words *words;
	struct live_list threads; /* with its address */
	struct live_list near;    /* and those with an address of the memory before it */
	bool by_site;             /* from the call site alone: other locks may be meant */
};

struct live_wait {
	struct live_object object;
	char *name;        /* of the object: a variable, a descriptor's file; NULL: not known */
	char *peer;        /* who has the other end, or the file's lock; NULL: not known */
	const char *call;  /* the system call; NULL: not known, or none */
	int descriptor;    /* -1: none */
	size_t owner;      /* index of the thread that it waits for; LIVE_NO_THREAD: not known */
	size_t guess;      /* which of the guesses says who may hold it; LIVE_NO_GUESS: none */
	size_t end;        /* the last thread of the chain of owners; itself, if it has none */
	unsigned deadlock; /* the number of the circle that it is in, from 1; 0: in none */
	const struct live_frame *site; /* where the program waits or runs; NULL: not known */
};

struct live_waits {
	const struct live_threads *threads;
	const struct live_stacks *stacks;
	const struct spec *spec;
	VECTOR(struct live_wait) list; /* as the threads */
	VECTOR(struct live_guess) guesses;
	unsigned certain;   /* deadlocks: each thread waits for an owner that memory has */
	unsigned deadlocks; /* with those that are likely, which have the numbers behind them */
};

/*
 * threads, stacks and the specification with the words of objects (NULL: none) are kept, not
 * copied. The caller calls live_waits_free().
 */
void live_waits_read(struct live_waits *w, const struct live_threads *t,
		     const struct live_stacks *s, const struct spec *spec);
void live_waits_free(struct live_waits *w);

#endif
