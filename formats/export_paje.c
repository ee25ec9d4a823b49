#include "base/hash.h"
#include "base/progress.h"
#include "base/visible.h"
#include "formats/export.h"
#include "formats/thread_marks.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <inttypes.h>
#include <stdlib.h>

enum { STEP = 65536 }; /* events between two looks at the progress bar  */

/* Numbers of the definitions of Pajé's records; those of events follow. */
enum record {
	DEFINE_CONTAINER,
	DEFINE_STATE,
	DEFINE_EVENT,
	DEFINE_LINK,
	DEFINE_VARIABLE,
	DEFINE_VALUE,
	CREATE_CONTAINER,
	DESTROY_CONTAINER,
	PUSH_STATE,
	POP_STATE,
	START_LINK,
	END_LINK,
	SET_VARIABLE,
	ADD_VARIABLE,
	SUB_VARIABLE,
	NEW_EVENT,
};

struct paje {
	FILE *out;
	const struct export_request *request;
	const struct trace *trace;
	struct marks marks;
	struct hash_table locks; /* by text and process */
	uint32_t nlocks;
	const struct mark **at; /* by thread: the first mark that is not written */
	struct hash_table values;
	uint32_t nvalues;
	bool *alive; /* by thread: its container was made, and not destroyed */
	uint32_t *by_end,
	    ended; /* the threads by their last event, and how many of them are over */
};

/* ---- the header ---- */

static const char record_definitions[] =
    "%EventDef PajeDefineContainerType 0\n"
    "% Alias string\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n"
    "% Alias string\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineEventType 2\n"
    "% Alias string\n% Type string\n% Name string\n% Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineLinkType 3\n"
    "% Alias string\n% Type string\n% StartContainerType string\n"
    "% EndContainerType string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineVariableType 4\n"
    "% Alias string\n% Type string\n% Name string\n% Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 5\n"
    "% Alias string\n% Type string\n% Name string\n% Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeCreateContainer 6\n"
    "% Time date\n% Alias string\n% Type string\n"
    "% Container string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDestroyContainer 7\n"
    "% Time date\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajePushState 8\n"
    "% Time date\n% Type string\n% Container string\n% Value string\n"
    "%EndEventDef\n"
    "%EventDef PajePopState 9\n"
    "% Time date\n% Type string\n% Container string\n"
    "%EndEventDef\n"
    "%EventDef PajeStartLink 10\n"
    "% Time date\n% Type string\n% Container string\n% Value string\n"
    "% StartContainer string\n% Key string\n"
    "%EndEventDef\n"
    "%EventDef PajeEndLink 11\n"
    "% Time date\n% Type string\n% Container string\n% Value string\n"
    "% EndContainer string\n% Key string\n"
    "%EndEventDef\n"
    "%EventDef PajeSetVariable 12\n"
    "% Time date\n% Type string\n% Container string\n% Value double\n"
    "%EndEventDef\n"
    "%EventDef PajeAddVariable 13\n"
    "% Time date\n% Type string\n% Container string\n% Value double\n"
    "%EndEventDef\n"
    "%EventDef PajeSubVariable 14\n"
    "% Time date\n% Type string\n% Container string\n% Value double\n"
    "%EndEventDef\n";

/* A number is a string where Pajé's int may be too small. */
static const char *field_type(enum type t)
{
	return t == TYPE_INT ? "int" : t == TYPE_DOUBLE ? "double" : "string";
}

/* The attributes of an event are fields of its records. */
static void event_define(FILE *out, const struct event_type *e)
{
	fprintf(out,
		"%%EventDef PajeNewEvent %u\n%% Time date\n%% Type string\n%% Container string\n"
		"%% Value string\n",
		NEW_EVENT + e->index);
	for (unsigned i = 0; i < e->nattributes; i++)
		fprintf(out, "%% %s %s\n", e->attributes[i].name,
			field_type(e->attributes[i].type));
	fputs("%EndEventDef\n", out);
}

/* ---- texts ---- */

/*
 * Pajé has no escapes: a text in quotes must have neither quotes nor line breaks. PajeNG does not
 * see an empty one.
 */
static void text_write(FILE *out, const char *bytes, size_t n)
{
	putc_unlocked('"', out);
	if (!n)
		putc_unlocked(' ', out);
	for (size_t at = 0, length; at < n; at += length + 1) {
		const char *quote = memchr(bytes + at, '"', n - at);

		length = quote ? (size_t)(quote - bytes) - at : n - at;
		visible_print(out, bytes + at, length);
		if (quote)
			fputs("\\x22", out);
	}
	putc_unlocked('"', out);
}

static void string_write(FILE *out, const char *text)
{
	text_write(out, text, strlen(text));
}

static void time_write(FILE *out, enum record record, int64_t time)
{
	fprintf(out, "%d %" PRId64 ".%09" PRId64 " ", record, time / 1000000000, time % 1000000000);
}

/* ---- values ---- */

/* Colours by enum interval_kind. */
static const char *colour_of(enum interval_kind kind)
{
	static const char *const colours[] = {"0.6 0.6 0.6", "0.2 0.7 0.3", "0.8 0.2 0.2",
					      "0.6 0.3 0.7", "0.9 0.6 0.2", "0.2 0.4 0.8",
					      "0.5 0.4 0.3", "0.9 0.8 0.2", "0.5 0.7 0.9",
					      "0.8 0.3 0.7", "0.9 0.5 0.5"};

	return colours[kind];
}

/*
 * Returns the alias of a value of a type ("I3": interval 3); it is defined when it is first used.
 */
static uint32_t value_of(struct paje *p, char type, uint32_t number, const char *name,
			 const char *colour)
{
	uint32_t value =
	    hash_table_number(&p->values, (uint64_t)symbols_number(p->trace, name),
			      (uint64_t)(unsigned char)type << 32 | number, p->nvalues);

	if (value == p->nvalues) {
		p->nvalues++;
		fprintf(p->out, "%d v%" PRIu32 " %c%" PRIu32 " ", DEFINE_VALUE, value, type,
			number);
		string_write(p->out, name);
		fprintf(p->out, " \"%s\"\n", colour);
	}
	return value;
}

/* Calls are known by their functions, other intervals by their objects. */
static const char *instance_name(const struct paje *p, const struct role *r, const struct event *e,
				 char buffer[ADDRESS_TEXT])
{
	if (!r->start.event)
		return r->interval->name;
	if (r->kind == KIND_CALL && r->start.code[0] >= 0)
		return address_function(p->trace, buffer, e, (unsigned)r->start.code[0]);
	if (r->kind != KIND_CALL && r->start.object >= 0)
		return address_text(p->trace, buffer, e, (unsigned)r->start.object);
	return r->interval->name;
}

/* ---- containers ---- */

static void process_create(struct paje *p, uint32_t process)
{
	const struct trace_process *of = &p->trace->processes[process];
	char *name = trace_process_name(of);

	time_write(p->out, CREATE_CONTAINER, 0);
	fprintf(p->out, "p%" PRIu32 " P 0 ", process);
	string_write(p->out, name);
	putc_unlocked('\n', p->out);
	free(name);
}

/* PajeNG leaves out events of the very moment at which a container ends. */
static void container_destroy(struct paje *p, int64_t last, char type, uint32_t number)
{
	time_write(p->out, DESTROY_CONTAINER, last + 1);
	fprintf(p->out, "%c %c%" PRIu32 "\n", type, type - 'A' + 'a', number);
}

static void thread_create(struct paje *p, uint32_t thread, int64_t time)
{
	const struct trace_thread *t = &p->trace->threads[thread];

	p->alive[thread] = true;
	time_write(p->out, CREATE_CONTAINER, time);
	fprintf(p->out, "t%" PRIu32 " T p%" PRIu32 " ", thread, t->directory);
	string_write(p->out, t->label);
	putc_unlocked('\n', p->out);
}

/* Destroys the containers of the threads that are over before a time. */
static void threads_end(struct paje *p, int64_t time)
{
	for (; p->ended < p->trace->nthreads; p->ended++) {
		uint32_t thread = p->by_end[p->ended];

		if (p->trace->threads[thread].last >= time)
			return;
		if (p->alive[thread])
			container_destroy(p, p->trace->threads[thread].last, 'T', thread);
	}
}

/* Returns the container of what is held, made when it is first held. */
static uint32_t lock_of(struct paje *p, const struct event *e, int attribute, uint32_t thread)
{
	uint32_t process = p->trace->threads[thread].directory;
	int64_t text = address_key(p->trace, e, (unsigned)attribute);
	uint32_t lock = hash_table_number(&p->locks, (uint64_t)text, process, p->nlocks);

	if (lock == p->nlocks) {
		p->nlocks++;
		time_write(p->out, CREATE_CONTAINER, e->time);
		fprintf(p->out, "k%" PRIu32 " K p%" PRIu32 " ", lock, process);
		string_write(p->out, address_key_text(p->trace, text));
		putc_unlocked('\n', p->out);
	}
	return lock;
}

static int end_order(const void *left, const void *right, void *context)
{
	const struct trace_thread *threads = context;
	int64_t a = threads[*(const uint32_t *)left].last,
		b = threads[*(const uint32_t *)right].last;

	return (a > b) - (a < b);
}

static void threads_begin(struct paje *p)
{
	uint32_t n = p->trace->nthreads;

	p->alive = array_zero(n, sizeof *p->alive);
	p->by_end = array_new(n, sizeof *p->by_end);
	p->at = array_new(n, sizeof *p->at);
	for (uint32_t i = 0; i < n; i++) {
		p->by_end[i] = i;
		p->at[i] = p->marks.threads[i].at;
	}
	qsort_r(p->by_end, n, sizeof *p->by_end, end_order, (void *)p->trace->threads);
}

/* ---- types ---- */

static bool has_marks(const struct paje *p, uint32_t interval, enum mark_kind kind)
{
	return p->marks.intervals.at[interval].marked[kind];
}

static void variable_define(struct paje *p, char type, uint32_t number, const char *name,
			    const char *unit, enum interval_kind kind)
{
	char *whole = text_format("%s%s", name, unit);

	fprintf(p->out, "%d %c%" PRIu32 " P ", DEFINE_VARIABLE, type, number);
	string_write(p->out, whole);
	fprintf(p->out, " \"%s\"\n", colour_of(kind));
	free(whole);
	for (uint32_t i = 0; i < p->trace->nprocesses; i++) {
		time_write(p->out, SET_VARIABLE, 0);
		fprintf(p->out, "%c%" PRIu32 " p%" PRIu32 " 0\n", type, number, i);
	}
}

/* An interval has as many types as there are ways to show its instances. */
static void interval_define(struct paje *p, uint32_t i)
{
	const struct role *r = &p->marks.intervals.at[i].role;

	if (has_marks(p, i, MARK_ENTER) || has_marks(p, i, MARK_ACQUIRE)) {
		fprintf(p->out, "%d I%" PRIu32 " %c ", DEFINE_STATE, i,
			has_marks(p, i, MARK_ACQUIRE) ? 'K' : 'T');
		string_write(p->out, r->interval->name);
		putc_unlocked('\n', p->out);
	}
	if (has_marks(p, i, MARK_SEND)) {
		fprintf(p->out, "%d L%" PRIu32 " 0 T T ", DEFINE_LINK, i);
		string_write(p->out, r->interval->name);
		putc_unlocked('\n', p->out);
	}
	if (has_marks(p, i, MARK_BIRTH))
		variable_define(p, 'A', i, r->interval->name, " alive", r->kind);
}

static void types_define(struct paje *p)
{
	const struct spec *spec = p->trace->spec;

	fputs(record_definitions, p->out);
	for (unsigned i = 0; i < spec->nevents; i++)
		if (p->trace->events_of_type[i])
			event_define(p->out, spec->events[i]);
	fprintf(p->out,
		"%d P 0 \"Process\"\n%d T P \"Thread\"\n%d K P \"Object\"\n%d S0 T \"State\"\n",
		DEFINE_CONTAINER, DEFINE_CONTAINER, DEFINE_CONTAINER, DEFINE_STATE);
	for (unsigned i = 0; i < spec->nevents; i++)
		if (p->trace->events_of_type[i])
			fprintf(p->out, "%d E%u T \"%s\" \"0.2 0.2 0.2\"\n", DEFINE_EVENT, i,
				spec->events[i]->name);
	for (uint32_t i = 0; i < p->trace->nprocesses; i++)
		process_create(p, i);
	for (uint32_t i = 0; i < p->marks.intervals.n; i++)
		interval_define(p, i);
	for (enum thread_state s = STATE_RUNNING; s < NSTATES && trace_has_states(p->trace); s++)
		variable_define(p, 'N', s, thread_state_name(s), " threads", KIND_STATE);
}

/* ---- marks ---- */

static void variable_change(struct paje *p, const struct event *e, bool up, char type,
			    uint32_t number, uint32_t thread)
{
	time_write(p->out, up ? ADD_VARIABLE : SUB_VARIABLE, e->time);
	fprintf(p->out, "%c%" PRIu32 " p%" PRIu32 " 1\n", type, number,
		p->trace->threads[thread].directory);
}

/* A container: "t0" or "k3". */
struct paje_container {
	char type;
	uint32_t number;
};

static void state_push(struct paje *p, const struct event *e, struct paje_container place,
		       char type, uint32_t number, const char *name, enum interval_kind kind)
{
	uint32_t value = value_of(p, type, number, name, colour_of(kind));

	time_write(p->out, PUSH_STATE, e->time);
	fprintf(p->out, "%c%" PRIu32 " %c%" PRIu32 " v%" PRIu32 "\n", type, number, place.type,
		place.number, value);
}

static void state_pop(struct paje *p, const struct event *e, struct paje_container place, char type,
		      uint32_t number)
{
	time_write(p->out, POP_STATE, e->time);
	fprintf(p->out, "%c%" PRIu32 " %c%" PRIu32 "\n", type, number, place.type, place.number);
}

/*
 * What is held is a state of the object, whose value is the thread: a thread may hold several at
 * once, in any order.
 */
static void hold_write(struct paje *p, const struct mark *m, const struct event *e, uint32_t thread)
{
	const struct role *r = &p->marks.intervals.at[m->interval].role;
	const struct role_end *end = m->kind == MARK_ACQUIRE ? &r->start : &r->end;
	struct paje_container place = {'k', lock_of(p, e, end->object, thread)};

	if (m->kind == MARK_ACQUIRE)
		state_push(p, e, place, 'I', m->interval, p->trace->threads[thread].label, r->kind);
	else
		state_pop(p, e, place, 'I', m->interval);
}

/* Both ends have the value of the earlier event. */
static void link_write(struct paje *p, const struct mark *m, const struct event *e, uint32_t thread)
{
	const struct role *r = &p->marks.intervals.at[m->interval].role;
	uint32_t value = value_of(p, 'L', m->interval, r->interval->name, colour_of(r->kind));

	time_write(p->out, m->kind == MARK_SEND ? START_LINK : END_LINK, e->time);
	fprintf(p->out, "L%" PRIu32 " 0 v%" PRIu32 " t%" PRIu32 " %" PRIu32 ".%" PRIu32 "\n",
		m->interval, value, thread, m->interval, m->anchor);
}

static void mark_write(struct paje *p, const struct mark *m, const struct event *e, uint32_t thread)
{
	const struct role *r = &p->marks.intervals.at[m->interval].role;
	struct paje_container place = {'t', thread};
	char buffer[ADDRESS_TEXT];

	switch (m->kind) {
	case MARK_RECEIVE:
	case MARK_SEND:
		link_write(p, m, e, thread);
		break;
	case MARK_STATE_BEGIN:
		state_push(p, e, place, 'S', 0, thread_state_name(r->state),
			   r->state == STATE_RUNNING ? KIND_WORK
			   : r->state == STATE_READY ? KIND_IO
						     : KIND_WAIT);
		variable_change(p, e, true, 'N', r->state, thread);
		break;
	case MARK_STATE_END:
		state_pop(p, e, place, 'S', 0);
		variable_change(p, e, false, 'N', r->state, thread);
		break;
	case MARK_ENTER:
		if (!has_marks(p, m->interval, MARK_ACQUIRE))
			state_push(p, e, place, 'I', m->interval, instance_name(p, r, e, buffer),
				   r->kind);
		break;
	case MARK_LEAVE:
		if (!has_marks(p, m->interval, MARK_ACQUIRE))
			state_pop(p, e, place, 'I', m->interval);
		break;
	case MARK_BIRTH:
		variable_change(p, e, true, 'A', m->interval, thread);
		break;
	case MARK_DEATH:
		variable_change(p, e, false, 'A', m->interval, m->other);
		break;
	case MARK_RELEASE:
	case MARK_ACQUIRE:
		hold_write(p, m, e, thread);
		break;
	}
}

/* ---- events ---- */

static void attribute_write(struct paje *p, const struct event *e, unsigned i)
{
	enum type type = e->type->attributes[i].type;
	struct value v = record_value(e->type, i, e->record);
	char buffer[ADDRESS_TEXT];

	putc_unlocked(' ', p->out);
	if (type == TYPE_STRING)
		text_write(p->out, v.string.bytes, v.string.length);
	else if (type_is_address(type))
		string_write(p->out, address_text(p->trace, buffer, e, i));
	else if (type == TYPE_DOUBLE)
		fprintf(p->out, "%.17g", v.real);
	else if (v.integer < 0)
		fprintf(p->out, "%" PRId64, (int64_t)v.integer);
	else
		fprintf(p->out, "%" PRIu64, (uint64_t)v.integer);
}

static void event_write(struct paje *p, const struct event *e, uint32_t thread)
{
	const struct mark *end = p->marks.threads[thread].at + p->marks.threads[thread].n;
	uint32_t value = value_of(p, 'E', e->type->index, e->type->name, "0.2 0.2 0.2");

	time_write(p->out, NEW_EVENT + e->type->index, e->time);
	fprintf(p->out, "E%u t%" PRIu32 " v%" PRIu32, e->type->index, thread, value);
	for (unsigned i = 0; i < e->type->nattributes; i++)
		attribute_write(p, e, i);
	putc_unlocked('\n', p->out);
	for (; p->at[thread] < end && p->at[thread]->seq == e->seq; p->at[thread]++)
		mark_write(p, p->at[thread], e, thread);
}

static void events_write(struct paje *p)
{
	struct merge *m = merge_open(p->trace);
	uint64_t done = 0;
	struct event e;

	progress_begin("exporting");
	for (; m && merge_next(m, &e) && !ferror_unlocked(p->out); done++) {
		uint32_t thread = trace_thread_index(p->trace, e.thread);

		if (done % STEP == 0)
			progress_step(done, p->trace->events);
		if (p->request->threads && !p->request->threads[thread])
			continue;
		threads_end(p, e.time);
		if (!p->alive[thread])
			thread_create(p, thread, e.time);
		event_write(p, &e, thread);
	}
	progress_end();
	merge_close(m);
}

static bool paje_write(FILE *out, const struct export_request *r)
{
	struct paje p = {.out = out, .request = r, .trace = r->trace};

	marks_make(&p.marks, r, NEST_EACH);
	threads_begin(&p);
	types_define(&p);
	events_write(&p);
	threads_end(&p, INT64_MAX);
	for (uint32_t i = 0; i < p.nlocks; i++)
		container_destroy(&p, r->trace->duration, 'K', i);
	for (uint32_t i = 0; i < r->trace->nprocesses; i++)
		container_destroy(&p, r->trace->duration, 'P', i);
	marks_warn(&p.marks, r, &export_paje);
	free(p.by_end);
	free(p.alive);
	free(p.at);
	hash_table_free(&p.values);
	hash_table_free(&p.locks);
	marks_free(&p.marks);
	return true;
}

const struct export_format export_paje = {
    .name = "paje",
    .summary = "containers, states, links, variables and events, for PajeNG and ViTE",
    .intervals = true,
    .write = paje_write,
};
