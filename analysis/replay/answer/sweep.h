/*
 * Makes many predictions of one run: by how much faster something is, and which change gains most.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_SWEEP_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_SWEEP_H

#include "analysis/replay/answer/predicted_time.h"
#include "analysis/replay/answer/prediction.h"

/* A factor of speed, or a number of processors; and how long the run would have been. */
struct sweep_point {
	double factor;
	/* not known: threads wait for each other, for the unknown, or it contradicts others */
	struct predicted_time time;
};

struct sweep {
	const char *what; /* as of struct span_change; "cores": processors */
	double from, to;
	bool own;
	VECTOR(struct sweep_point) points;
};

enum { SWEEP_POINTS = 20 };

/*
 * Finds the points of n <= MOST_CHANGES sweeps: whole factors if there are few enough, else
 * SWEEP_POINTS. Returns false and sets *unknown to what is about nothing.
 */
bool sweeps_run(struct prediction *p, struct sweep *sweeps, unsigned n, const char **unknown);

/* What is fixed: something is done in half the time. */
struct gain {
	enum span_change_kind kind;
	const struct subject *of;
	bool own;
	const bool *threads; /* by index: all that they do, not the subject; NULL: none */
	bool known;          /* false: too much of the replayed run is unknown */
	/* ns that the run would have been shorter, and between which that should be */
	int64_t gain, low, high;
	/* the gain if locks were held for longer; the same where it is known for how long */
	int64_t unseen;
	/* The same of a lock that nobody acquires any more; not known of other subjects. */
	bool removed;
	int64_t removal, removal_low, removal_high;
};

/* Returns the change that it is. */
struct span_change gain_change(const struct gain *g);

/* Finds the gains of n things; of what the replay has none, 0. Nothing of removals is known. */
void gains_find(struct prediction *p, struct gain *gains, size_t n);
/*
 * Finds the gain and the removal of one thing as glimpse whatif --fix does it: with a range of its
 * own, and nothing where that refuses an answer. It takes as long as 20 replays or more.
 */
void gain_find_whole(struct prediction *p, struct gain *g);
/* The removal alone. */
void removal_find_whole(struct prediction *p, struct gain *g);

/*
 * Finds how much shorter the run would have been without a lock: 0 if there is none. Returns false
 * if too much of the replayed run is unknown.
 */
bool lock_removal(struct prediction *p, const struct subject *lock, int64_t *gain);

#endif
