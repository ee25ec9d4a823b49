#include "analysis/replay/wait_parts.h"

int64_t wait_latency(const struct model *m, uint32_t thread, int64_t cause, int64_t end)
{
	int64_t time = end - cause - model_ready(m, thread, cause, end);

	return time > 0 ? operation_time(time) : 0;
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

void wait_latency_set(const struct model *m, uint32_t thread, struct operation *o, int64_t from,
		      int64_t to)
{
	const struct ready_time *r = readiness_last(m->readiness, thread, from, to);
	int64_t time;

	o->latency = NO_LATENCY;
	o->core = NO_CORE;
	if (!r)
		return;
	o->core = r->core;
	time = r->to - (r->served > from ? r->served : from);
	time = time < o->time ? time : o->time;
	o->latency = (uint32_t)(time < UINT32_MAX ? time : UINT32_MAX - 1);
	o->switched = r->served > r->from;
	o->others = ready_time_of_others(r);
	o->time -= o->latency;
}

void wait_set(const struct model *m, uint32_t thread, struct operation *o, int64_t from,
	      int64_t cause, int64_t end)
{
	int64_t time = wait_latency(m, thread, cause, end);

	o->before = wait_ran_within(m, thread, from, cause, NULL);
	o->after = wait_ran_within(m, thread, cause, end, &time);
	o->time = time;
	wait_latency_set(m, thread, o, cause, end);
}

bool wait_came_later(const struct model *m, uint32_t thread, int64_t from,
		     const struct model_cause *release)
{
	int64_t left = model_leaves(m, thread, from, release->time);

	return left < release->time && model_wait_object(m, thread, from) != release->lock &&
	       !model_state_time(m, thread, STATE_RUNNING, left, release->time);
}
