#include "analysis/activity/on_time.h"
#include "base/search.h"
#include <stdlib.h>

struct on_time on_time_all(const struct trace *t)
{
	struct on_time o = {0};

	*vector_add(&o.ranges) = (struct on_range){0, t->duration};
	return o;
}

static void range_cut(struct on_time *o, int64_t from, int64_t to)
{
	struct on_time cut = {0};

	for (size_t i = 0; i < o->ranges.n; i++) {
		struct on_range r = o->ranges.at[i];

		if (r.to <= from || r.from >= to) {
			*vector_add(&cut.ranges) = r;
			continue;
		}
		if (r.from < from)
			*vector_add(&cut.ranges) = (struct on_range){r.from, from};
		if (r.to > to)
			*vector_add(&cut.ranges) = (struct on_range){to, r.to};
	}
	on_time_free(o);
	*o = cut;
}

void on_time_cut(struct on_time *o, const struct trace *t, const struct role *r)
{
	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *g = &t->gaps[i];

		if (g->kind == GAP_OFF && g->type && g->thread == EVERY_THREAD &&
		    (g->type == r->start.event || g->type == r->end.event))
			range_cut(o, g->from, g->to);
	}
}

int64_t on_time_end(const struct trace *t, const struct role *r)
{
	int64_t end = INT64_MAX;

	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *g = &t->gaps[i];

		if (g->kind == GAP_OFF && g->thread == EVERY_THREAD && g->to == t->duration &&
		    g->type == r->end.event && g->from < end)
			end = g->from;
	}
	return end;
}

int64_t on_time_within(const struct on_time *o, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (size_t i = 0; i < o->ranges.n; i++) {
		int64_t a = o->ranges.at[i].from > from ? o->ranges.at[i].from : from;
		int64_t b = o->ranges.at[i].to < to ? o->ranges.at[i].to : to;

		sum += a < b ? b - a : 0;
	}
	return sum;
}

bool on_time_has(const struct on_time *o, int64_t time)
{
	size_t i = lower_bound(k, 0, o->ranges.n, o->ranges.at[k].to < time);

	return i < o->ranges.n && o->ranges.at[i].from <= time;
}

void on_time_free(struct on_time *o)
{
	free(o->ranges.at);
}
