#include "base/array.h"
#include "spec/layout.h"
#include "trace/stream/losses.h"
#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/index/stack_times.h"
#include "viewers/thread_places.h"
#include <stdlib.h>

/* Of the threads that say how many processors they may run on, so many are asked. */
enum { ASKED = 1000 };

/* Returns how many processors most threads may run on; 0: none says it. */
static unsigned find_processors(const struct trace *t, const struct event_index *x)
{
	VECTOR(unsigned) said = {0};
	unsigned best = 0, most = 0, n;

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *type = t->spec->events[i];
		event_id id;
		struct event e;

		for (uint64_t k = 0;
		     type->processors_attribute >= 0 && k < ASKED &&
		     event_index_select(x, type, k, &id) && event_index_event(x, id, &e);
		     k++) {
			struct value v =
			    record_value(type, (unsigned)type->processors_attribute, e.record);
			*vector_add(&said) = v.integer > 0 ? (unsigned)v.integer : 0;
		}
	}
	for (size_t i = 0; i < said.n; i++) {
		n = 0;
		for (size_t k = i; k < said.n; k++)
			n += said.at[k] == said.at[i];
		if (n > most && said.at[i]) {
			best = said.at[i];
			most = n;
		}
	}
	free(said.at);
	return best;
}

static struct trace_index *index_of(struct generation *g, struct matcher *before)
{
	struct trace_index *t = array_zero(1, sizeof *t);

	t->holders = 1;
	t->trace = generation_trace(g);
	t->events = generation_index(g);
	t->generation = g;
	t->places = thread_places(t->trace);
	t->losses = losses_text(t->trace);
	t->processors = find_processors(t->trace, t->events);
	t->matcher = matcher_new(g, before);
	t->matches = array_zero(t->trace->spec->nintervals, sizeof *t->matches);
	return t;
}

struct trace_index *trace_index_new(struct trace *trace, struct diag *diag)
{
	struct generation *g = generation_new(trace);

	if (g)
		return index_of(g, NULL);
	trace_close(trace);
	diag_error(diag, DIAG_NOWHERE,
		   "the log of a thread has 16 GiB or more, which is more than "
		   "gorge can show");
	return NULL;
}

struct trace_index *trace_index_respecify(struct trace_index *t, struct spec *spec)
{
	struct generation *g = generation_respecify(t->generation, spec);

	return g ? index_of(g, t->matcher) : NULL;
}

struct trace_index *trace_index_logical(struct trace_index *t)
{
	struct generation *g;
	struct trace_index *made;

	matcher_lend(t->matcher);
	matcher_lock(t->matcher);
	g = generation_logical(t->generation);
	matcher_unlock(t->matcher);
	made = index_of(g, NULL);
	matcher_join(made->matcher, t->matcher);
	return made;
}

static pthread_mutex_t explaining = PTHREAD_MUTEX_INITIALIZER;

static void forget_reasons(struct trace_index *t)
{
	reasons_free(t->reasons);
	t->reasons = NULL;
}

/* Gives the last reasons, if they are of these instances, or makes them. */
static struct reasons *reasons_of(struct trace_index *t, struct instances *blocked,
				  struct instances *const *waits, unsigned n)
{
	struct reasons *r;

	pthread_mutex_lock(&explaining);
	if (!t->reasons || !reasons_are_of(t->reasons, blocked, waits, n)) {
		forget_reasons(t);
		t->reasons = reasons_new(blocked, waits, n);
	}
	r = reasons_hold(t->reasons);
	pthread_mutex_unlock(&explaining);
	return r;
}

struct reasons *trace_index_reasons(struct trace_index *t, const struct interval *blocked,
				    const struct interval *const *waits, unsigned n)
{
	struct instances *states = matcher_get(t->matcher, blocked);
	struct instances **found = array_zero(n, sizeof *found);
	struct reasons *r;
	bool all = states;

	for (unsigned i = 0; i < n && all; i++) {
		found[i] = matcher_get(t->matcher, waits[i]);
		all = found[i];
	}
	r = all ? reasons_of(t, states, found, n) : NULL;
	free(found);
	return r;
}

struct trace_index *trace_index_hold(struct trace_index *t)
{
	t->holders++;
	return t;
}

static void forget_matches(struct trace_index *t)
{
	for (unsigned i = 0; i < t->trace->spec->nintervals; i++) {
		matches_free(t->matches[i]);
		t->matches[i] = NULL;
	}
}

void trace_index_free(struct trace_index *t)
{
	if (!t || --t->holders)
		return;
	trace_index_forget_objects(t);
	trace_index_forget_stacks(t);
	forget_matches(t);
	forget_reasons(t);
	free(t->matches);
	free(t->places);
	free(t->losses);
	matcher_free(t->matcher);
	generation_release(t->generation);
	free(t);
}

void trace_index_grow(struct trace_index *t, struct generation *g)
{
	trace_index_forget_objects(t);
	forget_matches(t);
	forget_reasons(t);
	matcher_grow(t->matcher, g);
	generation_release(t->generation);
	t->generation = g;
	t->trace = generation_trace(g);
	t->events = generation_index(g);
	free(t->places);
	t->places = thread_places(t->trace);
	free(t->losses);
	t->losses = losses_text(t->trace);
	t->processors = find_processors(t->trace, t->events);
}

void trace_index_renew(struct trace_index *t)
{
	trace_index_forget_objects(t);
	forget_matches(t);
	forget_reasons(t);
	matcher_renew(t->matcher);
}

struct instances *trace_index_use(const struct trace_index *t, const struct interval *interval)
{
	struct instances *n = matcher_await(t->matcher, interval);

	stacking_hold();
	return n;
}

void trace_index_used(void)
{
	stacking_release();
}

const struct matches *trace_index_matches(struct trace_index *t, const struct interval *interval)
{
	struct matches **found = &t->matches[interval->index];

	matcher_lend(t->matcher);
	matcher_lock(t->matcher);
	if (!*found)
		*found = match_interval(t->trace, interval);
	matcher_unlock(t->matcher);
	return *found;
}

struct span_rows *trace_index_rows(const struct trace_index *t, const bool *chosen,
				   const bool *apart)
{
	unsigned n = t->trace->spec->nintervals, nkeys = 0;
	struct instances **keys = array_zero(n, sizeof *keys);

	for (unsigned i = 0; i < n; i++)
		if (chosen[i])
			keys[nkeys++] =
			    apart[i] ? NULL : matcher_get(t->matcher, t->trace->spec->intervals[i]);
	return span_rows_new(t->trace, keys, nkeys);
}
