#include "analysis/replay/reasons/preempted.h"

/* Ready for so many times the usual latency, a thread waits for other programs. */
enum { OTHERS = 10 };

/* Returns how long a thread that had run was ready in a stretch; NULL: it was not. */
static const struct ready_time *ready_at(const struct model *m, uint32_t thread, size_t stretch)
{
	const struct timeline *l = &m->graph->threads[thread];
	const struct ready_time *r;

	if (l->stretches[stretch].activity != ACTIVITY_READY)
		return NULL;
	r = readiness_last(m->readiness, thread, l->stretches[stretch].from,
			   stretch_end(l, stretch));
	return r && r->turn >= 0 ? r : NULL;
}

bool preempted_at(const struct model *m, uint32_t thread, size_t stretch)
{
	const struct ready_time *r = ready_at(m, thread, stretch);

	return r && r->served != r->from && r->to - r->served <= OTHERS * m->readiness->switching &&
	       !ready_time_of_others(r);
}

bool lost_at(const struct model *m, uint32_t thread, size_t stretch)
{
	const struct ready_time *r = ready_at(m, thread, stretch);

	return r && r->from == m->graph->threads[thread].stretches[stretch].from &&
	       ready_time_of_others(r);
}
