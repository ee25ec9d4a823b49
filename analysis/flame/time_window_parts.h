/* Declares the parts of time windows, for the files that make, store and read them. */
#ifndef GLIMPSE_ANALYSIS_FLAME_TIME_WINDOW_PARTS_H
#define GLIMPSE_ANALYSIS_FLAME_TIME_WINDOW_PARTS_H

#include "analysis/flame/time_window.h"

#define NO_FRAME UINT32_MAX

/* What a moment can be, and the frames that its time belongs to. */
struct time_window_key {
	uint32_t node, reason;
	bool ran, paused;
	bool preempted;     /* it lost its processor in that call, and nothing else happened */
	uint32_t frames[2]; /* of FLAME_CPU and FLAME_OFF */
	uint32_t on_stack;  /* of FLAME_CPU: also while it is preempted */
};

struct time_window_sum {
	uint32_t key;
	int64_t time;
};

struct time_window_block {
	int64_t from;
	size_t bytes, sums; /* where its own begin */
};

/*
 * Moments are numbers of variable length: the duration, and how far the key is from the last one's.
 */
struct time_window_thread {
	VECTOR(unsigned char) bytes;
	VECTOR(struct time_window_key) keys;
	VECTOR(struct time_window_block) blocks; /* the last one is empty: it is the end */
	VECTOR(struct time_window_sum) sums;
	struct hash_table known;  /* keys; these are NULL when all is read */
	VECTOR(int64_t) times;    /* by key, of the present block */
	VECTOR(uint32_t) touched; /* keys that have times in it */
	unsigned moments;         /* in it */
	uint32_t before;          /* the key of the moment before, and */
	uint32_t key;             /* that of the present one */
	int64_t from, to;
	bool sampled;
};

struct time_window {
	struct trace *trace;
	struct time_window_thread *threads;
	struct flame flames[2];
	char **texts; /* of the flames' names, if it was read from bytes; else NULL */
	size_t ntexts;
};

/* Appends the present moment (key, from, to) of a thread; an empty one is left out. */
void time_window_moment_add(struct time_window_thread *t);
/* Appends the last moment, and frees what was needed only while moments came. */
void time_window_thread_end(struct time_window_thread *t);
void time_window_thread_free(struct time_window_thread *t);
/* Finds what the nodes of both graphs have in the whole run, when all threads have ended. */
void time_window_totals(struct time_window *l);

/* Calls visit for each moment of a thread in [from, to], cut to that, in the order of time. */
void time_window_moments(const struct time_window_thread *t, int64_t from, int64_t to,
			 void (*visit)(void *context, uint32_t key, int64_t from, int64_t to),
			 void *context);

#endif
