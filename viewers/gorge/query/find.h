/* Searches for instances: "Transit where time > 1 ms", "Transit unmatched", or "Transit". */
#ifndef GLIMPSE_GORGE_QUERY_FIND_H
#define GLIMPSE_GORGE_QUERY_FIND_H

#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"

/*
 * Writes members of the open object: how many instances there are, and the first ones, in the order
 * of their anchors; or the interval that is still being found, so that the question is to be asked
 * again. Returns false, and diag is told, if the question is wrong: then nothing is written.
 */
bool find_write(struct trace_index *t, const char *question, struct json *j, struct diag *diag);

#endif
