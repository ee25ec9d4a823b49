/*
 * Predicts how often an interval has an instance, and how long the instances take: of a server's
 * requests the rate and the latencies. Both ends of a recorded instance move to the times that a
 * replay has for their threads.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_LATENCIES_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_LATENCIES_H

#include "analysis/replay/answer/prediction.h"
#include "grammar/diag.h"

enum latency_number { LATENCY_RATE, LATENCY_P50, LATENCY_P90, LATENCY_P99, NLATENCY_NUMBERS };

/* An end of an instance. */
struct instance_end {
	int64_t time;      /* recorded, ns since the run's beginning */
	uint32_t thread;   /* index in the trace's threads */
	uint32_t instance; /* number */
	bool last;         /* the instance ends here, else it begins */
};

/*
 * One number and its range: instances a second, from the beginning of the first to the end of the
 * last; or a quantile of their durations, ns.
 */
struct latency_range {
	double recorded, predicted, low, high;
};

struct latencies {
	const char *name;                 /* as it was asked for */
	size_t n;                         /* instances */
	const struct event_type *begins;  /* of an interval: begins its instances; NULL */
	VECTOR(struct instance_end) ends; /* by thread, then time */
	struct latency_range numbers[NLATENCY_NUMBERS];
	VECTOR(double) replays[NLATENCY_NUMBERS]; /* of those with varied or drawn lengths */
	int64_t *moved; /* for the next replay: the ends of each instance */
	int64_t *words;
};

/* Returns "rate", "p50", ... */
const char *latency_number_name(enum latency_number n);

/*
 * Finds the instances of an interval of the specification, or else of functions, locks or call
 * sites, as changes name them. Returns NULL after a report to diag: there are none, or only samples
 * show them. The prediction watches its replays for it from then on: it is needed until the change
 * has been made.
 */
struct latencies *latencies_of(struct prediction *p, const char *name, struct diag *diag);
/* Finds the numbers once the change was made, which has `moments`. */
void latencies_predict(struct latencies *l, struct prediction *p);
void latencies_free(struct latencies *l);

#endif
