/* Orders by time what will happen to threads: a heap. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_HAPPENINGS_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_HAPPENINGS_H

#include "analysis/replay/machine/simulation.h"

static inline bool is_before(const struct happening *a, const struct happening *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

/* thread: NOBODY: an idle processor takes a thread over. */
void happening_push(struct simulation *s, uint32_t thread, int64_t time);

/* Takes the place of the one that was to come. */
static inline void happening_add(struct simulation *s, uint32_t thread, int64_t time)
{
	s->threads[thread].happening = s->order;
	happening_push(s, thread, time);
}

static inline struct happening happening_take(struct simulation *s)
{
	struct happening first = s->heap[0], last = s->heap[--s->nheap];
	size_t i = 0, child;

	for (; (child = 2 * i + 1) < s->nheap; i = child) {
		if (child + 1 < s->nheap && is_before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!is_before(&s->heap[child], &last))
			break;
		s->heap[i] = s->heap[child];
	}
	s->heap[i] = last;
	return first;
}

#endif
