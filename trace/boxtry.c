#include "trace/boxtry.h"

unsigned boxtry_many = 32;

enum {
	PAUSE = 32,  /* questions for which the index is let alone at first */
	SHARE = 16,  /* of the candidates: to look at so many blocks costs what it costs to begin */
};

/* Makes the index again, and takes out of it what was taken meanwhile. */
static void begin(const struct questions *q)
{
	struct index *x = &q->group->scratch->index;

	if (!x->tree)
		group_make_index(q->group);
	for (size_t i = 0; q->taken && i < x->n; i++)
		if (questions_is_taken(q, questions_place(q, i)) && !index_is_taken(x, i))
			index_take(x, i);
}

static bool is_time(struct boxtry *t, const struct boxbatch *b, size_t asked, uint64_t visited)
{
	bool many;

	t->visited += visited;
	t->asked += b->n;
	if (t->visited < b->tree->n / SHARE)
		return false;
	many = t->visited > (uint64_t)boxtry_many * t->asked;
	t->visited = t->asked = 0;
	return many && asked >= t->next;
}

void boxtry_step(struct boxtry *t, struct boxbatch *b, size_t asked, uint64_t visited)
{
	if (b->trying) {
		if (8 * b->known >= b->n)
			return;
		b->trying = false;
		t->pause = t->pause ? 2 * t->pause : PAUSE;
		t->next = asked + t->pause;
	} else if (is_time(t, b, asked, visited)) {
		begin(b->questions);
		boxbatch_try(b);
	}
}
