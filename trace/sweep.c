#include "trace/sweep.h"
#include "trace/array.h"
#include "trace/keyed.h"
#include <stdlib.h>
#include <string.h>

enum { FEW = 16 };

struct question {
	const uint64_t *row;
	size_t from, to;        /* where a better candidate than the one found can be */
	size_t found;           /* INDEX_NONE: none yet */
};

struct sweep {
	const struct group *group;
	const struct index *index;      /* for the words of its candidates */
	struct index tree;
	unsigned ntree;                 /* columns in the tree */
	uint8_t columns[2];
	uint8_t cuts[MOST_COLUMNS];     /* columns to sweep or cut by */
	unsigned ncuts;
	uint32_t strict;        /* bits of the cuts that are half of an inequality: greater */
};

/* Candidates, as ascending places in the group's list; and questions. */
struct task {
	uint32_t *places;
	size_t nplaces;
	struct question **questions;
	size_t nquestions;
	unsigned ncuts;                 /* which of the sweep's cuts are still to be made */
};

static uint64_t candidate_word(const struct sweep *s, uint32_t place, unsigned column)
{
	return s->index->words[place * (size_t)s->index->ncolumns + column];
}

/* The least word that meets the query; false when none does. */
static bool question_word(const struct sweep *s, const struct question *q, unsigned column,
			  uint64_t *word)
{
	const uint64_t *words = row_words(s->group, q->row);
	unsigned first = s->index->differs >> column & 1 ? column : column - 1;

	*word = words[column];
	if (!(s->strict >> column & 1) || (words[first] == 0 && words[first + 1] == 0))
		return true;
	return (*word)++ != UINT64_MAX;
}

static size_t places_from(const struct sweep *s, const struct task *t, size_t place)
{
	size_t low = 0, high = t->nplaces;

	if (high == s->index->n)        /* they are all there */
		return place;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->places[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Searches the tree, as it is now, for a better candidate than the one found. */
static void ask(struct sweep *s, const struct task *t, struct question *q)
{
	const uint64_t *words = row_words(s->group, q->row);
	size_t from = places_from(s, t, q->from), to = places_from(s, t, q->to), i;
	uint64_t wanted[3];
	struct operand operands[2];

	for (unsigned j = 0; j < s->ntree; j++)
		wanted[j] = words[s->columns[j]];
	wanted[s->ntree] = 1;
	group_bind(s->group, q->row, operands);
	while ((i = index_search(&s->tree, from, to, wanted)) != INDEX_NONE) {
		if (group_test(s->group, candidate_place(s->group, t->places[i]), operands)) {
			q->found = t->places[i];
			*(s->tree.last ? &q->from : &q->to) = q->found + s->tree.last;
			return;
		}
		if (s->tree.last)
			to = i;
		else
			from = i + 1;
	}
}

static void put(struct sweep *s, const struct task *t, size_t i)
{
	uint64_t words[3];

	for (unsigned j = 0; j < s->ntree; j++)
		words[j] = candidate_word(s, t->places[i], s->columns[j]);
	words[s->ntree] = 1;
	index_put(&s->tree, i, words);
}

static struct keyed *keyed_places(const struct sweep *s, const struct task *t, unsigned column)
{
	struct keyed *list = array_new(t->nplaces, sizeof *list);

	for (size_t i = 0; i < t->nplaces; i++)
		list[i] = (struct keyed){candidate_word(s, t->places[i], column), i};
	keyed_sort(list, t->nplaces);
	return list;
}

static struct keyed *keyed_questions(const struct sweep *s, const struct task *t, unsigned column,
				     size_t *n)
{
	struct keyed *list = array_new(t->nquestions, sizeof *list);
	uint64_t word;

	*n = 0;
	for (size_t i = 0; i < t->nquestions; i++)
		if (question_word(s, t->questions[i], column, &word))
			list[(*n)++] = (struct keyed){word, i};
	keyed_sort(list, *n);
	return list;
}

static void sweep_down(struct sweep *s, const struct task *t)
{
	unsigned column = s->cuts[0];
	struct keyed *places = keyed_places(s, t, column), *questions;
	size_t nquestions, there = 0;

	questions = keyed_questions(s, t, column, &nquestions);
	index_blank(&s->tree, t->nplaces, s->ntree + 1, s->ntree == 2);
	for (size_t k = 0; k < nquestions; k++) {
		while (there < t->nplaces && places[there].key >= questions[k].key)
			put(s, t, places[there++].i);
		ask(s, t, t->questions[questions[k].i]);
	}
	free(places);
	free(questions);
}

/* The candidates whose words stand to the middle as wanted: -1 below, 0 not below, 1 above. */
static struct task task_part(const struct sweep *s, const struct task *t, unsigned column,
			     uint64_t middle, int side)
{
	struct task part = {.ncuts = t->ncuts};

	part.places = array_new(t->nplaces, sizeof *part.places);
	part.questions = array_new(t->nquestions, sizeof *part.questions);
	for (size_t i = 0; i < t->nplaces; i++) {
		uint64_t word = candidate_word(s, t->places[i], column);

		if (side < 0 ? word < middle : side > 0 ? word > middle : word >= middle)
			part.places[part.nplaces++] = t->places[i];
	}
	return part;
}

static void task_clear(struct task *t)
{
	free(t->places);
	free(t->questions);
}

static void task_solve(struct sweep *s, struct task *t);

static void task_end(struct sweep *s, struct task *t)
{
	task_solve(s, t);
	task_clear(t);
}

static uint64_t task_median(const struct sweep *s, const struct task *t, unsigned column)
{
	uint64_t *words = array_new(t->nplaces, sizeof *words), median;

	for (size_t i = 0; i < t->nplaces; i++)
		words[i] = candidate_word(s, t->places[i], column);
	median = keyed_median(words, t->nplaces);
	free(words);
	return median;
}

/*
 * Those not above the middle have this comparison met by all candidates from the middle on, and go
 * on with the lower ones; the others can only be met by those above.
 */
static void task_cut(struct sweep *s, struct task *t)
{
	unsigned column = s->cuts[t->ncuts - 1];
	uint64_t middle = task_median(s, t, column), word;
	struct task met = task_part(s, t, column, middle, 0);
	struct task below = task_part(s, t, column, middle, -1);
	struct task above = task_part(s, t, column, middle, 1);

	met.ncuts--;
	for (size_t i = 0; i < t->nquestions; i++) {
		struct question *q = t->questions[i];

		if (!question_word(s, q, column, &word))
			continue;
		if (word <= middle) {
			met.questions[met.nquestions++] = q;
			below.questions[below.nquestions++] = q;
		} else {
			above.questions[above.nquestions++] = q;
		}
	}
	task_end(s, &met);
	task_end(s, &below);
	task_end(s, &above);
}

/* Fewer candidates than a cut is worth: each is tried. The tree has those that meet the cuts. */
static void task_try(struct sweep *s, const struct task *t)
{
	for (size_t k = 0; k < t->nquestions; k++) {
		struct question *q = t->questions[k];

		index_blank(&s->tree, t->nplaces, s->ntree + 1, s->ntree == 2);
		for (size_t i = 0; i < t->nplaces; i++) {
			bool meets = true;
			uint64_t word;

			for (unsigned c = 0; c < t->ncuts && meets; c++)
				meets = question_word(s, q, s->cuts[c], &word) &&
					candidate_word(s, t->places[i], s->cuts[c]) >= word;
			if (meets)
				put(s, t, i);
		}
		ask(s, t, q);
	}
}

static void task_solve(struct sweep *s, struct task *t)
{
	if (t->nplaces == 0 || t->nquestions == 0)
		return;
	if (t->nplaces <= FEW)
		task_try(s, t);
	else if (t->ncuts <= 1)
		sweep_down(s, t);
	else
		task_cut(s, t);
}

/* An inequality goes into the tree, or else the last comparison; all others become cuts. */
static void choose_tree(struct sweep *s)
{
	const struct index *x = s->index;
	unsigned tree = x->active_differs ? (unsigned)__builtin_ctz(x->active_differs) :
					    x->nactive - 1u - x->take;

	s->columns[0] = x->active[tree];
	s->ntree = 1;
	if (x->active_differs)
		s->columns[s->ntree++] = x->active[tree + 1];
}

/* The cuts of one alternative: of each inequality beyond the tree's, its bit chooses the half. */
static unsigned choose_cuts(struct sweep *s, unsigned alternative)
{
	const struct index *x = s->index;
	unsigned inequalities = 0;

	s->ncuts = 0;
	s->strict = 0;
	for (unsigned j = 0; j < x->nactive - x->take; j++) {
		unsigned column = x->active[j];
		bool pair = x->active_differs >> j & 1;

		if (pair && column != s->columns[0])
			column += alternative >> inequalities++ & 1;
		if (column != s->columns[0]) {
			s->strict |= (uint32_t)pair << column;
			s->cuts[s->ncuts++] = (uint8_t)column;
		}
		j += pair;
	}
	return inequalities;
}

static void collect_questions(const struct sweep *s, size_t begin, size_t at, struct task *t,
			      struct question *questions)
{
	const struct group *g = s->group;

	for (size_t i = begin; i < g->n; i++) {
		struct question *q = &questions[t->nquestions];

		if (!row_is_query(group_row(g, i))) {
			at++;
			continue;
		}
		*q = (struct question){.row = group_row(g, i), .found = INDEX_NONE,
				       .from = s->tree.last ? 0 : at,
				       .to = s->tree.last ? at : g->ncandidates};
		index_narrow(&g->scratch->index, &q->from, &q->to, row_words(g, q->row));
		if (q->from < q->to)
			t->questions[t->nquestions++] = q;
	}
}

void sweep_group(const struct group *g, size_t begin, size_t at)
{
	struct sweep s = {.group = g, .index = &g->scratch->index};
	struct question *questions = array_new(g->n - begin, sizeof *questions);
	struct task t = {
		.places = array_new(g->ncandidates, sizeof *t.places), .nplaces = g->ncandidates,
		.questions = array_new(g->n - begin, sizeof *t.questions),
	};
	unsigned alternative = 0;

	s.tree.last = s.index->last;
	choose_tree(&s);
	for (size_t i = 0; i < g->ncandidates; i++)
		t.places[i] = (uint32_t)i;
	collect_questions(&s, begin, at, &t, questions);
	do {
		unsigned inequalities = choose_cuts(&s, alternative);

		t.ncuts = s.ncuts;
		task_solve(&s, &t);
		if (++alternative >> inequalities)
			break;
	} while (true);
	for (size_t i = 0; i < t.nquestions; i++)
		if (questions[i].found != INDEX_NONE)
			search_pair(g->search, candidate_place(g, questions[i].found),
				    row_place(questions[i].row));
	g->scratch->index.visited += s.tree.visited;
	index_drop(&s.tree);
	free(questions);
	task_clear(&t);
}
