#include "trace/symbols/callables.h"
#include "base/array.h"
#include "spec/layout.h"
#include "trace/stream/pass.h"
#include "trace/symbols/call_paths.h"
#include "trace/symbols/symbols.h"
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

	static const char *const spaces[] = {
	    "std::",    "__gnu_cxx::", "<std::",         "<core::",
	    "<alloc::", "core::ops::", "alloc::boxed::",
	};

	if (module && (begins(module, "libstdc++.so") || begins(module, "libc++.so")))
		return true;
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
		if (begins(function, spaces[i]) || begins(name, spaces[i]))
			return true;
	return false;
}

bool callable_is_nameless(const char *module, const char *function)
{
	size_t n = module ? strlen(module) : 0;

	return *function == '[' || (n && begins(function, module) && begins(function + n, ":fn_"));
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
enum { STACKS_MOST = 64, FRAMES_MOST = CALL_PATH_MOST };

#define NO_CALLABLE INT64_MIN

struct thread_stacks {
	uint64_t numbers[STACKS_MOST];
	unsigned n;
};

struct callable_search {
	const struct trace *trace;
	const char *const *starts;
	struct thread_stacks **threads; /* NULL: not asked for */
	const struct call_paths *paths;
};

static uint64_t word_of(const struct event_type *type, int attribute, const unsigned char *record)
{
	return (uint64_t)record_value(type, (unsigned)attribute, record).integer;
}

static void stacks_take(void *context, const struct event_chunk *c)
{
	struct callable_search *f = context;
	struct thread_stacks *s = f->threads[c->thread];

	for (size_t i = 0; s && i < c->n && s->n < STACKS_MOST; i++) {
		uint64_t number = word_of(c->type, c->type->stack_attribute, c->record[i]);

		if (s->n == 0 || s->numbers[s->n - 1] != number)
			s->numbers[s->n++] = number;
	}
}

/* ---- the outermost frames ---- */

/* What is looked for in a stack, from its outermost frame inwards. */
struct thread_start_search {
	const char *start;
	bool begun; /* the thread's start was there */
	bool over;
	char *name; /* NULL: not found */
};

static void function_look(struct thread_start_search *s, const char *module, const char *function,
			  bool library)
{
	if (!s->begun) {
		s->begun = strcmp(function, s->start) == 0;
		return;
	}
	s->name = callable_of_state(function);
	s->over = s->name || (!library && !callable_is_standard(module, function));
	if (s->over && !s->name && !callable_is_nameless(module, function))
		s->name = callable_of_function(function);
}

static void frame_look(struct thread_start_search *s, const struct callable_search *f,
		       size_t process, const struct frame *x)
{
	const char *module = symbols_module(f->trace, process, x->address, x->low, x->time);
	const struct code_frame *frames;
	size_t n = symbols_frames(f->trace, process, x->address, x->low, x->time, &frames);
	const char *function =
	    n ? NULL : symbols_function(f->trace, process, x->address, x->low, x->time);

	/* the address is within the call */
	if (function)
		function_look(
		    s, module, function,
		    symbols_is_library(f->trace, process, x->address + 1, x->low, x->time));
	for (size_t i = 0; i < n && !s->over; i++)
		function_look(s, module, frames[i].function, frames[i].of_system);
}

/* Returns the callable that a stack shows; to be freed. */
static char *stack_look(const struct callable_search *f, size_t thread, uint64_t number)
{
	struct frame way[FRAMES_MOST];
	size_t n = 0, process = f->trace->threads[thread].directory;
	struct thread_start_search s = {.start = f->starts[thread]};

	while (number && n < FRAMES_MOST) {
		if (!call_path_frame(f->paths, process, number, &way[n]))
			return NULL;
		number = way[n++].parent;
	}
	while (n > 0 && !s.over)
		frame_look(&s, f, process, &way[--n]);
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

static bool has_stack(const struct event_type *type)
{
	return type->sample || type->wait;
}

void callables_find(const struct trace *t, const char *const *starts, const char **names)
{
	struct callable_search f = {.trace = t, .starts = starts};
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted), any = false;
	struct call_paths *paths;

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		wanted[i] = has_stack(t->spec->events[i]);
		any |= wanted[i] && t->events_of_type[i];
	}
	if (!any) {
		free(wanted);
		return;
	}
	f.threads = array_zero(t->nthreads, sizeof(struct thread_stacks *));
	for (size_t i = 0; i < t->nthreads; i++)
		f.threads[i] = starts[i] ? array_zero(1, sizeof *f.threads[i]) : NULL;
	trace_visit_events(t, wanted, stacks_take, &f);
	f.paths = paths = call_paths_make(t);
	for (size_t i = 0; i < t->nthreads; i++) {
		int64_t callable = thread_look(&f, i);

		if (callable != NO_CALLABLE)
			names[i] = symbols_numbered(t, callable);
		free(f.threads[i]);
	}
	free(f.threads);
	free(wanted);
	call_paths_free(paths);
}
