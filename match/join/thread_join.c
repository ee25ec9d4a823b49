#include "match/join/thread_join.h"
#include <stdlib.h>

enum { FIRST_ROOM = 16 };

/* ---- what can be paired so ---- */

static enum join_rule rule_of(const struct interval *i)
{
	if (i->nested)
		return JOIN_NEWEST;
	if (i->direction == FORWARDS)
		return i->once ? JOIN_OLDEST : JOIN_ALL;
	return i->once ? JOIN_NEWEST : JOIN_LATEST;
}

static bool is_attribute(enum load_kind load)
{
	return load == LOAD_INT || load == LOAD_UINT || load == LOAD_LONG;
}

static int attribute_at(const struct event_type *type, uint32_t offset)
{
	for (unsigned i = 0; i < type->nattributes; i++)
		if (type->attributes[i].offset == offset)
			return (int)i;
	return -1;
}

static void key_set(struct join_end *end, const struct comparison *c)
{
	end->load = c->load[end->side];
	end->offset = c->offset[end->side];
	end->attribute = attribute_at(end->type, end->offset);
}

/* Whether the ends meet by the thread, and by one word of each or nothing else. */
static bool keys_find(struct join_source *s)
{
	const struct plan *p = s->plan;
	bool thread = false;

	if (!plan_is_equality(p))
		return false;
	for (unsigned i = 0; i < p->nequal; i++) {
		const struct comparison *c = &p->equal[i];

		if (c->load[0] == LOAD_THREAD && c->load[1] == LOAD_THREAD) {
			thread = true;
			continue;
		}
		if (s->keyed || !is_attribute(c->load[0]) || !is_attribute(c->load[1]) ||
		    comparison_bits(c) > 64)
			return false;
		s->keyed = true;
		key_set(&s->start, c);
		key_set(&s->end, c);
	}
	return thread;
}

static struct join_end end_of(const struct plan *plan, enum side side)
{
	const struct interval *i = plan->interval;
	const struct interval_end *end = side == SIDE_ANCHOR ? &i->anchor : &i->partner;
	const struct program *filter = plan->filter[side];

	return (struct join_end){.type = end->event,
				 .side = side,
				 .filter = program_empty(filter) ? NULL : filter,
				 .attribute = -1};
}

void join_sources_open(struct join_sources *s, const struct trace *t)
{
	*s = (struct join_sources){.trace = t};
}

const struct join_source *join_sources_add(struct join_sources *s, const struct interval *interval,
					   uint32_t number)
{
	bool forwards = interval->direction == FORWARDS;
	struct join_source source = {.number = number, .rule = rule_of(interval)};

	if (!interval->anchor.event || !interval->partner.event)
		return NULL;
	source.plan = plan_new(interval);
	source.start = end_of(source.plan, forwards ? SIDE_ANCHOR : SIDE_PARTNER);
	source.end = end_of(source.plan, forwards ? SIDE_PARTNER : SIDE_ANCHOR);
	if (!keys_find(&source)) {
		plan_free(source.plan);
		return NULL;
	}
	*vector_add(&s->sources) = source;
	return &s->sources.at[s->sources.n - 1];
}

void join_sources_drop(struct join_sources *s)
{
	plan_free(s->sources.at[--s->sources.n].plan);
}

void join_sources_ready(struct join_sources *s)
{
	const struct spec *spec = s->trace->spec;
	struct join_act *next;

	s->acts = array_zero(spec->nevents + 1, sizeof *s->acts);
	s->lists = next = array_new(2 * s->sources.n + 1, sizeof *s->lists);
	for (unsigned type = 0; type < spec->nevents; type++) {
		const struct join_act *first = next;

		for (int begins = 0; begins <= 1; begins++)
			for (uint32_t i = 0; i < s->sources.n; i++) {
				const struct join_source *source = &s->sources.at[i];

				if ((begins ? &source->start : &source->end)->type->index == type)
					*next++ = (struct join_act){i, begins};
			}
		s->acts[type] = (struct join_acts){first, (unsigned)(next - first)};
	}
}

void join_sources_close(struct join_sources *s)
{
	while (s->sources.n)
		join_sources_drop(s);
	free(s->sources.at);
	free(s->acts);
	free(s->lists);
}

/* ---- a thread ---- */

void thread_join_open(struct thread_join *j, const struct join_sources *s, size_t thread)
{
	const struct trace_thread *t = &s->trace->threads[thread];

	*j = (struct thread_join){.sources = s};
	j->operand =
	    (struct operand){.thread = t->number, .owner = t->owner, .process = t->directory};
	waiting_open(&j->waiting, FIRST_ROOM);
	thread_join_grow(j);
}

void thread_join_grow(struct thread_join *j)
{
	j->room = j->waiting.room;
	j->starts = array_resize(j->starts, j->room, sizeof *j->starts);
}

bool thread_join_filter(const struct thread_join *j, const struct join_end *end,
			const struct join_event *e)
{
	struct operand operands[2];

	operands[end->side] = j->operand;
	operands[end->side].event = end->type;
	operands[end->side].record = e->record;
	operands[end->side].time = e->time;
	return program_holds(end->filter, operands) == TRUTH_TRUE;
}

struct rest {
	const struct thread_join *join;
	VECTOR(const struct join_start *) open;
};

static void rest_add(void *context, uint64_t i)
{
	struct rest *r = context;

	if (!r->join->starts[i].met)
		*vector_add(&r->open) = &r->join->starts[i];
}

static int by_serial(const void *a, const void *b)
{
	const struct join_start *x = *(const struct join_start *const *)a;
	const struct join_start *y = *(const struct join_start *const *)b;

	return (x->serial > y->serial) - (x->serial < y->serial);
}

void thread_join_rest(const struct thread_join *j,
		      void (*open)(void *context, const struct join_start *start), void *context)
{
	struct rest r = {.join = j};

	waiting_each(&j->waiting, rest_add, &r);
	if (j->has_newest && !j->newest.met)
		*vector_add(&r.open) = &j->newest;
	if (r.open.n)
		qsort(r.open.at, r.open.n, sizeof *r.open.at, by_serial);
	for (size_t i = 0; i < r.open.n; i++)
		open(context, r.open.at[i]);
	free(r.open.at);
}

void thread_join_close(struct thread_join *j)
{
	waiting_close(&j->waiting);
	free(j->starts);
}
