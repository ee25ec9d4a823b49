/* Writes the files of a packed file into a directory. */
#ifndef GLIMPSE_TRACE_WRITE_UNPACK_H
#define GLIMPSE_TRACE_WRITE_UNPACK_H

#include "trace/pack/pack.h"

/*
 * Adds to *lost how many bytes are damaged, and warns diag of them. Returns false after a report to
 * diag if a file cannot be written, or after an interruption.
 */
bool pack_extract(const struct pack *p, const char *directory, uint64_t *lost, struct diag *diag);

#endif
