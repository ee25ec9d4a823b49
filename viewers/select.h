/* Reads what the user selects with --threads, --events and --intervals. */
#ifndef GLIMPSE_VIEWERS_SELECT_H
#define GLIMPSE_VIEWERS_SELECT_H

#include "trace/trace.h"

/*
 * Sets chosen[i] for the names in a list: names and patterns with * and ?, separated by commas;
 * "all" and "none". Returns false, and diag is told, if one of them is not among the names. option:
 * for messages, "--events".
 */
bool select_names(const char *option, const char *list, const char *const *names, unsigned n,
		  bool *chosen, struct diag *diag);

/* Sets the threads in a list, which may also have numbers, "3" or "0-7". */
bool select_threads(const char *list, const struct trace *t, bool *chosen, struct diag *diag);

#endif
