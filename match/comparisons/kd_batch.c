#include "match/comparisons/kd_batch.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdlib.h>
#include <string.h>

enum { TOGETHER = 16 }; /* questions that a processor asks side by side */

size_t boxbatch_piece = 1 << 10;

/* The group is the questions' with counts of its own. */
struct asker {
	struct questions questions;
	struct group group;
	struct scratch scratch;
	uint64_t visited;
	struct boxtree_search searches[TOGETHER];
};

void boxbatch_init(struct boxbatch *b, const struct questions *q, const struct boxtree *tree,
		   const int32_t *wanted)
{
	*b = (struct boxbatch){
	    .questions = q, .tree = tree, .wanted = wanted, .naskers = parallel_workers()};
	b->askers = array_zero(b->naskers, sizeof *b->askers);
	for (unsigned i = 0; i < b->naskers; i++) {
		struct asker *a = &b->askers[i];

		a->scratch = *q->group->scratch;
		a->scratch.tested = a->scratch.faults = 0;
		a->group = *q->group;
		a->group.scratch = &a->scratch;
		a->questions = *q;
		a->questions.group = &a->group;
	}
}

void boxbatch_drop(struct boxbatch *b)
{
	struct scratch *scratch = b->questions->group->scratch;

	for (unsigned i = 0; i < b->naskers; i++) {
		scratch->tested += b->askers[i].scratch.tested;
		scratch->faults += b->askers[i].scratch.faults;
	}
	free(b->askers);
	free(b->order);
	free(b->found);
}

/* What was taken may not sleep yet. */
static bool test(const void *context, uint32_t question, uint32_t place)
{
	return !questions_is_taken(context, place) && questions_test(context, question, place);
}

static void begin(const struct boxbatch *b, struct asker *a, struct boxtree_search *s,
		  size_t question)
{
	s->wanted = b->wanted + question * b->tree->ncolumns;
	s->from = (int32_t)b->questions->from[question];
	s->limit = (int32_t)b->questions->to[question];
	s->question = (uint32_t)question;
	s->test = test;
	s->context = &a->questions;
}

/* By the cells that they are in. */
static void sort(struct boxbatch *b)
{
	uint32_t begin[BOXORDER_CELLS + 1] = {0}, *cells = b->order + b->room;

	for (size_t k = 0; k < b->n; k++) {
		size_t question = b->first + k;

		cells[k] = boxcells_find(&b->tree->cells, b->wanted + question * b->tree->ncolumns);
		begin[cells[k] + 1]++;
	}
	for (size_t c = 0; c < BOXORDER_CELLS; c++)
		begin[c + 1] += begin[c];
	for (size_t k = 0; k < b->n; k++)
		b->order[begin[cells[k]]++] = (uint32_t)k;
}

static void ask(void *context, size_t number, unsigned worker)
{
	struct boxbatch *b = context;
	struct asker *a = &b->askers[worker];
	size_t from = number * boxbatch_piece,
	       to = from + boxbatch_piece < b->n ? from + boxbatch_piece : b->n;

	for (; from < to; from += TOGETHER) {
		size_t n = to - from < TOGETHER ? to - from : TOGETHER;

		for (size_t i = 0; i < n; i++)
			begin(b, a, &a->searches[i], b->first + b->order[from + i]);
		a->visited += boxtree_find(b->tree, a->searches, n);
		for (size_t i = 0; i < n; i++)
			b->found[a->searches[i].question - b->first] =
			    (uint32_t)a->searches[i].limit;
	}
}

static void make_room(struct boxbatch *b)
{
	if (b->n <= b->room)
		return;
	b->room = b->n;
	b->order = array_resize(b->order, 2 * b->room, sizeof *b->order);
	b->found = array_resize(b->found, b->room, sizeof *b->found);
}

uint64_t boxbatch_find(struct boxbatch *b, size_t first, size_t n)
{
	uint64_t visited = 0;

	b->first = first;
	b->n = n;
	make_room(b);
	if (n > boxbatch_piece) {
		sort(b);
		parallel_for((n + boxbatch_piece - 1) / boxbatch_piece, ask, b);
	} else {
		for (size_t k = 0; k < n; k++)
			b->order[k] = (uint32_t)k;
		ask(b, 0, 0);
	}
	for (unsigned i = 0; i < b->naskers; i++) {
		visited += b->askers[i].visited;
		b->askers[i].visited = 0;
	}
	return visited;
}

uint32_t boxbatch_again(struct boxbatch *b, size_t question)
{
	struct asker *a = &b->askers[0];

	begin(b, a, a->searches, question);
	boxtree_find(b->tree, a->searches, 1);
	return (uint32_t)a->searches[0].limit;
}
