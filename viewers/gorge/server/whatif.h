/*
 * What if, for the page: one predicted run at a time, made by a replayer, and shown beside the
 * recorded one by a session of its own, below the address predicted/NUMBER/.
 *
 *	POST whatif?speed=WHAT=2        begins one (whatif_change.h), and stops and drops the one before
 *	GET whatif-state                how far it is; then its answer, as glimpse whatif has it, or why there is
 *	                                none; "shown" says whether there is a predicted run
 *	POST whatif-stop                stops it, or drops the predicted run
 */
#ifndef GLIMPSE_GORGE_SERVER_WHATIF_H
#define GLIMPSE_GORGE_SERVER_WHATIF_H

#include "viewers/gorge/answers/session.h"
#include "viewers/gorge/server/replayer.h"

struct whatif;
/* For a session of a server; sets session->whatif. replayer: NULL if there is none. */
void whatif_new(struct session *s, struct replayer *replayer);
/* When no request is answered any more. */
void whatif_free(struct whatif *w);

/*
 * Answers a request: those above; below predicted/NUMBER/ as session_answer() of the predicted run;
 * else of the recorded one.
 */
struct reply whatif_answer(struct session *s, const struct http_request *request);

#endif
