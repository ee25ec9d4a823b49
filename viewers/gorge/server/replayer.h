/*
 * Replays a run with changes in a process of its own (analysis/replay), which can be stopped at any
 * time and takes its memory with it. A helper process, started before all threads, forks it; the
 * helper also removes what predicted runs leave in the folder of temporary files, however this
 * program ends.
 */
#ifndef GLIMPSE_GORGE_SERVER_REPLAYER_H
#define GLIMPSE_GORGE_SERVER_REPLAYER_H

#include "viewers/gorge/server/changed_replay.h"

struct replayed {
	bool done;
	/*
	 * done: a folder for the caller to remove, with what changed_replay() writes; else "".
	 */
	char folder[1024];
	char why[4096]; /* not done: the reason, lines of text; "": it was stopped */
};

struct replayer;
/*
 * Starts the helper, which calls confine before it reads anything and keeps all open files open.
 * The source must outlive it. Returns NULL if no process can be created.
 */
struct replayer *replayer_start(const struct log_source *source, void (*confine)(const void *),
				const void *context);
/* Waits until the helper has removed its folder. NULL is nothing. */
void replayer_end(struct replayer *r);

/* Begins to replay with a change; one at a time. */
void replayer_begin(struct replayer *r, const struct whatif_change *c);
/* Waits until what was begun has ended. */
void replayer_await(struct replayer *r, struct replayed *result);
/*
 * Stops what was begun, also while another thread waits for it; if it has ended, nothing happens.
 */
void replayer_stop(struct replayer *r);
/* Returns what the replay does now. */
enum replay_step replayer_step(const struct replayer *r);

#endif
