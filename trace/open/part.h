/* Which blocks of packed files are read when only a part of the trace is wanted. */
#ifndef GLIMPSE_TRACE_OPEN_PART_H
#define GLIMPSE_TRACE_OPEN_PART_H

#include "trace/open/opened.h"

struct part_filter {
	const struct opened *opened;
	const struct id_table *ids;     /* as far as they are known */
	int64_t from, to;               /* CLOCK_MONOTONIC */
};

/* False when all of the directory's packed file is wanted, or it cannot be told apart. */
bool part_begin(const struct opened *o, const struct directory *d, struct part_filter *w);
/* What struct pack_filter asks; context is a struct part_filter. */
bool part_wanted(const void *context, const struct pack_index *x, const struct pack_entry *e);

#endif
