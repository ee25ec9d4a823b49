#include "analysis/flame/off_cpu.h"
#include "analysis/activity/instance_set.h"
#include "base/parallel.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* ---- what is waited for ---- */

static const char *kept(const struct trace *t, const char *text)
{
	return symbols_numbered(t, symbols_number(t, text));
}

static const char *kept_freed(const struct trace *t, char *text)
{
	const char *result = kept(t, text);

	free(text);
	return result;
}

static void place_name(const struct trace *t, struct off_cpu_wait *w, const struct event *e,
		       unsigned code)
{
	char buffer[ADDRESS_TEXT];
	const char *line = address_line(t, e, code);
	const char *function = address_function(t, buffer, e, code);
	const char *colon = line ? strrchr(line, ':') : NULL;

	w->function = kept(t, function);
	w->line = line ? kept(t, line) : NULL;
	w->place = line ? kept_freed(t, text_format("%s (%s)", function, line)) : w->function;
	if (colon)
		w->file = kept_freed(t, text_format("%.*s", (int)(colon - line), line));
}

static struct off_cpu_wait wait_named(const struct trace *t, const struct span_class *c)
{
	const struct role_end *start = &c->role->start;
	struct off_cpu_wait w = {.interval = c->role->interval->name};
	const struct event *e = &c->first;
	char buffer[ADDRESS_TEXT];

	w.name = kept(t, w.interval);
	if (start->object >= 0 && type_is_address(e->type->attributes[start->object].type))
		w.name =
		    kept_freed(t, text_format("%s %s", w.interval,
					      address_text(t, buffer, e, (unsigned)start->object)));
	if (start->code[0] >= 0)
		place_name(t, &w, e, (unsigned)start->code[0]);
	return w;
}

/* The number of what instances of a class wait for: by interval, object and place. */
static uint32_t wait_number(struct off_cpu *p, const struct span_class *c)
{
	uint64_t object = c->object == NO_KEY ? 0 : (uint64_t)c->object + 1;
	uint64_t code = c->site == NO_KEY ? 0 : (uint64_t)c->site + 1;
	struct hash_slot *slot = hash_table_slot(&p->known, hash_mix(object << 32 ^ code),
						 hash_mix(object) ^ c->role->interval->index);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)p->waits.n;
		*vector_add(&p->waits) = wait_named(p->trace, c);
	}
	return slot->head;
}

/* By class; 0: it is no wait, but a state or spinning. */
static uint32_t *numbers_of(struct off_cpu *p, const struct instance_set *set)
{
	uint32_t *numbers = array_zero(set->classes.n, sizeof *numbers);

	for (size_t i = 0; i < set->classes.n; i++) {
		enum interval_kind kind = set->classes.at[i].role->kind;

		if (kind == KIND_WAIT || kind == KIND_IO)
			numbers[i] = wait_number(p, &set->classes.at[i]);
	}
	return numbers;
}

/* Returns the number of a wait with a stack. */
static uint32_t wait_with_stack(struct off_cpu *p, uint32_t wait, uint32_t stack)
{
	struct hash_slot *slot;
	uint32_t number;

	if (stack <= WAIT_STACK_CUT)
		return wait;
	pthread_mutex_lock(&p->mutex);
	slot = hash_table_slot(&p->with_stacks, hash_mix((uint64_t)wait << 32 | stack), 0);
	if (slot->head == HASH_NOTHING) {
		struct off_cpu_wait w = p->waits.at[wait];

		w.stack = stack;
		slot->head = (uint32_t)p->waits.n;
		*vector_add(&p->waits) = w;
	}
	number = slot->head;
	pthread_mutex_unlock(&p->mutex);
	return number;
}

/* ---- moments ---- */

struct off_cpu_making {
	struct off_cpu *off_cpu;
	const struct instance_set *set;
	const uint32_t *numbers; /* of waits, by class */
};

/* A wait that is under way. */
struct open_wait {
	int64_t end;
	uint32_t wait, stack; /* stack: 0 until it is known */
	uint32_t place;       /* among the thread's waits */
};

/* A sweep through the time of a thread. */
struct pause_sweep {
	const struct off_cpu_making *making;
	const struct instance_span *waits, *wait, *waits_end, *state, *states_end;
	uint32_t *numbers;                 /* of the thread's waits, with their stacks */
	VECTOR(struct open_wait) open;     /* in the order of their starts */
	const struct instance_span *ready; /* or NULL */
	VECTOR(struct call_pause) moments;
};

static int64_t moment_next(const struct pause_sweep *s)
{
	int64_t at = s->wait < s->waits_end ? s->wait->start : INT64_MAX;

	if (s->state < s->states_end && s->state->start < at)
		at = s->state->start;
	if (s->ready && s->ready->end < at)
		at = s->ready->end;
	for (size_t i = 0; i < s->open.n; i++)
		if (s->open.at[i].end < at)
			at = s->open.at[i].end;
	return at;
}

/* Opens the waits that have begun by `now`, and closes those that ended before `end`. */
static void waits_reach(struct pause_sweep *s, int64_t now, int64_t end)
{
	size_t left = 0;

	for (; s->wait < s->waits_end && s->wait->start <= now; s->wait++) {
		uint32_t place = (uint32_t)(s->wait - s->waits);

		if (s->making->numbers[s->wait->class])
			*vector_add(&s->open) =
			    (struct open_wait){s->wait->end, s->numbers[place], 0, place};
	}
	for (size_t i = 0; i < s->open.n; i++)
		if (s->open.at[i].end >= end)
			s->open.at[left++] = s->open.at[i];
	s->open.n = left;
}

/* A stack may be logged after its wait, too, with the time of the wait's end. */
static void stacks_join(struct pause_sweep *s, const struct wait_stack_event *stack, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct open_wait *w;

		waits_reach(s, stack[i].time, stack[i].time);
		w = s->open.n ? &s->open.at[s->open.n - 1] : NULL;
		if (!w || w->stack)
			continue;
		w->stack = stack[i].stack;
		s->numbers[w->place] = wait_with_stack(s->making->off_cpu, w->wait, w->stack);
	}
	s->open.n = 0;
	s->wait = s->waits;
}

/* Ends what ends, and begins what begins, up to a time. */
static void moment_reach(struct pause_sweep *s, int64_t now)
{
	if (s->ready && s->ready->end <= now)
		s->ready = NULL;
	for (; s->state < s->states_end && s->state->start <= now; s->state++)
		if (span_role(s->making->set, s->state)->state == STATE_READY &&
		    s->state->end > now)
			s->ready = s->state;
	waits_reach(s, now, now + 1);
}

static void moment_add(struct pause_sweep *s, int64_t now)
{
	size_t wait = s->open.n ? s->open.at[s->open.n - 1].wait : 0;
	uint32_t reason = reason_of(wait, s->ready != NULL);

	if (s->moments.n && s->moments.at[s->moments.n - 1].reason == reason)
		return;
	*vector_add(&s->moments) = (struct call_pause){now, reason};
}

/* Whether it is known when a thread could run. */
static bool has_states(const struct instance_set *set, const span_vector *states)
{
	for (size_t i = 0; i < states->n; i++)
		if (span_role(set, &states->at[i])->state != STATE_BLOCKED)
			return true;
	return false;
}

static void thread_sweep(void *context, size_t i, unsigned worker)
{
	const struct off_cpu_making *m = context;
	const span_vector *w = instance_spans(m->set, SPANS_WAIT, (uint32_t)i);
	const span_vector *st = instance_spans(m->set, SPANS_STATE, (uint32_t)i);
	struct pause_sweep s = {
	    .making = m,
	    .waits = w->at,
	    .wait = w->at,
	    .waits_end = w->at + w->n,
	    .state = st->at,
	    .states_end = st->at + st->n,
	    .numbers = array_new(w->n, sizeof *s.numbers),
	};

	(void)worker;
	for (size_t k = 0; k < w->n; k++)
		s.numbers[k] = m->numbers[w->at[k].class];
	stacks_join(&s, m->off_cpu->stacks.threads[i].at, m->off_cpu->stacks.threads[i].n);
	for (int64_t now; (now = moment_next(&s)) != INT64_MAX;) {
		moment_reach(&s, now);
		moment_add(&s, now);
	}
	free(s.open.at);
	free(s.numbers);
	m->off_cpu->threads[i] =
	    (struct call_pauses){s.moments.at, s.moments.n, has_states(m->set, st)};
}

void off_cpu_make(struct off_cpu *p, struct trace *t)
{
	struct instance_set *set =
	    instance_set_of(t, 1u << SPANS_WAIT | 1u << SPANS_STATE | SPANS_NAMED, NULL, 0);
	struct off_cpu_making m = {p, set, NULL};
	uint32_t *numbers;

	*p = (struct off_cpu){.trace = t};
	p->threads = array_zero(t->nthreads, sizeof *p->threads);
	pthread_mutex_init(&p->mutex, NULL);
	wait_stacks_find(&p->stacks, t);
	vector_add(&p->waits);
	m.numbers = numbers = numbers_of(p, set);
	parallel_for(t->nthreads, thread_sweep, &m);
	free(numbers);
	instance_set_free(set);
}

void off_cpu_free(struct off_cpu *p)
{
	for (unsigned i = 0; i < p->trace->nthreads; i++)
		free((void *)p->threads[i].at);
	free(p->threads);
	free(p->waits.at);
	hash_table_free(&p->known);
	hash_table_free(&p->with_stacks);
	wait_stacks_free(&p->stacks);
	pthread_mutex_destroy(&p->mutex);
}
