/*
 * Holds the state of a replay while it runs. Each file of this folder calls only those above it in
 * README.md.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_SIMULATION_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_SIMULATION_H

#include "analysis/replay/machine/replay.h"

#define NOBODY UINT32_MAX

/* A list of threads, by links in them: first in, first out. */
struct queue {
	uint32_t head, tail;
	bool processors; /* it is for them */
};

/*
 * PHASE_LEAVING: it has to wait, and runs until it leaves its processor. PHASE_SPINNING: it waits
 * for a lock, and keeps its processor.
 */
enum thread_phase {
	PHASE_READY,
	PHASE_RUNNING,
	PHASE_LEAVING,
	PHASE_SPINNING,
	PHASE_BLOCKED,
	PHASE_ENDED
};

struct thread {
	size_t next;   /* operation */
	size_t back;   /* where it goes on after a piece of a pool */
	int64_t work;  /* left before the next one */
	int64_t began; /* its turn */
	int64_t slice_end;
	int64_t ready; /* since when it is */
	/* while it waits for a processor: from when one is left to it until it runs */
	int64_t switching;
	int64_t blocked; /* since when it is, or was when it became ready; -1: it was not */
	int64_t leaving; /* since when it is */
	int64_t wakes;   /* if it is woken: when it goes on */
	/* of the next operation, when it ends at the latest; INT64_MAX: at no time */
	int64_t limit;
	int64_t until;      /* so far it has worked already */
	uint64_t happening; /* the order of the one that is to come; others are void */
	uint32_t unsliced;  /* its place in the list of those; NOBODY: not in it */
	enum thread_phase phase;
	int64_t looped;   /* when it went back in a loop; -1: it has not, or the loop is over */
	uint32_t loops;   /* how often it did */
	bool woken;       /* what it was blocked by is over */
	bool busy_waits;  /* it has to wait, and keeps its processor for that when it has one */
	uint32_t link[2]; /* the next in a queue: who spins and waits for a processor is in two */
	uint32_t core;    /* that it has, or had last; NOBODY: none yet. Only if each has a queue */
	/*
	 * It is in the queue of a lock for which threads spin, also without a processor; and the
	 * next one there.
	 */
	bool spins;
	uint32_t behind;
	int64_t unknown; /* on the path that led to where it is, ns */
};

/* A processor with a queue of its own. */
struct core {
	struct queue ready;
	uint32_t length; /* of the queue */
	uint32_t thread; /* that has it */
	bool busy;
};

/*
 * At that time a thread goes on: on its processor, or for one. NOBODY: an idle processor takes one
 * over.
 */
struct happening {
	int64_t time;
	uint64_t order;
	uint32_t thread;
};

struct lock_state {
	uint32_t holder; /* NOBODY; of readers any */
	uint32_t readers;
	uint32_t again; /* how often its holder took it once more */
	bool handed;    /* the holder has not gone on yet */
	struct queue waiting;
	/* The operation since which who asks for it has it; and what was unknown up to it. */
	size_t opened;
	int64_t unknown;
};

struct meeting_state {
	uint32_t come;
	struct queue waiting;
};

struct post_state {
	bool posted;
	int64_t expired; /* when the first wait for it ended at its limit; INT64_MAX: none did */
	struct queue waiting;
};

struct device_state {
	unsigned served;
	struct queue waiting;
};

struct simulation {
	const struct operations *o;
	const struct machine *machine;
	struct replay *result;
	struct thread *threads;
	struct lock_state *locks;
	struct post_state *posts;
	struct meeting_state *meetings;
	struct happening *heap;
	size_t nheap, room;
	uint64_t order;
	size_t current; /* the operation that is done */
	uint32_t doer;  /* the thread that does it */
	unsigned free_cores;
	uint32_t spinning; /* threads that spin on a processor */
	/*
	 * Threads that run on, or wait busily, beyond the ends of their slices, as nobody waits
	 * for their processors: a slice is no step then.
	 */
	VECTOR(uint32_t) unsliced;
	uint32_t patient;  /* those of them that wait busily */
	uint32_t going;    /* the thread that threads_go_on() found last */
	size_t *handed;    /* by pool: the piece that is handed out next */
	int64_t now;       /* of the last happening */
	int64_t reached;   /* up to when its thread ran */
	uint32_t *posters; /* by post: the thread that does it. NULL: not asked for */
	struct queue ready;
	struct device_state *devices;
	struct core *cores; /* NULL: all have the one queue */
	uint32_t waiting;   /* threads in the queues of the cores */
	uint64_t pulling;   /* the order of the pull that is to come; 0: none is */
	bool yield;         /* threads have spun that leave their processors to others */
	uint32_t running;   /* threads left without which the run does not end */
	uint64_t steps, next_look, most_steps;
	bool shows;   /* its progress */
	bool stopped; /* before its end */
};

#endif
