#include "analysis/replay/program/operation_making.h"

struct operation *operation_add(struct operation_making *k, enum operation_kind kind, uint32_t what,
				int64_t recorded, double work)
{
	struct operation *o = vector_add(&k->result->all);

	*o = (struct operation){.work = operation_work(work),
				.what = what,
				.kind = kind,
				.latency = NO_LATENCY,
				.core = NO_CORE};
	if (k->rules->timed)
		*vector_add(&k->result->times) = (struct operation_times){recorded, recorded};
	return o;
}

struct operation *operation_hold(struct operation_making *k, enum operation_kind kind, size_t hold,
				 int64_t recorded, double work)
{
	const struct model_hold *h = &k->model->holds.at[hold];
	const struct lock_plan *plan = k->rules->locks;
	struct operation *o =
	    operation_add(k, kind, plan ? plan->locks[hold] : h->lock, recorded, work);

	o->shared = plan ? plan->shared[hold] : h->shared;
	return o;
}

struct operation *operation_slot(struct operation_making *k, enum operation_kind kind,
				 uint32_t semaphore, int64_t recorded, double work)
{
	const struct lock *object = k->rules->locks->slots->all.at[semaphore].object;

	return operation_add(k, kind, (uint32_t)(object - k->model->locks->locks.at), recorded,
			     work);
}

void operation_timed(struct operation_making *k, int64_t began, int64_t done)
{
	if (k->rules->timed)
		k->result->times.at[k->result->times.n - 1] = (struct operation_times){began, done};
}

void operation_parts(struct operation *o, struct wait_parts p)
{
	o->time = operation_time(p.time);
	o->before = p.before;
	o->after = p.after;
	o->latency = p.latency;
	o->core = p.core;
	o->switched = p.switched;
	o->others = p.others;
}

uint32_t operation_post(const struct operation_making *k, uint32_t thread, int64_t time)
{
	return moment_number(&k->facts->posts, thread, time);
}

uint8_t operation_unknown_share(int64_t unknown, int64_t all)
{
	return all > 0 ? (uint8_t)((double)unknown / (double)all * ALL_UNKNOWN + 0.5) : 0;
}

struct kept_time operation_length(const struct operation_making *k, uint32_t thread, size_t *cursor,
				  int64_t from, int64_t to)
{
	const struct speeds *s = k->rules->speeds;
	double all = (double)(to - from);

	return s ? speeds_length(s, s->first[thread + 1], cursor, from, to)
		 : (struct kept_time){all, all};
}

double operation_work_until(struct operation_making *k, uint32_t thread, int64_t from, int64_t to)
{
	const struct timeline *l = &k->model->graph->threads[thread];
	double sum = 0, recorded = 0, cost;

	for (; k->stretch < l->n && l->stretches[k->stretch].from < to; k->stretch++) {
		const struct stretch *s = &l->stretches[k->stretch];
		int64_t end = stretch_end(l, k->stretch);
		int64_t a = s->from > from ? s->from : from, b = end < to ? end : to;

		if (s->activity == ACTIVITY_RUNNING && a < b) {
			sum += operation_length(k, thread, &k->speed, a, b).running;
			recorded += (double)(b - a);
		}
		if (end > to)
			break;
	}
	k->result->others.running += recorded;
	share_computed(&k->share, k->result, recorded, sum);
	if (!k->rules->without_cost || from >= to)
		return sum;
	cost = event_counter_cost(&k->events, to);
	if (recorded <= cost)
		return 0;
	return sum == recorded ? recorded - cost : sum * (recorded - cost) / recorded;
}

bool operation_is_handed_items(const struct operation_making *k, uint32_t thread)
{
	const struct hand_out *h = k->rules->hand_out;

	return h && h->first_mark[thread] < h->first_mark[thread + 1];
}
