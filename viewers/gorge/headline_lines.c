#include "viewers/gorge/headline_lines.h"
#include "analysis/headline/headline.h"
#include "viewers/gorge/index/trace_index.h"

void headline_lines(struct trace_index *m, char *lines[2])
{
	struct headline *h;

	matcher_lend(m->matcher);
	matcher_lock(m->matcher);
	h = headline_of_trace(m->trace);
	matcher_unlock(m->matcher);
	for (unsigned i = 0; h && i < h->n; i++)
		lines[i] = line_text(&h->lines[i]);
	if (h)
		headline_free(h);
}
