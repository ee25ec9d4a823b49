/*
 * Logs for measuring the engine, each made for a form of interval: at random, or to be its worst.
 * And the runs that are measured.
 */
#ifndef GLIMPSE_BENCH_FORMS_H
#define GLIMPSE_BENCH_FORMS_H

#include "match/join/match.h"
#include <time.h>

struct row {
	uint32_t word;
	int32_t key, x, y, z;
};

/* A log that was never written: its events of the types A and B. */
struct made {
	struct event *events;
	struct row *rows;
	struct moments moments[2]; /* of the types A and B */
	struct trace trace;
	struct trace_thread threads[16];
};

struct form {
	const char *name;
	const char *interval; /* what follows "interval I" */
	/* Event i of n: fills in the row, gives the thread, and says whether it is an A or a B. */
	int (*make)(struct row *row, uint32_t *thread, size_t i, size_t n);
};

/* Each list ends in a form without a name. Of the unbounded ones nothing is promised. */
extern const struct form forms_worst[], forms_unbounded[], forms_random[];

/* Messages among 16 threads: sent, and received a little later by another. */
int form_messages(struct row *row, uint32_t *thread, size_t i, size_t n);

struct spec *form_spec(const char *interval);
void made_init(struct made *m, const struct spec *spec, const struct form *form, size_t n);
void made_clear(struct made *m);

/* Seconds of a clock. */
double made_now(clockid_t clock);
/* What finding the specification's first interval takes, by the clock. */
double made_match(const struct spec *spec, const struct made *m, clockid_t clock);
/*
 * Processor time in a process of its own, as a user's is: a second run in the same process would
 * find the memory that the first one gave back, if that is little enough for the allocator to keep
 * it.
 */
double made_match_alone(const struct spec *spec, const struct made *m);

#endif
