#include "trace/symbols/wait_sites.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/search.h"
#include "base/task.h"
#include "spec/layout.h"
#include "spec/spec.h"
#include "trace/open/opened.h"
#include "trace/stream/pass.h"
#include "trace/symbols/call_paths.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* A wait that begins in a library, where its stack shows a call of the program. */
struct wait_site {
	int64_t time;
	uint64_t address; /* where that call returns to; while they are read, the stack's number */
};

typedef VECTOR(struct wait_site) site_vector;

struct wait_sites {
	bool *begins;         /* by event type: it begins waits that may have stacks */
	site_vector *threads; /* as the trace's threads, by time; NULL: not read yet */
	unsigned nthreads;
};

/* ---- the sites of all waits ---- */

static void stacks_take(void *context, const struct event_chunk *c)
{
	site_vector *sites = &((site_vector *)context)[c->thread];
	unsigned stack = (unsigned)c->type->stack_attribute;

	for (size_t i = 0; i < c->n; i++)
		*vector_add(sites) = (struct wait_site){
		    c->time[i], (uint64_t)record_value(c->type, stack, c->record[i]).integer};
}

static int site_order(const void *left, const void *right)
{
	const struct wait_site *a = left, *b = right;

	return (a->time > b->time) - (a->time < b->time);
}

struct stack_sites {
	const struct trace *trace;
	const struct call_paths *paths;
	struct hash_table known; /* by number and process: the index of the address */
	VECTOR(uint64_t) addresses;
};

/* Whether a wait there is the caller's: in a library of the language, or a wrapper of the wait. */
static bool waits_for_caller(const struct trace *t, size_t process, uint64_t address, bool low,
			     int64_t time)
{
	return symbols_is_library(t, process, address, low, time) ||
	       symbols_is_wrapper(t, process, address, low, time);
}

/* Returns where the innermost call of the program returns to; 0: it is the first frame, or none. */
static uint64_t stack_look(const struct stack_sites *s, size_t process, uint64_t stack)
{
	struct frame f;

	/* the address of a frame is within the call */
	for (unsigned i = 0; i < CALL_PATH_MOST; i++, stack = f.parent) {
		if (!call_path_frame(s->paths, process, stack, &f) || !f.address)
			return 0;
		if (!waits_for_caller(s->trace, process, f.address + 1, f.low, f.time))
			return i ? f.address + 1 : 0;
	}
	return 0;
}

static uint64_t stack_site(struct stack_sites *s, size_t process, uint64_t stack)
{
	struct hash_slot *slot = hash_table_slot(&s->known, hash_mix(stack), process);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)s->addresses.n;
		*vector_add(&s->addresses) = stack_look(s, process, stack);
	}
	return s->addresses.at[slot->head];
}

static void sites_keep(struct stack_sites *s, size_t process, site_vector *sites)
{
	size_t kept = 0;

	for (size_t i = 0; i < sites->n; i++) {
		uint64_t address = stack_site(s, process, sites->at[i].address);

		if (address)
			sites->at[kept++] = (struct wait_site){sites->at[i].time, address};
	}
	sites->n = kept;
	if (kept)
		qsort(sites->at, kept, sizeof *sites->at, site_order);
}

static site_vector *sites_read(const struct trace *t)
{
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted);
	site_vector *threads = array_zero(t->nthreads, sizeof *threads);
	struct call_paths *paths = call_paths_make(t);
	struct stack_sites s = {.trace = t, .paths = paths};

	for (unsigned i = 0; i < t->spec->nevents; i++)
		wanted[i] = t->spec->events[i]->wait;
	trace_visit_events(t, wanted, stacks_take, threads);
	for (unsigned i = 0; i < t->nthreads; i++)
		sites_keep(&s, t->threads[i].directory, &threads[i]);
	call_paths_free(paths);
	hash_table_free(&s.known);
	free(s.addresses.at);
	free(wanted);
	return threads;
}

static void sites_free(site_vector *threads, unsigned n)
{
	for (unsigned i = 0; threads && i < n; i++)
		free(threads[i].at);
	free(threads);
}

/* ---- kept with the trace ---- */

static void wait_sites_free(struct wait_sites *w)
{
	sites_free(w->threads, w->nthreads);
	free(w->begins);
	free(w);
}

static struct wait_sites *wait_sites_make(const struct trace *t)
{
	struct wait_sites *w = array_zero(1, sizeof *w);
	bool stacks = false;

	w->nthreads = t->nthreads;
	w->begins = array_zero(t->spec->nevents + 1, sizeof *w->begins);
	for (unsigned i = 0; i < t->spec->nevents; i++)
		stacks |= t->spec->events[i]->wait && t->events_of_type[i];
	for (unsigned i = 0; stacks && i < t->spec->nevents; i++)
		w->begins[i] = event_begins_wait(t->spec, t->spec->events[i]);
	return w;
}

static struct wait_sites *wait_sites_of(const struct trace *t)
{
	struct opened *o = opened_of(t);

	pthread_mutex_lock(&o->making);
	if (!o->wait_sites) {
		o->wait_sites = wait_sites_make(t);
		o->wait_sites_free = wait_sites_free;
	}
	pthread_mutex_unlock(&o->making);
	return o->wait_sites;
}

/* Returns the sites of each thread; NULL: they are incomplete, as the task was cancelled. */
static const site_vector *sites_of(const struct trace *t, struct wait_sites *w)
{
	struct opened *o = opened_of(t);
	site_vector *threads;

	pthread_mutex_lock(&o->making);
	if (!w->threads) {
		threads = sites_read(t);
		if (task_stopped())
			sites_free(threads, w->nthreads);
		else
			w->threads = threads;
	}
	threads = w->threads;
	pthread_mutex_unlock(&o->making);
	return threads;
}

bool wait_site_find(const struct trace *t, const struct event *e, size_t process, bool low,
		    uint64_t *address)
{
	struct wait_sites *w = wait_sites_of(t);
	uint32_t thread = trace_thread_index(t, e->thread);
	const site_vector *threads, *sites;
	size_t at;

	if (thread == t->nthreads || !w->begins[e->type->index] ||
	    !waits_for_caller(t, process, *address, low, e->time) || !(threads = sites_of(t, w)))
		return false;
	sites = &threads[thread];
	at = lower_bound(i, (size_t)0, sites->n, sites->at[i].time < e->time);
	if (at == sites->n || sites->at[at].time != e->time)
		return false;
	*address = sites->at[at].address;
	return true;
}
