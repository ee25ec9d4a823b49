/*
 * Shows a second recording above that of a session, below the address second/ (gorge --beside).
 */
#ifndef GLIMPSE_GORGE_SERVER_UPPER_RUN_H
#define GLIMPSE_GORGE_SERVER_UPPER_RUN_H

#include "viewers/gorge/answers/session.h"
#include "viewers/gorge/server/reopen.h"

/*
 * Opens the run above that of s, and sets s->upper. The source is needed as long. Returns false,
 * and diag is told, if it cannot be read.
 */
bool upper_run_open(struct session *s, const struct log_source *source, struct diag *diag);
/* When no request is answered any more. */
void upper_run_close(struct session *s);

/*
 * Answers a request: below second/ as session_answer() of the upper run; else as whatif_answer().
 */
struct reply upper_run_answer(struct session *s, const struct http_request *request);

#endif
