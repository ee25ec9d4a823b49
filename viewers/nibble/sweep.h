/* The curves of a file that `glimpse whatif --sweep` wrote: predicted times, and between which they are. */
#ifndef GLIMPSE_NIBBLE_SWEEP_H
#define GLIMPSE_NIBBLE_SWEEP_H

#include "grammar/diag.h"
#include "viewers/nibble/series/curve.h"

/*
 * Adds two curves for each thing that is swept: the predicted times, and the outline of the range that
 * they are in, if there is one. path: "-" is standard input. Returns false, and diag is told, if that is no such file.
 */
bool sweep_read(struct family *f, const char *path, struct diag *diag);

#endif
