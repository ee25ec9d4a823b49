/* Logs of the original format (Graze, Glimpse of 2000), turned into records of ours when they are read. */
#ifndef GLIMPSE_TRACE_LOG_GRAZE_H
#define GLIMPSE_TRACE_LOG_GRAZE_H

#include "trace/log/log.h"

/* Whether these are such a log's first bytes, and in which byte order. */
bool graze_recognise(const unsigned char *bytes, size_t size, bool *swapped);

/* The first event of a specification that such a log cannot have, since not all of its attributes are int; or NULL. */
const struct event_type *graze_misfit(const struct spec *spec, const struct attribute **attribute);

/* Replaces the log's content by records of the given specification, which must have no misfit. False: no memory. */
bool graze_convert(struct log *log, const struct spec *spec);

#endif
