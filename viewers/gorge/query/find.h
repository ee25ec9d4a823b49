/* Instances by what they are: "Transit where time > 1 ms", "Transit unmatched", or "Transit". */
#ifndef GLIMPSE_GORGE_QUERY_FIND_H
#define GLIMPSE_GORGE_QUERY_FIND_H

#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"

/*
 * Writes members of the open object: how many there are, and the first of them, in the order of
 * their anchors; or what is waited for while the interval's instances are still being found, and
 * the question is to be asked again. False: diag is told what is wrong with the question, and
 * nothing is written.
 */
bool find_write(struct trace_index *m, const char *question, struct json *j, struct diag *diag);

#endif
