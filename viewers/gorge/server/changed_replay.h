/* Replays a run with a change, and writes the predicted run and its answer. */
#ifndef GLIMPSE_GORGE_SERVER_CHANGED_REPLAY_H
#define GLIMPSE_GORGE_SERVER_CHANGED_REPLAY_H

#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/whatif_change.h"
#include <stdatomic.h>

/* What a replay does; REPLAY_OPENS is done by who shows it. */
enum replay_step {
	REPLAY_READS,
	REPLAY_FINDS,
	REPLAY_UNCHANGED,
	REPLAY_CHANGED,
	REPLAY_WRITES,
	REPLAY_OPENS,
	REPLAY_STEPS
};

/*
 * Replays the run that the source names. Writes the log directory folder/run and the files of
 * replay_answer.h; no directory if threads share work in another way, for then the recorded events
 * belong to other threads. *step becomes each enum replay_step in turn. Returns false, and
 * diag is told why, if there is no answer. Keeps its memory, for a process that ends then.
 */
bool changed_replay(const struct log_source *source, const struct whatif_change *a,
		    const char *folder, atomic_int *step, struct diag *diag);

#endif
