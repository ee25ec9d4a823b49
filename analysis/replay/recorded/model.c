#include "analysis/replay/recorded/model.h"
#include "analysis/replay/recorded/contention.h"
#include "analysis/replay/recorded/told_to_end.h"
#include "analysis/states/processors.h"
#include "base/search.h"
#include <stdlib.h>

static void holds_find(struct model *m)
{
	uint32_t nthreads = m->trace->nthreads;
	size_t n = 0;

	for (uint32_t t = 0; t < nthreads; t++)
		n += instance_spans(m->set, SPANS_HOLD, t)->n;
	m->holds.at = vector_reserve(NULL, n, &m->holds.room, sizeof *m->holds.at);
	m->first_hold = array_new(nthreads + 1, sizeof *m->first_hold);
	for (uint32_t t = 0; t < nthreads; t++) {
		const span_vector *spans = instance_spans(m->set, SPANS_HOLD, t);

		m->first_hold[t] = m->holds.n;
		for (size_t i = 0; i < spans->n; i++)
			*vector_add(&m->holds) = (struct model_hold){
			    .start = spans->at[i].start,
			    .end = spans->at[i].end,
			    .thread = t,
			    .lock = m->set->classes.at[spans->at[i].class].lock};
	}
	m->first_hold[nthreads] = m->holds.n;
}

/* ---- states ---- */

static enum thread_state state_of(const struct model *m, const struct instance_span *s)
{
	return span_role(m->set, s)->state;
}

/* Returns the first state of a thread that may be in a time that begins then. */
static size_t state_at(const struct model *m, uint32_t thread, int64_t from)
{
	const span_vector *states = instance_spans(m->set, SPANS_STATE, thread);
	const struct instance_span *s = states->at;
	size_t i = lower_bound(k, 0, states->n, s[k].start < from);

	/* back to the state that had begun: states without length may come after its start */
	while (i > 0 && (s[i - 1].end > from || s[i - 1].start == s[i - 1].end))
		i--;
	return i;
}

int64_t model_state_time(const struct model *m, uint32_t thread, enum thread_state state,
			 int64_t from, int64_t to)
{
	const span_vector *states = instance_spans(m->set, SPANS_STATE, thread);
	const struct instance_span *s = states->at;
	int64_t sum = 0;

	if (from >= to)
		return 0;
	for (size_t i = state_at(m, thread, from); i < states->n && s[i].start < to; i++)
		if (state_of(m, &s[i]) == state && s[i].end > from)
			sum += (s[i].end < to ? s[i].end : to) -
			       (s[i].start > from ? s[i].start : from);
	return sum;
}

int64_t model_leaves(const struct model *m, uint32_t thread, int64_t from, int64_t to)
{
	const span_vector *states = instance_spans(m->set, SPANS_STATE, thread);
	const struct instance_span *s = states->at;

	for (size_t i = state_at(m, thread, from); i < states->n && s[i].start < to; i++)
		if (state_of(m, &s[i]) != STATE_RUNNING && s[i].end > from)
			return s[i].start > from ? s[i].start : from;
	return to;
}

int64_t model_ready(const struct model *m, uint32_t thread, int64_t from, int64_t to)
{
	return readiness_waited(m->readiness, thread, from, to);
}

struct cores_change {
	int64_t time;
	int more;
};

static int by_time(const void *a, const void *b)
{
	const struct cores_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->more - y->more;
}

/* So many threads at most ran at once, but for a hundredth of the time. */
static unsigned cores_of(const struct cores_change *changes, size_t n, unsigned threads)
{
	int64_t *at = array_zero(threads + 2, sizeof *at), above = 0, busy = 0;
	unsigned running = 0, cores = threads;

	for (size_t i = 0; i + 1 < n; i++) {
		running += (unsigned)changes[i].more;
		at[running <= threads ? running : threads + 1] +=
		    changes[i + 1].time - changes[i].time;
	}
	for (unsigned i = 1; i <= threads; i++)
		busy += at[i];
	while (cores > 1 && above + at[cores] <= busy / 100)
		above += at[cores--];
	free(at);
	return cores;
}

/*
 * Without a record of the number of processors, it is taken from the threads that ran at once if
 * some of them waited for a processor. If more ran than the record allows, threads were bound to
 * different processors, and the record is of one thread's processors only; unless the times
 * at which they ran are estimated.
 */
static void cores_choose(struct model *m, unsigned recorded, unsigned at_once, bool waited)
{
	if (recorded && (recorded >= at_once || trace_has_sampled_states(m->trace))) {
		m->cores = recorded;
		m->cores_source = CORES_RECORDED;
	} else if (recorded || waited) {
		m->cores = at_once;
		m->cores_source = CORES_OBSERVED;
	}
}

static void cores_find(struct model *m)
{
	VECTOR(struct cores_change) changes = {0};
	int64_t ready = 0, running = 0, *ran = array_zero(m->trace->nthreads, sizeof *ran);

	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		const span_vector *states = instance_spans(m->set, SPANS_STATE, t);
		int64_t last = m->graph->threads[t].end;

		for (size_t i = 0; i < states->n; i++) {
			const struct instance_span *s = &states->at[i];
			int64_t end = s->end < last ? s->end : last;

			if (state_of(m, s) == STATE_READY)
				ready += end - s->start;
			if (state_of(m, s) != STATE_RUNNING)
				continue;
			running += end - s->start;
			ran[t] += end - s->start;
			*vector_add(&changes) = (struct cores_change){s->start, 1};
			*vector_add(&changes) = (struct cores_change){end, -1};
		}
	}
	if (changes.n)
		qsort(changes.at, changes.n, sizeof *changes.at, by_time);
	cores_choose(m, processors_usable_of(m->trace, ran),
		     cores_of(changes.at, changes.n, m->trace->nthreads), ready > running / 1000);
	free(changes.at);
	free(ran);
}

static void readiness_find(struct model *m)
{
	int64_t *ends = array_new(m->trace->nthreads, sizeof *ends);

	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		ends[t] = m->graph->threads[t].end;
	m->readiness = readiness_of(m->set, ends, m->cores);
	free(ends);
}

/* ---- waits and causes ---- */

uint32_t model_wait_object(const struct model *m, uint32_t thread, int64_t start)
{
	const span_vector *waits = instance_spans(m->set, SPANS_WAIT, thread);
	size_t i = lower_bound(k, 0, waits->n, waits->at[k].start < start);

	while (i + 1 < waits->n && waits->at[i + 1].start == start)
		i++;
	return i < waits->n && waits->at[i].start == start ? model_wait_lock(m, &waits->at[i])
							   : NO_LOCK;
}

static const struct model_hold *hold_ending(const struct model *m, uint32_t thread, uint32_t lock,
					    int64_t end)
{
	/* of nested holds the inner ones begin later: from the last that began before */
	size_t i = lower_bound(k, m->first_hold[thread], m->first_hold[thread + 1],
			       m->holds.at[k].start <= end);

	for (unsigned tried = 0; i > m->first_hold[thread] && tried < 64; tried++) {
		const struct model_hold *h = &m->holds.at[--i];

		if (h->lock == lock && h->end == end)
			return h;
	}
	return NULL;
}

/* Whether a cause's earlier event begins a wait that its later event ends. */
static bool is_meeting(const struct graph *g, const struct role *cause)
{
	for (unsigned i = 0; i < g->nwaits; i++)
		if (g->waits[i].start.event == cause->start.event &&
		    g->waits[i].end.event == cause->end.event)
			return true;
	return false;
}

static void cause_add(struct model *m, const struct role *role, const struct event *earlier,
		      const struct event *later, bool meeting)
{
	struct model_cause c = {
	    .waiter = trace_thread_index(m->trace, later->thread),
	    .from = trace_thread_index(m->trace, earlier->thread),
	    .time = earlier->time,
	    .lock = NO_LOCK,
	    .meeting = meeting,
	};
	const struct timeline *l = &m->graph->threads[c.waiter];
	int64_t until;

	c.stretch = stretch_caused(l, c.time, later->time);
	if (c.stretch == l->n || (c.waiter == c.from && !meeting))
		return;
	if (role->start.object >= 0) {
		uint32_t lock = lock_register_find(m->locks, role, &role->start, earlier, &until);

		if (hold_ending(m, c.from, lock, c.time))
			c.lock = lock;
	}
	if (c.time >= l->stretches[c.stretch].from &&
	    (l->stretches[c.stretch].activity == ACTIVITY_WAITING ||
	     l->stretches[c.stretch].activity == ACTIVITY_BLOCKED))
		*vector_add(&m->causes) = c;
	else if (!meeting && c.lock == NO_LOCK && c.time <= later->time)
		*vector_add(&m->needs) = (struct need){c.waiter, later->time, c.from, c.time};
}

struct cause_context {
	struct model *model;
	const struct role *role;
	bool meeting;
};

static void cause_take(void *context, const struct event *earlier, const struct event *later)
{
	const struct cause_context *a = context;

	cause_add(a->model, a->role, earlier, later, a->meeting);
}

/* Guessed wakers are causes like others. */
static void guessed_take(struct model *m)
{
	if (!m->graph->guessed.n)
		return;
	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		const struct timeline *l = &m->graph->threads[t];

		for (size_t i = 0; i < l->n; i++)
			if (l->stretches[i].guessed)
				*vector_add(&m->causes) =
				    (struct model_cause){.waiter = t,
							 .from = l->stretches[i].cause_thread,
							 .time = l->stretches[i].cause_time,
							 .stretch = i,
							 .lock = NO_LOCK};
	}
}

static int by_waiter(const void *a, const void *b)
{
	const struct model_cause *x = a, *y = b;

	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	if (x->stretch != y->stretch)
		return x->stretch < y->stretch ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static int need_order(const void *a, const void *b)
{
	const struct need *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static void causes_sort(struct model *m)
{
	if (m->causes.n)
		qsort(m->causes.at, m->causes.n, sizeof *m->causes.at, by_waiter);
}

static void causes_find(struct model *m)
{
	const struct cause_list *causes = &m->set->causes;
	size_t at = 0;

	for (unsigned i = 0; i < causes->n; i++) {
		struct cause_context a = {m, &causes->roles[i],
					  is_meeting(m->graph, &causes->roles[i])};

		cause_list_each(causes, i, cause_take, &a);
	}
	guessed_take(m);
	causes_sort(m);
	if (told_to_end_add(m))
		causes_sort(m);
	if (m->needs.n)
		qsort(m->needs.at, m->needs.n, sizeof *m->needs.at, need_order);
	m->first_cause = array_new(m->trace->nthreads + 1, sizeof *m->first_cause);
	for (uint32_t t = 0; t <= m->trace->nthreads; t++) {
		while (at < m->causes.n && m->causes.at[at].waiter < t)
			at++;
		m->first_cause[t] = at;
	}
}

bool model_needs_in(const struct model *m, uint32_t thread, int64_t from, int64_t to)
{
	const struct need first = {.thread = thread, .time = from};
	size_t i = lower_bound(k, (size_t)0, m->needs.n, need_order(&m->needs.at[k], &first) < 0);

	return i < m->needs.n && m->needs.at[i].thread == thread && m->needs.at[i].time < to;
}

/* ---- all ---- */

struct model *model_of(const struct instance_set *set)
{
	struct model *m = array_zero(1, sizeof *m);

	m->trace = set->trace;
	m->set = set;
	m->locks = set->objects;
	m->graph = graph_from(set);
	m->unknown = unknown_waits_of(m->graph);
	holds_find(m);
	cores_find(m);
	readiness_find(m);
	causes_find(m);
	contention_find(m);
	m->deadlines = deadlines_of(m->trace);
	m->limits = limits_of(m->trace);
	lock_register_name(m->locks);
	return m;
}

static void reasons_forget(struct model *m)
{
	if (m->reasons)
		m->reasons_free(m->reasons);
	m->reasons = NULL;
}

struct readiness *model_set_readiness(struct model *m, struct readiness *r)
{
	struct readiness *before = m->readiness;

	m->readiness = r;
	reasons_forget(m);
	return before;
}

void model_set_limits(struct model *m, size_t n)
{
	m->limits.n = n;
	reasons_forget(m);
}

void model_free(struct model *m)
{
	reasons_forget(m);
	unknown_waits_free(m->unknown);
	graph_free(m->graph);
	free(m->holds.at);
	free(m->first_hold);
	free(m->contended.at);
	readiness_free(m->readiness);
	free(m->causes.at);
	free(m->needs.at);
	free(m->deadlines.at);
	free(m->limits.at);
	free(m->first_cause);
	free(m);
}
