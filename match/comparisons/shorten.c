#include "match/comparisons/shorten.h"
#include "base/sort.h"
#include "base/spill.h"
#include "match/comparisons/kd_tree.h"

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
		     struct shortened to)
{
	const struct index *x = &q->group->scratch->index;

	for (size_t i = 0; i < x->n; i++)
		to.candidates[questions_place(q, i) * (size_t)to.candidate_stride] =
		    shorten(x->words[i * x->ncolumns + column], s);
	for (size_t i = 0; i < q->n; i++) {
		uint64_t word = questions_word(q, i, column);
		int32_t *question = &to.questions[i * to.question_stride];

		if (word < s.least)
			*question = BOX_LEAST;
		else if (word > s.most)
			*question = differs ? BOX_LEAST : BOX_MOST;
		else
			*question = shorten(word, s);
	}
}

static void rank(const struct questions *q, unsigned column, struct shortened to)
{
	const struct index *x = &q->group->scratch->index;
	size_t count = x->n, n = count + q->n;
	struct keyed *list = spill_new(n, sizeof *list);
	int32_t rank = BOX_LEAST + 1;

	for (size_t i = 0; i < count; i++)
		list[i] = (struct keyed){x->words[i * x->ncolumns + column], questions_place(q, i)};
	for (size_t i = 0; i < q->n; i++)
		list[count + i] = (struct keyed){questions_word(q, i, column), count + i};
	sort_keyed(list, n);
	for (size_t k = n; k-- > 0;) {
		size_t i = list[k].i;

		rank += k + 1 < n && list[k].key != list[k + 1].key;
		if (i < count)
			to.candidates[i * to.candidate_stride] = rank;
		else
			to.questions[(i - count) * to.question_stride] = rank;
	}
	spill_free(list);
}

void shorten_column(const struct questions *q, unsigned column, bool differs, struct shortened to)
{
	struct extent s = extent_of(&q->group->scratch->index, column);

	if (s.most - s.least < UINT32_MAX - 2)
		subtract(q, column, differs, s, to);
	else
		rank(q, column, to);
}
