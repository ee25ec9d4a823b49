/* Holds the predicted times of ever more of one change to what no true answer may contradict. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_PREDICTED_TIME_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_PREDICTED_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a time that contradicts others is not known: for texts. */
#define PREDICTED_CONTRADICTS \
	"the replay takes longer with more of the change, which this recording does not explain"

/* How long a changed run would have been, ns. */
struct predicted_time {
	bool known;
	bool
	    contradicts; /* it is not known, because it contradicts times with less of the change */
	int64_t predicted, low, high;
};

/*
 * Makes n times of ever more of a change that can only shorten a run fall, or rise if `rises`.
 * Times in whose ranges the order may be the other one become their mean; others become unknown.
 * fixed: the time without the change, which stays; NULL: it is not known.
 */
void predicted_times_order(struct predicted_time *times, size_t n, const int64_t *fixed,
			   bool rises);

#endif
