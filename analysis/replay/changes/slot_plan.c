#include "analysis/replay/changes/slot_plan.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include <stdlib.h>

struct slot_planning {
	const struct model *model;
	struct slot_plan *plan;
	int *takes, *gives; /* by event type: the attribute that is the semaphore; -1: none */
	uint32_t *had;      /* of a thread, by semaphore: the slots that it has now */
};

/* ---- which events take and give ---- */

/* Whether threads take objects of a name without a wait: "semaphore". */
static bool is_taken(const struct spec *spec, const char *kind)
{
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *e = spec->events[i];

		if (e->takes_attribute >= 0 &&
		    strcmp(e->attributes[e->takes_attribute].name, kind) == 0)
			return true;
	}
	return false;
}

/* Each post lets one thread take the object: a cause that is found once. */
static void gives_find(struct slot_planning *k, const struct role *cause)
{
	const struct spec *spec = k->model->trace->spec;
	const struct role_end *end = &cause->end;

	if (cause->interval->once && cause->start.object >= 0 && end->object >= 0 &&
	    is_taken(spec, end->event->attributes[end->object].name))
		k->gives[cause->start.event->index] = cause->start.object;
}

static void events_find(struct slot_planning *k)
{
	const struct spec *spec = k->model->trace->spec;
	const struct cause_list *causes = &k->model->set->causes;

	k->takes = array_new(spec->nevents, sizeof *k->takes);
	k->gives = array_new(spec->nevents, sizeof *k->gives);
	for (unsigned i = 0; i < spec->nevents; i++) {
		k->takes[i] = spec->events[i]->takes_attribute;
		k->gives[i] = -1;
	}
	for (unsigned i = 0; i < causes->n; i++)
		gives_find(k, &causes->roles[i]);
}

/* ---- what each thread takes and gives ---- */

static uint32_t semaphore_in(const struct slot_planning *k, const struct event *e, int attribute)
{
	const struct role_end end = role_end_of(e->type, attribute);

	return slot_number(k->plan, lock_register_known(k->model->locks, &end, e));
}

static void event_add(struct slot_planning *k, const struct event *e)
{
	int attribute =
	    k->takes[e->type->index] >= 0 ? k->takes[e->type->index] : k->gives[e->type->index];
	uint32_t semaphore = attribute < 0 ? NO_NUMBER : semaphore_in(k, e, attribute);

	if (semaphore != NO_NUMBER)
		*vector_add(&k->plan->events) =
		    (struct slot_event){e->time, semaphore, k->takes[e->type->index] >= 0};
}

static void thread_add(struct slot_planning *k, uint32_t thread)
{
	const struct trace *t = k->model->trace;
	struct log_cursor c;

	log_cursor_open(&c, &opened_of(t)->logs[thread]);
	while (log_cursor_next(&c))
		if (c.type != NO_TYPE)
			event_add(k, &(struct event){.time = c.time - t->origin,
						     .record = c.record,
						     .thread = t->threads[thread].number,
						     .type = t->spec->events[c.type]});
}

/* ---- whether those who give are those who took ---- */

/* A thread has one slot more or less from a time on. */
struct slot_step {
	int64_t time;
	uint32_t semaphore;
	int change;
};

static int by_time(const void *a, const void *b)
{
	const struct slot_step *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->change - y->change;
}

typedef VECTOR(struct slot_step) slot_steps;

/* Adds when a thread took slots, after a wait or not, and when it gave them back. */
static void steps_add(const struct slot_planning *k, uint32_t thread, slot_steps *steps)
{
	const struct slot_plan *p = k->plan;
	const span_vector *waits = instance_spans(k->model->set, SPANS_WAIT, thread);

	for (size_t i = p->first[thread]; i < p->first[thread + 1]; i++) {
		const struct slot_event *e = &p->events.at[i];

		*vector_add(steps) = (struct slot_step){e->time, e->semaphore, e->takes ? 1 : -1};
	}
	for (size_t i = 0; i < waits->n; i++) {
		uint32_t semaphore = slot_number(p, model_wait_lock(k->model, &waits->at[i]));

		if (semaphore != NO_NUMBER && waits->at[i].end != INT64_MAX)
			*vector_add(steps) = (struct slot_step){waits->at[i].end, semaphore, 1};
	}
}

/* Returns a semaphore that a thread posts more often than it took it; NO_NUMBER: none. */
static uint32_t signal_find(const struct slot_planning *k, const slot_steps *steps)
{
	for (size_t i = 0; i < k->plan->all.n; i++)
		k->had[i] = 0;
	for (size_t i = 0; i < steps->n; i++) {
		const struct slot_step *s = &steps->at[i];

		if (s->change < 0 && !k->had[s->semaphore])
			return s->semaphore;
		k->had[s->semaphore] += (uint32_t)s->change;
	}
	return NO_NUMBER;
}

/* Returns why a semaphore has no slots; NULL: each has. */
static char *signal_refusal(const struct slot_planning *k)
{
	uint32_t wrong = NO_NUMBER;

	for (uint32_t t = 0; t < k->model->trace->nthreads && wrong == NO_NUMBER; t++) {
		slot_steps own = {0};

		steps_add(k, t, &own);
		if (own.n)
			qsort(own.at, own.n, sizeof *own.at, by_time);
		wrong = signal_find(k, &own);
		free(own.at);
	}
	if (wrong == NO_NUMBER)
		return NULL;
	return text_format(
	    "'%s' has no slots: threads post it that did not take it, so it is a signal; change what "
	    "these threads do before they post it, with --speed or --time",
	    k->plan->all.at[wrong].object->label);
}

/* ---- all ---- */

bool slots_are_possible(const struct model *m, uint32_t object)
{
	return is_taken(m->trace->spec, m->locks->locks.at[object].kind);
}

/* Adds the semaphores that a change is about. Returns why there are none; NULL: there are. */
static char *change_add(const struct slot_planning *k, const struct slot_change *c, bool *found)
{
	const struct model *m = k->model;
	struct slot_plan *p = k->plan;

	for (uint32_t i = 0; i < p->nobjects; i++) {
		const struct lock *l = &m->locks->locks.at[i];

		if (!lock_is_called(l, c->what, c->exact))
			continue;
		*found = true;
		if (!slots_are_possible(m, i))
			return text_format("'%s' is no semaphore: only a semaphore has slots",
					   l->label);
		p->numbers[i] = (uint32_t)p->all.n;
		*vector_add(&p->all) = (struct slot_semaphore){l, c->slots};
	}
	return NULL;
}

static void threads_add(struct slot_planning *k)
{
	struct slot_plan *p = k->plan;
	uint32_t nthreads = k->model->trace->nthreads;

	p->first = array_new((size_t)nthreads + 1, sizeof *p->first);
	for (uint32_t t = 0; t < nthreads; t++) {
		p->first[t] = p->events.n;
		thread_add(k, t);
	}
	p->first[nthreads] = p->events.n;
	k->had = array_new(p->all.n, sizeof *k->had);
}

struct slot_plan *slot_plan_of(const struct model *m, const struct slot_change *changes, unsigned n,
			       const char **unknown, char **refusal)
{
	struct slot_planning k = {.model = m};

	if (!n)
		return NULL;
	k.plan = array_zero(1, sizeof *k.plan);
	k.plan->nobjects = (uint32_t)m->locks->locks.n;
	k.plan->numbers = array_new(k.plan->nobjects, sizeof *k.plan->numbers);
	for (uint32_t i = 0; i < k.plan->nobjects; i++)
		k.plan->numbers[i] = NO_NUMBER;
	*unknown = NULL;
	*refusal = NULL;
	for (unsigned i = 0; i < n && !*unknown && !*refusal; i++) {
		bool found = false;

		*refusal = change_add(&k, &changes[i], &found);
		*unknown = found ? NULL : changes[i].what;
	}
	if (!*unknown && !*refusal) {
		events_find(&k);
		threads_add(&k);
		*refusal = signal_refusal(&k);
		free(k.takes);
		free(k.gives);
		free(k.had);
	}
	if (!*unknown && !*refusal)
		return k.plan;
	slot_plan_free(k.plan);
	return NULL;
}

void slot_plan_free(struct slot_plan *p)
{
	if (!p)
		return;
	free(p->all.at);
	free(p->numbers);
	free(p->events.at);
	free(p->first);
	free(p);
}
