/* gorge DIR: shows the view in the user's browser until Ctrl-C. */
#ifndef GLIMPSE_GORGE_SERVER_SERVE_H
#define GLIMPSE_GORGE_SERVER_SERVE_H

#include "viewers/gorge/options.h"
#include "viewers/gorge/query/model.h"

/* Takes the model. False: diag is told. */
bool serve(const struct options *o, struct model *m, struct diag *diag);

#endif
