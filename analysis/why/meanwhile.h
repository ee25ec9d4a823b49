/*
 * Finds what threads did in some time: the functions in which they ran, each with its own time
 * alone, and what they waited for. For the threads that let others wait, and for those that compute
 * alone.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_MEANWHILE_H
#define GLIMPSE_ANALYSIS_WHY_MEANWHILE_H

#include "analysis/why/axis_sums.h"
#include "analysis/why/evidence.h"
#include "base/ranges.h"

struct samples;

struct meanwhile {
	int64_t time,
	    ready;   /* ns, of all threads that were added; of these, waiting for a processor */
	int64_t ran; /* of these, running, whether or not a function is known */
	struct axis_sums runs,
	    waits;                /* by keys of functions; of where they wait, or what that is */
	struct axis_sums modules; /* of the functions, where they are known */
	/* by functions: of runs, what the kernel spends on their memory (paging.h) */
	struct axis_sums paging;
	/*
	 * By functions: of runs, what no function of the program called, such as the loader's. By
	 * programs: of it, what the kernel did, for example to start and to end them.
	 */
	struct axis_sums starts, kernel;
	size_t samples; /* that the runs rest on */
	/* by functions: of runs, loops that possibly wait for another thread (spinning.h) */
	struct axis_sums spinning;
	bool functions; /* some function is known */
	bool calls;     /* some thread logged its calls */
};

/* Returns the key of the innermost function of no run-time library, or else the innermost. */
int64_t own_function(const struct samples *s, uint32_t stack);

/* Adds what a thread (index) did in ranges, which are in order and apart from each other. */
void meanwhile_add(struct meanwhile *m, const struct evidence *g, uint32_t thread,
		   const struct moment_range *ranges, size_t n);

/* Frees the sums that were not ended. */
void meanwhile_clear(struct meanwhile *m);

/*
 * Returns "95.0 % in transform, 2.1 % in get; waits 1.9 % in get (pipeline.c:11), 1.0 % without a
 * processor", of its time, at most three functions and two waits, of a hundredth or more; NULL if
 * nothing is known. The caller frees it, and the sums are empty then.
 */
char *meanwhile_text(struct meanwhile *m, const struct evidence *g);

#endif
