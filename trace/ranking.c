#include "trace/ranking.h"
#include "trace/large.h"

static void list_candidates(const struct questions *q, unsigned column, struct keyed *list)
{
	const struct index *x = &q->group->scratch->index;

	for (size_t i = 0; i < x->n; i++)
		list[i] = (struct keyed){x->words[i * x->ncolumns + column], questions_place(q, i)};
}

static void list_questions(const struct questions *q, unsigned column, struct keyed *list)
{
	for (size_t i = 0; i < q->n; i++)
		list[i] = (struct keyed){questions_word(q, i, column), q->group->ncandidates + i};
}

struct keyed *ranking_order(const struct questions *q, struct compared by)
{
	size_t candidates = q->group->ncandidates, n = candidates + q->n;
	struct keyed *list = large_new(n, sizeof *list);
	bool above = by.kind == RANK_ABOVE;

	/* equal ones stay in this order */
	list_candidates(q, by.column, above ? list + q->n : list);
	list_questions(q, by.column, above ? list : list + candidates);
	keyed_sort(list, n);
	return list;
}

/* A question that has zeros in both columns is NaN, which differs from everything. */
static bool is_nan(const struct questions *q, size_t question, unsigned column)
{
	return questions_word(q, question, column) == 0 &&
	       questions_word(q, question, column + 1) == 0;
}

static void rank_others(const struct questions *q, const struct keyed *list, unsigned column,
			uint32_t *candidates, uint32_t *questions, unsigned stride)
{
	size_t count = q->group->ncandidates, n = count + q->n;
	uint32_t rank = 1;

	for (size_t k = 0; k < n; k++) {
		size_t i = list[k].i;

		rank += k > 0 && list[k].key != list[k - 1].key;
		if (i < count)
			candidates[i * stride] = rank;
		else
			questions[(i - count) * stride] = is_nan(q, i - count, column) ? 0 : rank;
	}
}

static void rank_down(const struct questions *q, const struct keyed *list, uint32_t *candidates,
		      uint32_t *questions, unsigned stride)
{
	size_t count = q->group->ncandidates, n = count + q->n;
	uint32_t rank = (uint32_t)count;

	for (size_t k = 0; k < n; k++) {
		size_t i = list[k].i;

		if (i < count)
			candidates[i * stride] = rank--;
		else
			questions[(i - count) * stride] = rank + 1;
	}
}

void ranking_column(const struct questions *q, struct compared by, uint32_t *candidates,
		    uint32_t *questions, unsigned stride)
{
	struct keyed *list = ranking_order(q, by);

	if (by.kind == RANK_OTHER)
		rank_others(q, list, by.column, candidates, questions, stride);
	else
		rank_down(q, list, candidates, questions, stride);
	large_free(list);
}
