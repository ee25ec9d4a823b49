/* Names calls by their functions. */
#ifndef GLIMPSE_GORGE_QUERY_CALL_NAME_H
#define GLIMPSE_GORGE_QUERY_CALL_NAME_H

#include "viewers/gorge/index/trace_index.h"

/*
 * Returns the attribute of an interval's anchors that is the function of a call; -1: it is no call,
 * or has none.
 */
int call_function(const struct interval *interval);
/*
 * Returns the name of the function of a call with that anchor, without its parameters, offset and
 * line: "Parser::term"; to be freed.
 */
char *call_name(const struct trace *t, const struct event *anchor, int function);

#endif
