#include "analysis/replay/machine/piece_pools.h"

void piece_posters_find(struct simulation *s, size_t piece)
{
	const struct operation *o = s->o->all.at + s->o->pieces.at[piece].first;

	for (; o->kind != OPERATION_BACK; o++)
		if (o->kind == OPERATION_POST)
			s->posters[o->what] = s->result->runners[piece];
}

size_t piece_begin(struct simulation *s, struct thread *t, uint32_t pool)
{
	size_t piece = s->handed[pool]++;

	t->back = t->next;
	s->result->runners[piece] = (uint32_t)(t - s->threads);
	if (s->posters)
		piece_posters_find(s, piece);
	return s->o->pieces.at[piece].first;
}
