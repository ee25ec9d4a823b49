/* Serves the view in the user's browser (gorge DIR). */
#ifndef GLIMPSE_GORGE_SERVER_SERVE_H
#define GLIMPSE_GORGE_SERVER_SERVE_H

#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/view.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/replayer.h"
#include "viewers/web/browser.h"

/*
 * Serves until Ctrl-C; once: or until the page is closed. Opens the view in the browser, unless
 * that is NULL. upper: a run to show above this one; NULL: none. replayer: for what-ifs; NULL:
 * there are none. Owns the index from now on. Returns false after a report to diag if it cannot
 * serve.
 */
bool gorge_serve(const struct view *view, const struct log_source *source,
		 const struct log_source *upper, bool once, struct browser *browser,
		 struct replayer *replayer, struct trace_index *index, struct diag *diag);

#endif
