#include "match/comparisons/kd_moves.h"
#include "base/array.h"
#include <stdlib.h>

enum {
	FEW = 64,   /* so many are not worth sorting */
	AHEAD = 16, /* so many before it is moved, one is fetched */
	STRETCHES = 1 << 12
};

void boxmoves_init(struct boxmoves *m, struct boxtree *t,
		   void (*move)(struct boxtree *t, uint32_t place))
{
	*m = (struct boxmoves){.tree = t, .move = move};
	m->places = array_new(2 * BOXMOVES_MOST, sizeof *m->places);
	m->sorted = m->places + BOXMOVES_MOST;
}

void boxmoves_drop(struct boxmoves *m)
{
	free(m->places < m->sorted ? m->places : m->sorted);
}

/* By stretches of the tree's rows. */
static void sort(struct boxmoves *m)
{
	size_t begin[STRETCHES + 1] = {0};
	uint32_t *swap = m->places;
	unsigned shift = 0;

	while (m->tree->n >> shift >= STRETCHES)
		shift++;
	for (size_t i = 0; i < m->n; i++)
		begin[(m->tree->rows[m->places[i]] >> shift) + 1]++;
	for (size_t s = 0; s < STRETCHES; s++)
		begin[s + 1] += begin[s];
	for (size_t i = 0; i < m->n; i++)
		m->sorted[begin[m->tree->rows[m->places[i]] >> shift]++] = m->places[i];
	m->places = m->sorted;
	m->sorted = swap;
}

void boxmoves_end(struct boxmoves *m)
{
	if (m->n > FEW)
		sort(m);
	for (size_t i = 0; i < m->n; i++) {
		if (i + AHEAD < m->n)
			boxtree_expect(m->tree, m->places[i + AHEAD]);
		m->move(m->tree, m->places[i]);
	}
	m->n = 0;
}

void boxmoves_add(struct boxmoves *m, uint32_t place)
{
	m->places[m->n++] = place;
	if (m->n == BOXMOVES_MOST)
		boxmoves_end(m);
}
