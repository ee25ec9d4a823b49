/* gorge DIR -o x.html: the page, its data and what answers it, in one file. */
#ifndef GLIMPSE_GORGE_DOCUMENT_HTML_H
#define GLIMPSE_GORGE_DOCUMENT_HTML_H

#include "viewers/gorge/options.h"
#include "viewers/gorge/index/trace_index.h"

/* Whether this program can; else diag is told. */
bool html_check(struct diag *diag);
/* Writes o->output. False: diag is told. */
bool html_write(const struct options *o, struct trace *t, struct diag *diag);

#endif
