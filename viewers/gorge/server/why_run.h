/*
 * The search of a trace, in a thread of its own: once for all who ask for the headline, the
 * findings or the critical path. It goes on when a request is cancelled, and when the page shows
 * other definitions it ends at the next part of the search.
 */
#ifndef GLIMPSE_GORGE_SERVER_WHY_RUN_H
#define GLIMPSE_GORGE_SERVER_WHY_RUN_H

#include "viewers/gorge/answers/session.h"

struct found_why;

/* Begins the search of a session's trace unless that is done; under the session's lock. */
struct why_run *why_run_of(struct session *common);
/*
 * Returns what was found in the logs of a program that runs, by the last search that has ended, or
 * NULL; begins the next one if there was a rest since. Under the session's lock.
 */
const struct found_why *why_run_so_far(struct session *common);
/* Returns what was found, or NULL: then *done is the share that is done, below 1. */
const struct found_why *why_run_look(struct why_run *r, double *done);
/*
 * Waits for what is found, and counts the steps as those of task_current; NULL if that is stopped.
 */
const struct found_why *why_run_await(struct why_run *r);

#endif
