#include "cli/whatif_hand_out.h"
#include "analysis/replay/answer/outcome.h"
#include <stdlib.h>

enum { MOST_LINES = 5 };

static const char *group_of(const struct hand_out_pool *pool)
{
	return pool->group ? pool->group : pool->nthreads == 1 ? "thread" : "threads";
}

void hand_out_text(FILE *out, const struct prediction *p)
{
	size_t n;
	struct hand_out_row *rows = outcome_hand_out(p, &n);

	for (size_t i = 0; i < n && i < MOST_LINES; i++) {
		const struct hand_out_pool *pool = &rows[i].pool;
		const char *doubt = hand_out_doubt(p, &rows[i]);

		fprintf(out, "hand-out: ");
		if (doubt)
			fprintf(out, "copied for %u x %s at %s", pool->nthreads, group_of(pool),
				pool->name);
		else
			fprintf(out, "%u x %s take %zu items at %s", pool->nthreads, group_of(pool),
				pool->nitems, pool->name);
		if (pool->site)
			fprintf(out, ", %s", pool->site);
		if (rows[i].npools > 1)
			fprintf(out, ", %zu times", rows[i].npools);
		fprintf(out, doubt ? ": %s\n" : "\n", doubt);
	}
	if (n > MOST_LINES)
		fprintf(out, "hand-out: %zu more (--format=json lists them)\n", n - MOST_LINES);
	free(rows);
}
