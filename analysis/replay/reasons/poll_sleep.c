#include "analysis/replay/reasons/poll_sleep.h"
#include "analysis/graph/timeline.h"

uint32_t poll_sleep_class(const struct model *m, uint32_t thread, size_t stretch)
{
	return stretch_wait_class(m->graph, m->set, thread, stretch);
}

bool polling_possible(const struct model *m, uint32_t thread)
{
	const struct timeline *l = &m->graph->threads[thread], *creator;
	size_t stretch;

	if (!l->n || l->creator == NO_THREAD)
		return false;
	creator = &m->graph->threads[l->creator];
	stretch = stretch_before(creator, l->end);
	return stretch != creator->n && creator->stretches[stretch].activity == ACTIVITY_WAITING;
}
