/*
 * Reads the curves of a file that `glimpse whatif --sweep` wrote: predicted times with their
 * ranges, or a causal profile.
 */
#ifndef GLIMPSE_NIBBLE_SWEEP_H
#define GLIMPSE_NIBBLE_SWEEP_H

#include "grammar/diag.h"
#include "viewers/nibble/series/curve.h"

/*
 * Adds two curves for each thing that is swept: the predicted times, and the outline of the range
 * that they are in, if there is one. Of a causal profile: by how many percent the run is shorter if
 * the thing takes so many percent less of its time, and the range of the first one alone. path: "-"
 * is standard input. *title: what the curves are. Returns false, and diag is told, if that is no
 * such file.
 */
bool sweep_read(struct family *f, const char *path, char **title, struct diag *diag);

#endif
