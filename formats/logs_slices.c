#include "formats/logs_slices.h"
#include <stdlib.h>

void slices_begin(struct slices *s, struct logs *l)
{
	*s = (struct slices){.logs = l};
	named_begin(&s->types, l);
}

/* ---- threads ---- */

struct slice_thread *slices_thread_of(struct slices *s, struct logs_thread *thread)
{
	uint64_t key = (uint64_t)(uintptr_t)thread;
	struct hash_slot *slot = hash_table_slot(&s->by_thread, hash_mix(key), key);
	struct slice_thread *t;

	if (slot->head != HASH_NOTHING)
		return s->threads.at[slot->head];
	slot->head = (uint32_t)s->threads.n;
	slot->tail = 0;
	t = array_zero(1, sizeof *t);
	t->thread = thread;
	*vector_add(&s->threads) = t;
	return t;
}

struct slice_thread *slices_thread(struct slices *s, uint32_t pid, uint64_t tid)
{
	return slices_thread_of(s, logs_thread(logs_process(s->logs, pid, NULL), tid));
}

/* Logs the ends of those slices of a thread that were over at a time. */
static void past_end(struct slice_thread *t, int64_t time)
{
	while (t->open.n && t->open.at[t->open.n - 1].end <= time) {
		const struct open_slice *s = &t->open.at[--t->open.n];

		named_write_end(t->thread, s->end, s->type, NULL);
	}
}

/* ---- events ---- */

static const struct named_type *event_log(struct slices *s, const struct slice_event *e,
					  enum named_span span)
{
	const struct named_type *type =
	    named_type(&s->types, span, e->name, e->arguments, e->narguments);

	if (type)
		named_write(&s->types, e->thread->thread, e->time, type, e->name, e->arguments,
			    e->narguments);
	return type;
}

bool slices_instant(struct slices *s, const struct slice_event *e)
{
	return event_log(s, e, SPAN_NONE) != NULL;
}

/* Returns whether a slice of the same name is open that ends earlier: its end ends this one. */
static bool is_crossed(const struct slice_thread *t, const struct named_type *type, int64_t end)
{
	enum { LOOKED_AT = 64 };

	if (end == INT64_MAX)
		return false;
	for (size_t i = t->open.n; i-- && i + LOOKED_AT >= t->open.n;)
		if (t->open.at[i].type == type && t->open.at[i].end < end)
			return true;
	return false;
}

bool slices_open(struct slices *s, const struct slice_event *e, int64_t end)
{
	const struct named_type *type;

	past_end(e->thread, e->time);
	type = event_log(s, e, SPAN_NESTED);
	s->crossed += is_crossed(e->thread, type, end);
	if (type)
		*vector_add(&e->thread->open) = (struct open_slice){type, end};
	return type != NULL;
}

void slices_close(struct slices *s, struct slice_thread *t, int64_t time, const char *name)
{
	const struct named_type *innermost;

	past_end(t, time);
	if (!t->open.n || t->open.at[t->open.n - 1].end != INT64_MAX) {
		s->ends++;
		return;
	}
	innermost = t->open.at[t->open.n - 1].type;
	s->misnamed += name && !innermost->shared && strcmp(innermost->key, name) != 0;
	t->open.at[t->open.n - 1].end = time;
	past_end(t, time);
}

bool slices_open_keyed(struct slices *s, const struct slice_event *e)
{
	const struct named_type *type = event_log(s, e, SPAN_KEYED);

	if (type && type->end)
		named_balance(&s->types, type, 1);
	return type != NULL;
}

bool slices_close_keyed(struct slices *s, const struct slice_event *e)
{
	const struct named_type *type =
	    named_type(&s->types, SPAN_KEYED, e->name, e->arguments, e->narguments);

	if (type && type->end) {
		named_balance(&s->types, type, -1);
		named_write_end(e->thread->thread, e->time, type, &e->arguments[0].value);
	}
	return type != NULL;
}

/* ---- flows ---- */

/* All flows share the types of their events: a flow is told by its name and id. */
static bool flows_make(struct slices *s)
{
	static const struct logs_field fields[] = {{"name", TYPE_STRING}, {"id", TYPE_STRING}};

	if (s->flow_start)
		return true;
	s->flow_start = logs_event_make(s->logs, "flow start", fields, 2, NULL);
	s->flow_step = logs_event_make(s->logs, "flow step", fields, 2, NULL);
	s->flow_end = logs_event_make(s->logs, "flow end", fields, 2, NULL);
	if (!s->flow_end)
		return false;
	logs_text(
	    s->logs,
	    "interval Flow [ s:%s -> e:%s ] where s.name == e.name && s.id == e.id && s.process >= 0\n"
	    "\t= line (kind \"cause\", label \"flow\");\n",
	    logs_event_name(s->flow_start), logs_event_name(s->flow_end));
	return true;
}

bool slices_flow(struct slices *s, const struct slice_event *e, enum slice_flow kind,
		 const struct logs_value *id)
{
	struct logs_value values[] = {logs_bytes(e->name, strlen(e->name)), *id};

	if (!flows_make(s))
		return false;
	logs_write(e->thread->thread, e->time,
		   kind == FLOW_START  ? s->flow_start
		   : kind == FLOW_STEP ? s->flow_step
				       : s->flow_end,
		   values);
	return true;
}

/* ---- end ---- */

static void thread_end(struct slices *s, struct slice_thread *t)
{
	while (t->open.n) {
		const struct open_slice *o = &t->open.at[--t->open.n];

		if (o->end == INT64_MAX)
			s->unended++;
		else
			named_write_end(t->thread, o->end, o->type, NULL);
	}
	free(t->open.at);
	free(t);
}

void slices_end(struct slices *s, struct import_input *in, bool good)
{
	for (size_t i = 0; i < s->threads.n; i++)
		thread_end(s, s->threads.at[i]);
	if (good) {
		import_passed_over(in, s->ends,
				   "ends of slices have no beginning: they are left out");
		import_passed_over(in, s->unended, "slices have no end");
		import_passed_over(
		    in, s->crossed,
		    "slices end after the one of their name around them: their ends are exchanged");
		import_passed_over(
		    in, s->misnamed,
		    "ends of slices have another name than the innermost slice, which they end");
	}
	named_end(&s->types, in, good);
	free(s->threads.at);
	hash_table_free(&s->by_thread);
}
