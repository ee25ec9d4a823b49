#include "analysis/rank/subjects.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

static const char *const kind_names[NSUBJECTS] = {"function", "interval", "lock", "site", "thread"};

const char *subject_kind_name(enum subject_kind kind)
{
	return kind_names[kind];
}

struct collecting {
	struct trace *trace;
	struct subjects *subjects;
	unsigned kinds;                 /* that are wanted */
	struct hash_table known;        /* subjects, by kind and key */
	struct hash_table labels;       /* by their subjects */
	const struct role *role;        /* of what is being added */
};

static uint32_t subject_find(struct collecting *c, enum subject_kind kind, int64_t key,
			     const char *name)
{
	struct hash_slot *slot = hash_table_slot(&c->known, hash_mix((uint64_t)key), kind);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->subjects->all.n;
		*vector_add(&c->subjects->all) = (struct subject){kind, name};
	}
	return slot->head;
}

static uint32_t subject_named(struct collecting *c, enum subject_kind kind, const char *name)
{
	return subject_find(c, kind, symbols_number(c->trace, name), name);
}

static uint32_t label_find(struct collecting *c, struct span_label l)
{
	uint64_t two = (uint64_t)l.subjects[0] << 32 | l.subjects[1];
	struct hash_slot *slot = hash_table_slot(&c->labels, hash_mix(two), l.subjects[2]);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->subjects->labels.n;
		*vector_add(&c->subjects->labels) = l;
	}
	return slot->head;
}

static uint32_t label_of_one(struct collecting *c, uint32_t subject)
{
	return label_find(c, (struct span_label){{subject, NO_SUBJECT, NO_SUBJECT}});
}

/* ---- instances ---- */

/* By the text of an attribute; where there is none, by the interval. */
static uint32_t subject_of(struct collecting *c, enum subject_kind kind, const struct event *start,
			   int attribute)
{
	int64_t key;

	if (attribute < 0)
		return subject_named(c, kind, c->role->interval->name);
	key = address_key(c->trace, start, (unsigned)attribute);
	return subject_find(c, kind, key, address_key_text(c->trace, key));
}

static bool has_site(const struct role *r)
{
	return r->start.code[0] >= 0 && (r->kind == KIND_WAIT || r->kind == KIND_HOLD ||
					 r->kind == KIND_IO || r->kind == KIND_SPIN);
}

static uint32_t instance_label(void *context, const struct event *start)
{
	struct collecting *c = context;
	const struct role *r = c->role;
	struct span_label l = {{NO_SUBJECT, NO_SUBJECT, NO_SUBJECT}};
	unsigned n = 0;

	if (c->kinds & 1u << SUBJECT_INTERVAL)
		l.subjects[n++] = subject_named(c, SUBJECT_INTERVAL, r->interval->name);
	if (c->kinds & 1u << SUBJECT_LOCK && r->kind == KIND_HOLD)
		l.subjects[n++] = subject_of(c, SUBJECT_LOCK, start, r->start.object);
	if (c->kinds & 1u << SUBJECT_SITE && has_site(r))
		l.subjects[n++] = subject_of(c, SUBJECT_SITE, start, r->start.code[0]);
	return label_find(c, l);
}

static uint32_t call_label(void *context, const struct event *start)
{
	struct collecting *c = context;
	int attribute = c->role->start.code[0];
	char text[ADDRESS_TEXT];
	const char *name = attribute < 0 ? c->role->interval->name
					 : address_function(c->trace, text, start, (unsigned)attribute);
	int64_t number = symbols_number(c->trace, name);

	return label_of_one(c, subject_find(c, SUBJECT_FUNCTION, number,
					    symbols_numbered(c->trace, number)));
}

/* A line within a thread that says nothing of its kind leads from one event to another, no more. */
static bool takes_time(const struct role *r)
{
	return r->kind != KIND_NONE || r->interval->connection != CONNECTION_LINE;
}

static bool is_wanted(const struct collecting *c, const struct role *r)
{
	return r->same_thread && takes_time(r) &&
	       (c->kinds & 1u << SUBJECT_INTERVAL ||
		(c->kinds & 1u << SUBJECT_LOCK && r->kind == KIND_HOLD) ||
		(c->kinds & 1u << SUBJECT_SITE && has_site(r)));
}

static void instances_add(struct collecting *c)
{
	static const enum interval_kind kinds[] = {KIND_NONE, KIND_WORK,  KIND_WAIT, KIND_HOLD,
						   KIND_IO,   KIND_PHASE, KIND_SPIN};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		unsigned n;
		struct role *roles = roles_of_kind(c->trace->spec, kinds[k], &n);

		for (unsigned i = 0; i < n; i++) {
			c->role = &roles[i];
			if (is_wanted(c, c->role))
				span_list_add(&c->subjects->spans, c->trace, c->role,
					      instance_label, c);
		}
		free(roles);
	}
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
	struct span_list calls = {0};
	unsigned n;
	struct role *roles = roles_of_kind(c->trace->spec, KIND_CALL, &n);

	for (unsigned i = 0; i < n; i++) {
		c->role = &roles[i];
		if (c->role->same_thread)
			span_list_add(&calls, c->trace, c->role, call_label, c);
	}
	free(roles);
	span_list_sort(&calls, c->trace);
	for (uint32_t t = 0; t < c->trace->nthreads; t++)
		calls_part(&c->subjects->spans, calls.all.at + calls.first[t],
			   calls.first[t + 1] - calls.first[t]);
	span_list_free(&calls);
}

/* ---- threads ---- */

static void threads_add(struct collecting *c)
{
	for (uint32_t t = 0; t < c->trace->nthreads; t++) {
		const struct timeline *l = &c->subjects->graph->threads[t];
		uint32_t label;

		if (!l->n)
			continue;
		label = label_of_one(c, subject_find(c, SUBJECT_THREAD, t, c->trace->threads[t].label));
		for (size_t i = 0; i < l->n; i++)
			if (l->stretches[i].activity <= ACTIVITY_READY)
				*vector_add(&c->subjects->spans.all) = (struct listed_span){
				    l->stretches[i].from, stretch_end(l, i), t, label};
	}
}

/* ---- all ---- */

struct subjects *subjects_of(const struct graph *g, struct trace *t, unsigned kinds)
{
	struct subjects *s = array_zero(1, sizeof *s);
	struct collecting c = {.trace = t, .subjects = s, .kinds = kinds};

	s->graph = g;
	if (kinds & 1u << SUBJECT_FUNCTION)
		functions_add(&c);
	instances_add(&c);
	if (kinds & 1u << SUBJECT_THREAD)
		threads_add(&c);
	hash_table_free(&c.known);
	hash_table_free(&c.labels);
	span_list_sort(&s->spans, t);
	return s;
}

/* A subject's newest time, to which more may be added. */
struct subject_time {
	uint32_t thread;
	int64_t from, to;       /* from == to: none */
};

struct visiting {
	subject_visit *visit;
	void *context;
	struct subject_time *times;     /* by subject */
};

static void time_flush(const struct visiting *v, size_t subject)
{
	struct subject_time *t = &v->times[subject];

	if (t->from < t->to)
		v->visit(v->context, subject, t->thread, t->from, t->to);
}

static void time_add(const struct visiting *v, size_t subject, uint32_t thread, int64_t from, int64_t to)
{
	struct subject_time *t = &v->times[subject];

	if (t->thread == thread && t->from < t->to && from <= t->to) {
		if (to > t->to)
			t->to = to;
		return;
	}
	time_flush(v, subject);
	*t = (struct subject_time){thread, from, to};
}

void subjects_each(const struct subjects *s, const bool *chosen, subject_visit *visit, void *context)
{
	struct visiting v = {visit, context, array_zero(s->all.n, sizeof *v.times)};

	for (size_t i = 0; i < s->spans.all.n; i++) {
		const struct listed_span *span = &s->spans.all.at[i];
		const struct span_label *label = &s->labels.at[span->number];
		int64_t end = s->graph->threads[span->thread].end;

		for (unsigned k = 0; k < SUBJECTS_OF_SPAN && label->subjects[k] != NO_SUBJECT; k++)
			if (!chosen || chosen[label->subjects[k]])
				time_add(&v, label->subjects[k], span->thread, span->start,
					 span->end < end ? span->end : end);
	}
	for (size_t i = 0; i < s->all.n; i++)
		time_flush(&v, i);
	free(v.times);
}

void subjects_free(struct subjects *s)
{
	free(s->all.at);
	free(s->labels.at);
	span_list_free(&s->spans);
	free(s);
}
