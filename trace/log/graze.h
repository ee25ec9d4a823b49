/* Converts logs of the original format (Graze, Glimpse of 2000) to native records. */
#ifndef GLIMPSE_TRACE_LOG_GRAZE_H
#define GLIMPSE_TRACE_LOG_GRAZE_H

#include "trace/log/log.h"

/*
 * Returns the first event of a specification that a log of this format cannot contain, because its
 * *attribute is not an int; NULL if it can contain all.
 */
const struct event_type *graze_misfit(const struct spec *spec, const struct attribute **attribute);

/*
 * Replaces the log's content by native records of the specification, which has no misfit. Returns
 * false when there is no memory.
 */
bool graze_convert(struct log *log, const struct spec *spec);

#endif
