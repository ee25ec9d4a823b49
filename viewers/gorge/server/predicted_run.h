/* Keeps a predicted run that pages show: a separate session, and the folder of its logs. */
#ifndef GLIMPSE_GORGE_SERVER_PREDICTED_RUN_H
#define GLIMPSE_GORGE_SERVER_PREDICTED_RUN_H

#include "viewers/gorge/answers/session.h"

struct predicted_run;
/*
 * Opens the logs in folder/run. beside: the session of the recorded run, which is needed as long.
 * Returns NULL, and diag is told, if they cannot be read; else the folder is removed with the last
 * hold.
 */
struct predicted_run *predicted_run_open(const struct session *beside, const char *folder,
					 struct diag *diag);
/* The caller has the first hold; NULL may be released. */
struct predicted_run *predicted_run_hold(struct predicted_run *p);
void predicted_run_release(struct predicted_run *p);
struct session *predicted_run_session(const struct predicted_run *p);

#endif
