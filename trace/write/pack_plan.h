/* Which blocks a directory is packed into. */
#ifndef GLIMPSE_TRACE_WRITE_PACK_PLAN_H
#define GLIMPSE_TRACE_WRITE_PACK_PLAN_H

#include "trace/open/opened.h"
#include "trace/pack/pack_index.h"
#include "trace/pack/records.h"

/* A file of the directory, with its bytes. */
struct packed_file {
	struct file file;               /* owned, unless it is the trace's */
	const struct log *log;          /* NULL: it is no log that was opened */
	const unsigned char *bytes;
	size_t size;
	const struct record_layouts *layouts;
};

struct pack_plan {
	struct opened *opened;          /* the directory as a trace; NULL: it is none, and all is packed as it is */
	struct pack_index index;        /* its entries are the blocks, in order; index.members are of files */
	struct packed_file *files;
	struct record_layouts **layouts;       /* owned */
	const struct id_table **tables; /* that they are of */
	size_t nlayouts;
};

/*
 * Lists the files of the directory at path, and opens them. False, and diag knows why, when that is no log directory or a
 * file cannot be read. What is no file is warned of and left out.
 */
bool pack_plan_open(struct pack_plan *p, const char *path, struct diag *diag);
void pack_plan_close(struct pack_plan *p);

/* Adds the blocks of a file to the plan (pack_cut.c). */
void plan_cut(struct pack_plan *p, size_t file);

#endif
