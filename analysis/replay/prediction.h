/* A run as it would have been: its replay without changes beside that with them. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PREDICTION_H
#define GLIMPSE_ANALYSIS_REPLAY_PREDICTION_H

#include "analysis/replay/replay.h"

struct lock_change {
	const char *what;       /* a pattern of names of locks */
	enum discipline discipline;
};

struct changes {
	const struct speed_change *speeds;
	unsigned nspeeds;
	const struct lock_change *locks;
	unsigned nlocks;
	bool cores_given;
	unsigned cores;         /* if given; 0: as many as are wanted */
	int64_t slice;          /* 0: DEFAULT_SLICE */
};

struct prediction {
	struct model *model;
	struct operations *operations, *changed_operations;
	struct replay *unchanged, *changed;
	unsigned cores;         /* of the unchanged replay; 0: as many as are wanted */
	int64_t low, high;      /* between which the predicted time should be */
};

/* Returns NULL and sets *unknown to what the first change that is about nothing names. */
struct prediction *prediction_of(struct trace *t, const struct changes *c, const char **unknown);
void prediction_free(struct prediction *p);

/* Returns by how much of its time the unchanged replay misses the recorded run. */
double prediction_miss(const struct prediction *p);

#endif
