#include "analysis/replay/rank_replay.h"
#include "analysis/replay/sweep.h"
#include "base/array.h"
#include <stdlib.h>

static const double most_miss = 0.1;

/* Returns the rows that are replayed: the first ones, but for threads. */
static struct rank_row **rows_choose(const struct rank *r, size_t *n)
{
	struct rank_row **rows = array_new(RANK_REPLAYED_ROWS, sizeof(struct rank_row *));

	*n = 0;
	for (size_t i = 0; i < r->n && *n < RANK_REPLAYED_ROWS; i++)
		if (r->rows[i].worth.path && r->rows[i].kind != SUBJECT_THREAD)
			rows[(*n)++] = &r->rows[i];
	return rows;
}

void rank_replay(struct rank *r, const struct instance_set *set)
{
	struct prediction *p = prediction_of(set, 0);
	size_t n;
	struct rank_row **rows = rows_choose(r, &n);
	struct gain *gains = array_zero(n, sizeof *gains);

	for (size_t i = 0; i < n; i++)
		gains[i] = (struct gain){.what = rows[i]->name, .own = rows[i]->kind == SUBJECT_FUNCTION};
	if (!p->unchanged->stuck && prediction_miss(p) <= most_miss) {
		gains_find(p, gains, n);
		for (size_t i = 0; i < n; i++) {
			rows[i]->whatif = gains[i].gain;
			rows[i]->replayed = true;
			if (rows[i]->kind == SUBJECT_LOCK) {
				rows[i]->removal = lock_removal(p, rows[i]->name);
				rows[i]->removed = true;
			}
		}
	}
	free(gains);
	free(rows);
	prediction_free(p);
}
