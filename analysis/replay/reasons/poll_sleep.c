#include "analysis/replay/reasons/poll_sleep.h"
#include "analysis/activity/span_text.h"

uint32_t poll_sleep_class(const struct model *m, uint32_t thread, size_t stretch)
{
	const struct stretch *s = &m->graph->threads[thread].stretches[stretch];
	const struct instance_span *wait;

	if (s->activity != ACTIVITY_WAITING || m->graph->waits[s->role].kind != KIND_WAIT)
		return NO_NUMBER;
	wait = span_at(instance_spans(m->set, SPANS_WAIT, thread), s->from);
	return wait ? wait->class : NO_NUMBER;
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
