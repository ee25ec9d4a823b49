/* Describes what is changed in a replay. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_CHANGES_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_CHANGES_H

#include "analysis/replay/changes/lock_plan.h"
#include "analysis/replay/changes/span_choice.h"
#include "analysis/replay/changes/team_changes.h"

struct changes {
	const struct span_change *spans;
	unsigned nspans; /* at most MOST_CHANGES */
	uint32_t only;   /* the only one of them that is made; NOT_CHANGED: all are */
	bool multiply;   /* where several apply, their product holds */
	const struct lock_change *locks;
	unsigned nlocks;
	const struct slot_change *slots;
	unsigned nslots;
	struct team_changes team;
	bool cores_given;
	unsigned cores; /* if given; 0: as many as are wanted */
	int64_t slice;  /* 0: DEFAULT_SLICE */
	/* so many inputs and outputs at once; 0: as many as come, of a device model one */
	unsigned served;
	uint64_t seed; /* of lengths that are drawn */
	bool written;  /* the predicted run is to be written: predicted.h */
	bool next;     /* what limits it is to be named: next_bottleneck.h */
	bool moments;  /* when each thing happens is asked for: latencies.h */
	/* how often they are, or lengths vary for the interval; 0: DEFAULT_REPLAYS */
	unsigned replays;
	/*
	 * Many predictions follow each other: lengths vary only in the first, and the others are as
	 * uncertain.
	 */
	bool one_of_many;
	/* nobody asks how far the time may be off: the range has the predicted time alone */
	bool no_range;
};

#endif
