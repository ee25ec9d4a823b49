#include "trace/symbols/start_names.h"
#include "base/array.h"
#include "spec/layout.h"
#include "trace/label.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include "trace/open/own_names.h"
#include "trace/symbols/callables.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

/*
 * A thread begins with one of its first events, unless the log has lost them. Before it are only
 * those of the system, such as that the thread was created.
 */
enum { FIRST_EVENTS = 1024 };

static bool has_starts(const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->starts_attribute >= 0 && t->events_of_type[i])
			return true;
	return false;
}

/* Sets e to the event that a thread starts with; false: there is none. */
static bool start_find(const struct opened *o, size_t thread, struct event *e)
{
	const struct spec *spec = o->trace.spec;
	const struct log *log = &o->logs[thread];
	struct log_cursor c;

	if (!log->events)
		return false;
	log_cursor_open(&c, log);
	for (unsigned i = 0; i < FIRST_EVENTS && log_cursor_next(&c); i++) {
		if (spec->events[c.type]->starts_attribute < 0)
			continue;
		*e = (struct event){.time = c.time - o->trace.origin,
				    .type = spec->events[c.type],
				    .record = c.record,
				    .thread = o->threads[thread].number,
				    .seq = c.event_seq};
		return true;
	}
	return false;
}

/* What an event says of a thread's beginning; NULL: nothing. */
struct beginning {
	const char *function; /* of the program, which names the thread */
	const char *library;  /* of the C++ or Rust library, which calls another one */
};

static struct beginning beginning_of(const struct trace *t, size_t process, const struct event *e)
{
	unsigned attribute = (unsigned)e->type->starts_attribute;
	uint64_t address = (uint64_t)record_value(e->type, attribute, e->record).integer;
	bool low = e->type->attributes[attribute].type == TYPE_CODE32;
	size_t length;
	const char *program = program_file(t->processes[process].program, &length);
	const char *module, *function;
	struct beginning b = {0};

	module = address ? symbols_module(t, process, address, low, e->time) : NULL;
	function = module ? symbols_function(t, process, address, low, e->time) : NULL;
	if (!function)
		return b;
	if (callable_is_standard(module, function))
		b.library = function;
	else if (strncmp(module, program, length) == 0 && !module[length] &&
		 !callable_is_nameless(module, function))
		b.function = function;
	return b;
}

struct trace *start_names_add(struct trace *t)
{
	struct opened *o = t ? opened_of(t) : NULL;
	const char **libraries, **functions;
	bool called = false;
	struct event e;

	if (!t || !has_starts(t))
		return t;
	labels_free(o->threads, o->nlogs);
	libraries = array_zero(o->nlogs, sizeof *libraries);
	functions = array_zero(o->nlogs, sizeof *functions);
	for (size_t i = 0; i < o->nlogs; i++) {
		const struct trace_thread *thread = &o->threads[i];
		struct beginning b = {0};

		/* "main" stays */
		if (!thread->named && thread->name == thread->owner && start_find(o, i, &e))
			b = beginning_of(t, thread->directory, &e);
		functions[i] = b.function;
		libraries[i] = b.library;
		called |= b.library != NULL;
	}
	if (called)
		callables_find(t, libraries, functions);
	for (size_t i = 0; i < o->nlogs; i++)
		if (functions[i])
			o->threads[i].name = functions[i];
	free(libraries);
	free(functions);
	labels_make(o->threads, o->nlogs);
	return t;
}
