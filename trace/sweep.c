#include "trace/sweep.h"
#include "trace/array.h"
#include "trace/divide.h"
#include "trace/ranking.h"
#include <stdlib.h>
#include <string.h>

/* A column that is compared: half of an inequality, or a whole one. */
struct compared {
	unsigned column;
	enum rank_kind kind;
};

struct sweep {
	const struct group *group;
	bool mirrored;                  /* places are counted from the last one, which is sought */
	struct compared compared[MOST_COLUMNS]; /* the order; the last; the cuts */
	unsigned ncompared;
	uint32_t *rows;                 /* of each question, in the group */
	uint32_t *from, *to;            /* where its candidate can be */
	size_t nquestions;
};

static uint32_t mirror(const struct sweep *s, size_t place)
{
	return (uint32_t)(s->mirrored ? s->group->ncandidates - 1 - place : place);
}

/* The plain comparisons, and of each inequality but the first a half, which the alternative's bits
 * choose. Returns how many alternatives there are. */
static unsigned choose_compared(struct sweep *s, unsigned alternative)
{
	const struct index *x = &s->group->scratch->index;
	unsigned inequalities = 0, first = 0;

	s->ncompared = 0;
	for (unsigned j = 0; j < x->nactive - x->take; j++) {
		struct compared *c = &s->compared[s->ncompared++];
		bool inequality = x->active_differs >> j & 1;

		*c = (struct compared){x->active[j], RANK_AT_LEAST};
		if (!inequality)
			continue;
		c->kind = inequalities ? RANK_ABOVE : RANK_OTHER;
		if (inequalities)
			c->column += alternative >> (inequalities - 1) & 1;
		else
			first = s->ncompared - 1;
		inequalities++;
		j++;
	}
	if (inequalities) {
		struct compared last = s->compared[first];

		s->compared[first] = s->compared[1];
		s->compared[1] = last;
	}
	return inequalities ? 1u << (inequalities - 1) : 1;
}

static void collect_questions(struct sweep *s, size_t begin, size_t at)
{
	const struct group *g = s->group;
	size_t n = 0;

	for (size_t i = begin; i < g->n; i++) {
		size_t from = s->mirrored ? 0 : at, to = s->mirrored ? at : g->ncandidates;

		if (!row_is_query(group_row(g, i))) {
			at++;
			continue;
		}
		index_narrow(&g->scratch->index, &from, &to, row_words(g, group_row(g, i)));
		if (from >= to)
			continue;
		s->rows[n] = (uint32_t)i;
		s->from[n] = s->mirrored ? mirror(s, to - 1) : (uint32_t)from;
		s->to[n++] = (uint32_t)(s->mirrored ? g->ncandidates - from : to);
	}
	s->nquestions = n;
}

static bool test(const void *context, uint32_t question, uint32_t place)
{
	const struct sweep *s = context;
	const struct group *g = s->group;
	struct operand operands[2];

	group_bind(g, group_row(g, s->rows[question]), operands);
	return group_test(g, candidate_place(g, mirror(s, place)), operands);
}

/* The list: in the order of the first comparison, with the ranks by the second. */
static void fill(const struct sweep *s, const struct ranking *r, struct op *op)
{
	size_t count = s->group->ncandidates, n = count + s->nquestions;
	uint32_t *words = array_new(n, sizeof *words);
	struct keyed *order;

	ranking_column(r, s->compared[1].column, s->compared[1].kind, words, words + count, 1);
	order = ranking_order(r, s->compared[0].column, s->compared[0].kind);
	for (size_t k = 0; k < n; k++, op++) {
		size_t i = order[k].i;

		op->question = i < count ? NO_QUESTION : (uint32_t)(i - count);
		op->place = i < count ? mirror(s, i) : s->from[i - count];
		op->word = words[i];
	}
	free(order);
	free(words);
}

/* The ranks by the further comparisons; those of candidates by their places. */
static uint32_t *rank_cuts(const struct sweep *s, const struct ranking *r, unsigned ncuts)
{
	size_t count = s->group->ncandidates;
	uint32_t *ranks = array_new((count + s->nquestions) * ncuts, sizeof *ranks);

	for (unsigned c = 0; c < ncuts; c++)
		ranking_column(r, s->compared[2 + c].column, s->compared[2 + c].kind, ranks + c,
			       ranks + count * ncuts + c, ncuts);
	for (size_t i = 0; s->mirrored && i < count / 2; i++)
		for (unsigned c = 0; c < ncuts; c++) {
			uint32_t *a = &ranks[i * ncuts + c],
				 *b = &ranks[(count - 1 - i) * ncuts + c], swap = *a;

			*a = *b;
			*b = swap;
		}
	return ranks;
}

static void solve(struct sweep *s, uint32_t *best)
{
	const struct group *g = s->group;
	struct ranking r = {.group = g, .queries = s->rows, .nqueries = s->nquestions};
	struct divide d = {
		.other = s->compared[1].kind == RANK_OTHER, .ncuts = s->ncompared - 2,
		.best = best, .test = test, .context = s,
	};
	size_t n = g->ncandidates + s->nquestions;
	uint32_t *ranks = rank_cuts(s, &r, d.ncuts);

	d.candidates = ranks;
	d.questions = ranks + g->ncandidates * d.ncuts;
	fill(s, &r, divide_begin(&d, n));
	divide_solve(&d, n);
	divide_end(&d);
	g->scratch->index.visited += d.visited;
	free(ranks);
}

static void answer(const struct sweep *s, const uint32_t *best)
{
	const struct group *g = s->group;

	for (size_t i = 0; i < s->nquestions; i++)
		if (best[i] != s->to[i])
			search_pair(g->search, candidate_place(g, mirror(s, best[i])),
				    row_place(group_row(g, s->rows[i])));
}

void sweep_group(const struct group *g, size_t begin, size_t at)
{
	size_t most = g->n - begin;
	struct sweep s = {
		.group = g, .mirrored = g->scratch->index.last,
		.rows = array_new(most, sizeof *s.rows), .from = array_new(most, sizeof *s.from),
		.to = array_new(most, sizeof *s.to),
	};
	uint32_t *best = array_new(most, sizeof *best);
	unsigned alternative = 0;

	collect_questions(&s, begin, at);
	memcpy(best, s.to, s.nquestions * sizeof *best);
	do {
		unsigned alternatives = choose_compared(&s, alternative);

		solve(&s, best);
		if (++alternative == alternatives)
			break;
	} while (true);
	answer(&s, best);
	free(s.rows);
	free(s.from);
	free(s.to);
	free(best);
}
