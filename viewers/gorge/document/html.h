/* Writes an html document (gorge DIR -o x.html): the page, its data and its engine, in one file. */
#ifndef GLIMPSE_GORGE_DOCUMENT_HTML_H
#define GLIMPSE_GORGE_DOCUMENT_HTML_H

#include "trace/trace.h"
#include "viewers/gorge/query/view.h"

/* Returns whether this program can write html documents; if not, diag is told. */
bool html_check(struct diag *diag);
/*
 * Writes what a view shows of a trace, and what is found in it. directory: that of the trace, whose
 * name stands in commands. Returns false, and diag is told, on failure.
 */
bool html_write(const char *path, const struct view *v, struct trace *t, const char *directory,
		struct diag *diag);

#endif
