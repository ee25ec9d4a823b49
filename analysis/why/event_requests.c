#include "analysis/why/event_requests.h"
#include "analysis/why/cost.h"
#include "analysis/why/measures.h"
#include "analysis/why/paging.h"
#include "analysis/why/span_walk.h"
#include "analysis/why/throttling.h"
#include <stdlib.h>

/* ---- which events ---- */

/* Both ends of an interval; of one whose ends are intervals, theirs. */
static void ends_mark(const struct interval *i, bool *events)
{
	events[end_event(&i->anchor)->index] = true;
	events[end_event(&i->partner)->index] = true;
}

/* "Faults.minor" is of the event Faults. */
static bool is_event(const char *wanted, const struct event_type *e)
{
	size_t n = strcspn(wanted, ".");

	return strlen(e->name) == n && strncmp(wanted, e->name, n) == 0;
}

static bool is_wait(const struct role *r)
{
	return r->kind == KIND_WAIT || r->kind == KIND_SPIN;
}

/* The name of what an interval is about: "lock"; NULL: of nothing. */
static const char *object_name(const struct role *r)
{
	return r->start.object < 0 ? NULL : r->start.event->attributes[r->start.object].name;
}

static bool is_of_intervals(const struct test_measure *m)
{
	return !m->state && !m->event &&
	       (m->kind || m->label || m->object || m->interval || m->exact);
}

/* What ends the waits that a measure selects; holds: and who has what they are for. */
static void waits_mark(const struct spec *spec, const struct test_measure *m, bool holds,
		       bool *events)
{
	for (unsigned i = 0; is_of_intervals(m) && i < spec->nintervals; i++) {
		struct role wait = role_of(spec->intervals[i]);
		const char *object = object_name(&wait);

		if (!is_wait(&wait) || !test_selects_role(m, &wait))
			continue;
		for (unsigned k = 0; k < spec->nintervals; k++) {
			struct role r = role_of(spec->intervals[k]);
			const char *other = object_name(&r);

			if ((r.kind == KIND_CAUSE && r.end.event == wait.end.event) ||
			    (holds && r.kind == KIND_HOLD && object && other &&
			     !strcmp(object, other)))
				ends_mark(r.interval, events);
		}
	}
}

/* Marks what selected instances are made of. */
static void instances_mark(const struct spec *spec, const struct test_measure *m, bool *events)
{
	if (measure_needs(m) & NEEDS_PAGING)
		paging_events_mark(spec, events);
	if (measure_needs(m) & NEEDS_THROTTLED)
		throttled_events_mark(spec, events);
	for (unsigned i = 0; m->event && i < spec->nevents; i++)
		if (is_event(m->event, spec->events[i]))
			events[i] = true;
	for (unsigned i = 0; i < spec->nintervals; i++) {
		struct role r = role_of(spec->intervals[i]);

		if (m->state ? r.kind == KIND_STATE
			     : is_of_intervals(m) && test_selects_role(m, &r))
			ends_mark(r.interval, events);
	}
}

void requests_of_condition(const struct spec *spec, const struct expr *e, bool *events)
{
	unsigned needs;

	if (!e)
		return;
	if (e->measure) {
		needs = measure_needs(e->measure);
		instances_mark(spec, e->measure, events);
		if (needs & (NEEDS_ENDERS | NEEDS_HOLDERS))
			waits_mark(spec, e->measure, needs & NEEDS_HOLDERS, events);
	}
	requests_of_condition(spec, e->left, events);
	requests_of_condition(spec, e->right, events);
}

void requests_of_waits(const struct spec *spec, const struct test_measure *about, bool *events)
{
	if (about)
		waits_mark(spec, about, true, events);
}

void requests_of_calls(const struct spec *spec, bool *events)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (spec->intervals[i]->kind == KIND_CALL)
			ends_mark(spec->intervals[i], events);
}

static bool says_how(const struct event_type *e)
{
	return e->nstrings || e->patterns || e->ends_attribute >= 0 || e->off_attribute >= 0 ||
	       e->context_attribute >= 0 || e->priority_attribute >= 0 ||
	       e->processors_attribute >= 0 || e->stack_attribute >= 0;
}

void requests_cheap(const struct spec *spec, bool *events)
{
	bool *lives = array_zero(spec->nevents, sizeof *lives);
	bool *others = array_zero(spec->nevents, sizeof *others);

	for (unsigned i = 0; i < spec->nintervals; i++) {
		struct role r = role_of(spec->intervals[i]);

		if (is_wait(&r) || r.kind == KIND_STATE)
			ends_mark(r.interval, events);
		if (r.kind == KIND_LIFE)
			ends_mark(r.interval, role_is_threads_life(&r) ? lives : others);
	}
	for (unsigned i = 0; i < spec->nintervals; i++) {
		struct role r = role_of(spec->intervals[i]);

		/* what lets a thread begin, what its end lets go on */
		if (r.kind == KIND_CAUSE &&
		    (lives[r.start.event->index] || lives[r.end.event->index]))
			ends_mark(r.interval, events);
	}
	for (unsigned i = 0; i < spec->nevents; i++)
		if (lives[i] || (says_how(spec->events[i]) && !others[i]))
			events[i] = true;
	free(lives);
	free(others);
}

/* ---- whether it may hold ---- */

struct guess {
	const struct evidence *evidence;
	const struct focus *focus;
	const struct hypothesis *hypothesis;
	const bool *known;
	double idle, still; /* the most that waits can be: of the run, of the threads' time */
};

static bool measure_take(void *context, const struct test_measure *m, struct value *result)
{
	const struct guess *g = context;
	double value = focus_measure(g->evidence, g->focus, m, g->hypothesis->about);

	return measure_result(m, value, result);
}

static bool all_known(const struct guess *g, const bool *events)
{
	for (unsigned i = 0; i < g->evidence->trace->spec->nevents; i++)
		if (events[i] && !g->known[i])
			return false;
	return true;
}

static bool is_known(const struct guess *g, const struct expr *e)
{
	const struct spec *spec = g->evidence->trace->spec;
	bool *events = array_zero(spec->nevents, sizeof *events), known;

	requests_of_condition(spec, e, events);
	known = all_known(g, events);
	free(events);
	return known;
}

/* Of the run, what the processors have nothing to do while any of the selected waits lasts. */
static double idle_in(const struct guess *g, const struct test_measure *m)
{
	bool *places = test_places(g->evidence, m);
	moment_ranges ranges = {0};
	struct span_of_time s;
	double idle;

	for (struct span_walk w = span_walk_begin(g->evidence, g->focus, places);
	     span_walk_next(&w, &s);) {
		int64_t from = later(s.from, g->focus->from), to = sooner(s.to, g->focus->to);

		if (from < to)
			*vector_add(&ranges) = (struct moment_range){from, to};
	}
	ranges.n = ranges_join(ranges.at, ranges.n);
	idle = ranges_unused(g->evidence->idle, g->focus, ranges.at, ranges.n);
	free(ranges.at);
	free(places);
	return idle / (double)(g->focus->to - g->focus->from);
}

/* The most that a measure can be. */
static double measure_bound(const struct guess *g, const struct test_measure *m)
{
	bool *events, seen;

	if (m->kind != KIND_WAIT && m->kind != KIND_IO)
		return 1e300;
	if (m->function != TEST_COST)
		return m->function == TEST_SHARE ? g->still : 1e300;
	events = array_zero(g->evidence->trace->spec->nevents, sizeof *events);
	instances_mark(g->evidence->trace->spec, m, events);
	seen = all_known(g, events);
	free(events);
	return seen ? idle_in(g, m) : g->idle;
}

static bool may_hold(const struct guess *g, const struct expr *e)
{
	struct binding b = {.measure = measure_take, .context = (void *)g};
	uint64_t faults = 0;
	struct value limit;

	if (is_known(g, e))
		return expr_holds(e, &b, &faults);
	if (e->op == EXPR_AND)
		return may_hold(g, e->left) && may_hold(g, e->right);
	if (e->op == EXPR_OR)
		return may_hold(g, e->left) || may_hold(g, e->right);
	if ((e->op == EXPR_GT || e->op == EXPR_GE) && e->left->op == EXPR_MEASURE &&
	    expr_is_constant(e->right) && expr_value(e->right, &b, &limit))
		return measure_bound(g, e->left->measure) > value_real(&limit);
	return true;
}

bool condition_may_hold(const struct evidence *g, const struct focus *f, const struct hypothesis *h,
			const bool *known)
{
	static char blocked[] = "blocked", ready[] = "ready";
	struct test_measure m = {.function = TEST_SHARE, .state = blocked};
	struct guess guess = {.evidence = g, .focus = f, .hypothesis = h, .known = known};

	if (!h->condition)
		return true;
	guess.still = focus_measure(g, f, &m, NULL);
	m.state = ready;
	guess.still += focus_measure(g, f, &m, NULL);
	guess.idle = idle_unused(g->idle, f->from, f->to) / (double)(f->to - f->from);
	return may_hold(&guess, h->condition);
}
