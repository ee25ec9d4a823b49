/*
 * The events of a window of a trace, fetched from an engine: JSON lines as `glimpse export
 * --format=jsonl` writes them, which `glimpse import` makes a trace of.
 */
#ifndef GLIMPSE_SQL_WINDOW_H
#define GLIMPSE_SQL_WINDOW_H

#include "sql/query.h"

/* Returns what selects the lines in their order, one column; the caller's. After query_window(). */
char *window_select(struct query *q);

#endif
