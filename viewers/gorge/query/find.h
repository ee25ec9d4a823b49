/*
 * Searches for instances: "Transit where time > 1 ms", "Transit unmatched", or "Transit". A name is
 * that of an interval, or its label in any case: "lock where time > 1 ms".
 */
#ifndef GLIMPSE_GORGE_QUERY_FIND_H
#define GLIMPSE_GORGE_QUERY_FIND_H

#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"

/*
 * Writes members of the open object: how many instances there are, and the first ones, in the order
 * of their anchors. If an interval is still being found, writes that instead, and the question has
 * to be asked again. Returns false, and diag is told, if the question is wrong: then nothing is
 * written.
 */
bool find_write(struct trace_index *t, const char *question, struct json *j, struct diag *diag);

/*
 * Returns the interval of a name, or the only one that has it as its label, in any case; NULL, and
 * diag is told, if there is none.
 */
const struct interval *find_interval(const struct trace *t, const char *name, struct diag *diag);
/* Returns the name that a question asks for without a condition, to be freed; NULL: it has one. */
char *find_plain(const char *question);

#endif
