/*
 * Finds what a wait was for, which thread held that, and which thread ended the wait, from the
 * index alone.
 */
#ifndef GLIMPSE_GORGE_QUERY_WAIT_DETAIL_H
#define GLIMPSE_GORGE_QUERY_WAIT_DETAIL_H

#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"

/*
 * Writes "wait" for an instance with the index `index`: of a wait itself, of a blocked state the
 * innermost wait around its start. Writes nothing for other intervals, where no such wait is known,
 * and in logical order. What is still being found in the background is left out, and "searching"
 * says so: the answer takes some milliseconds.
 */
void wait_detail_write(struct trace_index *m, const struct interval *interval, size_t index,
		       const struct instance *i, struct json *j);

#endif
