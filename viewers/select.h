/* What the user chooses with --threads, --events and --intervals. */
#ifndef GLIMPSE_VIEWERS_SELECT_H
#define GLIMPSE_VIEWERS_SELECT_H

#include "trace/trace.h"

/*
 * Sets chosen[i] for the names that the list gives: names and patterns with * and ?, separated by
 * commas; "all" and "none". False, and diag is told, when one of them is not among the names.
 * option: for messages, e.g. "--events".
 */
bool select_names(const char *option, const char *list, const char *const *names, unsigned n,
		  bool *chosen, struct diag *diag);

/* The same for threads, which may also be given by number, "3" or "0-7". */
bool select_threads(const char *list, const struct trace *t, bool *chosen, struct diag *diag);

#endif
