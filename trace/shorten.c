#include "trace/shorten.h"
#include "trace/boxtree.h"
#include "trace/ranking.h"
#include <stdlib.h>

struct extent {
	uint64_t least, most;
};

static struct extent extent_of(const struct index *x, unsigned column)
{
	struct extent s = {UINT64_MAX, 0};

	for (size_t i = 0; i < x->n; i++) {
		uint64_t word = x->words[i * x->ncolumns + column];

		s.least = word < s.least ? word : s.least;
		s.most = word > s.most ? word : s.most;
	}
	return s;
}

static int32_t shorten(uint64_t word, struct extent s)
{
	return (int32_t)((int64_t)(word - s.least) + BOX_LEAST + 1);
}

static void subtract(const struct questions *q, unsigned column, bool differs, struct extent s,
		     int32_t *candidates, int32_t *questions, unsigned stride)
{
	const struct index *x = &q->group->scratch->index;

	for (size_t i = 0; i < x->n; i++)
		candidates[questions_place(q, i) * (size_t)stride] =
		    shorten(x->words[i * x->ncolumns + column], s);
	for (size_t i = 0; i < q->n; i++) {
		uint64_t word = questions_word(q, i, column);
		int32_t *to = &questions[i * stride];

		if (word < s.least)
			*to = BOX_LEAST;
		else if (word > s.most)
			*to = differs ? BOX_LEAST : BOX_MOST;
		else
			*to = shorten(word, s);
	}
}

static void rank(const struct questions *q, unsigned column, int32_t *candidates,
		 int32_t *questions, unsigned stride)
{
	size_t count = q->group->ncandidates, n = count + q->n;
	struct keyed *list =
	    ranking_order(q, (struct compared){.column = column, .kind = RANK_AT_LEAST});
	int32_t rank = BOX_LEAST + 1;

	for (size_t k = n; k-- > 0;) {
		size_t i = list[k].i;

		rank += k + 1 < n && list[k].key != list[k + 1].key;
		if (i < count)
			candidates[i * stride] = rank;
		else
			questions[(i - count) * stride] = rank;
	}
	free(list);
}

void shorten_column(const struct questions *q, unsigned column, bool differs, int32_t *candidates,
		    int32_t *questions, unsigned stride)
{
	struct extent s = extent_of(&q->group->scratch->index, column);

	if (s.most - s.least < UINT32_MAX - 2)
		subtract(q, column, differs, s, candidates, questions, stride);
	else
		rank(q, column, candidates, questions, stride);
}
