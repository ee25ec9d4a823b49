/* Opens a run that a page shows beside that of a session. */
#ifndef GLIMPSE_GORGE_SERVER_BESIDE_SESSION_H
#define GLIMPSE_GORGE_SERVER_BESIDE_SESSION_H

#include "viewers/gorge/answers/session.h"
#include "viewers/gorge/server/reopen.h"

/*
 * Opens the logs of a source as another session. Both `beside` and the source are needed as long.
 * Returns NULL after a report to diag if they cannot be read.
 */
struct session *beside_session_open(const struct session *beside, const struct log_source *source,
				    struct diag *diag);

#endif
