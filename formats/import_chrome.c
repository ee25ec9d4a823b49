/*
 * Chrome's trace event format: "Trace Event Format", by N. Duca and D. Sinclair. Slices (B, E, X)
 * become intervals of their names, asynchronous ones (b, e) lines by their ids, flows (s, t, f)
 * causes, instants and counters events. Of a trace that we exported, its own events are restored.
 */
#include "formats/import.h"
#include "formats/json_read.h"
#include "formats/logs_restore.h"
#include "formats/logs_slices.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

struct chrome_import {
	struct import_input *in;
	struct slices slices;
	struct restore restore;
	VECTOR(struct logs_argument) arguments; /* of what is restored */
	uint64_t unknown;                       /* events of phases that are not read */
	uint64_t timeless, lengthless;
	uint64_t samples;    /* beside the events */
	VECTOR(char *) made; /* texts of the arguments of the current event */
};

static bool chrome_recognise(const struct import_input *in)
{
	const char *head = (const char *)in->head;

	if (in->directory)
		return false;
	head += strspn(head, " \t\r\n");
	/* what else is said of the trace may come before its events */
	if (*head == '{')
		return strstr(head, "\"traceEvents\"") || strstr(head, "\"displayTimeUnit\"");
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
		return json_nearest(json_real_of(v, 0) * 1000, 1e17);
	negative = *text == '-';
	for (text += negative; isdigit((unsigned char)*text) && ns < INT64_MAX / 100000; text++)
		ns = 10 * ns + (*text - '0');
	text += *text == '.';
	for (int i = 0; i < 3; i++)
		ns = 10 * ns + (isdigit((unsigned char)*text) ? *text++ - '0' : 0);
	return negative ? -ns : ns;
}

static unsigned arguments_of(struct chrome_import *c, const struct json_value *event,
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
	     v; v = v->next) {
		char *made;

		if (!named_has_room(&c->slices.types, n))
			continue;
		to[n++] = (struct logs_argument){v->key, json_logs_value(v, &made)};
		*vector_add(&c->made) = made;
	}
	return n;
}

/* ---- events ---- */

static bool flow(struct chrome_import *c, const struct slice_event *e, const struct json_value *id,
		 enum slice_flow kind)
{
	struct logs_value none = logs_bytes("", 0);

	return slices_flow(&c->slices, e, kind, id ? &e->arguments[0].value : &none);
}

static bool keyed(struct chrome_import *c, const struct slice_event *e, const struct json_value *id,
		  bool begins)
{
	if (!id) {
		c->unknown++;
		return true;
	}
	return begins ? slices_open_keyed(&c->slices, e) : slices_close_keyed(&c->slices, e);
}

static bool metadata(const struct slice_event *e, const struct json_value *v)
{
	const char *name = json_text_of(json_member(json_member(v, "args"), "name"), NULL);

	if (name && strcmp(e->name, "process_name") == 0)
		logs_process_name(logs_thread_process(e->thread->thread), name);
	else if (name && strcmp(e->name, "thread_name") == 0)
		logs_thread_name(e->thread->thread, name);
	return true;
}

static bool event_take(struct chrome_import *c, const struct slice_event *e,
		       const struct json_value *v, const struct json_value *id, char phase)
{
	int64_t length;

	switch (phase) {
	case 'B':
		return slices_open(&c->slices, e, INT64_MAX);
	case 'E':
		slices_close(&c->slices, e->thread, e->time,
			     json_text_of(json_member(v, "name"), NULL));
		return true;
	case 'X':
		length = time_of(json_member(v, "dur"));
		c->lengthless += !json_member(v, "dur");
		return slices_open(&c->slices, e, e->time + (length > 0 ? length : 0));
	case 'i':
	case 'I':
	case 'R':
	case 'C':
	case 'n':
		return slices_instant(&c->slices, e);
	case 'b':
	case 'S':
	case 'e':
	case 'F':
		return keyed(c, e, id, phase == 'b' || phase == 'S');
	case 's':
		return flow(c, e, id, FLOW_START);
	case 't':
		return flow(c, e, id, FLOW_STEP);
	case 'f':
		return flow(c, e, id, FLOW_END);
	case 'M':
		return metadata(e, v);
	default:
		c->unknown++;
		return true;
	}
}

/* Phases whose events have an id. */
static const struct json_value *id_of(const struct json_value *v, char phase)
{
	const struct json_value *id = strchr("bnestfSTFp", phase) ? json_member(v, "id") : NULL;

	return id || !strchr("bnestfSTFp", phase) ? id : json_member(v, "id2");
}

/* Returns the text of an id that is a name, as some tools have it; NULL: it is a number. */
static const char *name_of(const struct json_value *id, int64_t most)
{
	int64_t number = json_integer_of(id, -1);

	if (!id || (id->kind != JSON_TEXT && id->kind != JSON_NUMBER))
		return NULL;
	return number >= 0 && number <= most ? NULL : id->text;
}

static struct slice_thread *thread_of(struct chrome_import *c, const struct json_value *event)
{
	const struct json_value *pid = json_member(event, "pid"), *tid = json_member(event, "tid");
	const char *process = name_of(pid, UINT32_MAX), *thread = name_of(tid, INT64_MAX);
	struct logs *l = c->slices.logs;
	struct logs_process *p = process ? logs_process_named(l, process)
					 : logs_process(l, (uint32_t)json_integer_of(pid, 0), NULL);

	return slices_thread_of(&c->slices,
				thread ? logs_thread_named(p, thread)
				       : logs_thread(p, (uint64_t)json_integer_of(tid, 0)));
}

static bool event_read(struct chrome_import *c, const struct json_value *v)
{
	const char *phase = json_text_of(json_member(v, "ph"), "");
	const struct json_value *id;
	struct slice_event e;
	bool good;

	if (v->kind != JSON_OBJECT || strlen(phase) != 1)
		return import_fail(c->in, "an event has no phase 'ph' of one letter");
	id = id_of(v, *phase);
	e.thread = thread_of(c, v);
	e.name = json_text_of(json_member(v, "name"), "unnamed");
	e.time = time_of(json_member(v, "ts"));
	c->timeless += *phase != 'M' && !json_member(v, "ts");
	e.narguments = *phase == 'E' || *phase == 'M' ? 0 : arguments_of(c, v, id, e.arguments);
	good = event_take(c, &e, v, id, *phase);
	for (size_t i = 0; i < c->made.n; i++)
		free(c->made.at[i]);
	c->made.n = 0;
	return good;
}

/* ---- what we exported ---- */

/*
 * A number that is not in quotes and that a double cannot hold as a whole one is real; so is a zero
 * below 0.
 */
static struct logs_value restored_value(const struct json_value *v)
{
	double real = json_real_of(v, 0);
	char *made;

	if (v->kind == JSON_NUMBER && (fabs(real) > 0x1p53 || (real == 0 && *v->text == '-')))
		return logs_real(real);
	if (v->kind == JSON_ARRAY || v->kind == JSON_OBJECT)
		return logs_bytes("", 0);
	return json_logs_value(v, &made);
}

/* Lists the members of an object. */
static void restored_list(struct chrome_import *c, const struct json_value *object)
{
	c->arguments.n = 0;
	for (const struct json_value *v = object && object->kind == JSON_OBJECT ? object->first
										: NULL;
	     v; v = v->next)
		*vector_add(&c->arguments) = (struct logs_argument){v->key, restored_value(v)};
}

/* Takes what comes before the events. */
static void about_take(struct chrome_import *c, const struct json_value *v)
{
	if (strcmp(v->key, "glimpse") == 0) {
		restored_list(c, v);
		restore_trace(&c->restore, c->arguments.at, c->arguments.n);
	}
	for (const struct json_value *i = v->kind == JSON_ARRAY ? v->first : NULL; i; i = i->next) {
		restored_list(c, i);
		if (strcmp(v->key, "processes") == 0)
			restore_process(&c->restore, c->arguments.at, c->arguments.n);
		else if (strcmp(v->key, "threads") == 0)
			restore_thread(&c->restore, c->arguments.at, c->arguments.n);
	}
}

static bool restored_read(struct chrome_import *c, const struct json_value *v)
{
	if (strcmp(json_text_of(json_member(v, "cat"), ""), "event") != 0 ||
	    strcmp(json_text_of(json_member(v, "ph"), ""), "i") != 0)
		return true;
	if (!restore_event(&c->restore, (uint64_t)json_integer_of(json_member(v, "tid"), 0),
			   c->restore.origin + time_of(json_member(v, "ts")),
			   json_text_of(json_member(v, "name"), "")))
		return false;
	restored_list(c, json_member(v, "args"));
	restore_arguments(&c->restore, c->arguments.at, c->arguments.n);
	return true;
}

static bool part_take(void *context, const char *where, const struct json_value *v)
{
	struct chrome_import *c = context;

	if (strcmp(where, "otherData") == 0 && v->key)
		about_take(c, v);
	else if (strcmp(where, "traceEvents") == 0 || (!*where && !v->key))
		return c->restore.active ? restored_read(c, v) : event_read(c, v);
	else if (strcmp(where, "samples") == 0)
		c->samples++;
	return true;
}

static bool chrome_read(struct import_input *in, struct logs *l)
{
	struct chrome_import c = {.in = in};
	bool open = false, good;

	slices_begin(&c.slices, l);
	restore_begin(&c.restore, in, l);
	good = json_read(in, false, part_take, &c, &open);
	if (good && open)
		import_passed_over(
		    in, 1, "bracket is missing at the end: the trace may have been cut off");
	if (good) {
		import_passed_over(in, c.unknown,
				   "events of phases that are not read were left out");
		import_passed_over(in, c.timeless, "events have no time: theirs is 0");
		import_passed_over(in, c.lengthless,
				   "complete events have no duration: theirs is 0");
		import_passed_over(in, c.samples, "samples were left out");
	}
	slices_end(&c.slices, in, good);
	good = restore_end(&c.restore, good);
	free(c.arguments.at);
	free(c.made.at);
	return good;
}

const struct import_format import_chrome = {
    .name = "chrome",
    .summary = "Chrome's trace events (JSON), of chrome://tracing and many tools",
    .recognise = chrome_recognise,
    .read = chrome_read,
};
