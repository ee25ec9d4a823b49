#include "analysis/activity/inner_causes.h"
#include "base/search.h"
#include "match/join/match.h"
#include <stdlib.h>

struct inner_causes {
	const struct instance_set *set;
	bool **caused; /* by thread and wait: another thread ended it */
	bool *ends;    /* by event type: it ends a wait */
	bool *gives;   /* by event type: it ends a hold */
};

/* Returns the wait of a thread that a time is in, or at the end of; its list's length: none. */
static size_t wait_at(const span_vector *waits, int64_t time)
{
	size_t next = lower_bound(i, 0, waits->n, waits->at[i].start < time);

	return next && waits->at[next - 1].end >= time ? next - 1 : waits->n;
}

/* Returns the event that ends a wait. */
static const struct event_type *end_of(const struct instance_set *s, const struct instance_span *w)
{
	return s->classes.at[w->class].role->end.event;
}

static void own_cause_take(void *context, const struct event *earlier, const struct event *later)
{
	struct inner_causes *k = context;
	uint32_t thread = trace_thread_index(k->set->trace, later->thread);
	const span_vector *waits = instance_spans(k->set, SPANS_WAIT, thread);
	size_t i = wait_at(waits, later->time);

	if (i < waits->n && earlier->thread != later->thread &&
	    end_of(k->set, &waits->at[i]) == later->type)
		k->caused[thread][i] = true;
}

static bool is_inner(const struct inner_causes *k, const struct event *later)
{
	uint32_t thread = trace_thread_index(k->set->trace, later->thread);
	const span_vector *waits = instance_spans(k->set, SPANS_WAIT, thread);
	size_t i = wait_at(waits, later->time);

	return i < waits->n && k->caused[thread][i] && k->ends[later->type->index] &&
	       end_of(k->set, &waits->at[i]) != later->type;
}

/* Whether an event ends a hold that is left out. */
static bool is_inner_release(const struct inner_causes *k, const struct event *earlier)
{
	uint32_t thread = trace_thread_index(k->set->trace, earlier->thread);
	const span_vector *waits = instance_spans(k->set, SPANS_WAIT, thread);
	size_t i = wait_at(waits, earlier->time);

	return i < waits->n && k->caused[thread][i] && k->gives[earlier->type->index] &&
	       waits->at[i].end > earlier->time;
}

static void role_drop(const struct inner_causes *k, unsigned role)
{
	const struct cause_list *causes = &k->set->causes;
	struct matches *m = causes->matches[role];
	bool forwards = causes->roles[role].start.side == SIDE_ANCHOR;

	for (size_t i = 0; i < m->count; i++) {
		struct instance in;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		if (is_inner(k, forwards ? &in.partner : &in.anchor) ||
		    is_inner_release(k, forwards ? &in.anchor : &in.partner))
			m->partner_of[i] = UNMATCHED;
	}
}

/* Whether a thread takes a lock and releases it again within a wait whose cause is known. */
static bool is_inner_hold(const struct inner_causes *k, uint32_t thread,
			  const struct instance_span *hold)
{
	const span_vector *waits = instance_spans(k->set, SPANS_WAIT, thread);
	size_t i = lower_bound(n, 0, waits->n, waits->at[n].start <= hold->start);
	const struct instance_span *wait = i ? &waits->at[i - 1] : NULL;

	return wait && k->caused[thread][i - 1] && hold->start < wait->end &&
	       hold->end > wait->start && hold->end <= wait->end;
}

static void holds_drop(const struct inner_causes *k, span_vector *holds, uint32_t thread)
{
	size_t n = 0;

	for (size_t i = 0; i < holds->n; i++)
		if (!is_inner_hold(k, thread, &holds->at[i]))
			holds->at[n++] = holds->at[i];
	holds->n = n;
}

void inner_causes_drop(struct instance_set *s)
{
	uint32_t nthreads = s->trace->nthreads;
	struct inner_causes k = {s, array_new(nthreads + 1, sizeof *k.caused),
				 array_zero(s->trace->spec->nevents + 1, sizeof *k.ends),
				 array_zero(s->trace->spec->nevents + 1, sizeof *k.gives)};

	for (uint32_t t = 0; t < nthreads; t++)
		k.caused[t] =
		    array_zero(instance_spans(s, SPANS_WAIT, t)->n + 1, sizeof **k.caused);
	for (unsigned i = 0; i < s->nwaits; i++)
		k.ends[s->roles[i].end.event->index] = true;
	for (unsigned i = 0; i < s->nlogged; i++)
		if (s->roles[i].kind == KIND_HOLD)
			k.gives[s->roles[i].end.event->index] = true;
	for (unsigned i = 0; i < s->causes.n; i++)
		cause_list_each(&s->causes, i, own_cause_take, &k);
	for (unsigned i = 0; i < s->causes.n; i++)
		role_drop(&k, i);
	for (uint32_t t = 0; t < nthreads; t++)
		holds_drop(&k, &s->lists[SPANS_HOLD * (size_t)nthreads + t], t);
	for (uint32_t t = 0; t < nthreads; t++)
		free(k.caused[t]);
	free(k.caused);
	free(k.ends);
	free(k.gives);
}
