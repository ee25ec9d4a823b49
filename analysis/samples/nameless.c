#include "analysis/samples/nameless.h"
#include "base/array.h"
#include "spec/layout.h"
#include "trace/stream/pass.h"
#include "trace/symbols/call_paths.h"
#include "trace/symbols/modules.h"
#include "trace/symbols/symbols.h"
#include <pthread.h>
#include <stdlib.h>

/* A smaller share of all samples changes little. */
static const double few = 0.1;

struct module_count {
	const char *path;
	uint64_t samples;
};

struct nameless_search {
	const struct trace *trace;
	const struct call_paths *frames;
	pthread_mutex_t mutex;
	VECTOR(struct module_count) modules;
	uint64_t all;
};

/* Returns the file of a sampled function that has no name; NULL: it has one, or no file. */
static const char *path_of(const struct nameless_search *s, size_t process, uint64_t stack)
{
	const struct modules *modules = symbols_modules(s->trace, process);
	const struct module *m;
	const char *name;
	struct frame f;

	if (!modules || !call_path_frame(s->frames, process, stack, &f) || !f.address)
		return NULL;
	name = symbols_function(s->trace, process, f.address, f.low, f.time);
	if (!name || (*name != '[' && !strstr(name, ":fn_")))
		return NULL;
	m = f.low ? modules_at_low(modules, (uint32_t)f.address, f.time, &f.address)
		  : modules_at(modules, f.address, f.time);
	return m && *m->path == '/' ? m->path : NULL;
}

static void path_count(struct nameless_search *s, const char *path)
{
	size_t i = 0;

	while (i < s->modules.n && strcmp(s->modules.at[i].path, path) != 0)
		i++;
	if (i == s->modules.n)
		vector_add(&s->modules)->path = path;
	s->modules.at[i].samples++;
}

static void samples_count(void *context, const struct event_chunk *c)
{
	struct nameless_search *s = context;
	size_t process = s->trace->threads[c->thread].directory;
	unsigned stack = (unsigned)c->type->stack_attribute;

	pthread_mutex_lock(&s->mutex);
	s->all += c->n;
	for (size_t i = 0; i < c->n; i++) {
		const char *path = path_of(
		    s, process, (uint64_t)record_value(c->type, stack, c->record[i]).integer);

		if (path)
			path_count(s, path);
	}
	pthread_mutex_unlock(&s->mutex);
}

const char *nameless_module(const struct trace *t, double *share)
{
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted), sampled = false;
	struct nameless_search s = {.trace = t};
	struct module_count most = {0};

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		wanted[i] = t->spec->events[i]->sample;
		sampled |= wanted[i] && t->events_of_type[i];
	}
	if (sampled) {
		struct call_paths *frames = call_paths_make(t);

		s.frames = frames;
		pthread_mutex_init(&s.mutex, NULL);
		trace_visit_events(t, wanted, samples_count, &s);
		pthread_mutex_destroy(&s.mutex);
		call_paths_free(frames);
	}
	for (size_t i = 0; i < s.modules.n; i++)
		if (s.modules.at[i].samples > most.samples)
			most = s.modules.at[i];
	*share = s.all ? (double)most.samples / (double)s.all : 0;
	free(s.modules.at);
	free(wanted);
	return *share >= few ? most.path : NULL;
}
