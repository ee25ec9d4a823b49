/* The content of a log: its files, what is there of those in a pack, and the tails behind them, part by part. */
#ifndef GLIMPSE_TRACE_LOG_LOG_JOIN_H
#define GLIMPSE_TRACE_LOG_LOG_JOIN_H

#include "trace/log/log.h"

/* False, here and below: there is no memory. */
bool part_add(struct log *log, const struct log_file *f, unsigned char *bytes, size_t size, uint64_t position);
/* Makes its bytes ones that may be changed; nobody else sees that. */
bool file_write_copy(struct file *f, const char *path);
/*
 * Adds the file from behind its header on, and what the tail knows better: the file may end in the middle of a record
 * that was being appended, or have room there that was asked for ahead. Only when the file may go further than the
 * tail's base, and does, has the tail nothing to add.
 */
bool content_join(struct log *log, struct log_file *f, size_t header, struct tail *t, struct diag *diag);

#endif
