#include "trace/ranking.h"
#include "trace/array.h"
#include <stdlib.h>

static void list_candidates(const struct ranking *r, unsigned column, struct keyed *list)
{
	const struct index *x = &r->group->scratch->index;

	for (size_t i = 0; i < x->n; i++)
		list[i] = (struct keyed){x->words[i * x->ncolumns + column], i};
}

static void list_queries(const struct ranking *r, unsigned column, struct keyed *list)
{
	const struct group *g = r->group;

	for (size_t i = 0; i < r->nqueries; i++)
		list[i] = (struct keyed){
			row_words(g, group_row(g, r->queries[i]))[column], g->ncandidates + i,
		};
}

struct keyed *ranking_order(const struct ranking *r, unsigned column, enum rank_kind kind)
{
	size_t candidates = r->group->ncandidates, n = candidates + r->nqueries;
	struct keyed *list = array_new(n, sizeof *list);
	bool above = kind == RANK_ABOVE;

	/* equal ones stay in this order */
	list_candidates(r, column, above ? list + r->nqueries : list);
	list_queries(r, column, above ? list : list + candidates);
	keyed_sort(list, n);
	return list;
}

/* A query that has zeros in both columns is NaN, which differs from everything. */
static bool is_nan(const struct ranking *r, size_t query, unsigned column)
{
	const uint64_t *words = row_words(r->group, group_row(r->group, r->queries[query]));

	return words[column] == 0 && words[column + 1] == 0;
}

static void rank_others(const struct ranking *r, const struct keyed *list, unsigned column,
			uint32_t *candidates, uint32_t *queries, unsigned stride)
{
	size_t count = r->group->ncandidates, n = count + r->nqueries;
	uint32_t rank = 1;

	for (size_t k = 0; k < n; k++) {
		size_t i = list[k].i;

		rank += k > 0 && list[k].key != list[k - 1].key;
		if (i < count)
			candidates[i * stride] = rank;
		else
			queries[(i - count) * stride] = is_nan(r, i - count, column) ? 0 : rank;
	}
}

static void rank_down(const struct ranking *r, const struct keyed *list, uint32_t *candidates,
		      uint32_t *queries, unsigned stride)
{
	size_t count = r->group->ncandidates, n = count + r->nqueries;
	uint32_t rank = (uint32_t)count;

	for (size_t k = 0; k < n; k++) {
		size_t i = list[k].i;

		if (i < count)
			candidates[i * stride] = rank--;
		else
			queries[(i - count) * stride] = rank + 1;
	}
}

void ranking_column(const struct ranking *r, unsigned column, enum rank_kind kind,
		    uint32_t *candidates, uint32_t *queries, unsigned stride)
{
	struct keyed *list = ranking_order(r, column, kind);

	if (kind == RANK_OTHER)
		rank_others(r, list, column, candidates, queries, stride);
	else
		rank_down(r, list, candidates, queries, stride);
	free(list);
}
