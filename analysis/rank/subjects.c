#include "analysis/rank/subjects.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <inttypes.h>
#include <stdlib.h>

static const char *const kind_names[NSUBJECTS] = {"function", "interval", "lock", "site", "thread"};

const char *subject_kind_name(enum subject_kind kind)
{
	return kind_names[kind];
}

struct collecting {
	struct trace *trace;
	const struct graph *graph;
	struct subjects *subjects;
	struct hash_table known;        /* by kind and key */
	struct span_list spans;         /* number: of the subject */
	/* What is being added: */
	enum subject_kind kind;
	const struct role *role;
};

static uint32_t subject_find(struct collecting *c, int64_t key, const char *name)
{
	struct hash_slot *slot = hash_table_slot(&c->known, hash_mix((uint64_t)key), c->kind);
	struct subjects *s = c->subjects;

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)s->n;
		s->at = vector_reserve(s->at, s->n + 1, &s->room, sizeof *s->at);
		s->at[s->n++] = (struct subject){.kind = c->kind, .name = name};
	}
	return slot->head;
}

/* ---- instances ---- */

/* The attribute that names the subject; -1: the interval itself does. */
static int naming_attribute(const struct collecting *c)
{
	switch (c->kind) {
	case SUBJECT_FUNCTION:
	case SUBJECT_SITE:
		return c->role->start.code[0];
	case SUBJECT_LOCK:
		return c->role->start.object;
	default:
		return -1;
	}
}

static uint32_t instance_subject(void *context, const struct event *start)
{
	struct collecting *c = context;
	int attribute = naming_attribute(c);
	int64_t key;

	if (attribute < 0)
		return subject_find(c, symbols_number(c->trace, c->role->interval->name),
				    c->role->interval->name);
	key = address_key(c->trace, start, (unsigned)attribute);
	return subject_find(c, key, address_key_text(c->trace, key));
}

/* A line within a thread that says nothing of its kind leads from one event to another, no more. */
static bool takes_time(const struct role *r)
{
	return r->kind != KIND_NONE || r->interval->connection != CONNECTION_LINE;
}

static void roles_add(struct collecting *c, enum subject_kind as, enum interval_kind kind)
{
	unsigned n;
	struct role *roles = roles_of_kind(c->trace->spec, kind, &n);

	c->kind = as;
	for (unsigned i = 0; i < n; i++) {
		c->role = &roles[i];
		if (roles[i].same_thread && takes_time(&roles[i]))
			span_list_add(&c->spans, c->trace, &roles[i], instance_subject, c);
	}
	free(roles);
}

static void intervals_add(struct collecting *c)
{
	static const enum interval_kind kinds[] = {KIND_NONE, KIND_WORK, KIND_WAIT, KIND_HOLD,
						   KIND_IO,   KIND_PHASE, KIND_SPIN};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		roles_add(c, SUBJECT_INTERVAL, kinds[i]);
}

static void sites_add(struct collecting *c)
{
	static const enum interval_kind kinds[] = {KIND_WAIT, KIND_HOLD, KIND_IO, KIND_SPIN};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		roles_add(c, SUBJECT_SITE, kinds[i]);
}

/* ---- functions: the innermost call has the time ---- */

static void own_time_add(struct span_list *to, const struct listed_span *call, int64_t from, int64_t end)
{
	if (from < end)
		*vector_add(&to->all) = (struct listed_span){from, end, call->thread, call->number};
}

/* Calls of one thread, by their starts, become the spans in which each is the innermost. */
static void calls_part(struct span_list *to, const struct listed_span *calls, size_t n)
{
	VECTOR(struct listed_span) open = {0};
	int64_t now = INT64_MIN;

	for (size_t i = 0; i <= n; i++) {
		int64_t next = i < n ? calls[i].start : INT64_MAX;

		while (open.n && open.at[open.n - 1].end <= next) {
			const struct listed_span *call = &open.at[--open.n];

			own_time_add(to, call, now, call->end);
			if (call->end > now)
				now = call->end;
		}
		if (i == n)
			break;
		if (open.n)
			own_time_add(to, &open.at[open.n - 1], now, next);
		now = next;
		*vector_add(&open) = calls[i];
	}
	free(open.at);
}

static void functions_add(struct collecting *c)
{
	struct span_list calls = {0}, all = c->spans;

	c->spans = calls;
	roles_add(c, SUBJECT_FUNCTION, KIND_CALL);
	calls = c->spans;
	c->spans = all;
	span_list_sort(&calls, c->trace);
	for (uint32_t t = 0; t < c->trace->nthreads; t++)
		calls_part(&c->spans, calls.all.at + calls.first[t],
			   calls.first[t + 1] - calls.first[t]);
	span_list_free(&calls);
}

/* ---- threads ---- */

/* With the number, as names are often the same. */
static const char *thread_text(const struct trace *t, uint32_t thread)
{
	char *text = text_format("%s (%" PRIu32 ")", t->threads[thread].name,
				 t->threads[thread].number);
	const char *kept = symbols_numbered(t, symbols_number(t, text));

	free(text);
	return kept;
}

static void threads_add(struct collecting *c)
{
	c->kind = SUBJECT_THREAD;
	for (uint32_t t = 0; t < c->trace->nthreads; t++) {
		const struct timeline *l = &c->graph->threads[t];
		uint32_t number;

		if (!l->n)
			continue;
		number = subject_find(c, t, thread_text(c->trace, t));
		for (size_t i = 0; i < l->n; i++)
			if (l->stretches[i].activity <= ACTIVITY_READY)
				*vector_add(&c->spans.all) = (struct listed_span){
				    l->stretches[i].from, stretch_end(l, i), t, number};
	}
}

/* ---- all ---- */

static int by_subject(const void *a, const void *b)
{
	const struct listed_span *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

static void spans_give(struct subjects *s, const struct graph *g)
{
	for (size_t i = 0; i < s->nspans; i++) {
		struct subject *subject = &s->at[s->spans[i].number];
		int64_t end = g->threads[s->spans[i].thread].end;

		if (subject->n++ == 0)
			subject->first = i;
		if (s->spans[i].end > end)
			s->spans[i].end = end;
	}
}

struct subjects *subjects_of(const struct graph *g, struct trace *t, unsigned kinds)
{
	struct subjects *s = array_zero(1, sizeof *s);
	struct collecting c = {.trace = t, .graph = g, .subjects = s};

	if (kinds & 1u << SUBJECT_FUNCTION)
		functions_add(&c);
	if (kinds & 1u << SUBJECT_INTERVAL)
		intervals_add(&c);
	if (kinds & 1u << SUBJECT_LOCK)
		roles_add(&c, SUBJECT_LOCK, KIND_HOLD);
	if (kinds & 1u << SUBJECT_SITE)
		sites_add(&c);
	if (kinds & 1u << SUBJECT_THREAD)
		threads_add(&c);
	hash_table_free(&c.known);
	s->spans = c.spans.all.at;
	s->nspans = c.spans.all.n;
	qsort(s->spans, s->nspans, sizeof *s->spans, by_subject);
	spans_give(s, g);
	return s;
}

void subjects_free(struct subjects *s)
{
	free(s->at);
	free(s->spans);
	free(s);
}
