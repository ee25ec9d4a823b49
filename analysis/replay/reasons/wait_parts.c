#include "analysis/replay/reasons/wait_parts.h"

int64_t wait_latency(const struct model *m, uint32_t thread, int64_t cause, int64_t end)
{
	int64_t time = end - cause - model_ready(m, thread, cause, end);

	return time > 0 ? time : 0;
}

uint32_t wait_ran_within(const struct model *m, uint32_t thread, int64_t from, int64_t to,
			 int64_t *time)
{
	int64_t ran = model_state_time(m, thread, STATE_RUNNING, from, to);

	ran = ran < UINT32_MAX ? ran : UINT32_MAX;
	if (time) {
		ran = ran < *time ? ran : *time;
		*time -= ran;
	}
	return (uint32_t)ran;
}

/* Takes off the time what it took at its end until the thread ran after it had been ready. */
static void latency_set(const struct model *m, uint32_t thread, struct wait_parts *p, int64_t from,
			int64_t to)
{
	const struct ready_time *r = readiness_last(m->readiness, thread, from, to);
	int64_t time;

	p->latency = NO_LATENCY;
	p->core = NO_CORE;
	if (!r)
		return;
	p->core = r->core;
	time = r->to - (r->served > from ? r->served : from);
	time = time < p->time ? time : p->time;
	p->latency = (uint32_t)(time < UINT32_MAX ? time : UINT32_MAX - 1);
	p->switched = r->served > r->from;
	p->others = ready_time_of_others(r);
	p->time -= p->latency;
}

struct wait_parts wait_end_parts(const struct model *m, uint32_t thread, int64_t cause, int64_t end)
{
	struct wait_parts p = {.time = wait_latency(m, thread, cause, end)};

	latency_set(m, thread, &p, cause, end);
	return p;
}

struct wait_parts wait_parts_of(const struct model *m, uint32_t thread, int64_t from, int64_t cause,
				int64_t end)
{
	struct wait_parts p = {.time = wait_latency(m, thread, cause, end)};

	p.before = wait_ran_within(m, thread, from, cause, NULL);
	p.after = wait_ran_within(m, thread, cause, end, &p.time);
	latency_set(m, thread, &p, cause, end);
	return p;
}

bool wait_came_later(const struct model *m, uint32_t thread, int64_t from,
		     const struct model_cause *release)
{
	int64_t left = model_leaves(m, thread, from, release->time);

	return left < release->time && model_wait_object(m, thread, from) != release->lock &&
	       !model_state_time(m, thread, STATE_RUNNING, left, release->time);
}
