/*
 * Chrome's trace event format: "Trace Event Format", by N. Duca and D. Sinclair. Slices (B, E, X) become
 * intervals of their names, asynchronous ones (b, e) lines by their ids, flows (s, t, f) causes, instants
 * and counters events.
 */
#include "formats/import.h"
#include "formats/json_read.h"
#include "formats/logs_named.h"
#include <ctype.h>
#include <stdlib.h>

/* A slice that is open in a thread. */
struct slice {
	const struct named_type *type;
	int64_t end; /* of X; INT64_MAX: its E has not come yet */
};

/* What is open in a thread. */
struct chrome_thread {
	struct logs_thread *thread;
	VECTOR(struct slice) open;
	int64_t last;
};

struct chrome {
	struct import_input *in;
	struct logs *logs;
	struct named_types types;
	VECTOR(struct chrome_thread) threads;
	struct hash_table by_thread;
	const struct logs_event *flow_start, *flow_step, *flow_end;
	uint64_t unknown, ends,
	    unended;         /* phases that are not read; ends without a beginning; the opposite */
	VECTOR(char *) made; /* texts of the arguments of the current event */
};

static bool chrome_recognise(const struct import_input *in)
{
	const char *head = (const char *)in->head;

	if (in->directory)
		return false;
	head += strspn(head, " \t\r\n");
	if (*head == '{')
		return strstr(head, "\"traceEvents\"") != NULL;
	return *head == '[' && strstr(head, "\"ph\"");
}

/* ---- values ---- */

/* Returns microseconds, which may have a fraction, as nanoseconds. */
static int64_t time_of(const struct json_value *v)
{
	int64_t ns = 0;
	const char *text;
	bool negative;

	if (!v || (v->kind != JSON_NUMBER && v->kind != JSON_TEXT))
		return 0;
	text = v->text;
	if (strpbrk(text, "eE"))
		return (int64_t)(json_real_of(v, 0) * 1000);
	negative = *text == '-';
	for (text += negative; isdigit((unsigned char)*text) && ns < INT64_MAX / 100000; text++)
		ns = 10 * ns + (*text - '0');
	text += *text == '.';
	for (int i = 0; i < 3; i++)
		ns = 10 * ns + (isdigit((unsigned char)*text) ? *text++ - '0' : 0);
	return negative ? -ns : ns;
}

static unsigned arguments_of(struct chrome *c, const struct json_value *event,
			     const struct json_value *id, struct logs_argument *to)
{
	const struct json_value *arguments = json_member(event, "args"),
				*category = json_member(event, "cat");
	unsigned n = 0;

	if (id) {
		char *made;

		to[n++] = (struct logs_argument){"id", json_logs_value(id, &made)};
		*vector_add(&c->made) = made;
	}
	if (category && category->kind == JSON_TEXT && category->length)
		to[n++] =
		    (struct logs_argument){"cat", logs_bytes(category->text, category->length)};
	for (const struct json_value *v =
		 arguments && arguments->kind == JSON_OBJECT ? arguments->first : NULL;
	     v && n < ARGUMENTS_MOST; v = v->next) {
		char *made;

		to[n++] = (struct logs_argument){v->key, json_logs_value(v, &made)};
		*vector_add(&c->made) = made;
	}
	return n;
}

/* ---- threads ---- */

static struct chrome_thread *thread_of(struct chrome *c, const struct json_value *event)
{
	int64_t pid = json_integer_of(json_member(event, "pid"), 0),
		tid = json_integer_of(json_member(event, "tid"), 0);
	struct hash_slot *slot =
	    hash_table_slot(&c->by_thread, hash_mix((uint64_t)tid), (uint64_t)pid);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->threads.n;
		slot->tail = 0;
		vector_add(&c->threads)->thread =
		    logs_thread(logs_process(c->logs, (uint32_t)pid, NULL), (uint64_t)tid);
	}
	return &c->threads.at[slot->head];
}

/* Logs the ends of those slices of a thread that were over at a time. */
static void slices_end(struct chrome_thread *t, int64_t time)
{
	while (t->open.n && t->open.at[t->open.n - 1].end <= time) {
		const struct slice *s = &t->open.at[--t->open.n];

		named_write_end(t->thread, s->end, s->type, NULL);
	}
}

static void slice_begin(struct chrome_thread *t, const struct named_type *type, int64_t end)
{
	*vector_add(&t->open) = (struct slice){type, end};
}

/* ---- events ---- */

/* An event, and what most of its kinds need. */
struct chrome_event {
	const struct json_value *json, *id;
	struct chrome_thread *thread;
	const char *name;
	int64_t time;
	struct logs_argument arguments[ARGUMENTS_MOST + 2];
	unsigned narguments;
};

static const struct named_type *event_log(struct chrome *c, const struct chrome_event *e,
					  enum named_span span)
{
	const struct named_type *type =
	    named_type(&c->types, span, e->name, e->arguments, e->narguments);

	if (type)
		named_write(&c->types, e->thread->thread, e->time, type, e->name, e->arguments,
			    e->narguments);
	return type;
}

static bool slice_log(struct chrome *c, const struct chrome_event *e, int64_t end)
{
	const struct named_type *type;

	slices_end(e->thread, e->time);
	type = event_log(c, e, SPAN_NESTED);
	if (type)
		slice_begin(e->thread, type, end);
	return type != NULL;
}

/* The end of the innermost slice that has none yet. */
static bool slice_close(struct chrome *c, const struct chrome_event *e)
{
	struct chrome_thread *t = e->thread;

	slices_end(t, e->time);
	if (!t->open.n || t->open.at[t->open.n - 1].end != INT64_MAX) {
		c->ends++;
		return true;
	}
	t->open.at[t->open.n - 1].end = e->time;
	slices_end(t, e->time);
	return true;
}

static bool async_close(struct chrome *c, const struct chrome_event *e)
{
	const struct named_type *type =
	    named_type(&c->types, SPAN_KEYED, e->name, e->arguments, e->narguments);

	if (type && type->end)
		named_write_end(e->thread->thread, e->time, type, &e->arguments[0].value);
	return type != NULL;
}

static bool flow_log(const struct chrome_event *e, const struct logs_event *event)
{
	struct logs_value values[] = {logs_bytes(e->name, strlen(e->name)), logs_bytes("", 0)};

	if (e->narguments && e->id)
		values[1] = e->arguments[0].value;
	logs_write(e->thread->thread, e->time, event, values);
	return true;
}

/* Flows need one type for their events: a flow is told by its name and id. */
static bool flows_make(struct chrome *c)
{
	static const struct logs_field fields[] = {{"name", TYPE_STRING}, {"id", TYPE_STRING}};

	if (c->flow_start)
		return true;
	c->flow_start = logs_event_make(c->logs, "flow start", fields, 2, NULL);
	c->flow_step = logs_event_make(c->logs, "flow step", fields, 2, NULL);
	c->flow_end = logs_event_make(c->logs, "flow end", fields, 2, NULL);
	if (!c->flow_end)
		return false;
	logs_text(c->logs,
		  "interval Flow [ s:%s -> e:%s ] where s.name == e.name && s.id == e.id\n"
		  "\t= line (kind \"cause\", label \"flow\");\n",
		  logs_event_name(c->flow_start), logs_event_name(c->flow_end));
	return true;
}

static bool flow(struct chrome *c, const struct chrome_event *e, char phase)
{
	return flows_make(c) && flow_log(e, phase == 's'   ? c->flow_start
					    : phase == 't' ? c->flow_step
							   : c->flow_end);
}

static bool metadata(const struct chrome_event *e)
{
	const char *name = json_text_of(json_member(json_member(e->json, "args"), "name"), NULL);

	if (name && strcmp(e->name, "process_name") == 0)
		logs_process_name(logs_thread_process(e->thread->thread), name);
	else if (name && strcmp(e->name, "thread_name") == 0)
		logs_thread_name(e->thread->thread, name);
	return true;
}

static bool event_take(struct chrome *c, const struct chrome_event *e, char phase)
{
	int64_t length;

	switch (phase) {
	case 'B':
		return slice_log(c, e, INT64_MAX);
	case 'E':
		return slice_close(c, e);
	case 'X':
		length = time_of(json_member(e->json, "dur"));
		return slice_log(c, e, e->time + (length > 0 ? length : 0));
	case 'i':
	case 'I':
	case 'R':
	case 'C':
	case 'n':
		return event_log(c, e, SPAN_NONE) != NULL;
	case 'b':
	case 'S':
		return e->id ? event_log(c, e, SPAN_KEYED) != NULL : (c->unknown++, true);
	case 'e':
	case 'F':
		return e->id ? async_close(c, e) : (c->unknown++, true);
	case 's':
	case 't':
	case 'f':
		return flow(c, e, phase);
	case 'M':
		return metadata(e);
	default:
		c->unknown++;
		return true;
	}
}

static bool event_read(struct chrome *c, const struct json_value *v)
{
	struct chrome_event e = {.json = v};
	const char *phase = json_text_of(json_member(v, "ph"), "");
	bool good;

	if (v->kind != JSON_OBJECT || strlen(phase) != 1)
		return import_fail(c->in, "an event has no phase 'ph' of one letter");
	e.id = strchr("bnestfSTFp", *phase) ? json_member(v, "id") : NULL;
	if (!e.id && strchr("bnestfSTFp", *phase))
		e.id = json_member(v, "id2");
	e.thread = thread_of(c, v);
	e.name = json_text_of(json_member(v, "name"), *phase == 'E' ? "" : "unnamed");
	e.time = time_of(json_member(v, "ts"));
	if (*phase != 'E' && *phase != 'M')
		e.narguments = arguments_of(c, v, e.id, e.arguments);
	good = event_take(c, &e, *phase);
	for (size_t i = 0; i < c->made.n; i++)
		free(c->made.at[i]);
	c->made.n = 0;
	return good;
}

static bool part_take(void *context, const char *where, const struct json_value *v)
{
	struct chrome *c = context;

	if (strcmp(where, "traceEvents") == 0 || (!*where && !v->key))
		return event_read(c, v);
	return true;
}

/* What is still open at the end of the file lasts to the end of its thread, if its own end is known. */
static void threads_end(struct chrome *c)
{
	for (size_t i = 0; i < c->threads.n; i++) {
		struct chrome_thread *t = &c->threads.at[i];

		while (t->open.n) {
			const struct slice *s = &t->open.at[--t->open.n];

			if (s->end == INT64_MAX)
				c->unended++;
			else
				named_write_end(t->thread, s->end, s->type, NULL);
		}
		free(t->open.at);
	}
}

static bool chrome_read(struct import_input *in, struct logs *l)
{
	struct chrome c = {.in = in, .logs = l};
	bool open = false, good;

	named_begin(&c.types, l);
	good = json_read(in, false, part_take, &c, &open);
	threads_end(&c);
	if (good && open)
		import_passed_over(
		    in, 1, "bracket is missing at the end: the trace may have been cut off");
	if (good) {
		import_passed_over(in, c.ends,
				   "ends of slices have no beginning: they are left out");
		import_passed_over(in, c.unended, "slices have no end");
		import_passed_over(in, c.unknown,
				   "events of phases that are not read were left out");
		import_passed_over(
		    in, c.types.dropped,
		    "arguments were left out, since the first event of the name has none such");
	}
	named_free(&c.types);
	free(c.threads.at);
	free(c.made.at);
	hash_table_free(&c.by_thread);
	return good;
}

const struct import_format import_chrome = {
    .name = "chrome",
    .summary = "Chrome's trace events (JSON), of chrome://tracing and many tools",
    .recognise = chrome_recognise,
    .read = chrome_read,
};
