#include "trace/layers.h"
#include "trace/array.h"
#include "trace/large.h"
#include "trace/halves.h"
#include "trace/ranking.h"
#include <stdlib.h>

enum { TOGETHER = 16 }; /* questions that are traced at once */

/* One choice among the comparisons that inequalities could be. */
struct alternative {
	struct compared compared[MOST_COLUMNS];
	unsigned ncompared;
	uint32_t *wanted; /* ranks of each question */
	struct halves halves;
	struct halves_path paths[TOGETHER];
};

struct layers {
	struct questions *questions;
	struct alternative *alternatives;
	unsigned nalternatives;
};

static void alternative_init(const struct layers *l, struct alternative *a, unsigned number)
{
	const struct questions *q = l->questions;
	size_t count = q->group->ncandidates;
	uint32_t *ranks;

	questions_compare(q, false, number, a->compared, &a->ncompared);
	ranks = large_new(count * a->ncompared, sizeof *ranks);
	a->wanted = large_new(q->n * a->ncompared, sizeof *a->wanted);
	for (unsigned i = 0; i < a->ncompared; i++)
		ranking_column(q, a->compared[i], ranks + i, a->wanted + i, a->ncompared);
	halves_init(&a->halves, ranks, count, a->ncompared, q->taken);
	large_free(ranks);
}

static void layers_init(struct layers *l, struct questions *q)
{
	struct compared compared[MOST_COLUMNS];
	unsigned ncompared;

	*l = (struct layers){.questions = q,
			     .nalternatives = questions_compare(q, false, 0, compared, &ncompared)};
	l->alternatives = array_zero(l->nalternatives, sizeof *l->alternatives);
	for (unsigned i = 0; i < l->nalternatives; i++)
		alternative_init(l, &l->alternatives[i], i);
}

static void layers_drop(struct layers *l)
{
	for (unsigned i = 0; i < l->nalternatives; i++) {
		large_free(l->alternatives[i].wanted);
		halves_drop(&l->alternatives[i].halves);
	}
	free(l->alternatives);
}

/* Finds out where the n questions from the first on stand. */
static void trace(struct layers *l, size_t first, size_t n)
{
	for (unsigned i = 0; i < l->nalternatives; i++) {
		struct alternative *a = &l->alternatives[i];

		for (size_t k = 0; k < n; k++) {
			a->paths[k].wanted = a->wanted + (first + k) * a->ncompared;
			a->paths[k].from = l->questions->from[first + k];
		}
		halves_trace(&a->halves, a->paths, n);
	}
}

static uint32_t find(struct layers *l, size_t k, uint32_t limit)
{
	for (unsigned i = 0; i < l->nalternatives; i++) {
		struct alternative *a = &l->alternatives[i];

		limit = halves_find(&a->halves, &a->paths[k], limit);
	}
	return limit;
}

/* Has the k-th path start again behind a place. */
static void go_on(struct layers *l, size_t k, uint32_t place)
{
	for (unsigned i = 0; i < l->nalternatives; i++) {
		struct alternative *a = &l->alternatives[i];

		a->paths[k].from = place + 1;
		halves_trace(&a->halves, &a->paths[k], 1);
	}
}

static uint32_t answer(struct layers *l, size_t first, size_t k)
{
	const struct questions *q = l->questions;
	uint32_t limit = q->to[first + k], place;

	while ((place = find(l, k, limit)) != limit && !questions_test(q, first + k, place))
		go_on(l, k, place);
	if (place != limit)
		questions_take(l->questions, place);
	return place;
}

static uint64_t visits(const struct layers *l)
{
	uint64_t visited = 0;

	for (unsigned i = 0; i < l->nalternatives; i++)
		visited += halves_visited(&l->alternatives[i].halves);
	return visited;
}

void layers_answer(struct questions *q)
{
	struct layers l;
	uint32_t *found = large_new(q->n, sizeof *found);

	layers_init(&l, q);
	for (size_t first = 0; first < q->n; first += TOGETHER) {
		size_t left = q->n - first, n = left < TOGETHER ? left : TOGETHER;

		trace(&l, first, n);
		for (size_t k = 0; k < n; k++)
			found[first + k] = answer(&l, first, k);
	}
	questions_answer(q, found);
	large_free(found);
	q->group->scratch->index.visited += visits(&l);
	layers_drop(&l);
}
