/* Writes a packed file. */
#ifndef GLIMPSE_TRACE_WRITE_PACK_WRITE_H
#define GLIMPSE_TRACE_WRITE_PACK_WRITE_H

#include "trace/write/pack_plan.h"
#include <stdio.h>

/* False when it could not be written (errno says why) or the user interrupted it. */
bool pack_write(struct pack_plan *p, FILE *f);

#endif
