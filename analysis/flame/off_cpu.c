#include "analysis/flame/off_cpu.h"
#include "analysis/graph/span_list.h"
#include "base/parallel.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* ---- what is waited for ---- */

struct naming {
	struct off_cpu *off_cpu;
	const struct role *role;
};

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

static void place_name(const struct trace *t, struct off_cpu_wait *w, const struct event *e, unsigned code)
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

static struct off_cpu_wait wait_named(const struct naming *n, const struct event *e)
{
	const struct trace *t = n->off_cpu->trace;
	const struct role_end *start = &n->role->start;
	struct off_cpu_wait w = {.interval = n->role->interval->name};
	char buffer[ADDRESS_TEXT];

	w.name = kept(t, w.interval);
	if (start->object >= 0 && type_is_address(e->type->attributes[start->object].type))
		w.name = kept_freed(t, text_format("%s %s", w.interval,
						   address_text(t, buffer, e, (unsigned)start->object)));
	if (start->code[0] >= 0)
		place_name(t, &w, e, (unsigned)start->code[0]);
	return w;
}

static uint32_t wait_number(void *context, const struct event *e)
{
	struct naming *n = context;
	const struct trace *t = n->off_cpu->trace;
	const struct role_end *start = &n->role->start;
	uint64_t object = 0, code = 0;
	struct hash_slot *slot;

	if (start->object >= 0 && type_is_address(e->type->attributes[start->object].type))
		object = (uint64_t)address_key(t, e, (unsigned)start->object) + 1;
	if (start->code[0] >= 0)
		code = (uint64_t)address_key(t, e, (unsigned)start->code[0]) + 1;
	slot = hash_table_slot(&n->off_cpu->known, hash_mix(object << 32 ^ code),
			       hash_mix(object) ^ n->role->interval->index);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)n->off_cpu->waits.n;
		*vector_add(&n->off_cpu->waits) = wait_named(n, e);
	}
	return slot->head;
}

static uint32_t state_number(void *context, const struct event *e)
{
	(void)e;
	return *(enum thread_state *)context;
}

static void waits_collect(struct off_cpu *p, struct trace *t, struct span_list *to, enum interval_kind kind)
{
	unsigned n;
	struct role *roles = roles_of_kind(t->spec, kind, &n);

	for (unsigned i = 0; i < n; i++) {
		struct naming naming = {p, &roles[i]};

		if (roles[i].same_thread)
			span_list_add(to, t, &roles[i], wait_number, &naming);
	}
	free(roles);
}

/* Those that tell whether threads run are in the list, too. */
static void states_collect(struct trace *t, struct span_list *to)
{
	unsigned n;
	struct role *roles = roles_of_kind(t->spec, KIND_STATE, &n);

	for (unsigned i = 0; i < n; i++)
		if (roles[i].same_thread &&
		    (roles[i].state == STATE_READY || roles[i].state == STATE_RUNNING))
			span_list_add(to, t, &roles[i], state_number, &roles[i].state);
	free(roles);
}

/* ---- moments ---- */

struct pauses_making {
	struct off_cpu *off_cpu;
	const struct span_list *waits, *states;
};

/* A sweep through the time of a thread. */
struct pause_sweep {
	const struct listed_span *wait, *waits_end, *state, *states_end;
	VECTOR(const struct listed_span *) open;        /* waits, in the order of their starts */
	const struct listed_span *ready;                /* or NULL */
	VECTOR(struct call_pause) moments;
	bool states;
};

static int64_t moment_next(const struct pause_sweep *s)
{
	int64_t at = s->wait < s->waits_end ? s->wait->start : INT64_MAX;

	if (s->state < s->states_end && s->state->start < at)
		at = s->state->start;
	if (s->ready && s->ready->end < at)
		at = s->ready->end;
	for (size_t i = 0; i < s->open.n; i++)
		if (s->open.at[i]->end < at)
			at = s->open.at[i]->end;
	return at;
}

/* Ends what ends, and begins what begins, up to a time. */
static void moment_reach(struct pause_sweep *s, int64_t now)
{
	size_t left = 0;

	if (s->ready && s->ready->end <= now)
		s->ready = NULL;
	for (; s->state < s->states_end && s->state->start <= now; s->state++)
		if (s->state->number == STATE_READY && s->state->end > now)
			s->ready = s->state;
	for (; s->wait < s->waits_end && s->wait->start <= now; s->wait++)
		*vector_add(&s->open) = s->wait;
	for (size_t i = 0; i < s->open.n; i++)
		if (s->open.at[i]->end > now)
			s->open.at[left++] = s->open.at[i];
	s->open.n = left;
}

static void moment_add(struct pause_sweep *s, int64_t now)
{
	size_t wait = s->open.n ? s->open.at[s->open.n - 1]->number : 0;
	uint32_t reason = reason_of(wait, s->ready != NULL);

	if (s->moments.n && s->moments.at[s->moments.n - 1].reason == reason)
		return;
	*vector_add(&s->moments) = (struct call_pause){now, reason};
}

static void thread_sweep(void *context, size_t i, unsigned worker)
{
	const struct pauses_making *m = context;
	const struct span_list *w = m->waits, *st = m->states;
	struct pause_sweep s = {
	    .wait = w->all.at + w->first[i], .waits_end = w->all.at + w->first[i + 1],
	    .state = st->all.at + st->first[i], .states_end = st->all.at + st->first[i + 1],
	    .states = st->first[i] < st->first[i + 1],
	};

	(void)worker;
	for (int64_t now; (now = moment_next(&s)) != INT64_MAX;) {
		moment_reach(&s, now);
		moment_add(&s, now);
	}
	free(s.open.at);
	m->off_cpu->threads[i] = (struct call_pauses){s.moments.at, s.moments.n, s.states};
}

void off_cpu_make(struct off_cpu *p, struct trace *t)
{
	struct span_list waits = {0}, states = {0};
	struct pauses_making m = {p, &waits, &states};

	*p = (struct off_cpu){.trace = t};
	p->threads = array_zero(t->nthreads, sizeof *p->threads);
	vector_add(&p->waits);
	waits_collect(p, t, &waits, KIND_WAIT);
	waits_collect(p, t, &waits, KIND_IO);
	states_collect(t, &states);
	span_list_sort(&waits, t);
	span_list_sort(&states, t);
	parallel_for(t->nthreads, thread_sweep, &m);
	span_list_free(&waits);
	span_list_free(&states);
}

void off_cpu_free(struct off_cpu *p)
{
	for (unsigned i = 0; i < p->trace->nthreads; i++)
		free((void *)p->threads[i].at);
	free(p->threads);
	free(p->waits.at);
	hash_table_free(&p->known);
}
