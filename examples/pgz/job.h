/*
 * The work as a whole. Blocks go round:
 *
 *     idle -> reader -> ready -> workers -> finished -> writer -> idle
 *
 * There are only so many of them, so whoever is too fast waits for the others.
 */
#ifndef PGZ_JOB_H
#define PGZ_JOB_H

#include "options.h"
#include "output.h"
#include "queue.h"
#include "sequence.h"
#include <semaphore.h>
#include <stdatomic.h>

struct job {
	const struct options *options;
	int input;
	struct output *output;
	struct queue idle, ready;
	struct sequence finished;
	sem_t started;                  /* posted by each thread when it runs */
	atomic_bool failed;
	unsigned long long bytes, packed;       /* the writer's sums */
};

/* False when there is no memory; what there is must be freed all the same. */
bool job_init(struct job *j, const struct options *o, int input, struct output *output);
void job_free(struct job *j);

/* Tells the user, and lets all threads come to an end. error: an errno. */
void job_fail(struct job *j, const char *what, int error);

/* The threads, each in a file of its own. */
struct worker {
	struct job *job;
	int number;
};

void *reader_run(void *job);
void *worker_run(void *worker);
void *writer_run(void *job);

#endif
