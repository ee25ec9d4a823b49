#include "trace/sweep.h"
#include "trace/large.h"
#include "trace/divide.h"
#include "trace/ranking.h"
#include <string.h>

struct sweep {
	const struct questions *questions;
	struct compared compared[MOST_COLUMNS]; /* the order; the last; the cuts */
	unsigned ncompared;
};

/* A whole inequality becomes the last comparison. Returns how many alternatives there are. */
static unsigned choose_compared(struct sweep *s, unsigned alternative)
{
	unsigned n =
	    questions_compare(s->questions, true, alternative, s->compared, &s->ncompared);

	for (unsigned i = 0; i < s->ncompared; i++)
		if (s->compared[i].kind == RANK_OTHER) {
			struct compared whole = s->compared[i];

			s->compared[i] = s->compared[1];
			s->compared[1] = whole;
			break;
		}
	return n;
}

static bool test(const void *context, uint32_t question, uint32_t place)
{
	return questions_test(context, question, place);
}

/* The list: in the order of the first comparison, with the ranks by the second. */
static void fill(const struct sweep *s, struct op *op)
{
	const struct questions *q = s->questions;
	size_t count = q->group->ncandidates, n = count + q->n;
	uint32_t *words = large_new(n, sizeof *words);
	struct keyed *order;

	ranking_column(q, s->compared[1], words, words + count, 1);
	order = ranking_order(q, s->compared[0]);
	for (size_t k = 0; k < n; k++, op++) {
		size_t i = order[k].i;

		op->question = i < count ? NO_QUESTION : (uint32_t)(i - count);
		op->place = i < count ? (uint32_t)i : q->from[i - count];
		op->word = words[i];
	}
	large_free(order);
	large_free(words);
}

static void solve(const struct sweep *s, uint32_t *best)
{
	const struct questions *q = s->questions;
	size_t count = q->group->ncandidates, n = count + q->n;
	unsigned ncuts = s->ncompared - 2;
	uint32_t *ranks = large_new(n * ncuts, sizeof *ranks);
	struct divide d = {
	    .other = s->compared[1].kind == RANK_OTHER,
	    .ncuts = ncuts,
	    .candidates = ranks,
	    .questions = ranks + count * ncuts,
	    .best = best,
	    .test = test,
	    .context = q,
	};

	for (unsigned i = 0; i < ncuts; i++)
		ranking_column(q, s->compared[2 + i], ranks + i, ranks + count * ncuts + i, ncuts);
	fill(s, divide_begin(&d, n));
	divide_solve(&d, n);
	divide_end(&d);
	q->group->scratch->index.visited += d.visited;
	large_free(ranks);
}

void sweep_answer(const struct questions *q)
{
	struct sweep s = {.questions = q};
	uint32_t *best = large_new(q->n, sizeof *best);

	memcpy(best, q->to, q->n * sizeof *best);
	for (unsigned i = 0; i < choose_compared(&s, i); i++)
		solve(&s, best);
	questions_answer(q, best);
	large_free(best);
}
