/*
 * Random threaded programs, as the steps of their threads: for runs whose truth is known, and for the
 * same programs changed.
 */
#ifndef GLIMPSE_TESTS_ANALYSIS_SIMULATED_WORKLOAD_H
#define GLIMPSE_TESTS_ANALYSIS_SIMULATED_WORKLOAD_H

#include "base/array.h"
#include "tests/random.h"

enum step_kind {
	STEP_START,   /* a thread begins */
	STEP_COMPUTE, /* for `length` */
	STEP_LOCK,    /* what: a lock */
	STEP_UNLOCK,
	STEP_AWAIT_ITEM, /* waits on a condition while a queue is empty; what: the queue, whose lock is held */
	STEP_AWAIT_ROOM,     /* the same while it is full */
	STEP_PUT,            /* adds an item to a queue, and signals */
	STEP_TAKE,           /* removes one, and signals */
	STEP_SEMAPHORE_WAIT, /* what: a semaphore */
	STEP_SEMAPHORE_POST,
	STEP_BARRIER, /* what: a barrier */
	STEP_SLEEP,   /* for `length` */
	STEP_YIELD,
	STEP_CREATE, /* what: a thread */
	STEP_JOIN,
	STEP_EXIT, /* the thread's last event */
	STEP_GONE, /* the thread that joins it goes on */
	/* A thread that items are handed out to. what: the queue, unless a counter hands them out */
	STEP_AGAIN, /* here it begins anew */
	STEP_ASK,   /* has the next item, or finds that there is none, while it holds the lock */
	STEP_WORK, /* computes for as long as its item is; without one, it goes on after STEP_REPEAT */
	STEP_REPEAT, /* back to STEP_AGAIN */
	STEP_CLOSE,  /* no more items come: wakes all that wait for one */
};

struct step {
	enum step_kind kind;
	uint32_t what;
	int64_t length; /* ns */
	uint32_t site;  /* where in the program, beside kind and what */
};

enum {
	MOST_THREADS = 9,
	MOST_LOCKS = 8,
	MOST_QUEUES = 4,
	PLAIN_LOCKS = 3,
	SEMAPHORES = 2,
	BARRIERS = 1
};

struct workload_queue {
	uint32_t lock, room;
};

/* Items that threads are handed while the program runs. */
struct workload_pool {
	VECTOR(int64_t) lengths;    /* ns */
	bool queued;                /* others add them to queue 0; else they are there */
	double paces[MOST_THREADS]; /* so many times as fast the threads work */
};

/* Thread 0 is the main thread, which creates and joins the others. */
struct workload {
	const char *shape;
	unsigned nthreads, nlocks, nqueues;
	VECTOR(struct step) threads[MOST_THREADS];
	struct workload_queue queues[MOST_QUEUES];
	unsigned semaphores[SEMAPHORES]; /* their first values */
	unsigned members[BARRIERS];
	struct workload_pool pool;
};

/* Returns the program of a seed, which ends on each number of processors. */
struct workload *workload_random(uint64_t seed);
/* The same of a program whose threads are handed items: by a counter, a queue, or a queue with a semaphore. */
struct workload *workload_pool_random(uint64_t seed);
void workload_free(struct workload *p);

/* Change a program: nobody acquires a lock any more. */
void workload_unlock(struct workload *p, uint32_t lock);
/* Each hold of a lock takes so long (ns), apart from what it waits for. */
void workload_hold(struct workload *p, uint32_t lock, int64_t length);
/* A thread computes so many times as fast. */
void workload_speed(struct workload *p, uint32_t thread, double factor);

/* Returns how long the holds of a lock take (ns), apart from what they wait for; *times: how many there are. */
int64_t workload_held(const struct workload *p, uint32_t lock, unsigned *times);

#endif
