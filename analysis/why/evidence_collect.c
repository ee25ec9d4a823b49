#include "analysis/why/evidence_collect.h"
#include "analysis/activity/span_classes.h"
#include "analysis/activity/span_text.h"
#include "analysis/locks/locks.h"
#include "analysis/replay/items/hand_out.h"
#include "analysis/samples/moved_tasks.h"
#include "analysis/samples/spinning.h"
#include "analysis/why/culprits.h"
#include "analysis/why/deadlock.h"
#include "analysis/why/openmp_teams.h"
#include "analysis/why/paging.h"
#include "analysis/why/priorities.h"
#include "analysis/why/queues.h"
#include "analysis/why/switches.h"
#include "analysis/why/thread_groups.h"
#include "analysis/why/together.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/search.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* ---- waits ---- */

/* The waits of one thread, while their facts are found. */
struct thread_wait_facts {
	const struct evidence *evidence;
	uint32_t thread;
	const struct timeline *line;
	const span_vector *spans;
	struct wait_fact *facts;
	int64_t *work_to;                 /* up to when the work of each is done */
	const struct instance_span *next; /* the next wait of any kind */
	/*
	 * Waits that another thread ended, the next one last, without those that are part of one
	 * before.
	 */
	VECTOR(size_t) caused;
};

static bool is_wait(const struct evidence *g, const struct instance_span *s)
{
	enum interval_kind kind = span_role(g->set, s)->kind;

	return kind == KIND_WAIT || kind == KIND_SPIN;
}

static int64_t end_of(const struct thread_wait_facts *w, const struct instance_span *s)
{
	return s->end < w->line->end ? s->end : w->line->end;
}

/* A lock is released by a thread, also where no event tells by which, as of monitors of Java. */
static bool waits_for_lock(const struct span_class *c)
{
	const char *object = class_object_word(c);

	return object && strcmp(object, NAME_LOCK) == 0;
}

/* Who let the thread go on, if that is known. */
static void blocker_set(const struct thread_wait_facts *w, const struct instance_span *s,
			struct wait_fact *fact)
{
	size_t i = stretch_before(w->line, end_of(w, s));
	const struct stretch *last = &w->line->stretches[i];

	fact->blocked_until = end_of(w, s);
	fact->by_thread =
	    s->end <= w->line->end && waits_for_lock(&w->evidence->set->classes.at[s->class]);
	if (i == w->line->n || last->cause_thread == NO_THREAD || last->cause_time < s->start)
		return;
	fact->by_thread = true;
	fact->blocker = last->cause_thread;
	fact->blocked_until = last->cause_time;
}

/* Two waits for the same that are closer than this, in ns, count as one that goes on. */
enum { AT_ONCE = 50000 };
/* How many holds before the next wait are looked at for one that ends before it. */
enum { HOLDS_BEFORE = 16 };

static bool waits_for_the_same(const struct evidence *g, const struct instance_span *a,
			       const struct instance_span *b)
{
	const struct span_class *x = place_class(g, a->class), *y = place_class(g, b->class);

	return x->role == y->role && x->object == y->object;
}

/*
 * Sets what the thread does on its own, up to a wait for another thread that is at least half as
 * long.
 */
static void own_time_set(struct thread_wait_facts *w, size_t i)
{
	const struct instance_span *s = &w->spans->at[i];
	struct wait_fact *fact = &w->facts[i];
	int64_t end = end_of(w, s), to = end;

	while (w->caused.n) {
		size_t k = w->caused.at[w->caused.n - 1];
		const struct instance_span *next = &w->spans->at[k];

		fact->work += next->start - to;
		to = next->start;
		if (2 * (end_of(w, next) - next->start) >= end - s->start) {
			w->work_to[i] = to;
			return;
		}
		fact->work += w->facts[k].work;
		to = w->work_to[k];
		w->caused.n--;
	}
	if (w->line->end > to)
		fact->work += w->line->end - to;
	w->work_to[i] = w->line->end;
}

/*
 * Whether the thread releases a lock between two waits. A thread that wakes up in vain has the
 * condition's lock until its next wait releases it.
 */
static bool releases_between(const struct thread_wait_facts *w, int64_t from, int64_t to)
{
	const span_vector *holds = instance_spans(w->evidence->set, SPANS_HOLD, w->thread);
	size_t next = lower_bound(i, 0, holds->n, holds->at[i].start < to);

	for (size_t i = next; i-- > 0 && i + HOLDS_BEFORE >= next;)
		if (holds->at[i].end >= from && holds->at[i].end < to)
			return true;
	return false;
}

/* The waits of a thread come last to first. */
static void work_set(struct thread_wait_facts *w, size_t i)
{
	const struct instance_span *s = &w->spans->at[i];
	struct wait_fact *fact = &w->facts[i];
	int64_t end = end_of(w, s);

	if (!is_wait(w->evidence, s) || (w->next && end > w->next->start))
		return;
	fact->again = w->next && waits_for_the_same(w->evidence, s, w->next) &&
		      w->next->start - end < AT_ONCE && !releases_between(w, end, w->next->start);
	if (fact->by_thread) {
		own_time_set(w, i);
		*vector_add(&w->caused) = i;
	}
	w->next = s;
}

/* The wait in whose time afterwards a moment is; NULL: none. */
static struct wait_fact *wait_before(const struct thread_wait_facts *w, int64_t time)
{
	size_t next = lower_bound(i, 0, w->spans->n, w->spans->at[i].start < time);

	while (next-- > 0)
		if (w->facts[next].by_thread && end_of(w, &w->spans->at[next]) <= time)
			return w->work_to[next] >= time ? &w->facts[next] : NULL;
	return NULL;
}

/* The threads that each one has created. */
struct thread_children {
	uint32_t *first, *next; /* by creator; by child */
};

static struct thread_children children_of(const struct graph *g)
{
	uint32_t n = g->trace->nthreads;
	struct thread_children c = {array_new(n, sizeof *c.first), array_new(n, sizeof *c.next)};

	for (uint32_t t = 0; t < n; t++)
		c.first[t] = NO_THREAD;
	for (uint32_t t = 0; t < n; t++)
		if (g->threads[t].creator != NO_THREAD) {
			c.next[t] = c.first[g->threads[t].creator];
			c.first[g->threads[t].creator] = t;
		}
	return c;
}

/* What threads do that were created after a wait could have been done without it, too. */
static void children_add(const struct thread_wait_facts *w, const struct thread_children *c,
			 uint32_t thread)
{
	for (uint32_t t = c->first[thread]; t != NO_THREAD; t = c->next[t]) {
		const struct timeline *l = &w->evidence->graph->threads[t];
		struct wait_fact *fact = wait_before(w, l->created);

		if (fact)
			fact->work += l->end - l->begin;
	}
}

static int64_t ready_in(const struct evidence *g, uint32_t thread, int64_t from, int64_t to)
{
	return span_subset_until(g->ready, thread, to) - span_subset_until(g->ready, thread, from);
}

static void delays_set(const struct thread_wait_facts *w, uint32_t thread)
{
	const struct evidence *g = w->evidence;
	int64_t last = 0;

	for (size_t i = 0; i < w->spans->n; i++) {
		struct wait_fact *fact = &w->facts[i];

		if (fact->blocker == NO_THREAD)
			continue;
		fact->delay = ready_in(g, fact->blocker, last, fact->blocked_until) -
			      ready_in(g, thread, last, w->spans->at[i].start);
		fact->delay = fact->delay > 0 ? fact->delay : 0;
		last = end_of(w, &w->spans->at[i]);
	}
}

struct completing {
	struct evidence *evidence;
	struct thread_children children;
};

static void thread_complete(void *context, size_t thread, unsigned worker)
{
	const struct completing *c = context;
	struct evidence *g = c->evidence;
	const span_vector *spans = instance_spans(g->set, SPANS_WAIT, (uint32_t)thread);
	struct thread_wait_facts w = {.evidence = g,
				      .thread = (uint32_t)thread,
				      .line = &g->graph->threads[thread],
				      .spans = spans,
				      .facts = array_zero(spans->n, sizeof *w.facts),
				      .work_to = array_zero(spans->n, sizeof *w.work_to)};

	(void)worker;
	for (size_t i = spans->n; i-- > 0;) {
		w.facts[i].blocker = NO_THREAD;
		w.facts[i].blame = NO_KEY;
		if (is_wait(g, &spans->at[i]))
			blocker_set(&w, &spans->at[i], &w.facts[i]);
		work_set(&w, i);
	}
	delays_set(&w, (uint32_t)thread);
	children_add(&w, &c->children, (uint32_t)thread);
	free(w.caused.at);
	free(w.work_to);
	g->waits[thread] = w.facts;
}

static void waits_complete(struct evidence *g)
{
	struct completing c = {g, children_of(g->graph)};

	g->waits = array_new(g->trace->nthreads, sizeof *g->waits);
	parallel_for(g->trace->nthreads, thread_complete, &c);
	free(c.children.first);
	free(c.children.next);
}

static struct span_subset *ready_part(const struct graph *g)
{
	struct span_subset *p = span_subset_new(g->trace->nthreads);

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->threads[t];

		for (size_t i = 0; i < l->n; i++)
			if (l->stretches[i].activity == ACTIVITY_READY)
				span_subset_add(p, t, l->stretches[i].from, stretch_end(l, i));
	}
	span_subset_close(p);
	return p;
}

/* As recorded; or the last one that a thread ran on, and those before it; 0: not known. */
static unsigned processors_known(const struct evidence *g)
{
	uint64_t used = 0;

	if (g->usable)
		return g->usable;
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		used |= g->processors[t];
	return used ? 64 - (unsigned)__builtin_clzll(used) : 0;
}

/* ---- what follows from the graph, each by itself ---- */

static void path_find(struct evidence *g)
{
	g->path = critical_path_of(g->graph);
	g->on_path = critical_path_part(g->path, g->trace->nthreads);
}

static void idle_find(struct evidence *g)
{
	g->ready = ready_part(g->graph);
	g->idle = idle_of(g->graph, g->set,
			  g->asked_processors ? g->asked_processors : processors_known(g));
}

static void rates_find(struct evidence *g)
{
	g->event_rates = event_rates_of(g->trace);
}

static void (*const parts[])(struct evidence *) = {path_find, idle_find, rates_find};

static void part_find(void *context, size_t i, unsigned worker)
{
	(void)worker;
	parts[i](context);
}

/* ---- all ---- */

void evidence_announce(struct trace *t)
{
	graph_announce(t);
	thread_groups_announce(t);
	switches_announce(t);
	priorities_announce(t);
	hand_out_announce(t);
}

struct evidence *evidence_of(const struct instance_set *set, unsigned processors,
			     const struct span_condition *conditions, unsigned n)
{
	struct evidence *g = array_zero(1, sizeof *g);
	struct trace *t = set->trace;

	g->trace = t;
	g->set = set;
	g->pairs = array_zero(1, sizeof *g->pairs);
	g->conditions = conditions;
	g->nconditions = n;
	g->graph = graph_from(set);
	for (unsigned i = 0; i < t->nprocesses; i++)
		if ((int64_t)t->processes[i].event_cost > g->event_cost)
			g->event_cost = (int64_t)t->processes[i].event_cost;
	thread_groups_set(g);
	for (enum activity a = 0; a < NACTIVITIES; a++)
		g->states[a] = span_class_none;
	g->asked_processors = processors;
	parallel_for(sizeof parts / sizeof *parts, part_find, g);
	waits_complete(g);
	culprits_set(g);
	stuck_find(&g->stuck, t);
	together_set(g);
	deadlocks_set(g);
	queues_set(g);
	g->switches = switches_of(set);
	g->priorities = priorities_of(t);
	g->paging = paging_stacks(set->samples);
	g->throttled = throttled_of(t);
	g->mover = task_mover_of(set->samples);
	openmp_teams_set(g);
	g->spins = spinning_stacks(set->samples);
	return g;
}

void evidence_free(struct evidence *g)
{
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		free(g->waits[t]);
		free(g->queued[t]);
	}
	free(g->waits);
	free(g->queued);
	stuck_free(&g->stuck);
	if (g->locks)
		locks_free(g->locks);
	span_subset_free(g->on_path);
	span_subset_free(g->ready);
	idle_free_all(g->idle);
	switches_free(g->switches);
	priorities_free(g->priorities);
	free(g->paging);
	free(g->throttled.at);
	free(g->spins);
	event_rates_free(g->event_rates);
	critical_path_free(g->path);
	graph_free(g->graph);
	free(g->processors);
	free(g->groups);
	free(g->teams);
	free(g->bodies);
	hash_table_free(g->pairs);
	free(g->pairs);
	free(g->names);
	free(g->ran_on);
	free(g);
}
