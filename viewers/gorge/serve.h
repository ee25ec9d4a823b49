/* gorge DIR: shows the view in the user's browser until Ctrl-C. */
#ifndef GLIMPSE_GORGE_SERVE_H
#define GLIMPSE_GORGE_SERVE_H

#include "viewers/gorge/model.h"
#include "viewers/gorge/options.h"

/* Takes the model. False: diag is told. */
bool serve(const struct options *o, struct model *m, struct diag *diag);

#endif
