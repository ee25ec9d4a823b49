#include "analysis/activity/own_calls.h"
#include <stdlib.h>

struct own_visiting {
	const struct instance_set *set;
	own_call_visit *visit;
	void *context;
};

static void own_visit(const struct own_visiting *v, uint32_t class, int64_t from, int64_t to)
{
	if (from < to)
		v->visit(v->context, class, from, to);
}

/* Calls of the log, by their starts. */
static void logged_each(const struct own_visiting *v, const span_vector *calls)
{
	span_vector open = {0};
	int64_t now = INT64_MIN;

	for (size_t i = 0; i <= calls->n; i++) {
		int64_t next = i < calls->n ? calls->at[i].start : INT64_MAX;

		while (open.n && open.at[open.n - 1].end <= next) {
			const struct instance_span *call = &open.at[--open.n];

			own_visit(v, call->class, now, call->end);
			if (call->end > now)
				now = call->end;
		}
		if (i == calls->n)
			break;
		if (open.n && span_is_of_run_time(v->set, &calls->at[i]))
			continue;
		if (open.n)
			own_visit(v, open.at[open.n - 1].class, now, next);
		now = next;
		*vector_add(&open) = calls->at[i];
	}
	free(open.at);
}

static void sampled_each(const struct own_visiting *v, const struct sampled_calls *calls)
{
	for (size_t i = 0; i < calls->moments.n; i++) {
		const struct sampled_node *node = &calls->nodes.at[calls->moments.at[i].node];
		int64_t to = i + 1 < calls->moments.n ? calls->moments.at[i + 1].from : INT64_MAX;

		while (node->depth > 1 && v->set->classes.at[node->class].of_run_time)
			node = &calls->nodes.at[node->caller];
		if (node->depth)
			own_visit(v, node->class, calls->moments.at[i].from, to);
	}
}

void own_calls_each(const struct instance_set *s, uint32_t thread, own_call_visit *visit,
		    void *context)
{
	struct own_visiting v = {s, visit, context};

	logged_each(&v, instance_spans(s, SPANS_CALL, thread));
	if (s->sampled)
		sampled_each(&v, &s->sampled[thread]);
}
