/*
 * Walks through the sampled calls of a thread: a call of a function goes on as long as the samples
 * have it at the same place of the same path.
 *
 *	samples   main f g   main f g   main f   main h
 *	main      [--------------------------------------
 *	f         [-----------------------------][-h-----
 *	g         [--------------------]
 */
#ifndef GLIMPSE_ANALYSIS_SAMPLES_SAMPLE_WALK_H
#define GLIMPSE_ANALYSIS_SAMPLES_SAMPLE_WALK_H

#include "analysis/samples/samples.h"

/* From one sample to the next: the innermost calls end, and others begin. */
struct sample_step {
	int64_t time;
	uint32_t kept; /* so many of the outermost calls go on */
	uint32_t nbegun;
	const uint32_t *begun; /* the stacks of the calls that begin, the outermost first */
};

struct sample_walk {
	const struct samples *samples;
	const struct thread_samples *thread;
	size_t next;   /* sample */
	uint32_t path; /* of the sample before */
	VECTOR(uint32_t) begun;
};

/* thread: its samples, or what they stand for, in the order of time; they outlive the walk. */
void sample_walk_open(struct sample_walk *w, const struct samples *s,
		      const struct thread_samples *thread);
/* Returns the time of the next step; INT64_MAX if there is no more. */
int64_t sample_walk_time(const struct sample_walk *w);
/* Returns the next step, which holds until the one after it: there is one for each sample. */
struct sample_step sample_walk_next(struct sample_walk *w);
/* Passes over the next step. */
void sample_walk_skip(struct sample_walk *w);
/* Returns the stack of the next step's sample. There is one. */
uint32_t sample_walk_stack(const struct sample_walk *w);
void sample_walk_close(struct sample_walk *w);

#endif
