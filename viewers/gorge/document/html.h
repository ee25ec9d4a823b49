/* An html document (gorge DIR -o x.html): the page, its data and what answers it, in one file. */
#ifndef GLIMPSE_GORGE_DOCUMENT_HTML_H
#define GLIMPSE_GORGE_DOCUMENT_HTML_H

#include "trace/trace.h"
#include "viewers/gorge/query/view.h"

/* Returns whether this program can write html documents; if not, diag is told. */
bool html_check(struct diag *diag);
/* Writes what a view shows of a trace. Returns false, and diag is told, on failure. */
bool html_write(const char *path, const struct view *v, struct trace *t, struct diag *diag);

#endif
