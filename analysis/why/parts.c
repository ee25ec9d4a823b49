#include "analysis/why/parts.h"
#include <stdlib.h>

/* Parts are named until they stand for so much of it, and as many. */
#define ENOUGH 0.9
enum { MOST_PARTS = 8 };

void parts_take(const struct evidence *g, const axis_values *values, parts_named *parts)
{
	int64_t all = 0, named = 0;

	for (size_t i = 0; i < values->n; i++)
		all += values->at[i].time;
	for (size_t i = 0; i < values->n && parts->n < MOST_PARTS; i++) {
		if ((double)named >= ENOUGH * (double)all)
			break;
		named += values->at[i].time;
		*vector_add(parts) =
		    (struct part_named){values->at[i].key, evidence_text(g, values->at[i].key),
					all ? (double)values->at[i].time / (double)all : 0};
	}
}

void sums_take(const struct evidence *g, struct axis_sums *sums, parts_named *parts)
{
	axis_values values = axis_sums_end(sums);

	parts_take(g, &values, parts);
	free(values.at);
}
