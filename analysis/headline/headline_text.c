#include "analysis/headline/headline_text.h"
#include "analysis/headline/headline.h"

void headline_texts(struct trace *t, char *lines[2])
{
	struct headline *h = headline_of_trace(t);

	lines[0] = lines[1] = NULL;
	for (unsigned i = 0; h && i < h->n; i++)
		lines[i] = line_text(&h->lines[i]);
	if (h)
		headline_free(h);
}
