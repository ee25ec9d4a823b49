#include "analysis/replay/machine/happenings.h"
#include "base/array.h"

void happening_push(struct simulation *s, uint32_t thread, int64_t time)
{
	struct happening new = {time, s->order++, thread};
	size_t i = s->nheap++;

	s->heap = vector_reserve(s->heap, s->nheap, &s->room, sizeof *s->heap);
	for (; i && is_before(&new, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = new;
}
