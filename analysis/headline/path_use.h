/* Sums what the critical path consists of, if no finding says what limits the run. */
#ifndef GLIMPSE_ANALYSIS_HEADLINE_PATH_USE_H
#define GLIMPSE_ANALYSIS_HEADLINE_PATH_USE_H

#include "analysis/why/axes.h"
#include "analysis/why/evidence.h"

enum path_sort {
	PATH_RUNS,    /* a thread runs */
	PATH_READY,   /* it has no processor, since the program's own threads have them */
	PATH_TIME,    /* it waits for a timer, a signal, other programs */
	PATH_IDLE,    /* it waits for work that comes from outside */
	PATH_IO,      /* it waits for input and output */
	PATH_UNKNOWN, /* it waits, and the trace does not say for what; or no thread is known */
	NPATH_SORTS
};

struct path_use {
	/* ns of the part, without what other programs took from a thread that could run */
	int64_t all, of[NPATH_SORTS];
	int64_t others;               /* ns that they took */
	uint32_t thread[NPATH_SORTS]; /* that has most of it, by index; NO_THREAD */
	int64_t most[NPATH_SORTS];    /* ns that it has */
	uint32_t class
	    [NPATH_SORTS]; /* of the wait that has most of PATH_TIME and PATH_IO; NO_CLASS */
};
#define NO_CLASS UINT32_MAX

struct path_use path_use_of(const struct evidence *g, int64_t from, int64_t to);

/*
 * With fewer samples nobody knows which function runs longest. Some fewer are enough if nearly all
 * are in one.
 */
enum { FEW_SAMPLES = 10, CLEAR_SAMPLES = 5 };

/* A function that ran, and for how long: what it did itself, without what it called. */
struct function_time {
	int64_t key; /* NO_KEY: none is known */
	int64_t time;
	int64_t all;    /* in which any function ran there */
	int64_t module; /* that ran longest, with all of its functions; NO_KEY: none is known */
	int64_t module_time;
	int64_t paging;     /* what the kernel spends on the memory of all functions */
	int64_t paging_key; /* of these, the one with most of it; NO_KEY */
	/* what the kernel did, and no function of a program asked for, such as its start and end */
	int64_t kernel;
	int64_t kernel_key; /* of the programs, the one with most of it; NO_KEY */
	size_t samples;     /* that show the functions */
	/* samples are too few to say which function ran longest: all keys and module are NO_KEY */
	bool few;
	int64_t spinning; /* of the function, in loops that possibly wait for another thread */
};
/*
 * Returns the function that runs longest on the critical path; thread: there alone; NO_THREAD:
 * everywhere.
 */
struct function_time path_function(const struct evidence *g, uint32_t thread, int64_t from,
				   int64_t to);
/*
 * Returns the thread that has nearly all time of a function on the critical path, by index, or
 * NO_THREAD. function: NO_KEY: of all that runs there. *group: the key of the group that has nearly
 * all of it, or NO_KEY.
 */
uint32_t path_thread_of(const struct evidence *g, int64_t function, int64_t from, int64_t to,
			int64_t *group);
/* What the threads of one group run on the critical path. */
struct group_use {
	int64_t time, most; /* ns: of all, and of the thread with most of it */
	uint32_t threads;   /* of the trace */
	int64_t group;      /* the key of its name */
};
/* Returns the use of the path by the group of a thread. */
struct group_use path_group_of(const struct evidence *g, uint32_t thread, int64_t from, int64_t to);
/* Returns the function in which all threads together run longest. */
struct function_time most_run_function(const struct evidence *g, int64_t from, int64_t to);

#endif
