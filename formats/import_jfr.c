/*
 * Recordings of Java's Flight Recorder. The Java program in formats/java reads them by
 * jdk.jfr.consumer, and prints lines, which are read here; ReadJfr.java says what they are.
 */
#include "base/array.h"
#include "base/hash.h"
#include "base/path.h"
#include "formats/import.h"
#include "formats/jfr_types.h"
#include "formats/jfr_workers.h"
#include "formats/logs_stacks.h"
#include <stdlib.h>
#include <unistd.h>

enum { ENDS_MOST = 3, ERRNO_TIMEDOUT = 110 };

/* A stack of the recording: its functions, until it is logged. */
struct jfr_stack {
	VECTOR(char *) functions; /* innermost first; NULL: cut off there */
	uint32_t number;
	uint64_t code; /* of the innermost function that is not the JDK's; else of the innermost */
};

struct jfr {
	struct import_input *in;
	struct logs *logs;
	struct logs_process *process;
	struct stacks stacks;
	VECTOR(struct jfr_type) types;
	VECTOR(struct jfr_stack) stack_list;
	VECTOR(char *) classes; /* of objects */
	struct hash_table by_address;
	struct jfr_workers workers;
	const struct logs_event *thread_start, *thread_end;
	uint64_t spans, objects_named;
	bool ended;
};

static bool jfr_recognise(const struct import_input *in)
{
	return !in->directory && in->nhead >= 4 && memcmp(in->head, "FLR", 4) == 0;
}

/* ---- the command ---- */

static bool jfr_command(struct import_input *in, const char **argv)
{
	static char *jar; /* the arguments stay valid */

	jar = path_installed("../lib/glimpse", JARS_FOLDER, "glimpse-jfr.jar");
	if (!jar)
		return import_built_without(in, "a JDK", "openjdk-17-jdk-headless");
	argv[0] = "java";
	argv[1] = "-XX:+UseSerialGC";
	argv[2] = "-cp";
	argv[3] = jar;
	argv[4] = "glimpse.formats.ReadJfr";
	argv[5] = in->path;
	return true;
}

/* ---- types, threads, stacks, objects ---- */

/* The first types of threads that begin and end. */
static void thread_type_note(struct jfr *j, const struct jfr_type *t)
{
	if (!j->thread_start && strcmp(t->name, "jdk.ThreadStart") == 0)
		j->thread_start = t->event;
	else if (!j->thread_end && strcmp(t->name, "jdk.ThreadEnd") == 0)
		j->thread_end = t->event;
}

static bool type_read(struct jfr *j, const struct json_value *v)
{
	struct jfr_type t;
	bool good = jfr_type_make(j->logs, v, &t);

	*vector_add(&j->types) = t;
	if (good)
		thread_type_note(j, &t);
	return good;
}

static struct logs_process *process_of(struct jfr *j)
{
	if (!j->process)
		j->process = logs_process(j->logs, 0, "java");
	return j->process;
}

/* Names the process by the main class or jar. */
static void process_read(struct jfr *j, const struct json_value *v)
{
	const char *arguments = json_text_of(json_member(v, "arguments"), "");
	char *first = text_format("%.*s", (int)strcspn(arguments, " "), arguments),
	     *name = path_name(*first ? first : "java");

	logs_process_number(process_of(j), (uint32_t)json_integer_of(v->first, 0));
	logs_process_name(process_of(j), name);
	free(first);
	free(name);
}

static struct logs_thread *thread_of(struct jfr *j, uint64_t tid)
{
	struct logs_thread *t = logs_thread(process_of(j), tid);

	if (tid == 0) {
		logs_thread_name(t, "JVM");
		jfr_worker_add(&j->workers, t, tid);
	}
	return t;
}

static void thread_read(struct jfr *j, const struct json_value *v)
{
	uint64_t tid = (uint64_t)json_integer_of(v->first, 0);
	struct logs_thread *t = thread_of(j, tid);

	logs_thread_name(t, json_text_of(json_member(v, "name"), ""));
	if (!json_integer_of(json_member(v, "java"), 0))
		jfr_worker_add(&j->workers, t, tid);
}

static void stack_read(struct jfr *j, const struct json_value *v)
{
	struct jfr_stack *s;

	vector_add(&j->stack_list);
	s = &j->stack_list.at[j->stack_list.n - 1];
	v = json_member(v, "frames");
	for (v = v ? v->first : NULL; v; v = v->next) {
		const char *function = json_text_of(v, "");
		char *copy = *function ? text_format("%s", function) : NULL;

		*vector_add(&s->functions) = copy;
	}
}

static void stack_functions_free(struct jfr_stack *s)
{
	for (size_t i = 0; i < s->functions.n; i++)
		free(s->functions.at[i]);
	free(s->functions.at);
	s->functions.at = NULL;
	s->functions.n = 0;
}

static bool is_of_the_jdk(const char *function)
{
	static const char *const packages[] = {"java.", "jdk.", "sun."};

	for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
		if (strncmp(function, packages[i], strlen(packages[i])) == 0)
			return true;
	return false;
}

/*
 * Returns the code where a stack is for people: what called the JDK, such as the caller of
 * Object.wait().
 */
static uint64_t stack_code(struct jfr *j, const struct jfr_stack *s)
{
	const char *function = s->functions.at[0];

	for (size_t i = 0; i < s->functions.n && s->functions.at[i]; i++)
		if (!is_of_the_jdk(s->functions.at[i])) {
			function = s->functions.at[i];
			break;
		}
	return function ? logs_code(process_of(j), function) : 0;
}

/* Logs a stack when an event first has it. Returns NULL of none. */
static const struct jfr_stack *stack_log(struct jfr *j, struct logs_thread *t, int64_t time,
					 int64_t number)
{
	struct jfr_stack *s;

	if (number <= 0 || (size_t)number > j->stack_list.n)
		return NULL;
	s = &j->stack_list.at[number - 1];
	if (s->functions.n)
		s->code = stack_code(j, s);
	for (size_t i = s->functions.n; i-- > 0;)
		s->number = stacks_add(&j->stacks, t, time, s->number, s->functions.at[i]);
	stack_functions_free(s);
	return s;
}

/* Names an object by its class and a number; again where another class has come to its address. */
static void object_name(struct jfr *j, int64_t time, uint64_t address, const char *class)
{
	struct hash_slot *slot;
	char *name, **known_class;

	if (!address || !*class)
		return;
	slot = hash_table_slot(&j->by_address, hash_mix(address), address);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)j->classes.n;
		slot->tail = 0;
		*vector_add(&j->classes) = text_format("%s", "");
	}
	known_class = &j->classes.at[slot->head];
	if (strcmp(*known_class, class) == 0)
		return;
	free(*known_class);
	*known_class = text_format("%s", class);
	name = text_format("%s %llu", class, (unsigned long long)++j->objects_named);
	logs_address_name(process_of(j), time, address, name);
	free(name);
}

/* ---- events ---- */

/* An event, and what it is written with. */
struct jfr_event {
	struct jfr_type *type;
	struct logs_thread *thread;
	int64_t time, lasts;
	struct logs_value values[JFR_FIELDS];
	unsigned own; /* values before those of the fields */
	uint64_t span;
};

static struct logs_value value_of(enum type type, const struct json_value *v)
{
	char *made;

	if (type == TYPE_DOUBLE)
		return logs_real(json_real_of(v, 0));
	return json_logs_value(v, &made);
}

static bool values_read(struct jfr_event *e, const struct json_value *v)
{
	unsigned n = 0;

	for (v = v ? v->first : NULL; v && n < e->type->nfields; v = v->next, n++) {
		enum type type = e->type->types[n];

		if (type != TYPE_DOUBLE &&
		    v->kind != (type == TYPE_STRING ? JSON_TEXT : JSON_NUMBER))
			return false;
		e->values[e->own + n] = value_of(type, v);
	}
	return !v && n == e->type->nfields;
}

/*
 * Logs in the thread that ended a wait that it did so; when it did is not known, but at the end of
 * the wait.
 */
static bool culprit_log(struct jfr *j, const struct jfr_event *e, uint64_t tid)
{
	const struct logs_value span = logs_natural(e->span);

	if (!tid)
		return true;
	if (!e->type->culprit_event && !jfr_culprit_make(j->logs, e->type))
		return false;
	logs_write(thread_of(j, tid), e->time + e->lasts - (e->lasts > 0), e->type->culprit_event,
		   &span);
	return true;
}

static bool end_log(struct jfr *j, const struct jfr_event *e)
{
	const struct jfr_type *t = e->type;
	const struct logs_value *fields = e->values + e->own;
	struct logs_value values[ENDS_MOST] = {logs_natural(e->span)};
	uint64_t by = t->culprit >= 0 ? fields[t->culprit].natural : 0;
	unsigned n = 1;

	if (!culprit_log(j, e, by))
		return false;
	if (t->culprit >= 0)
		values[n++] = logs_natural(by);
	if (t->timed_out >= 0)
		values[n] = logs_integer(fields[t->timed_out].natural ? ERRNO_TIMEDOUT : 0);
	logs_write(e->thread, e->time + e->lasts, t->end, values);
	return true;
}

static void own_values(struct jfr *j, struct jfr_event *e, const struct jfr_stack *stack)
{
	if (e->type->end)
		e->values[e->own++] = logs_natural(e->span = ++j->spans);
	if (e->type->stacks)
		e->values[e->own++] = logs_natural(stack ? stack->number : 0);
	if (e->type->coded)
		e->values[e->own++] = logs_natural(stack ? stack->code : 0);
}

static bool event_log(struct jfr *j, struct jfr_event *e)
{
	const struct jfr_type *t = e->type;
	const struct logs_value *fields = e->values + e->own;

	if (t->address >= 0 && t->class >= 0)
		object_name(j, e->time, fields[t->address].natural, fields[t->class].text.bytes);
	logs_write(e->thread, e->time, t->event, e->values);
	return !t->end || end_log(j, e);
}

static bool event_read(struct jfr *j, const struct json_value *v)
{
	int64_t type = json_integer_of(v->first, -1);
	struct jfr_event e = {.time = json_integer_of(json_member(v, "time"), 0),
			      .lasts = json_integer_of(json_member(v, "lasts"), 0)};
	int64_t end;
	uint64_t tid;

	if (e.lasts < 0 || __builtin_add_overflow(e.time, e.lasts, &end))
		return import_fail(j->in, "an event has no such duration");
	if (type < 0 || (size_t)type >= j->types.n)
		return import_fail(j->in, "an event is of no type");
	e.type = &j->types.at[type];
	tid = (uint64_t)json_integer_of(json_member(v, "thread"), 0);
	e.thread = thread_of(j, tid);
	own_values(j, &e,
		   stack_log(j, e.thread, e.time, json_integer_of(json_member(v, "stack"), 0)));
	if (!values_read(&e, json_member(v, "values")))
		return import_fail(j->in, "an event has not the values of its type");
	if (e.time >= 0)
		logs_realtime(j->logs, e.time, e.time);
	jfr_worker_note(&j->workers, tid, e.time, end);
	return event_log(j, &e);
}

static bool line_read(void *context, const char *where, const struct json_value *v)
{
	struct jfr *j = context;
	const char *what = v->kind == JSON_OBJECT && v->first ? v->first->key : where;

	if (strcmp(what, "event") == 0)
		return event_read(j, v);
	if (strcmp(what, "type") == 0)
		return type_read(j, v);
	if (strcmp(what, "stack") == 0)
		stack_read(j, v);
	else if (strcmp(what, "thread") == 0)
		thread_read(j, v);
	else if (strcmp(what, "process") == 0)
		process_read(j, v);
	else if (strcmp(what, "end") == 0)
		j->ended = true;
	else if (strcmp(what, "error") == 0)
		return import_fail(j->in, "%s", json_text_of(json_member(v, "text"), ""));
	return true;
}

/* ---- all ---- */

static void lives_make(const struct jfr *j)
{
	if (j->thread_start && j->thread_end)
		logs_text(
		    j->logs,
		    "interval %s [ s:%s -> e:%s ] = rectangle (kind \"life\", label \"thread\");\n",
		    logs_interval_name(j->logs, "Thread"), logs_event_name(j->thread_start),
		    logs_event_name(j->thread_end));
}

static void jfr_free(struct jfr *j)
{
	for (size_t i = 0; i < j->types.n; i++)
		jfr_type_free(&j->types.at[i]);
	for (size_t i = 0; i < j->stack_list.n; i++)
		stack_functions_free(&j->stack_list.at[i]);
	for (size_t i = 0; i < j->classes.n; i++)
		free(j->classes.at[i]);
	jfr_workers_free(&j->workers);
	free(j->types.at);
	free(j->stack_list.at);
	free(j->classes.at);
	hash_table_free(&j->by_address);
	stacks_end(&j->stacks);
}

static bool jfr_read(struct import_input *in, struct logs *l)
{
	struct jfr j = {.in = in, .logs = l};
	bool good;

	stacks_begin(&j.stacks, l);
	good = json_read(in, true, line_read, &j, NULL);
	if (good && !j.ended)
		good = import_fail(in, "java, which reads it, has ended too early");
	if (good)
		lives_make(&j);
	good = good && jfr_workers_log(&j.workers, l);
	jfr_free(&j);
	return good;
}

const struct import_format import_jfr = {
    .name = "jfr",
    .summary = "recordings of Java's Flight Recorder (.jfr)",
    .recognise = jfr_recognise,
    .command = jfr_command,
    .read = jfr_read,
};
