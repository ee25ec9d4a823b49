#include "trace/symbols/wait_sites.h"
#include "base/array.h"
#include "base/search.h"
#include "base/task.h"
#include "spec/layout.h"
#include "spec/spec.h"
#include "trace/open/opened.h"
#include "trace/stream/pass.h"
#include "trace/symbols/stack_sites.h"
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

static void sites_keep(const struct trace *t, size_t process, site_vector *sites)
{
	size_t kept = 0;

	for (size_t i = 0; i < sites->n; i++) {
		uint64_t address = stack_site_find(t, process, sites->at[i].address).address;

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

	for (unsigned i = 0; i < t->spec->nevents; i++)
		wanted[i] = event_is_wait_stack(t->spec->events[i]);
	trace_visit_events(t, wanted, stacks_take, threads);
	for (unsigned i = 0; i < t->nthreads; i++)
		sites_keep(t, t->threads[i].directory, &threads[i]);
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

/* ---- the site of one event ---- */

/* Of an event that has a stack itself. */
static bool own_site_find(const struct trace *t, const struct event *e, size_t process,
			  uint64_t *address)
{
	uint64_t site = stack_site_find(t, process, event_stack(e)).address;

	if (site)
		*address = site;
	return site;
}

/* The same, by the event right after it that has the stack. */
static bool next_site_find(const struct trace *t, const struct event *e, size_t process, bool low,
			   uint64_t *address)
{
	struct wait_sites *w = wait_sites_of(t);
	uint32_t thread = trace_thread_index(t, e->thread);
	const site_vector *threads, *sites;
	size_t at;

	if (thread == t->nthreads || !w->begins[e->type->index] ||
	    !code_waits_for_caller(t, process, *address, low, e->time) ||
	    !(threads = sites_of(t, w)))
		return false;
	sites = &threads[thread];
	at = lower_bound(i, (size_t)0, sites->n, sites->at[i].time < e->time);
	if (at == sites->n || sites->at[at].time != e->time)
		return false;
	*address = sites->at[at].address;
	return true;
}

bool wait_site_find(const struct trace *t, const struct event *e, size_t process, bool low,
		    uint64_t *address)
{
	return event_has_stack_and_code(e->type) ? own_site_find(t, e, process, address)
						 : next_site_find(t, e, process, low, address);
}
