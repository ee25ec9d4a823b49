#include "analysis/why/focus.h"
#include "analysis/why/axes.h"
#include "analysis/why/holders.h"
#include "analysis/why/instance_conditions.h"
#include "analysis/why/openmp_teams.h"
#include "analysis/why/paging.h"
#include "analysis/why/span_walk.h"
#include "analysis/why/switches.h"
#include "base/parallel.h"
#include "base/search.h"
#include "spec/layout.h"
#include <fnmatch.h>
#include <stdlib.h>

/* ---- the focus ---- */

static bool *bools_copy(const bool *from, size_t n)
{
	bool *to = from ? array_new(n, sizeof *to) : NULL;

	if (from)
		memcpy(to, from, n * sizeof *to);
	return to;
}

/* What a measure of a focus is. */
struct measured {
	struct test_measure measure;
	const struct test_measure *about; /* of TEST_HOLDER; else NULL */
	double value;
};

struct measured_list {
	VECTOR(struct measured) all;
};

struct focus focus_all(const struct evidence *g, int64_t from, int64_t to)
{
	struct focus f = {.from = from, .to = to, .holder = NO_KEY};

	f.measured = array_zero(1, sizeof *f.measured);
	f.threads = array_new(g->trace->nthreads, sizeof *f.threads);
	memset(f.threads, true, g->trace->nthreads);
	return f;
}

struct focus focus_copy(const struct evidence *g, const struct focus *f)
{
	struct focus c = *f;

	c.threads = bools_copy(f->threads, g->trace->nthreads);
	c.places = bools_copy(f->places, g->places.n);
	c.only_threads = bools_copy(f->only_threads, g->trace->nthreads);
	c.measured = array_zero(1, sizeof *c.measured);
	return c;
}

void focus_free(struct focus *f)
{
	free(f->threads);
	free(f->places);
	free(f->only_threads);
	free(f->measured->all.at);
	free(f->measured);
}

/* ---- its spans ---- */

static unsigned sort_of_place(const struct evidence *g, size_t place)
{
	const struct role *r = g->places.at[place].role;

	return r ? span_sort_of(r) : NSPAN_SORTS;
}

struct span_walk span_walk_begin(const struct evidence *g, const struct focus *f,
				 const bool *places)
{
	struct span_walk w = {.evidence = g, .focus = f, .places = places, .sort = (unsigned)-1};

	for (size_t i = 0; i < g->places.n; i++)
		if (span_walk_wants(&w, (uint32_t)i))
			w.sorts |= 1u << sort_of_place(g, i);
	span_walk_list_next(&w);
	return w;
}

bool span_walk_picks(const struct span_walk *w, const struct span_of_time *s)
{
	const struct focus *f = w->focus;

	return (!f->deadlocked || (s->wait && s->wait->deadlocked)) &&
	       (f->holder == NO_KEY || axis_key(w->evidence, AXIS_HOLDER, s) == f->holder) &&
	       (!f->of_pair ||
		(s->thread == f->pair_thread && s->wait && s->wait->blocker == f->pair_blocker));
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t focus_lives(const struct evidence *g, const struct focus *f)
{
	int64_t lives = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->graph->threads[t];
		int64_t from = later(l->begin, f->from), to = sooner(l->end, f->to);

		if (f->threads[t] && l->n && from < to)
			lives += to - from;
	}
	return lives;
}

/* ---- what a measure selects ---- */

static bool is_like(const char *pattern, const char *text)
{
	return !pattern || (text && fnmatch(pattern, text, 0) == 0);
}

bool test_selects_role(const struct test_measure *m, const struct role *r)
{
	const struct event_type *start = r->start.event;

	/* Who only waits for work is not slow. */
	if (r->interval->idle && !m->exact && !m->interval && !m->label)
		return false;
	if ((m->exact && strcmp(m->exact->name, r->interval->name)) ||
	    (m->kind && m->kind != r->kind))
		return false;
	return is_like(m->label, r->interval->style.label) &&
	       is_like(m->interval, r->interval->name) &&
	       is_like(m->object,
		       r->start.object < 0 ? NULL : start->attributes[r->start.object].name);
}

bool test_selects(const struct evidence *g, const struct test_measure *m,
		  const struct span_place *p)
{
	static const char *const states[NACTIVITIES] = {"running", "ready", "", "blocked"};
	bool able = m->state && strcmp(m->state, "able") == 0;
	bool anything = !m->kind && !m->label && !m->object && !m->interval && !m->exact;
	const struct role *r = p->role;

	if (m->condition && !(p->conditions & condition_bit(g->conditions, g->nconditions, m)))
		return false;
	if (anything && !m->state)
		return !r && (!(m->event || is_of_paging(m)) || p->state == ACTIVITY_RUNNING);
	if (m->state)
		return !r && (able ? p->state <= ACTIVITY_READY
				   : strcmp(m->state, states[p->state]) == 0);
	return r && role_takes_time(r) && test_selects_role(m, r);
}

bool *test_places(const struct evidence *g, const struct test_measure *m)
{
	bool *places = array_new(g->places.n, sizeof *places);

	for (size_t i = 0; i < g->places.n; i++)
		places[i] = test_selects(g, m, &g->places.at[i]);
	return places;
}

/* ---- costs ---- */

struct costing {
	const struct evidence *evidence;
	const struct focus *focus;
	struct cost *cost;
	bool of_ready; /* it is about threads that are ready, and nothing else */
	bool of_able;  /* it is about another state */
	/* what threads did after waits with a cause: they gain no more */
	double caused_work;
	moment_ranges ready, caused;
};

/* Merges two runs of ranges, by their beginnings, to another place. */
static void runs_merge(const struct moment_range *a, size_t na, const struct moment_range *b,
		       size_t nb, struct moment_range *to)
{
	while (na && nb) {
		bool first = a->from <= b->from;

		*to++ = first ? *a : *b;
		a += first;
		na -= first;
		b += !first;
		nb -= !first;
	}
	memcpy(to, na ? a : b, (na + nb) * sizeof *to);
}

/* Sorts runs, of which each is sorted: from thread to thread the ranges begin anew. */
static void runs_sort(struct moment_range *r, size_t n)
{
	struct moment_range *spare = array_new(n, sizeof *spare), *from = r, *to = spare;
	VECTOR(size_t) begins = {0};

	for (size_t i = 0; i < n; i++)
		if (!i || r[i].from < r[i - 1].from)
			*vector_add(&begins) = i;
	while (begins.n > 1) {
		size_t kept = 0;

		for (size_t i = 0; i < begins.n; i += 2) {
			size_t first = begins.at[i],
			       second = i + 1 < begins.n ? begins.at[i + 1] : n;
			size_t end = i + 2 < begins.n ? begins.at[i + 2] : n;

			runs_merge(from + first, second - first, from + second, end - second,
				   to + first);
			begins.at[kept++] = first;
		}
		begins.n = kept;
		to = from;
		from = from == r ? spare : r;
	}
	if (from != r)
		memcpy(r, from, n * sizeof *r);
	free(spare);
	free(begins.at);
}

size_t ranges_join(struct moment_range *r, size_t n)
{
	size_t kept = 0;

	runs_sort(r, n);
	for (size_t i = 0; i < n; i++)
		if (kept && r[i].from <= r[kept - 1].to)
			r[kept - 1].to = later(r[kept - 1].to, r[i].to);
		else
			r[kept++] = r[i];
	return kept;
}

/* Adds a range; what it goes on with is one with it. */
static void range_add(moment_ranges *ranges, struct moment_range r)
{
	struct moment_range *last = ranges->n ? &ranges->at[ranges->n - 1] : NULL;

	if (last && r.from >= last->from && r.from <= last->to)
		last->to = later(last->to, r.to);
	else
		*vector_add(ranges) = r;
}

/* The pieces of a span in which its thread is on the critical path. */
static void path_pieces(struct costing *c, const struct span_of_time *s, bool ready)
{
	const struct span_subset *p = c->evidence->on_path;
	int64_t from = later(s->from, c->focus->from), to = sooner(s->to, c->focus->to);
	size_t end = p->first[s->thread + 1];
	size_t i = lower_bound(k, p->first[s->thread], end, p->spans.at[k].to <= from);

	for (; i < end && p->spans.at[i].from < to; i++) {
		struct moment_range r = {later(from, p->spans.at[i].from),
					 sooner(to, p->spans.at[i].to)};

		range_add(ready ? &c->ready : &c->cost->ranges, r);
	}
}

static void span_cost(struct costing *c, const struct span_of_time *s)
{
	const struct span_place *p = &c->evidence->places.at[s->place];
	int64_t from = later(s->from, c->focus->from), to = sooner(s->to, c->focus->to);

	if (from >= to)
		return;
	if (!s->wait || !s->wait->by_thread) {
		path_pieces(c, s, c->of_ready && !p->role && p->state == ACTIVITY_READY);
		return;
	}
	from = later(from, s->from + s->wait->delay);
	if (from < to)
		range_add(&c->caused, (struct moment_range){from, to});
	if (!s->wait->again)
		c->caused_work += (double)s->wait->work;
}

static double part_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* Returns a time of the run alone (idle_alone()) on the scale of the focus's time. */
static double on_scale(const struct idle *l, const struct focus *f, double alone)
{
	return part_of(alone * (double)(f->to - f->from), idle_alone(l, f->from, f->to));
}

double ranges_unused(const struct idle *l, const struct focus *f, const struct moment_range *r,
		     size_t n)
{
	struct idle_cursor at = {0};
	double time = 0;

	for (size_t i = 0; i < n; i++)
		time += idle_alone_unused_next(l, r[i].from, r[i].to, &at);
	return on_scale(l, f, time);
}

/* Takes other ranges in, which are joined, too. */
static void ranges_take(moment_ranges *ranges, moment_ranges *others)
{
	if (!ranges->n) {
		moment_ranges none = *ranges;

		*ranges = *others;
		*others = none;
	} else if (others->n) {
		vector_append(ranges, others->at, others->n);
		ranges->n = ranges_join(ranges->at, ranges->n);
	}
}

/*
 * Returns what processors have nothing to do while threads run alone that other programs delayed:
 * at most so much of what running alone costs is not the program's own.
 */
static double late_alone(const struct idle *l, const struct focus *f)
{
	return on_scale(l, f, l->owed * (1 - 1.0 / l->processors));
}

static void cost_sum(struct costing *c)
{
	const struct idle *l = c->evidence->idle;
	struct cost *cost = c->cost;
	const struct focus *f = c->focus;
	double caused, path, work, all, late;
	bool both;

	c->caused.n = ranges_join(c->caused.at, c->caused.n);
	c->ready.n = ranges_join(c->ready.at, c->ready.n);
	cost->ranges.n = ranges_join(cost->ranges.at, cost->ranges.n);
	caused = ranges_unused(l, f, c->caused.at, c->caused.n);
	path = ranges_unused(l, f, cost->ranges.at, cost->ranges.n);
	both = c->caused.n && cost->ranges.n;
	ranges_take(&cost->ranges, &c->caused);
	all = both ? ranges_unused(l, f, cost->ranges.at, cost->ranges.n) : caused + path;
	work = on_scale(l, f, c->caused_work);
	cost->time = path + (caused < work ? caused : work);
	if (cost->time > all)
		cost->time = all;
	late = c->of_able ? late_alone(l, f) : 0;
	cost->time = cost->time > late ? cost->time - late : 0;
	for (size_t i = 0; i < c->ready.n; i++)
		cost->time += idle_ready(l, c->ready.at[i].from, c->ready.at[i].to);
	cost->ready = c->ready.n > 0 && cost->ranges.n == 0;
	ranges_take(&cost->ranges, &c->ready);
}

void cost_of(const struct evidence *g, const struct focus *f, const struct test_measure *m,
	     struct cost *cost)
{
	struct costing c = {.evidence = g,
			    .focus = f,
			    .cost = cost,
			    .of_ready = m->state && strcmp(m->state, "ready") == 0};
	bool *places = test_places(g, m);
	struct span_of_time s;

	c.of_able = m->state && !c.of_ready;
	*cost = (struct cost){0};
	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);)
		span_cost(&c, &s);
	cost_sum(&c);
	free(places);
	free(c.ready.at);
	free(c.caused.at);
}

void cost_free(struct cost *c)
{
	free(c->ranges.at);
}

int64_t cost_length(const struct cost *c)
{
	int64_t sum = 0;

	for (size_t i = 0; i < c->ranges.n; i++)
		sum += c->ranges.at[i].to - c->ranges.at[i].from;
	return sum;
}

int64_t cost_common(const struct cost *a, const struct cost *b)
{
	int64_t sum = 0;

	for (size_t i = 0, k = 0; i < a->ranges.n && k < b->ranges.n;) {
		const struct moment_range *x = &a->ranges.at[i], *y = &b->ranges.at[k];
		int64_t from = later(x->from, y->from), to = sooner(x->to, y->to);

		if (from < to)
			sum += to - from;
		if (x->to < y->to)
			i++;
		else
			k++;
	}
	return sum;
}

int64_t cost_within(const struct cost *c, int64_t from, int64_t to)
{
	size_t i = lower_bound(k, 0, c->ranges.n, c->ranges.at[k].to <= from);
	int64_t sum = 0;

	for (; i < c->ranges.n && c->ranges.at[i].from < to; i++)
		sum += sooner(to, c->ranges.at[i].to) - later(from, c->ranges.at[i].from);
	return sum;
}

/* ---- measures ---- */

struct span_tally {
	int64_t time;
	uint64_t n, again, together;
};

static struct span_tally focus_tally(const struct evidence *g, const struct focus *f,
				     const bool *places)
{
	struct span_tally t = {0};
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);) {
		int64_t from = later(s.from, f->from), to = sooner(s.to, f->to);

		t.n++;
		t.again += s.wait && s.wait->again;
		t.together += s.wait && s.wait->together;
		t.time += from < to ? to - from : 0;
	}
	return t;
}

/* Also a wait that begins when the trace ends is one. */
static unsigned deadlocked_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	unsigned n = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const span_vector *waits = instance_spans(g->set, SPANS_WAIT, t);

		for (size_t i = 0; f->threads[t] && i < waits->n; i++)
			n += g->waits[t][i].deadlocked && places[waits->at[i].class] &&
			     waits->at[i].start <= f->to;
	}
	return n;
}

static unsigned stuck_of(const struct evidence *g, const struct focus *f)
{
	unsigned n = 0;

	for (size_t i = 0; i < g->stuck.threads.n; i++)
		n += f->threads[g->stuck.threads.at[i].thread] &&
		     g->stuck.threads.at[i].since <= f->to;
	return n;
}

/*
 * Of the threads' time, that of selected spans while more threads could run than there are
 * processors.
 */
static double crowd_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct span_of_time s;
	int64_t full = 0;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);)
		full += idle_crowded(g->idle, later(s.from, f->from), sooner(s.to, f->to));
	return part_of((double)full, (double)focus_lives(g, f));
}

static double surplus_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct span_of_time s;
	double surplus = 0;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);)
		surplus += idle_surplus(g->idle, later(s.from, f->from), sooner(s.to, f->to));
	return part_of(surplus, (double)focus_lives(g, f));
}

static int span_order(const void *a, const void *b)
{
	const struct subset_span *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Returns when each thread is in the spans of the run that a measure selects. */
static struct span_subset *selected_part(const struct evidence *g, const bool *places)
{
	struct span_subset *p = span_subset_new(g->trace->nthreads);
	struct focus all = focus_all(g, INT64_MIN, INT64_MAX);
	struct span_walk w = span_walk_begin(g, &all, places);
	VECTOR(struct subset_span) spans = {0};
	struct span_of_time s;
	bool more = span_walk_next(&w, &s);

	while (more) {
		uint32_t thread = s.thread;
		bool sorted = true;

		for (spans.n = 0; more && s.thread == thread; more = span_walk_next(&w, &s)) {
			sorted &= !spans.n || spans.at[spans.n - 1].from <= s.from;
			*vector_add(&spans) = (struct subset_span){s.from, s.to, 0};
		}
		if (!sorted)
			qsort(spans.at, spans.n, sizeof *spans.at, span_order);
		for (size_t i = 0; i < spans.n; i++)
			span_subset_add(p, thread, spans.at[i].from, spans.at[i].to);
	}
	span_subset_close(p);
	free(spans.at);
	focus_free(&all);
	return p;
}

static int64_t part_within(const struct span_subset *p, uint32_t thread, int64_t from, int64_t to)
{
	return from < to ? span_subset_until(p, thread, to) - span_subset_until(p, thread, from)
			 : 0;
}

/*
 * Of the time of waits with a cause, while who let them go on did not wait so, too: that in which
 * that one is in the selected spans.
 */
static double holder_of(const struct evidence *g, const struct focus *f, const bool *waits,
			const bool *places)
{
	struct span_subset *selected = selected_part(g, places), *waiting = selected_part(g, waits);
	int64_t all = 0, part = 0;
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, f, waits); span_walk_next(&w, &s);) {
		if (!s.wait || s.wait->blocker == NO_THREAD)
			continue;
		all += s.wait->blocked_until - s.from -
		       part_within(waiting, s.wait->blocker, s.from, s.wait->blocked_until);
		part += part_within(selected, s.wait->blocker, s.from, s.wait->blocked_until);
	}
	span_subset_free(selected);
	span_subset_free(waiting);
	return part_of((double)part, (double)all);
}

static unsigned threads_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct span_walk w = span_walk_begin(g, f, places);
	struct span_of_time s;
	unsigned n = 0;

	for (; span_walk_next(&w, &s); n++)
		span_walk_thread_next(&w);
	return n;
}

struct member {
	int64_t group, time;
	int64_t apart; /* of work that its group does not share out, beside the time */
};

static int by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->group > y->group) - (x->group < y->group);
}

/*
 * What the thread with most of it has more than the mean of its group: of the group with most of
 * it; 0 if most of that group's work is not shared out.
 */
static double uneven_of_groups(const struct member *m, size_t n)
{
	int64_t dearest = 0;
	double uneven = 0;

	for (size_t i = 0, first = 0; i < n; first = i) {
		int64_t all = 0, most = 0, apart = 0;

		for (; i < n && m[i].group == m[first].group; i++) {
			all += m[i].time;
			apart += m[i].apart;
			most = later(most, m[i].time);
		}
		if (all + apart <= dearest)
			continue;
		dearest = all + apart;
		uneven = i - first < 2 || apart > all
			     ? 0
			     : 1 - part_of((double)all, (double)(i - first) * (double)most);
	}
	return uneven;
}

static bool lives_in(const struct evidence *g, const struct focus *f, uint32_t thread)
{
	const struct timeline *l = &g->graph->threads[thread];

	return l->n && l->begin < f->to && l->end > f->from;
}

/* How much of a span is in the focus. */
static int64_t inside(const struct focus *f, const struct span_of_time *s)
{
	return later(0, sooner(s->to, f->to) - later(s->from, f->from));
}

static double uneven_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct member *members = array_new(g->trace->nthreads, sizeof *members);
	struct span_of_time s;
	size_t n = 0;
	double uneven;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		members[t] = (struct member){.group = g->teams[t]};
	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);)
		members[s.thread].time += inside(f, &s);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (f->threads[t] && lives_in(g, f, t)) {
			double share = openmp_body_share(g, t, f->from, f->to);
			struct member m = members[t];

			m.time = (int64_t)((double)m.time * share);
			m.apart = members[t].time - m.time;
			members[n++] = m;
		}
	qsort(members, n, sizeof *members, by_group);
	uneven = uneven_of_groups(members, n);
	free(members);
	return uneven;
}

static double probe_of(const struct evidence *g, const struct focus *f)
{
	double events = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (f->threads[t])
			events += event_rates_events(g->event_rates, t, f->from, f->to);
	return part_of(events * (double)g->event_cost / 1000, (double)focus_lives(g, f));
}

/* A span that is partly in the focus has that part of its queued time. */
static double queued_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct span_of_time s;
	double queued = 0;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);)
		queued +=
		    (double)s.queued * part_of((double)inside(f, &s), (double)(s.to - s.from));
	return queued;
}

/* Of the time that the threads run, what is not on the processor where most of it is. */
static double spread_of(const struct evidence *g, const struct focus *f)
{
	int64_t all = 0, most = 0;

	for (unsigned p = 0; p < g->nprocessors; p++) {
		int64_t time = 0;

		for (uint32_t t = 0; t < g->trace->nthreads; t++)
			if (f->threads[t])
				time += g->ran_on[(size_t)p * g->trace->nthreads + t];
		all += time;
		most = later(most, time);
	}
	return all ? 1 - part_of((double)most, (double)all) : 1;
}

/* Of one thread's events: how many, or the sum of an attribute. */
struct event_sum {
	struct trace *trace;
	const struct event_list *list;
	int attribute; /* -1: they are counted */
};

static bool event_sum_find(struct trace *t, const char *name, struct event_sum *sum)
{
	const char *dot = strchr(name, '.');
	char *event = text_format("%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
	const struct event_type *type = spec_event(t->spec, event);

	free(event);
	*sum = (struct event_sum){.trace = t, .attribute = -1};
	for (unsigned i = 0; type && dot && i < type->nattributes; i++)
		if (strcmp(type->attributes[i].name, dot + 1) == 0)
			sum->attribute = (int)i;
	if (!type || (dot && sum->attribute < 0))
		return false;
	sum->list = trace_events(t, type);
	return true;
}

void focus_event_sums(const struct evidence *g, const struct focus *f, const char *name,
		      double *sums)
{
	struct event_sum s;

	if (!event_sum_find(g->trace, name, &s))
		return;
	for (size_t i = event_list_from(s.list, f->from); i < event_list_size(s.list); i++) {
		struct value v = {.kind = VALUE_INT, .integer = 1};
		struct event e;
		uint32_t thread;

		event_list_look(s.list, i, &e);
		if (e.time > f->to)
			break;
		thread = trace_thread_index(g->trace, e.thread);
		if (!f->threads[thread])
			continue;
		if (s.attribute >= 0)
			v = record_value(e.type, (unsigned)s.attribute,
					 event_operand(g->trace, &e).record);
		sums[thread] += value_real(&v);
	}
}

/* A second of the threads' time. */
static double events_rate(const struct evidence *g, const struct focus *f, const char *name)
{
	double *sums = array_zero(g->trace->nthreads, sizeof *sums), sum = 0;

	focus_event_sums(g, f, name, sums);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		sum += sums[t];
	free(sums);
	return part_of(sum * 1e9, (double)focus_lives(g, f));
}

static double cost_share(const struct evidence *g, const struct focus *f,
			 const struct test_measure *m)
{
	struct cost c;
	double share;

	cost_of(g, f, m, &c);
	share = part_of(c.time, (double)(f->to - f->from));
	cost_free(&c);
	return share;
}

static double holder_share(const struct evidence *g, const struct focus *f,
			   const struct test_measure *about, const bool *places)
{
	bool *waits = test_places(g, about);
	double share = holder_of(g, f, waits, places);

	free(waits);
	return share;
}

/* A measure that counts spans, or what is said of each. */
static double tally_measure(const struct evidence *g, const struct focus *f,
			    enum test_function what, const bool *places)
{
	struct span_tally t = focus_tally(g, f, places);
	double lives = (double)focus_lives(g, f);

	switch (what) {
	case TEST_SHARE:
		return part_of((double)t.time, lives);
	case TEST_RATE:
		return part_of((double)t.n * 1e9, lives);
	case TEST_MEAN:
		return part_of((double)t.time, (double)t.n);
	case TEST_AGAIN:
		return part_of((double)t.again, (double)t.n);
	case TEST_TOGETHER:
		return part_of((double)t.together, (double)t.n);
	default: /* TEST_COUNT */
		return (double)t.n;
	}
}

static double places_measure(const struct evidence *g, const struct focus *f,
			     const struct test_measure *m, const struct test_measure *about,
			     const bool *places)
{
	switch (m->function) {
	case TEST_SHARE:
	case TEST_RATE:
	case TEST_COUNT:
	case TEST_MEAN:
	case TEST_AGAIN:
	case TEST_TOGETHER:
		return tally_measure(g, f, m->function, places);
	case TEST_COST:
		return cost_share(g, f, m);
	case TEST_CROWD:
		return crowd_of(g, f, places);
	case TEST_HOLDER:
		return holder_share(g, f, about, places);
	case TEST_THREADS:
		return threads_of(g, f, places);
	case TEST_UNEVEN:
		return uneven_of(g, f, places);
	case TEST_PROBE:
		return probe_of(g, f);
	case TEST_QUEUED:
		return part_of(queued_of(g, f, places), (double)focus_lives(g, f));
	case TEST_SPREAD:
		return spread_of(g, f);
	case TEST_PREEMPTED:
		return preempted_part(g, f, places);
	case TEST_INVERTED:
		return inverted_part(g, f, places);
	case TEST_DEADLOCK:
		return deadlocked_of(g, f, places);
	case TEST_STUCK:
		return stuck_of(g, f);
	case TEST_OVERTAKEN:
		return overtaken_part(g, f, places);
	case TEST_SWITCHING:
		return switching_part(g, f);
	case TEST_SWITCHED:
		return switched_part(g, f);
	case TEST_ENDED:
		return ended_part(g, f, m->event);
	case TEST_SURPLUS:
		return surplus_of(g, f, places);
	case TEST_PAGING:
		return paging_part(g, f);
	case TEST_PAGED:
		return paged_part(g, f);
	case NTESTS:
		break;
	}
	return 0;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_measure(const struct test_measure *a, const struct test_measure *b)
{
	return a->function == b->function && a->kind == b->kind && a->exact == b->exact &&
	       a->condition == b->condition && is_same_text(a->label, b->label) &&
	       is_same_text(a->object, b->object) && is_same_text(a->interval, b->interval) &&
	       is_same_text(a->state, b->state) && is_same_text(a->event, b->event);
}

static double measure_find(const struct evidence *g, const struct focus *f,
			   const struct test_measure *m, const struct test_measure *about)
{
	bool *places;
	double value;

	/* an attribute that is shared out is nanoseconds of the thread's */
	if (m->event && m->function != TEST_ENDED)
		return events_rate(g, f, m->event) / (m->function == TEST_RATE ? 1 : 1e9);
	places = test_places(g, m);
	value = places_measure(g, f, m, about, places);
	free(places);
	return value;
}

double focus_measure(const struct evidence *g, const struct focus *f, const struct test_measure *m,
		     const struct test_measure *about)
{
	struct measured measured = {*m, m->function == TEST_HOLDER ? about : NULL, 0};

	for (size_t i = 0; i < f->measured->all.n; i++)
		if (is_same_measure(&f->measured->all.at[i].measure, m) &&
		    f->measured->all.at[i].about == measured.about)
			return f->measured->all.at[i].value;
	measured.value = measure_find(g, f, m, about);
	*vector_add(&f->measured->all) = measured;
	return measured.value;
}

struct focus_context {
	const struct evidence *evidence;
	const struct focus *focus;
	struct measured *all;
};

static void one_measure(void *context, size_t i, unsigned worker)
{
	const struct focus_context *m = context;

	(void)worker;
	m->all[i].value = measure_find(m->evidence, m->focus, &m->all[i].measure, NULL);
}

static bool is_measured(const struct measured_list *l, const struct test_measure *m)
{
	for (size_t i = 0; i < l->all.n; i++)
		if (is_same_measure(&l->all.at[i].measure, m))
			return true;
	return false;
}

void focus_measure_all(const struct evidence *g, const struct focus *f,
		       const struct test_measure *measures, size_t n)
{
	struct measured_list *known = f->measured;
	struct focus_context m = {.evidence = g, .focus = f};
	size_t first = known->all.n;

	for (size_t i = 0; i < n; i++)
		if (!is_measured(known, &measures[i]))
			*vector_add(&known->all) = (struct measured){measures[i], NULL, 0};
	m.all = known->all.at + first;
	parallel_for(known->all.n - first, one_measure, &m);
}
