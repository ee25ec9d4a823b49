#include "analysis/why/measures.h"
#include "analysis/why/cost.h"
#include "analysis/why/event_sums.h"
#include "analysis/why/holders.h"
#include "analysis/why/openmp_teams.h"
#include "analysis/why/paging.h"
#include "analysis/why/span_walk.h"
#include "analysis/why/switches.h"
#include "analysis/why/throttling.h"
#include "base/parallel.h"
#include "spec/measure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static double share_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	return part_of((double)focus_tally(g, f, places).time, (double)focus_lives(g, f));
}

static double rate_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	return part_of((double)focus_tally(g, f, places).n * 1e9, (double)focus_lives(g, f));
}

static double count_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	return (double)focus_tally(g, f, places).n;
}

static double mean_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct span_tally t = focus_tally(g, f, places);

	return part_of((double)t.time, (double)t.n);
}

static double again_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct span_tally t = focus_tally(g, f, places);

	return part_of((double)t.again, (double)t.n);
}

static double together_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct span_tally t = focus_tally(g, f, places);

	return part_of((double)t.together, (double)t.n);
}

/* Also a wait that begins when the trace ends is one. */
static double deadlocked_of(const struct evidence *g, const struct focus *f, const bool *places)
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

static double stuck_of(const struct evidence *g, const struct focus *f)
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
static double holder_of(const struct evidence *g, const struct focus *f,
			const struct test_measure *m, const struct test_measure *about)
{
	bool *waits = test_places(g, about), *places = test_places(g, m);
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
	free(waits);
	free(places);
	return part_of((double)part, (double)all);
}

static double threads_of(const struct evidence *g, const struct focus *f, const bool *places)
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
	return part_of(queued, (double)focus_lives(g, f));
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

/* As `glimpse threads` counts them: a turn on another processor that begins in the focus's time. */
static double migrations_of(const struct evidence *g, const struct focus *f)
{
	double n = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const span_vector *states = instance_spans(g->set, SPANS_STATE, t);
		int last = -1;

		for (size_t i = 0; f->threads[t] && i < states->n; i++) {
			const struct span_class *c = &g->set->classes.at[states->at[i].class];
			int64_t start = states->at[i].start;

			if (c->role->state != STATE_RUNNING || c->processor < 0)
				continue;
			n +=
			    last >= 0 && last != c->processor && f->from <= start && start <= f->to;
			last = c->processor;
		}
	}
	return g->nprocessors ? n : NAN;
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
			 const struct test_measure *m, const struct test_measure *about)
{
	struct cost c;
	double share;

	(void)about;
	cost_of(g, f, m, &c);
	share = part_of(c.time, (double)(f->to - f->from));
	cost_free(&c);
	return share;
}

static double during_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	moment_ranges moments = moments_of(g, f, places);
	double share = part_of((double)ranges_length(&moments), (double)(f->to - f->from));

	free(moments.at);
	return share;
}

static double ended_of(const struct evidence *g, const struct focus *f,
		       const struct test_measure *m, const struct test_measure *about)
{
	(void)about;
	return ended_part(g, f, m->event);
}

/* Without a label, of all such work; of none with a name that there is not. */
static double paging_of(const struct evidence *g, const struct focus *f,
			const struct test_measure *m, const struct test_measure *about)
{
	(void)about;
	return paging_part(g, f, m->label ? paging_work_named(m->label) : PAGING_NONE);
}

/* ---- the table ---- */

struct measure {
	/* One of these computes the value. Places: those that the measure selects. */
	double (*of_threads)(const struct evidence *g, const struct focus *f);
	double (*of_places)(const struct evidence *g, const struct focus *f, const bool *places);
	double (*of)(const struct evidence *g, const struct focus *f, const struct test_measure *m,
		     const struct test_measure *about);
	enum measure_subject subject;
	unsigned needs;
	bool asks_about;  /* what the hypothesis is about */
	bool takes_event; /* else an event's rate or sum is the value */
};

/* Names and units: spec/measure.c. */
static const struct measure measures[NTESTS] = {
    [TEST_SHARE] = {.of_places = share_of},
    [TEST_COST] = {.of = cost_share, .needs = NEEDS_ENDERS},
    [TEST_CROWD] = {.of_places = crowd_of},
    [TEST_HOLDER] = {.of = holder_of, .needs = NEEDS_ENDERS, .asks_about = true},
    [TEST_RATE] = {.of_places = rate_of},
    [TEST_COUNT] = {.of_places = count_of},
    [TEST_MEAN] = {.of_places = mean_of},
    [TEST_THREADS] = {.of_places = threads_of},
    [TEST_AGAIN] = {.of_places = again_of},
    [TEST_TOGETHER] = {.of_places = together_of, .needs = NEEDS_ENDERS},
    [TEST_UNEVEN] = {.of_places = uneven_of},
    [TEST_PROBE] = {.of_threads = probe_of, .subject = OF_ITSELF},
    [TEST_QUEUED] = {.of_places = queued_of},
    [TEST_SPREAD] = {.of_threads = spread_of},
    [TEST_PREEMPTED] = {.of_places = preempted_part, .needs = NEEDS_ENDERS},
    [TEST_INVERTED] = {.of_places = inverted_part, .needs = NEEDS_ENDERS, .subject = OF_ITSELF},
    [TEST_OVERTAKEN] = {.of_places = overtaken_part, .needs = NEEDS_HOLDERS},
    [TEST_DEADLOCK] = {.of_places = deadlocked_of, .needs = NEEDS_HOLDERS, .subject = OF_HANG},
    [TEST_STUCK] = {.of_threads = stuck_of, .subject = OF_HANG},
    [TEST_SWITCHING] = {.of_threads = switching_part, .subject = OF_SWITCHES},
    [TEST_SWITCHED] = {.of_threads = switched_part, .subject = OF_SWITCHES},
    [TEST_ENDED] = {.of = ended_of, .subject = OF_SWITCHES, .takes_event = true},
    [TEST_SURPLUS] = {.of_places = surplus_of, .subject = OF_SWITCHES},
    [TEST_PAGING] = {.of = paging_of, .needs = NEEDS_PAGING, .subject = OF_PAGING},
    [TEST_PAGED] = {.of_threads = paged_part, .needs = NEEDS_PAGING, .subject = OF_PAGING},
    [TEST_THROTTLED] = {.of_threads = throttled_part,
			.needs = NEEDS_THROTTLED,
			.subject = OF_ITSELF},
    [TEST_MIGRATIONS] = {.of_threads = migrations_of},
    [TEST_DURING] = {.of_places = during_of, .subject = OF_MOMENTS},
};

enum measure_subject measure_subject(const struct test_measure *m)
{
	return measures[m->function].subject;
}

unsigned measure_needs(const struct test_measure *m)
{
	return measures[m->function].needs;
}

/* ---- values ---- */

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
	const struct measure *of = &measures[m->function];
	bool *places;
	double value;

	/* an attribute that is shared out is nanoseconds of the thread's */
	if (m->event && !of->takes_event)
		return events_rate(g, f, m->event) / (m->function == TEST_RATE ? 1 : 1e9);
	if (of->of_threads)
		return of->of_threads(g, f);
	if (of->of)
		return of->of(g, f, m, about);
	places = test_places(g, m);
	value = of->of_places(g, f, places);
	free(places);
	return value;
}

double focus_measure(const struct evidence *g, const struct focus *f, const struct test_measure *m,
		     const struct test_measure *about)
{
	struct measured measured = {*m, measures[m->function].asks_about ? about : NULL, 0};

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
	size_t first; /* of the focus's measured ones that have no value yet */
};

static void one_measure(void *context, size_t i, unsigned worker)
{
	const struct focus_context *m = context;
	struct measured *one = &m->focus->measured->all.at[m->first + i];

	(void)worker;
	one->value = measure_find(m->evidence, m->focus, &one->measure, NULL);
}

static bool is_measured(const struct measured_list *l, const struct test_measure *m)
{
	for (size_t i = 0; i < l->all.n; i++)
		if (is_same_measure(&l->all.at[i].measure, m))
			return true;
	return false;
}

void focus_measure_all(const struct evidence *g, const struct focus *f,
		       const struct test_measure *wanted, size_t n)
{
	struct measured_list *known = f->measured;
	struct focus_context m = {.evidence = g, .focus = f, .first = known->all.n};

	for (size_t i = 0; i < n; i++)
		if (!measures[wanted[i].function].asks_about && !is_measured(known, &wanted[i]))
			*vector_add(&known->all) = (struct measured){wanted[i], NULL, 0};
	parallel_for(known->all.n - m.first, one_measure, &m);
}

bool measure_result(const struct test_measure *m, double value, struct value *result)
{
	if (isnan(value))
		return false;
	if (measure_is_whole(m->function))
		*result = (struct value){.kind = VALUE_INT, .integer = (int64_t)value};
	else
		*result = (struct value){.kind = VALUE_REAL, .real = value};
	return true;
}
