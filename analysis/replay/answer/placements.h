/*
 * How kernels may place woken threads otherwise than a replay does. Which processor a thread gets
 * depends on how busy all of them were in the last milliseconds, and that differs in a changed run:
 * replays with other placements say how much depends on it.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_PLACEMENTS_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_PLACEMENTS_H

#include "analysis/replay/answer/interval.h"
#include "analysis/replay/machine/replay.h"

/*
 * PLACEMENT_SPREAD: the next ready thread gets any processor that is idle, at once. PLACEMENT_STAY:
 * a woken thread takes the place of the one that runs on its last processor, and idle processors
 * take over threads late.
 */
enum placement { PLACEMENT_SPREAD, PLACEMENT_STAY, NPLACEMENTS };

/* Durations of replays with each placement, ns; 0: it makes no difference, or is not known. */
struct placements {
	int64_t durations[NPLACEMENTS];
};

/* Replays operations on a machine with each placement. r: they were replayed on it. */
struct placements placements_of(const struct operations *o, const struct machine *machine,
				const struct replay *r);

/*
 * Returns how far a predicted duration may be off because of the placements: as a changed run's
 * durations with each of them compare with those of the base, the run without the changes.
 */
struct error_part placements_error(const struct placements *base, int64_t base_duration,
				   const struct placements *changed, int64_t predicted);

#endif
