#include "analysis/why/finding.h"
#include "analysis/locks/locks.h"
#include "analysis/why/axes.h"
#include "analysis/why/blocks.h"
#include "analysis/why/meanwhile.h"
#include "analysis/why/measures.h"
#include "analysis/why/paging.h"
#include "analysis/why/parts.h"
#include "analysis/why/span_walk.h"
#include "analysis/why/switches.h"
#include "base/parallel.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* ---- what stands for it ---- */

static void axis_parts(const struct evidence *g, const struct focus *f, const bool *places,
		       enum axis a, parts_named *parts)
{
	axis_values values;

	axis_values_of(g, f, places, a, &values);
	parts_take(g, &values, parts);
	free(values.at);
}

/* What ends a wait that no thread ends; NULL: it is not known. */
static const char *span_until(const struct evidence *g, const struct span_of_time *s)
{
	const struct role *r = place_class(g, s->place)->role;
	const struct timeline *l = &g->graph->threads[s->thread];
	size_t i = stretch_before(l, s->to);

	if (!r || (r->kind != KIND_WAIT && r->kind != KIND_IO))
		return NULL;
	return i < l->n && l->stretches[i].timed_out ? "a timer" : r->interval->until;
}

static bool are_ended_by_threads(const struct evidence *g, const struct focus *f,
				 const bool *places)
{
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);)
		if (s.wait && s.wait->blocker != NO_THREAD)
			return true;
	return false;
}

/*
 * Who let others wait: threads, or what the specification says of waits that no thread ends. If a
 * thread's time is up and it waits again at once, the wait that follows says who ended it.
 */
static void holder_parts(const struct evidence *g, const struct focus *f, const bool *places,
			 parts_named *parts)
{
	int64_t *times = array_zero(g->trace->nthreads, sizeof *times);
	bool threads = are_ended_by_threads(g, f, places);
	struct axis_sums sums = {0};
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);) {
		const char *until;

		if (s.wait && s.wait->blocker != NO_THREAD) {
			times[s.wait->blocker] += s.wait->blocked_until - s.from;
			continue;
		}
		until = span_until(g, &s);
		if (until && !(threads && s.wait && s.wait->again))
			axis_sums_add(&sums, symbols_number(g->trace, until), s.to - s.from);
	}
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (times[t])
			axis_sums_add(&sums, g->names[t], times[t]);
	sums_take(g, &sums, parts);
	free(times);
}

/* The key of a call's function, or of the work's interval. */
static int64_t code_key(const struct evidence *g, uint32_t place)
{
	const struct span_class *p = place_class(g, place);

	return p->function != NO_KEY ? p->function
				     : symbols_number(g->trace, p->role->interval->name);
}

/* Names the functions with most time; times: by place. */
static void places_take(const struct evidence *g, const int64_t *times, parts_named *parts)
{
	struct axis_sums sums = {0};

	for (uint32_t i = 0; i < evidence_places(g); i++)
		if (times[i])
			axis_sums_add(&sums, code_key(g, i), times[i]);
	sums_take(g, &sums, parts);
}

/* Adds what threads did while others waited for them. */
static void holders_meanwhile(const struct evidence *g, const struct focus *f, const bool *places,
			      struct meanwhile *m)
{
	moment_ranges *of = array_zero(g->trace->nthreads, sizeof *of);
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);) {
		int64_t from = s.from > f->from ? s.from : f->from;
		int64_t to =
		    s.wait && s.wait->blocked_until < f->to ? s.wait->blocked_until : f->to;

		if (s.wait && s.wait->blocker != NO_THREAD && from < to)
			*vector_add(&of[s.wait->blocker]) = (struct moment_range){from, to};
	}
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		of[t].n = ranges_join(of[t].at, of[t].n);
		if (of[t].n)
			meanwhile_add(m, g, t, of[t].at, of[t].n);
		free(of[t].at);
	}
	free(of);
}

/* The same of threads that compute, while that costs. */
static void costs_meanwhile(const struct evidence *g, const struct finding *f, struct meanwhile *m)
{
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (f->focus.threads[t])
			meanwhile_add(m, g, t, f->cost.ranges.at, f->cost.ranges.n);
}

/*
 * What runs while the finding costs: functions and work of the threads on the path, innermost last.
 */
static void code_on_path(const struct evidence *g, const struct finding *f, parts_named *parts)
{
	bool *places = array_zero(evidence_places(g), sizeof *places);
	int64_t *times = array_zero(evidence_places(g), sizeof *times);
	struct focus all = focus_all(g, INT64_MIN, INT64_MAX);
	struct meanwhile m = {0};
	struct span_of_time s;

	for (size_t i = 0; i < evidence_places(g); i++) {
		const struct role *r = place_class(g, i)->role;

		places[i] = r && r->kind == KIND_WORK;
	}
	for (struct span_walk w = span_walk_begin(g, &all, places); span_walk_next(&w, &s);)
		if (f->focus.threads[s.thread])
			times[s.place] += ranges_within(&f->cost.ranges, s.from, s.to);
	for (size_t i = 0; i < evidence_places(g); i++)
		if (times[i])
			axis_sums_add(&m.runs, code_key(g, (uint32_t)i), times[i]);
	costs_meanwhile(g, f, &m);
	sums_take(g, &m.runs, parts);
	meanwhile_clear(&m);
	focus_free(&all);
	free(times);
	free(places);
}

static bool is_of_states(const struct finding *f)
{
	return f->hypothesis->about->state != NULL;
}

static void function_parts(const struct evidence *g, const struct finding *f, const bool *places,
			   parts_named *parts)
{
	int64_t *times = array_zero(evidence_places(g), sizeof *times);
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, &f->focus, places); span_walk_next(&w, &s);)
		times[s.place] += place_class(g, s.place)->function == NO_KEY ? 0 : s.to - s.from;
	places_take(g, times, parts);
	free(times);
}

/* What a range costs, of ranges that come one after the other. */
static double range_cost(const struct evidence *g, const struct finding *f,
			 const struct moment_range *r, struct idle_cursor *at)
{
	return f->cost.ready ? idle_ready_next(g->idle, r->from, r->to, at)
			     : idle_alone_unused_next(g->idle, r->from, r->to, at);
}

/* When: without the hundredth of its cost at either end. */
static void times_set(const struct evidence *g, struct finding *f)
{
	struct idle_cursor at = {0}, again = {0};
	double all = 0, sum = 0;

	f->from = f->focus.from;
	f->to = f->focus.to;
	for (size_t i = 0; i < f->cost.ranges.n; i++)
		all += range_cost(g, f, &f->cost.ranges.at[i], &at);
	if (!f->cost.ranges.n || all <= 0)
		return;
	f->from = INT64_MIN;
	for (size_t i = 0; i < f->cost.ranges.n; i++) {
		const struct moment_range *r = &f->cost.ranges.at[i];

		sum += range_cost(g, f, r, &again);
		if (f->from == INT64_MIN && sum > all / 100)
			f->from = r->from;
		f->to = r->to;
		if (sum >= all * 99 / 100)
			break;
	}
}

static void sums_set(const struct evidence *g, struct finding *f, const bool *places)
{
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, &f->focus, places); span_walk_next(&w, &s);) {
		int64_t from = s.from > f->focus.from ? s.from : f->focus.from;
		int64_t to = s.to < f->focus.to ? s.to : f->focus.to;

		f->count++;
		f->time += from < to ? to - from : 0;
	}
}

/* ---- what is said of a finding; each fact is found by itself ---- */

struct fact_finding {
	const struct evidence *evidence;
	struct finding *finding;
	const bool *places;
};

const struct test_measure *ended_in(const struct expr *e)
{
	const struct test_measure *m;

	if (!e)
		return NULL;
	if (e->op == EXPR_MEASURE)
		return e->measure->function == TEST_ENDED ? e->measure : NULL;
	m = ended_in(e->left);
	return m ? m : ended_in(e->right);
}

static void sums_find(const struct fact_finding *f)
{
	sums_set(f->evidence, f->finding, f->places);
}

static void times_find(const struct fact_finding *f)
{
	times_set(f->evidence, f->finding);
}

static void threads_find(const struct fact_finding *f)
{
	axis_parts(f->evidence, &f->finding->focus, f->places, AXIS_THREAD, &f->finding->threads);
}

static void objects_find(const struct fact_finding *f)
{
	axis_parts(f->evidence, &f->finding->focus, f->places, AXIS_OBJECT, &f->finding->objects);
}

/* What is about events is where they are logged. */
static void code_find(const struct fact_finding *f)
{
	const struct test_measure *ended = ended_in(f->finding->hypothesis->condition);
	struct axis_sums sums = {0};

	if (ended) {
		ended_sites(f->evidence, &f->finding->focus, ended->event, &sums);
		sums_take(f->evidence, &sums, &f->finding->code);
		return;
	}
	axis_parts(f->evidence, &f->finding->focus, f->places, AXIS_CODE, &f->finding->code);
}

static void holder_code_find(const struct fact_finding *f)
{
	axis_parts(f->evidence, &f->finding->focus, f->places, AXIS_HOLDER,
		   &f->finding->holder_code);
}

static void holders_find(const struct fact_finding *f)
{
	holder_parts(f->evidence, &f->finding->focus, f->places, &f->finding->holders);
}

static void functions_find(const struct fact_finding *f)
{
	struct axis_sums sums = {0};

	if (measure_subject(f->finding->hypothesis->about) == OF_PAGING) {
		paging_functions(f->evidence, &f->finding->focus, &sums);
		sums_take(f->evidence, &sums, &f->finding->functions);
		return;
	}
	function_parts(f->evidence, f->finding, f->places, &f->finding->functions);
}

static void maps_find(const struct fact_finding *f)
{
	struct axis_sums sums = {0};

	if (measure_subject(f->finding->hypothesis->about) != OF_PAGING)
		return;
	f->finding->maps_made = paging_sites(f->evidence, &f->finding->focus, &sums);
	sums_take(f->evidence, &sums, &f->finding->maps);
}

bool is_hang(const struct finding *f)
{
	return measure_subject(f->hypothesis->about) == OF_HANG;
}

bool is_stuck(const struct finding *f)
{
	return f->hypothesis->about->function == TEST_STUCK;
}

bool is_throttled(const struct finding *f)
{
	return f->hypothesis->about->function == TEST_THROTTLED;
}

/* Else there is nothing to say, of what may be millions of waits. */
static bool functions_known(const struct evidence *g)
{
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (instance_has_calls(g->set, t))
			return true;
	return false;
}

static void meanwhile_find(const struct fact_finding *f)
{
	struct meanwhile m = {0};

	if (is_hang(f->finding) || !functions_known(f->evidence))
		return;
	if (is_of_states(f->finding))
		costs_meanwhile(f->evidence, f->finding, &m);
	else
		holders_meanwhile(f->evidence, &f->finding->focus, f->places, &m);
	f->finding->meanwhile = meanwhile_text(&m, f->evidence);
}

/* The waits of a hang are its cycle, and what the kernel does or stops ends no waits. */
static void blocks_find(const struct fact_finding *f)
{
	if (measure_subject(f->finding->hypothesis->about) == OF_SPANS)
		f->finding->blocks = blocks_of(f->evidence, f->finding, f->places);
}

static void (*const facts[])(const struct fact_finding *) = {
    sums_find,    times_find,     threads_find, objects_find,   code_find,   holder_code_find,
    holders_find, functions_find, maps_find,    meanwhile_find, blocks_find,
};

static void fact_find(void *context, size_t i, unsigned worker)
{
	(void)worker;
	facts[i](context);
}

/* What nobody uses while all threads wait costs, and they stand for it. */
static void stuck_cost(const struct evidence *g, struct finding *f)
{
	struct moment_range r = {f->focus.from, f->focus.to};

	for (size_t i = 0; i < g->stuck.threads.n; i++) {
		const struct stuck_thread *s = &g->stuck.threads.at[i];

		if (f->focus.threads[s->thread])
			r.from = s->since > r.from ? s->since : r.from;
	}
	*vector_add(&f->cost.ranges) = r;
	f->cost.time = idle_unused(g->idle, r.from, r.to);
}

/* The finding is about the waits of the cycle, and costs what nobody uses from the last one on. */
static void deadlock_cost(const struct evidence *g, struct finding *f, const bool *places)
{
	struct moment_range r = {f->focus.from, f->focus.to};
	struct span_of_time s;

	f->focus.deadlocked = f->focus.picks = true;
	for (struct span_walk w = span_walk_begin(g, &f->focus, places); span_walk_next(&w, &s);)
		r.from = s.from > r.from ? s.from : r.from;
	*vector_add(&f->cost.ranges) = r;
	f->cost.time = idle_unused(g->idle, r.from, r.to);
}

static void part_add(parts_named *parts, int64_t key, const char *name)
{
	for (size_t i = 0; i < parts->n; i++)
		if (parts->at[i].key == key)
			return;
	*vector_add(parts) = (struct part_named){key, name, 1};
}

/* All of the cycle, though the last wait may have no time before the trace ends. */
static void deadlock_parts(const struct evidence *g, struct finding *f)
{
	f->threads.n = f->objects.n = 0;
	for (size_t i = 0; i < g->locks->hang.waiters.n; i++) {
		const struct lock_waiter *w = &g->locks->hang.waiters.at[i];
		const char *lock = g->locks->names.locks.at[w->wait.lock].label;
		int64_t key = symbols_number(g->trace, lock);

		if (!w->cycle)
			continue;
		part_add(&f->threads, g->names[w->thread], evidence_text(g, g->names[w->thread]));
		part_add(&f->objects, key, evidence_text(g, key));
	}
}

static void stuck_parts(const struct evidence *g, struct finding *f)
{
	f->threads.n = 0;
	for (size_t i = 0; i < g->stuck.threads.n; i++) {
		uint32_t t = g->stuck.threads.at[i].thread;

		if (f->focus.threads[t])
			part_add(&f->threads, g->names[t], evidence_text(g, g->names[t]));
	}
}

/* Sets the cost if it is not that of the selected spans: it is in no ranges then. */
static void other_cost(const struct evidence *g, struct finding *x, const bool *places)
{
	const struct test_measure *about = x->hypothesis->about;
	double run = (double)(x->focus.to - x->focus.from);

	switch (measure_subject(about)) {
	case OF_HANG:
		return;
	case OF_SWITCHES:
		x->cost.time = switching_cost(g, &x->focus);
		break;
	case OF_PAGING:
		x->cost.time = paged_part(g, &x->focus) * run;
		break;
	case OF_MOMENTS:
		free(x->cost.ranges.at);
		x->cost.ranges = moments_of(g, &x->focus, places);
		x->cost.time = (double)ranges_length(&x->cost.ranges);
		return;
	case OF_SPANS:
		if (!about->event)
			return;
		/* fallthrough */
	case OF_ITSELF:
		x->cost.time = focus_measure(g, &x->focus, about, NULL) * run;
		break;
	}
	/* events are logged all the time */
	if (about->function != TEST_PROBE)
		x->cost.ranges.n = 0;
}

void finding_add(struct search *s, size_t node, const struct focus *f)
{
	const struct evidence *g = s->evidence;
	struct finding *x = vector_add(&s->findings);
	bool *places;

	x->hypothesis = s->history.at[node].hypothesis;
	x->node = node;
	x->phase = s->history.at[node].phase;
	x->focus = focus_copy(g, f);
	places = test_places(g, x->hypothesis->about);
	x->share = s->history.at[node].share;
	if (is_stuck(x))
		stuck_cost(g, x);
	else if (is_hang(x))
		deadlock_cost(g, x, places);
	else
		cost_of(g, f, x->hypothesis->about, &x->cost);
	other_cost(g, x, places);
	parallel_for(sizeof facts / sizeof *facts, fact_find, &(struct fact_finding){g, x, places});
	if (is_stuck(x))
		stuck_parts(g, x);
	else if (is_hang(x))
		deadlock_parts(g, x);
	if (is_of_states(x))
		code_on_path(g, x, &x->functions);
	free(places);
}

/* ---- which are one ---- */

/* Of the time of the smaller one, from which on two findings are the same. */
#define SAME 0.6
/* Costs that differ less are as large. */
#define AS_LARGE 0.5
/* Of what is searched, what a finding of a phase costs at least. */
#define FINDING_LEAST 0.1

static size_t depth_of(const struct search *s, const struct finding *f)
{
	size_t depth = 0, node = f->node;

	for (; node != NO_PARENT; node = s->history.at[node].parent)
		depth += s->history.at[node].axis == NAXES;
	return depth;
}

static bool is_before(const struct search *s, const struct finding *a, const struct finding *b)
{
	double most = a->cost.time > b->cost.time ? a->cost.time : b->cost.time;
	double less = a->cost.time > b->cost.time ? b->cost.time : a->cost.time;

	if (is_hang(a) != is_hang(b))
		return is_hang(a);
	if (less < (1 - AS_LARGE) * most)
		return a->cost.time > b->cost.time;
	if (depth_of(s, a) != depth_of(s, b))
		return depth_of(s, a) > depth_of(s, b);
	if (a->hypothesis->index != b->hypothesis->index)
		return a->hypothesis->index < b->hypothesis->index;
	/* a phase has no more of it than the run, but other programs may have taken more there */
	if ((a->phase == NO_PHASE) != (b->phase == NO_PHASE))
		return a->phase == NO_PHASE;
	return a->cost.time > b->cost.time;
}

/* Whether one was searched for within the time of the other. */
static bool windows_nest(const struct finding *a, const struct finding *b)
{
	return (a->focus.from >= b->focus.from && a->focus.to <= b->focus.to) ||
	       (b->focus.from >= a->focus.from && b->focus.to <= a->focus.to);
}

static bool are_one(const struct finding *a, const struct finding *b)
{
	int64_t x = ranges_length(&a->cost.ranges), y = ranges_length(&b->cost.ranges);
	int64_t smaller = x < y ? x : y;

	if (!x && !y && a->hypothesis == b->hypothesis)
		return windows_nest(a, b);
	return a->cost.ready == b->cost.ready && smaller &&
	       (double)ranges_common(&a->cost.ranges, &b->cost.ranges) >= SAME * (double)smaller;
}

/*
 * Returns whether several findings that are more refined than the one at k share its time out: then
 * each of them is a bottleneck of its own, and the one at k is not.
 */
static bool is_shared_out(const struct search *s, size_t k)
{
	const struct finding *whole = &s->findings.at[k];
	int64_t length = ranges_length(&whole->cost.ranges), common = 0;
	unsigned parts = 0;

	for (size_t i = 0; i < s->findings.n; i++) {
		const struct finding *f = &s->findings.at[i];
		int64_t in = ranges_common(&f->cost.ranges, &whole->cost.ranges);
		bool counted = is_hang(whole) || f->cost.ready != whole->cost.ready ||
			       depth_of(s, f) <= depth_of(s, whole) ||
			       (double)in < SAME * (double)ranges_length(&f->cost.ranges);

		for (size_t j = 0; j < i && !counted; j++)
			counted = depth_of(s, &s->findings.at[j]) > depth_of(s, whole) &&
				  are_one(f, &s->findings.at[j]);
		if (counted)
			continue;
		common += in;
		parts += 10 * in >= length;
	}
	return length && parts > 1 && (double)common >= SAME * (double)length;
}

/* What costs but little of what is searched is none, even where it costs much of its phase. */
static bool is_small(const struct search *s, const struct finding *f)
{
	return f->phase != NO_PHASE && !is_hang(f) &&
	       f->cost.time < FINDING_LEAST * (double)(s->to - s->from);
}

/* Leaves findings out that are small, or that others share out. */
static void findings_part(struct search *s)
{
	bool *out = array_new(s->findings.n, sizeof *out);
	size_t kept = 0;

	for (size_t i = 0; i < s->findings.n; i++)
		out[i] = is_small(s, &s->findings.at[i]) || is_shared_out(s, i);
	for (size_t i = 0; i < s->findings.n; i++)
		if (out[i])
			finding_free(&s->findings.at[i]);
		else
			s->findings.at[kept++] = s->findings.at[i];
	s->findings.n = kept;
	free(out);
}

static int by_cost(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (is_hang(x) != is_hang(y))
		return is_hang(x) ? -1 : 1;
	return (x->cost.time < y->cost.time) - (x->cost.time > y->cost.time);
}

void findings_join(struct search *s)
{
	size_t kept = 0;

	findings_part(s);
	/* few: an insertion sort by an order that is not transitive in all cases, but ends */
	for (size_t i = 1; i < s->findings.n; i++)
		for (size_t k = i;
		     k > 0 && is_before(s, &s->findings.at[k], &s->findings.at[k - 1]); k--) {
			struct finding f = s->findings.at[k];

			s->findings.at[k] = s->findings.at[k - 1];
			s->findings.at[k - 1] = f;
		}
	for (size_t i = 0; i < s->findings.n; i++) {
		struct finding f = s->findings.at[i];
		size_t same = 0;

		while (same < kept && !are_one(&s->findings.at[same], &f))
			same++;
		if (same == kept) {
			s->findings.at[kept++] = f;
			continue;
		}
		*vector_add(&s->findings.at[same].joined) = f.hypothesis->name;
		finding_free(&f);
	}
	s->findings.n = kept;
	if (kept)
		qsort(s->findings.at, kept, sizeof *s->findings.at, by_cost);
	for (size_t i = 0; i < kept; i++)
		s->history.at[s->findings.at[i].node].finding = i;
}

void finding_free(struct finding *f)
{
	focus_free(&f->focus);
	cost_free(&f->cost);
	free(f->threads.at);
	free(f->code.at);
	free(f->functions.at);
	free(f->maps.at);
	free(f->objects.at);
	free(f->holders.at);
	free(f->holder_code.at);
	blocks_free(&f->blocks);
	free(f->joined.at);
	free(f->meanwhile);
}
