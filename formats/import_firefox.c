/*
 * Profiles of the Firefox Profiler in its processed format, also those of other tools (samply, perf
 * scripts): samples with their stacks, and markers. Tables that all threads share may come behind
 * the threads, so the file is read twice.
 */
#include "formats/import.h"
#include "formats/json_read.h"
#include "formats/logs_named.h"
#include "formats/logs_stacks.h"
#include <stdlib.h>

/* Numbers of a table's column; NONE: null, or a text. */
typedef VECTOR(int64_t) column;
enum { NONE = -1 };

/* What stacks are made of. */
struct tables {
	VECTOR(char *) strings;
	column stack_frame, stack_prefix, frame_function, function_name;
};

struct firefox_profile {
	struct import_input *in;
	struct logs *logs;
	struct named_types types;
	struct stacks stacks;
	struct tables shared;
	int64_t start;   /* ms since 1970 */
	double interval; /* ns between samples; 0: not known */
	double cpu_unit; /* ns of threadCPUDelta; 0: it is no time */
	uint64_t threads, periodless;
	uint64_t stackless, deep, weighed, allocations, counters; /* what is left out */
};

static bool firefox_recognise(const struct import_input *in)
{
	const char *head = (const char *)in->head;

	return !in->directory && *head == '{' &&
	       (strstr(head, "\"preprocessedProfileVersion\"") || strstr(head, "\"startTime\"") ||
		strstr(head, "\"processedProfile")) &&
	       strstr(head, "\"meta\"");
}

/* ---- tables ---- */

static void column_read(column *c, const struct json_value *v)
{
	c->n = 0;
	for (const struct json_value *i = v ? v->first : NULL; i; i = i->next)
		*vector_add(c) = i->kind == JSON_NUMBER ? json_integer_of(i, NONE) : NONE;
}

static void tables_free(struct tables *t)
{
	for (size_t i = 0; i < t->strings.n; i++)
		free(t->strings.at[i]);
	free(t->strings.at);
	free(t->stack_frame.at);
	free(t->stack_prefix.at);
	free(t->frame_function.at);
	free(t->function_name.at);
}

static void strings_read(struct tables *t, const struct json_value *v)
{
	for (const struct json_value *i = v->first; i; i = i->next)
		*vector_add(&t->strings) = text_format("%s", json_text_of(i, ""));
}

/* Reads one table of those that are shared, or a thread's own. */
static void table_read(struct tables *t, const struct json_value *v)
{
	if (strcmp(v->key, "stringArray") == 0 || strcmp(v->key, "stringTable") == 0) {
		strings_read(t, v->kind == JSON_OBJECT && json_member(v, "_array")
				    ? json_member(v, "_array")
				    : v);
	} else if (strcmp(v->key, "stackTable") == 0) {
		column_read(&t->stack_frame, json_member(v, "frame"));
		column_read(&t->stack_prefix, json_member(v, "prefix"));
	} else if (strcmp(v->key, "frameTable") == 0) {
		column_read(&t->frame_function, json_member(v, "func"));
	} else if (strcmp(v->key, "funcTable") == 0) {
		column_read(&t->function_name, json_member(v, "name"));
	}
}

static void meta_take(struct firefox_profile *p, const struct json_value *v)
{
	const char *unit = json_text_of(json_member(v, "threadCPUDelta"), "");

	if (strcmp(v->key, "startTime") == 0)
		p->start = json_nearest(json_real_of(v, 0), 1e12);
	else if (strcmp(v->key, "interval") == 0)
		p->interval = json_real_of(v, 0) * 1e6;
	else if (strcmp(v->key, "sampleUnits") == 0)
		p->cpu_unit = strcmp(unit, "ns") == 0 ? 1 : strcmp(unit, "µs") == 0 ? 1e3 : 0;
}

static bool shared_take(void *context, const char *where, const struct json_value *v)
{
	struct firefox_profile *p = context;

	if (strcmp(where, "shared") == 0 && v->key)
		table_read(&p->shared, v);
	else if (strcmp(where, "meta") == 0 && v->key)
		meta_take(p, v);
	else if (strcmp(where, "counters") == 0)
		p->counters++;
	return true;
}

/* ---- samples ---- */

static int64_t entry(const column *c, int64_t i)
{
	return i >= 0 && (uint64_t)i < c->n ? c->at[i] : NONE;
}

static const char *string_of(const struct tables *t, int64_t i)
{
	return i >= 0 && (uint64_t)i < t->strings.n ? t->strings.at[i] : "(no name)";
}

/* Returns the number of a stack in our logs; 0: it has no frame, or its tables are broken. */
static uint32_t stack_of(struct firefox_profile *p, struct logs_thread *thread, int64_t time,
			 const struct tables *t, const struct tables *stacks, int64_t stack)
{
	enum { DEPTH_MOST = 1000 };
	int64_t path[DEPTH_MOST];
	unsigned n = 0;
	uint32_t number = 0;

	for (; stack >= 0 && n < DEPTH_MOST; stack = entry(&stacks->stack_prefix, stack)) {
		int64_t function =
		    entry(&stacks->frame_function, entry(&stacks->stack_frame, stack));

		path[n++] = entry(&stacks->function_name, function);
	}
	p->deep += stack >= 0;
	while (n-- > 0)
		number = stacks_add(&p->stacks, thread, time, number, string_of(t, path[n]));
	return number;
}

static int64_t time_of(const struct firefox_profile *p, double ms)
{
	/* the date is apart: a double of all has not the digits of nanoseconds */
	return p->start * 1000000 + json_nearest(ms * 1e6, 1e18);
}

static const struct json_value *first_of(const struct json_value *v)
{
	return v && v->kind == JSON_ARRAY ? v->first : NULL;
}

enum weight { WEIGHT_SAMPLES, WEIGHT_TIME, WEIGHT_OTHER };

static enum weight weight_of(const struct json_value *samples)
{
	const char *type = json_text_of(json_member(samples, "weightType"), "samples");

	return strcmp(type, "samples") == 0      ? WEIGHT_SAMPLES
	       : strcmp(type, "tracing-ms") == 0 ? WEIGHT_TIME
						 : WEIGHT_OTHER;
}

/*
 * Says for how long a thread had run at a sample: for the processor time since the sample before,
 * if the profile has it; otherwise for what the sample weighs.
 */
static void sample_ran(struct firefox_profile *p, struct logs_thread *thread, int64_t time,
		       const struct json_value *cpu, const struct json_value *weight,
		       enum weight type)
{
	double weighs = json_real_of(weight, 1), period = weighs * p->interval;

	if (cpu && cpu->kind == JSON_NUMBER && p->cpu_unit > 0)
		period = json_real_of(cpu, 0) * p->cpu_unit;
	else if (type == WEIGHT_TIME && weight)
		period = weighs * 1e6;
	else if (type == WEIGHT_OTHER)
		p->weighed++;
	if (type == WEIGHT_OTHER || weighs < 0)
		return;
	p->periodless += period < 1;
	stacks_ran(&p->stacks, thread, time, period < 1 ? 0 : json_nearest(period, 1e18));
}

static void samples_read(struct firefox_profile *p, struct logs_thread *thread,
			 const struct tables *strings, const struct tables *stacks,
			 const struct json_value *samples)
{
	const struct json_value *stack = first_of(json_member(samples, "stack")),
				*time = first_of(json_member(samples, "time")),
				*delta = first_of(json_member(samples, "timeDeltas")),
				*cpu = first_of(json_member(samples, "threadCPUDelta")),
				*weight = first_of(json_member(samples, "weight"));
	enum weight type = weight_of(samples);
	double now = 0;

	for (; stack && (time || delta); stack = stack->next) {
		bool idle = cpu && cpu->kind == JSON_NUMBER &&
			    json_real_of(cpu, 1) <= 0; /* it did not run */
		uint32_t number;

		now = time ? json_real_of(time, now) : now + json_real_of(delta, 0);
		number = idle ? 0
			      : stack_of(p, thread, time_of(p, now), strings, stacks,
					 json_integer_of(stack, NONE));
		p->stackless += !idle && !number;
		if (number) {
			stacks_sample(&p->stacks, thread, time_of(p, now), number);
			sample_ran(p, thread, time_of(p, now), cpu, weight, type);
		}
		time = time ? time->next : NULL;
		delta = delta ? delta->next : NULL;
		cpu = cpu ? cpu->next : NULL;
		weight = weight ? weight->next : NULL;
	}
}

/* ---- markers ---- */

static unsigned arguments_of(struct firefox_profile *p, const struct json_value *data,
			     struct logs_argument *to, char **made)
{
	unsigned n = 0;

	for (const struct json_value *v = data && data->kind == JSON_OBJECT ? data->first : NULL; v;
	     v = v->next) {
		if (!named_has_room(&p->types, n))
			continue;
		to[n] = (struct logs_argument){v->key, json_logs_value(v, &made[n])};
		n++;
	}
	return n;
}

/* Phases of markers. */
enum { PHASE_INSTANT, PHASE_INTERVAL, PHASE_START, PHASE_END };

static bool marker_log(struct firefox_profile *p, struct logs_thread *t, const char *name,
		       int64_t phase, double start, double end, const struct json_value *data)
{
	struct logs_argument arguments[ARGUMENTS_MOST] = {{0}};
	char *made[ARGUMENTS_MOST] = {NULL};
	unsigned n = arguments_of(p, data, arguments, made);
	enum named_span span = phase == PHASE_INSTANT ? SPAN_NONE : SPAN_NESTED;
	const struct named_type *type = named_type(&p->types, span, name, arguments, n);

	if (type && (phase == PHASE_START || phase == PHASE_END))
		named_balance(&p->types, type, phase == PHASE_START ? 1 : -1);
	if (type && phase != PHASE_END)
		named_write(&p->types, t, time_of(p, start), type, name, arguments, n);
	if (type && phase != PHASE_INSTANT && phase != PHASE_START)
		named_write_end(t, time_of(p, end), type, NULL);
	for (unsigned i = 0; i < n; i++)
		free(made[i]);
	return type != NULL;
}

static bool markers_read(struct firefox_profile *p, struct logs_thread *t,
			 const struct tables *strings, const struct json_value *markers)
{
	const struct json_value *name = first_of(json_member(markers, "name")),
				*start = first_of(json_member(markers, "startTime")),
				*end = first_of(json_member(markers, "endTime")),
				*phase = first_of(json_member(markers, "phase")),
				*data = first_of(json_member(markers, "data"));

	for (; name && start && end && phase; name = name->next) {
		if (!marker_log(p, t, string_of(strings, json_integer_of(name, NONE)),
				json_integer_of(phase, 0), json_real_of(start, 0),
				json_real_of(end, 0), data))
			return false;
		start = start->next;
		end = end->next;
		phase = phase->next;
		data = data ? data->next : NULL;
	}
	return true;
}

/* ---- threads ---- */

/* Ids may be numbers or texts: "12" or "12.1". */
static uint64_t id_of(const struct json_value *v, uint64_t otherwise)
{
	return v && v->text ? strtoull(v->text, NULL, 10) : otherwise;
}

static uint64_t length_of(const struct json_value *array)
{
	uint64_t n = 0;

	for (const struct json_value *v = first_of(array); v; v = v->next)
		n++;
	return n;
}

static bool thread_take(void *context, const char *where, const struct json_value *v)
{
	struct firefox_profile *p = context;
	struct tables own = {0};
	const struct tables *strings, *stacks;
	const char *program = json_text_of(json_member(v, "processName"), NULL);
	struct logs_thread *t;
	bool good;

	if (strcmp(where, "threads") != 0 || v->kind != JSON_OBJECT)
		return true;
	for (const struct json_value *i = v->first; i; i = i->next)
		table_read(&own, i);
	strings = own.strings.n ? &own : &p->shared;
	stacks = own.stack_frame.n ? &own : &p->shared;
	p->threads++;
	t = logs_thread(logs_process(p->logs, (uint32_t)id_of(json_member(v, "pid"), 1), program),
			id_of(json_member(v, "tid"), p->threads));
	logs_thread_name(t, json_text_of(json_member(v, "name"), ""));
	samples_read(p, t, strings, stacks, json_member(v, "samples"));
	p->allocations += length_of(json_member(json_member(v, "nativeAllocations"), "time")) +
			  length_of(json_member(json_member(v, "jsAllocations"), "time"));
	good = markers_read(p, t, strings, json_member(v, "markers"));
	tables_free(&own);
	return good;
}

static void profile_say(const struct firefox_profile *p, int64_t median)
{
	struct import_input *in = p->in;

	stacks_say(in, "samples", median, p->periodless);
	import_passed_over(in, p->stackless, "samples without a call stack were left out");
	import_passed_over(
	    in, p->deep, "call stacks have more than 1000 functions: the outermost were left out");
	import_passed_over(in, p->weighed,
			   "samples count no time: how long their threads ran is not known");
	import_passed_over(in, p->allocations, "samples of allocations were left out");
	import_passed_over(in, p->counters, "counters were left out");
}

static bool firefox_read(struct import_input *in, struct logs *l)
{
	struct firefox_profile p = {.in = in, .logs = l};
	bool good;

	named_begin(&p.types, l);
	stacks_begin(&p.stacks, l);
	good = json_read(in, false, shared_take, &p, NULL) && import_rewind(in);
	if (good && p.start > 0)
		logs_realtime(l, 0, 0);
	good = good && json_read(in, false, thread_take, &p, NULL);
	if (good)
		profile_say(&p, stacks_states(&p.stacks));
	named_end(&p.types, in, good);
	stacks_end(&p.stacks);
	tables_free(&p.shared);
	return good;
}

const struct import_format import_firefox = {
    .name = "firefox",
    .summary = "profiles of the Firefox Profiler, and of samply",
    .recognise = firefox_recognise,
    .read = firefox_read,
};
