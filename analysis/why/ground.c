#include "analysis/why/ground.h"
#include "analysis/why/blame.h"
#include "base/search.h"
#include "analysis/why/queues.h"
#include "analysis/why/threads.h"
#include "spec/layout.h"
#include "spec/types.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* ---- places ---- */

struct gathering {
	struct ground *ground;
	struct hash_table places;       /* by their hash */
	const struct role *role;
	struct span_list list;          /* number: place */
};

static uint64_t place_hash(const struct place *p)
{
	uint64_t h = hash_mix((uintptr_t)p->role + (uint64_t)p->state + hash_mix(p->conditions));

	h = hash_mix(h ^ (uint64_t)p->object);
	h = hash_mix(h ^ (uint64_t)p->site);
	for (unsigned i = 0; i < USER_AXES; i++)
		h = hash_mix(h ^ (uint64_t)p->user[i]);
	return h;
}

static int64_t key_of(struct trace *t, const char *text)
{
	return text ? symbols_number(t, text) : NO_KEY;
}

/* The function, file and module of a place in the program, which follow from its site. */
static void code_set(struct trace *t, struct place *p, const struct event *start)
{
	unsigned attribute = (unsigned)p->role->start.code[0];
	const char *line = address_line(t, start, attribute);
	char text[ADDRESS_TEXT];

	p->function = key_of(t, address_function(t, text, start, attribute));
	p->module = key_of(t, address_module(t, start, attribute));
	if (line) {
		char *file = text_format("%.*s", (int)strcspn(line, ":"), line);

		p->file = key_of(t, file);
		free(file);
	}
}

/* start: the event that begins what is there; NULL: a state. */
static uint32_t place_find(struct gathering *g, struct place p, const struct event *start)
{
	struct hash_slot *slot = hash_table_slot(&g->places, place_hash(&p), 0);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)g->ground->places.n;
		if (start && p.site != NO_KEY)
			code_set(g->ground->trace, &p, start);
		*vector_add(&g->ground->places) = p;
	}
	return slot->head;
}

static const struct place no_place = {.object = NO_KEY, .site = NO_KEY, .function = NO_KEY, .file = NO_KEY,
				      .module = NO_KEY};

static int64_t user_key(const struct ground *g, const struct search_axis *axis, const struct event *e)
{
	struct operand o = event_operand(g->trace, e);
	struct value v;
	char *text;
	int64_t key;

	if (type_is_symbolic(axis->event->attributes[axis->attribute].type))
		return address_key(g->trace, e, axis->attribute);
	v = record_value(axis->event, axis->attribute, o.record);
	text = v.kind == VALUE_STRING ? text_format("%.*s", (int)v.string.length, v.string.bytes)
	     : text_format("%.15g", value_real(&v));
	key = symbols_number(g->trace, text);
	free(text);
	return key;
}

static uint32_t instance_place(void *context, const struct event *start)
{
	struct gathering *g = context;
	const struct role *r = g->role;
	struct trace *t = g->ground->trace;
	struct place p = no_place;

	p.role = r;
	p.conditions = conditions_bits(&g->ground->conditions, r->interval, start);
	if (r->start.object >= 0)
		p.object = address_key(t, start, (unsigned)r->start.object);
	if (r->start.code[0] >= 0)
		p.site = address_key(t, start, (unsigned)r->start.code[0]);
	for (unsigned i = 0; i < USER_AXES; i++)
		p.user[i] = i < t->spec->naxes && t->spec->axes[i]->event == start->type
			  ? user_key(g->ground, t->spec->axes[i], start) : NO_KEY;
	return place_find(g, p, start);
}

static uint32_t state_place(struct gathering *g, enum activity state)
{
	struct place p = no_place;

	p.state = state;
	for (unsigned i = 0; i < USER_AXES; i++)
		p.user[i] = NO_KEY;
	return place_find(g, p, NULL);
}

/* ---- spans ---- */

static const enum interval_kind kinds[] = {KIND_WAIT, KIND_SPIN, KIND_IO,   KIND_HOLD,
					   KIND_WORK, KIND_CALL, KIND_PHASE, KIND_NONE};
enum { NKINDS = sizeof kinds / sizeof *kinds };

static void roles_collect(struct ground *g)
{
	for (size_t k = 0; k < NKINDS; k++) {
		unsigned n;
		struct role *roles = roles_of_kind(g->trace->spec, kinds[k], &n);

		g->roles = array_resize(g->roles, g->nroles + n + 1, sizeof *g->roles);
		for (unsigned i = 0; i < n; i++)
			if (roles[i].same_thread && (roles[i].kind != KIND_NONE ||
			    roles[i].interval->connection != CONNECTION_LINE))
				g->roles[g->nroles++] = roles[i];
		free(roles);
	}
}

static void states_add(struct gathering *g)
{
	const struct graph *graph = g->ground->graph;
	uint32_t place[NACTIVITIES];

	for (enum activity a = 0; a < NACTIVITIES; a++)
		place[a] = a == ACTIVITY_WAITING ? 0 : state_place(g, a);
	for (uint32_t t = 0; t < g->ground->trace->nthreads; t++) {
		const struct timeline *l = &graph->threads[t];

		for (size_t i = 0; i < l->n; i++) {
			const struct stretch *s = &l->stretches[i];

			if (s->activity != ACTIVITY_WAITING)
				*vector_add(&g->list.all) = (struct listed_span){
				    s->from, stretch_end(l, i), t, place[s->activity]};
		}
	}
}

static bool is_wait(const struct ground *g, const struct span_of_time *s)
{
	const struct place *p = &g->places.at[s->place];

	return p->role && (p->role->kind == KIND_WAIT || p->role->kind == KIND_SPIN);
}

/* Who let the thread go on, if that is known. */
static void blocker_set(const struct ground *g, struct span_of_time *s)
{
	const struct timeline *l = &g->graph->threads[s->thread];
	size_t i = stretch_before(l, s->to);
	const struct stretch *last = &l->stretches[i];

	s->blocker = NO_THREAD;
	if (i == l->n || last->cause_thread == NO_THREAD || last->cause_time < s->from)
		return;
	s->blocker = last->cause_thread;
	s->blocked_until = last->cause_time;
}

/* What a thread does at most between two waits of which the second is the first, gone on. */
enum { AT_ONCE = 50000 };

/* What is known of a thread behind a span. */
struct after {
	const struct span_of_time *wait;        /* the next wait of any kind */
	/* Waits that another thread ended, the next one last, without those that are part of one before. */
	VECTOR(const struct span_of_time *) caused;
	int64_t end;                            /* of the thread */
};

static bool waits_for_the_same(const struct ground *g, const struct span_of_time *a,
			       const struct span_of_time *b)
{
	const struct place *x = &g->places.at[a->place], *y = &g->places.at[b->place];

	return x->role == y->role && x->object == y->object;
}

/*
 * Sets what the thread does on its own, up to a wait for another thread that is at least half as long.
 */
static void own_time_set(struct after *a, struct span_of_time *s)
{
	s->work_to = s->to;
	while (a->caused.n) {
		const struct span_of_time *next = a->caused.at[a->caused.n - 1];

		s->work += next->from - s->work_to;
		s->work_to = next->from;
		if (2 * (next->to - next->from) >= s->to - s->from)
			return;
		s->work += next->work;
		s->work_to = next->work_to;
		a->caused.n--;
	}
	if (a->end > s->work_to)
		s->work += a->end - s->work_to;
	s->work_to = a->end;
}

/* The spans of a thread come last to first. */
static void work_set(const struct ground *g, struct after *a, struct span_of_time *s)
{
	if (!is_wait(g, s) || (a->wait && s->to > a->wait->from))
		return;
	s->again = a->wait && waits_for_the_same(g, s, a->wait) && a->wait->from - s->to < AT_ONCE;
	if (s->blocker != NO_THREAD) {
		own_time_set(a, s);
		*vector_add(&a->caused) = s;
	}
	a->wait = s;
}

/* The wait of a thread in whose time afterwards a moment is; NULL: none. */
static struct span_of_time *wait_before(struct ground *g, uint32_t thread, int64_t time)
{
	size_t next = lower_bound(i, 0, g->spans.n, g->spans.at[i].from < time);

	while (next-- > 0) {
		struct span_of_time *s = &g->spans.at[next];

		if (s->thread == thread && s->blocker != NO_THREAD && s->to <= time)
			return s->work_to >= time ? s : NULL;
	}
	return NULL;
}

/* What threads do that were created after a wait could have been done without it, too. */
static void children_add(struct ground *g)
{
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->graph->threads[t];
		struct span_of_time *s;

		if (l->creator == NO_THREAD)
			continue;
		s = wait_before(g, l->creator, l->created);
		if (s)
			s->work += l->end - l->begin;
	}
}

static int64_t ready_in(const struct ground *g, uint32_t thread, int64_t from, int64_t to)
{
	return part_until(g->ready, thread, to) - part_until(g->ready, thread, from);
}

static void delays_set(struct ground *g)
{
	int64_t *last = array_zero(g->trace->nthreads, sizeof *last);

	for (size_t i = 0; i < g->spans.n; i++) {
		struct span_of_time *s = &g->spans.at[i];

		if (s->blocker == NO_THREAD)
			continue;
		s->delay = ready_in(g, s->blocker, last[s->thread], s->blocked_until) -
			   ready_in(g, s->thread, last[s->thread], s->from);
		s->delay = s->delay > 0 ? s->delay : 0;
		last[s->thread] = s->to;
	}
	free(last);
}

static void waits_complete(struct ground *g)
{
	struct after *after = array_zero(g->trace->nthreads, sizeof *after);

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		after[t].end = g->graph->threads[t].end;
	for (size_t i = g->spans.n; i-- > 0;) {
		struct span_of_time *s = &g->spans.at[i];

		s->blocker = NO_THREAD;
		s->blame = NO_KEY;
		if (is_wait(g, s))
			blocker_set(g, s);
		work_set(g, &after[s->thread], s);
	}
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		free(after[t].caused.at);
	free(after);
	delays_set(g);
	children_add(g);
}

static int by_start(const void *a, const void *b)
{
	const struct span_of_time *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static void spans_make(struct ground *g, const struct span_list *list)
{
	g->spans.at = array_zero(list->all.n, sizeof *g->spans.at);
	for (size_t i = 0; i < list->all.n; i++) {
		const struct listed_span *s = &list->all.at[i];
		int64_t end = g->graph->threads[s->thread].end;

		g->spans.at[g->spans.n++] = (struct span_of_time){
		    .from = s->start, .to = s->end < end ? s->end : end, .thread = s->thread,
		    .place = s->number};
	}
	qsort(g->spans.at, g->spans.n, sizeof *g->spans.at, by_start);
}

/* ---- all ---- */

static struct part *ready_part(const struct graph *g)
{
	struct part *p = part_new(g->trace->nthreads);

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->threads[t];

		for (size_t i = 0; i < l->n; i++)
			if (l->stretches[i].activity == ACTIVITY_READY)
				part_add(p, t, l->stretches[i].from, stretch_end(l, i));
	}
	part_close(p);
	return p;
}

/* As recorded; or the last one that a thread ran on, and those before it; 0: not known. */
static unsigned processors_known(const struct ground *g)
{
	uint64_t used = 0;

	if (g->usable)
		return g->usable;
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		used |= g->processors[t];
	return used ? 64 - (unsigned)__builtin_clzll(used) : 0;
}

struct ground *ground_of(struct trace *t, unsigned processors, struct conditions conditions)
{
	struct ground *g = array_zero(1, sizeof *g);
	struct gathering gathering = {.ground = g};

	g->trace = t;
	g->pairs = array_zero(1, sizeof *g->pairs);
	g->conditions = conditions;
	conditions_find(&g->conditions, t);
	g->graph = graph_of(t);
	g->path = critical_path_of(g->graph);
	g->ready = ready_part(g->graph);
	g->on_path = critical_path_part(g->path, t->nthreads);
	for (unsigned i = 0; i < t->nprocesses; i++)
		if ((int64_t)t->processes[i].event_cost > g->event_cost)
			g->event_cost = (int64_t)t->processes[i].event_cost;
	g->density = density_of(t);
	threads_look(g);
	g->idle = idle_of(g->graph, processors ? processors : processors_known(g));
	roles_collect(g);
	for (unsigned i = 0; i < g->nroles; i++) {
		gathering.role = &g->roles[i];
		span_list_add(&gathering.list, t, &g->roles[i], instance_place, &gathering);
	}
	states_add(&gathering);
	hash_table_free(&gathering.places);
	spans_make(g, &gathering.list);
	free(gathering.list.all.at);
	waits_complete(g);
	blames_set(g);
	queues_set(g);
	return g;
}

void ground_free(struct ground *g)
{
	part_free(g->on_path);
	part_free(g->ready);
	idle_free_all(g->idle);
	density_free(g->density);
	critical_path_free(g->path);
	graph_free(g->graph);
	free(g->roles);
	free(g->places.at);
	free(g->spans.at);
	free(g->processors);
	free(g->groups);
	hash_table_free(g->pairs);
	free(g->pairs);
	free(g->names);
	free(g->ran_on);
	conditions_end(&g->conditions);
	free(g);
}

const char *ground_text(const struct ground *g, int64_t key)
{
	return key == NO_KEY ? "" : symbols_numbered(g->trace, key);
}
