#include "match/join/pieces.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdatomic.h>
#include <stdlib.h>

size_t piece_rows = 1 << 14;

struct pieces {
	const struct group *group;
	size_t *at;                     /* how many candidates are before each piece */
	struct scratch *scratch;        /* the group's for each worker, with counts of its own */
	atomic_bool poor;
};

bool pieces_can(const struct group *g)
{
	return !g->search->plan->take && g->search->rows->nbuckets == 1 && g->n > 2 * piece_rows;
}

static void piece_search(void *context, size_t number, unsigned worker)
{
	struct pieces *p = context;
	struct group g = *p->group;
	uint64_t room[ROW_WORDS];
	size_t begin = number * piece_rows, at = p->at[number];
	size_t step = g.search->plan->scans ? 1 : SEARCH_STEP;
	size_t end = begin + piece_rows < g.n ? begin + piece_rows : g.n;

	g.scratch = &p->scratch[worker];
	for (size_t i = begin; i < end && !p->poor; i++) {
		if ((i + 1 - begin) % step == 0)
			search_step(g.search, step);
		if (!group_is_query(&g, i)) {
			at++;
			continue;
		}
		if (index_is_poor(&g.scratch->index))
			p->poor = true;
		else
			group_query(&g, group_row(&g, i, room), at);
	}
}

static void count_before(struct pieces *p, size_t npieces)
{
	const struct group *g = p->group;
	size_t at = 0;

	p->at = array_new(npieces, sizeof *p->at);
	for (size_t i = 0; i < g->n; i++) {
		if (i % piece_rows == 0)
			p->at[i / piece_rows] = at;
		at += !group_is_query(g, i);
	}
}

bool pieces_search(const struct group *g)
{
	size_t npieces = (g->n + piece_rows - 1) / piece_rows;
	unsigned workers = parallel_workers();
	struct pieces p = {.group = g, .scratch = array_new(workers, sizeof *p.scratch)};

	count_before(&p, npieces);
	for (unsigned i = 0; i < workers; i++) {
		struct scratch *s = &p.scratch[i];

		*s = *g->scratch;
		s->tested = s->faults = s->index.visited = s->index.visited_before = 0;
	}
	parallel_for(npieces, piece_search, &p);
	for (unsigned i = 0; i < workers; i++) {
		g->scratch->tested += p.scratch[i].tested;
		g->scratch->faults += p.scratch[i].faults;
		g->scratch->index.visited += p.scratch[i].index.visited;
	}
	free(p.scratch);
	free(p.at);
	return !p.poor;
}
