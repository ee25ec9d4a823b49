/* Packs a log directory into one file. */
#ifndef GLIMPSE_TRACE_WRITE_PACK_WRITE_H
#define GLIMPSE_TRACE_WRITE_PACK_WRITE_H

#include "grammar/diag.h"
#include <stdbool.h>
#include <stdio.h>

struct pack_plan;
/*
 * Lists the files of the directory at path, and of the log directories within it, reads them, and
 * cuts them into blocks. Returns NULL, after a report to diag, if that is no log directory or a
 * file cannot be read. Warns diag of what is no file and leaves it out.
 */
struct pack_plan *pack_plan_new(const char *path, struct diag *diag);
void pack_plan_free(struct pack_plan *p);

/* Writes the packed file; returns false with errno set if that fails. */
bool pack_write(struct pack_plan *p, FILE *f);

#endif
