/*
 * Lists what a program switched off by itself, because it was logged too often: events of the types
 * whose specification has the style off.
 */
#ifndef GLIMPSE_CLI_COMMON_AUTO_OFF_H
#define GLIMPSE_CLI_COMMON_AUTO_OFF_H

#include "base/json.h"
#include "trace/trace.h"
#include <stdio.h>

/* Returns how many such events there are. */
uint64_t auto_off_count(const struct trace *t);
/* Prints each with its time and attributes; nothing if there is none. */
void auto_off_print(FILE *out, struct trace *t);
/* Writes the array "switched_off", if there is any: event, what was switched off, time, thread. */
void auto_off_json(struct json *j, struct trace *t);

#endif
