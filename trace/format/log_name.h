/* Parses, prints and compares the names of logs and tails: PREFIX.N, or PREFIX.N.L for level L. */
#ifndef GLIMPSE_TRACE_FORMAT_LOG_NAME_H
#define GLIMPSE_TRACE_FORMAT_LOG_NAME_H

#include <stdbool.h>
#include <stdint.h>

struct log_name {
	uint32_t number, level; /* N and L; level 0: there is no L */
};

/* Parses a name; returns false if it does not have the prefix, which ends with its dot. */
bool log_name_parse(const char *name, const char *prefix, struct log_name *log);

/* Prints the name of a log, with the prefix "log.", and returns text. */
#define LOG_NAME_TEXT 32
const char *log_name_print(char text[LOG_NAME_TEXT], struct log_name log);

/* Compares names by number, then by level. */
int log_name_compare(const struct log_name *a, const struct log_name *b);

#endif
