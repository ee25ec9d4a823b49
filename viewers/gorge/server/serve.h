/* gorge DIR: shows the view in the user's browser until Ctrl-C. */
#ifndef GLIMPSE_GORGE_SERVER_SERVE_H
#define GLIMPSE_GORGE_SERVER_SERVE_H

#include "viewers/gorge/options.h"
#include "viewers/gorge/index/trace_index.h"

/* Takes the model. False: diag is told. */
bool gorge_serve(const struct options *o, struct trace_index *m, struct diag *diag);

#endif
