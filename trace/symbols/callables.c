#include "trace/symbols/callables.h"
#include "base/array.h"
#include "base/hash.h"
#include "spec/layout.h"
#include "trace/stream/pass.h"
#include "trace/symbols/symbols.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns how brackets change the depth at a character. */
static int bracket(char c)
{
	return strchr("<({[", c) ? 1 : strchr(">)}]", c) ? -1 : 0;
}

/* Returns where a function's name begins: a template's has the type of its result before it. */
static const char *name_begin(const char *function)
{
	static const char nameless[] = "(anonymous namespace)";
	const char *begin = function;
	int depth = 0;

	for (const char *at = function; *at; at++) {
		if (depth == 0 && begins(at, nameless)) {
			at += sizeof nameless - 2;
			continue;
		}
		if (depth == 0 && (*at == '(' || begins(at, "operator")))
			break;
		depth += bracket(*at);
		if (depth == 0 && *at == ' ')
			begin = at + 1;
	}
	return begin;
}

bool callable_is_standard(const char *module, const char *function)
{
	const char *name = name_begin(function);

	return (module && (begins(module, "libstdc++.so") || begins(module, "libc++.so"))) ||
	       begins(name, "std::") || begins(name, "__gnu_cxx::");
}

/*
 * Returns the callable's name from that of a function of the C++ library that calls it,
 * std::thread::_State_impl<...>::_M_run(), whose type has it; NULL: it has not. To be freed.
 */
static char *callable_of_state(const char *function)
{
	static const char before[] = "std::thread::_State_impl<std::thread::_Invoker<std::tuple<";
	static const char after[] = "::_M_run()";
	size_t length = strlen(function), n;
	const char *type = function + sizeof before - 1;
	char *name;
	int depth = 0;

	if (!begins(function, before) || length < sizeof after - 1 ||
	    strcmp(function + length - (sizeof after - 1), after) != 0)
		return NULL;
	for (n = 0; type[n] && depth >= 0 && !(depth == 0 && (type[n] == ',' || type[n] == '>'));
	     n++)
		depth += bracket(type[n]);
	name = text_format("%.*s", (int)n, type);
	/* the type of a pointer does not say what it points to */
	if (n > 0 && !begins(name, "std::") && !strstr(name, "*)"))
		return name;
	free(name);
	return NULL;
}

/* Returns the name of a call operator's class, that of any other function as it is; to be freed. */
static char *callable_of_function(const char *function)
{
	static const char operator[] = "::operator()";
	const char *begin = name_begin(function), *found = NULL;

	for (const char *at = begin; (at = strstr(at, operator)); at++)
		found = at;
	return found ? text_format("%.*s", (int)(found - begin), begin)
		     : text_format("%s", function);
}

/* ---- stacks ---- */

/* So many stacks of a thread are looked at, and of each so many frames. */
enum { STACKS_MOST = 64, FRAMES_MOST = 1024 };

#define NO_CALLABLE INT64_MIN

struct thread_stacks {
	uint64_t numbers[STACKS_MOST];
	unsigned n;
};

struct stack_frame {
	uint64_t address, parent;
	int64_t time;
	bool low;
};

struct callable_search {
	const struct trace *trace;
	const char *const *starts;
	struct thread_stacks **threads; /* NULL: not asked for */
	struct hash_table places;       /* by number and process: the index of the frame */
	VECTOR(struct stack_frame) frames;
	pthread_mutex_t mutex;
};

static uint64_t word_of(const struct event_type *type, int attribute, const unsigned char *record)
{
	return (uint64_t)record_value(type, (unsigned)attribute, record).integer;
}

static int code_of(const struct event_type *type)
{
	int i = 0;

	while (type->attributes[i].type != TYPE_CODE && type->attributes[i].type != TYPE_CODE32)
		i++;
	return i;
}

static void samples_take(struct thread_stacks *s, const struct event_chunk *c)
{
	for (size_t i = 0; s && i < c->n && s->n < STACKS_MOST; i++) {
		uint64_t number = word_of(c->type, c->type->stack_attribute, c->record[i]);

		if (s->n == 0 || s->numbers[s->n - 1] != number)
			s->numbers[s->n++] = number;
	}
}

static void frames_take(struct callable_search *f, const struct event_chunk *c)
{
	int code = code_of(c->type);

	pthread_mutex_lock(&f->mutex);
	for (size_t i = 0; i < c->n; i++) {
		uint64_t number = word_of(c->type, c->type->stack_attribute, c->record[i]);
		struct hash_slot *slot = hash_table_slot(&f->places, hash_mix(number),
							 f->trace->threads[c->thread].directory);

		if (slot->head != HASH_NOTHING)
			continue;
		slot->head = (uint32_t)f->frames.n;
		*vector_add(&f->frames) = (struct stack_frame){
		    .address = word_of(c->type, code, c->record[i]),
		    .parent = word_of(c->type, c->type->caller_attribute, c->record[i]),
		    .time = c->time[i],
		    .low = c->type->attributes[code].type == TYPE_CODE32,
		};
	}
	pthread_mutex_unlock(&f->mutex);
}

static void chunk_take(void *context, const struct event_chunk *c)
{
	struct callable_search *f = context;

	if (c->type->sample)
		samples_take(f->threads[c->thread], c);
	else
		frames_take(f, c);
}

/* ---- the outermost frames ---- */

/* What is looked for in a stack, from its outermost frame inwards. */
struct thread_start_search {
	const char *start;
	bool begun; /* the thread's start was there */
	bool over;
	char *name; /* NULL: not found */
};

static void function_look(struct thread_start_search *s, const char *module, const char *function)
{
	size_t n = module ? strlen(module) : 0;

	if (!s->begun) {
		s->begun = strcmp(function, s->start) == 0;
		return;
	}
	s->name = callable_of_state(function);
	s->over = s->name || !callable_is_standard(module, function);
	/* a place in a file is no name */
	if (s->over && !s->name &&
	    !(n && strncmp(function, module, n) == 0 && (function[n] == '+' || function[n] == ':')))
		s->name = callable_of_function(function);
}

static void frame_look(struct thread_start_search *s, const struct callable_search *f,
		       size_t process, const struct stack_frame *x)
{
	const char *module = symbols_module(f->trace, process, x->address, x->low, x->time);
	const struct code_frame *frames;
	size_t n = symbols_frames(f->trace, process, x->address, x->low, x->time, &frames);
	const char *function =
	    n ? NULL : symbols_function(f->trace, process, x->address, x->low, x->time);

	if (function)
		function_look(s, module, function);
	for (size_t i = 0; i < n && !s->over; i++)
		function_look(s, module, frames[i].function);
}

/* Returns the callable that a stack shows; to be freed. */
static char *stack_look(const struct callable_search *f, size_t thread, uint64_t number)
{
	uint32_t way[FRAMES_MOST];
	size_t n = 0, process = f->trace->threads[thread].directory;
	struct thread_start_search s = {.start = f->starts[thread]};

	while (number && n < FRAMES_MOST) {
		const struct hash_slot *slot =
		    hash_table_find(&f->places, hash_mix(number), process);

		if (!slot)
			return NULL;
		way[n++] = slot->head;
		number = f->frames.at[slot->head].parent;
	}
	while (n > 0 && !s.over)
		frame_look(&s, f, process, &f->frames.at[way[--n]]);
	return s.name;
}

/*
 * Returns the number of the callable that most stacks show of those which show one; NO_CALLABLE:
 * there is none. A stack that was cut within the library may show another function.
 */
static int64_t thread_look(const struct callable_search *f, size_t thread)
{
	const struct thread_stacks *s = f->threads[thread];
	int64_t shown[STACKS_MOST], most = NO_CALLABLE;
	unsigned n = 0, votes = 0;

	for (unsigned i = 0; s && i < s->n; i++) {
		char *name = stack_look(f, thread, s->numbers[i]);

		if (name)
			shown[n++] = symbols_number(f->trace, name);
		free(name);
	}
	for (unsigned i = 0; i < n; i++) {
		unsigned same = 0;

		for (unsigned k = 0; k < n; k++)
			same += shown[k] == shown[i];
		if (same > votes) {
			votes = same;
			most = shown[i];
		}
	}
	return 2 * votes > n ? most : NO_CALLABLE;
}

/* ---- all ---- */

static void events_read(struct callable_search *f)
{
	const struct spec *spec = f->trace->spec;
	bool *wanted = array_zero(spec->nevents + 1, sizeof *wanted);

	for (unsigned i = 0; i < spec->nevents; i++)
		wanted[i] = spec->events[i]->sample || spec->events[i]->caller_attribute >= 0;
	trace_visit_events(f->trace, wanted, chunk_take, f);
	free(wanted);
}

static bool has_samples(const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->sample && t->events_of_type[i])
			return true;
	return false;
}

void callables_find(const struct trace *t, const char *const *starts, const char **names)
{
	struct callable_search f = {.trace = t, .starts = starts};

	if (!has_samples(t))
		return;
	pthread_mutex_init(&f.mutex, NULL);
	f.threads = array_zero(t->nthreads, sizeof(struct thread_stacks *));
	for (size_t i = 0; i < t->nthreads; i++)
		f.threads[i] = starts[i] ? array_zero(1, sizeof *f.threads[i]) : NULL;
	events_read(&f);
	for (size_t i = 0; i < t->nthreads; i++) {
		int64_t callable = thread_look(&f, i);

		if (callable != NO_CALLABLE)
			names[i] = symbols_numbered(t, callable);
		free(f.threads[i]);
	}
	free(f.threads);
	hash_table_free(&f.places);
	free(f.frames.at);
	pthread_mutex_destroy(&f.mutex);
}
