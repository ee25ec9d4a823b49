/* The names of logs and tails: PREFIX.N, or PREFIX.N.L of a level. */
#ifndef GLIMPSE_TRACE_FORMAT_LOG_NAME_H
#define GLIMPSE_TRACE_FORMAT_LOG_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* log.N, or log.N.L */
struct log_name {
	uint32_t number, level;
};

/* False when it is no such name; prefix ends with its dot. */
bool log_name_read(const char *name, const char *prefix, struct log_name *log);

/* By number, then by level. */
int log_name_compare(const struct log_name *a, const struct log_name *b);

#endif
