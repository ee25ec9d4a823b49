#include "match/comparisons/queries.h"
#include "base/array.h"
#include "base/spill.h"
#include <stdlib.h>

static void find_taken(struct questions *q)
{
	size_t n = q->group->ncandidates;

	q->taken = array_zero(n / 64 + 1, sizeof *q->taken);
	for (size_t i = 0; i < n; i++)
		if (index_is_taken(&q->group->scratch->index, i))
			questions_take(q, questions_place(q, i));
}

void questions_init(struct questions *q, const struct group *g, size_t begin, size_t at)
{
	struct index *x = &g->scratch->index;
	size_t most = g->n - begin;
	uint64_t room[ROW_WORDS];

	*q = (struct questions){
	    .group = g,
	    .mirrored = x->last,
	    .nrows = most,
	    .rows = spill_new(most, sizeof *q->rows),
	    .from = spill_new(most, sizeof *q->from),
	    .to = spill_new(most, sizeof *q->to),
	};
	for (size_t i = begin; i < g->n; i++) {
		size_t from = x->last ? 0 : at, to = x->last ? at : g->ncandidates;

		if (!group_is_query(g, i)) {
			at++;
			continue;
		}
		index_narrow(x, &from, &to, row_words(g, group_row(g, i, room)));
		if (from >= to)
			continue;
		q->rows[q->n] = (uint32_t)i;
		q->from[q->n] = questions_place(q, x->last ? to - 1 : from);
		q->to[q->n++] = questions_place(q, x->last ? from : to - 1) + 1;
	}
	if (x->take)
		find_taken(q);
}

void questions_drop(struct questions *q)
{
	spill_free(q->rows);
	spill_free(q->from);
	spill_free(q->to);
	free(q->taken);
}

void questions_step(const struct questions *q, size_t from, size_t to)
{
	search_step(q->group->search, q->nrows * to / q->n - q->nrows * from / q->n);
}

bool questions_test(const struct questions *q, size_t question, uint32_t place)
{
	const struct group *g = q->group;
	struct operand operands[2];
	uint64_t room[ROW_WORDS];

	if (program_empty(g->search->plan->rest)) {
		g->scratch->tested++;
		return true;
	}
	group_bind(g, group_row(g, q->rows[question], room), operands);
	return group_test(g, candidate_place(g, questions_place(q, place)), operands);
}

void questions_pair(const struct questions *q, size_t question, uint32_t place)
{
	const struct group *g = q->group;
	uint64_t room[ROW_WORDS];

	search_pair(g->search, candidate_place(g, questions_place(q, place)),
		    row_place(group_row(g, q->rows[question], room)));
}
