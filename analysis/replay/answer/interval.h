/*
 * Finds between which times the truth about a changed run should be, in nine of ten predictions:
 * what each source of error adds, and their sum. Independent parts add as the root of the sum of
 * their squares.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_INTERVAL_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_INTERVAL_H

#include "analysis/replay/changes/sampling_error.h"
#include "analysis/replay/machine/replay.h"

enum error_source {
	ERROR_IDENTITY,  /* what the unchanged replay misses */
	ERROR_LENGTHS,   /* lengths and latencies that vary */
	ERROR_SAMPLES,   /* samples alone tell where a change is */
	ERROR_RECORDING, /* what recording cost */
	ERROR_WAITS,     /* waiting for processors that came about anew */
	ERROR_OTHERS,    /* woken threads wait for processors that other programs have */
	ERROR_STATES,    /* states of threads are estimated from samples */
	ERROR_UNKNOWN,   /* waits without a known cause, which may become shorter or longer */
	ERROR_MODEL,     /* what no replay knows: caches, frequency, other programs */
	NERROR_SOURCES
};

/* By how much the run may be shorter or longer than predicted, ns. */
struct error_part {
	double less, more;
};

struct error_interval {
	struct error_part parts[NERROR_SOURCES];
	int64_t low, high; /* ns */
	unsigned replays;  /* with lengths that vary or are drawn */
};

/* What an interval is made from; times in ns. */
struct interval_basis {
	int64_t recorded, unchanged;
	const struct replay *base, *changed;
	struct effect_range sampling;
	struct error_part lengths, others, placed;
	bool sampled_states; /* no record says when threads ran */
	bool guessed;        /* wakers of many waits are */
	unsigned replays;
};

/* Sees each of several replays before it is freed. */
struct replay_watch {
	/* NULL: nobody does. The replay has its single operations. */
	void (*see)(void *context, const struct operations *o, const struct replay *r);
	void *context;
};

static inline void replay_watched(const struct replay_watch *w, const struct operations *o,
				  const struct replay *r)
{
	if (w->see)
		w->see(w->context, o, r);
}

/* Another number of a run, such as a latency. */
struct number_basis {
	double recorded, unchanged, predicted;
	const double *replays; /* n of them with lengths that vary or are drawn, ascending */
	size_t n;
	bool falls; /* it becomes smaller as the run becomes longer: a rate */
};

/* Returns "identity", "lengths", ... */
const char *error_source_name(enum error_source s);

struct error_interval error_interval_of(const struct interval_basis *b);

/*
 * Finds the range of another number of the run. How far the replays have it off, and how it varies,
 * is its own; of the other parts it has as large a share as the run. run: its duration, ns.
 */
void number_range(const struct error_interval *in, int64_t run, const struct number_basis *b,
		  double *low, double *high);

/* Returns how far nine of ten of n > 0 ascending durations are from the predicted one. */
struct error_part durations_error(const int64_t *durations, size_t n, int64_t predicted);

/*
 * Replays with varied lengths, and returns how far that is from the predicted time. *replays: how
 * often at most; sets it to how often it was, fewer if there are many operations. The operations
 * are as before afterwards.
 */
struct error_part lengths_error(const struct model *m, struct operations *o,
				const struct machine *machine, int64_t predicted, uint64_t seed,
				const struct replay_watch *watch, unsigned *replays);

#endif
