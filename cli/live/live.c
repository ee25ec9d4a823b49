#include "cli/live/live.h"
#include "analysis/samples/samples.h"
#include "analysis/why/axes.h"
#include "analysis/why/event_requests.h"
#include "analysis/why/measures.h"
#include "analysis/why/search.h"
#include "analysis/why/why.h"
#include "spec/measure.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* One pass. */
struct pass {
	struct live *live;
	struct why *why;
	const struct evidence *evidence;
	const struct trace *trace;
	bool *known, *asked, *needed; /* events of the trace's specification */
	struct focus all;
	const struct search *search;
};

/* ---- events ---- */

struct live_event *live_event_find(const struct live *l, const char *name)
{
	for (size_t i = 0; i < l->events.n; i++)
		if (strcmp(l->events.at[i].name, name) == 0)
			return &l->events.at[i];
	return NULL;
}

void live_count(struct live *l, const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		struct live_event *e = live_event_find(l, t->spec->events[i]->name);
		double time = e ? e->time - e->seen_time : 0;

		if (!e)
			continue;
		e->count = t->events_of_type[i];
		if (time <= 0)
			continue;
		e->rate = (double)(e->count - e->seen) * 1e9 / time;
		e->seen = e->count;
		e->seen_time = e->time;
	}
	for (unsigned i = 0; i < t->nprocesses; i++)
		if ((double)t->processes[i].event_cost > 1000 * l->event_cost)
			l->event_cost = (double)t->processes[i].event_cost / 1000;
}

/* What is not switched is known. */
static void known_mark(struct pass *k)
{
	const struct spec *spec = k->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct live_event *e = live_event_find(k->live, spec->events[i]->name);

		k->known[i] = !e || e->known;
	}
}

static void asked_take(struct pass *k)
{
	const struct spec *spec = k->evidence->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++) {
		struct live_event *e = live_event_find(k->live, spec->events[i]->name);

		if (!e)
			continue;
		e->asked = e->cheap || k->asked[i] || k->needed[i];
		e->needed = k->needed[i];
	}
}

/* ---- hypotheses ---- */

static bool is_known(const struct pass *k, const struct hypothesis *h)
{
	const struct spec *spec = k->trace->spec;
	bool *events = array_zero(spec->nevents, sizeof *events), known = true;

	requests_of_condition(spec, h->condition, events);
	for (unsigned i = 0; i < spec->nevents; i++)
		known &= !events[i] || k->known[i];
	free(events);
	return known;
}

static bool is_tested(void *context, const struct hypothesis *h)
{
	return is_known(context, h);
}

/* Whether it holds for any part of the program. */
static bool has_held(const struct pass *k, const struct hypothesis *h)
{
	for (size_t i = 0; i < k->search->history.n; i++)
		if (k->search->history.at[i].verdict == IS_TRUE &&
		    strcmp(k->search->history.at[i].hypothesis->name, h->name) == 0)
			return true;
	return false;
}

static struct live_answer *answer_of(struct live *l, const char *hypothesis)
{
	struct live_answer *a;

	for (size_t i = 0; i < l->answers.n; i++)
		if (strcmp(l->answers.at[i].hypothesis, hypothesis) == 0)
			return &l->answers.at[i];
	a = vector_add(&l->answers);
	a->hypothesis = text_format("%s", hypothesis);
	return a;
}

static bool is_reached(const struct pass *k, const struct hypothesis *h)
{
	for (unsigned i = 0; i < h->nrefines; i++)
		if (has_held(k, h->refines[i]))
			return true;
	return h->nrefines == 0;
}

/* What was false not long ago is not asked for again. */
static bool is_settled(const struct pass *k, const struct hypothesis *h)
{
	const struct live_answer *a = answer_of(k->live, h->name);

	return a->pass && !a->held && k->live->passes - a->pass < LIVE_PATIENCE;
}

static void hypothesis_ask(struct pass *k, const struct hypothesis *h)
{
	const struct spec *spec = k->evidence->trace->spec;
	struct live_answer *a = answer_of(k->live, h->name);

	if (!is_reached(k, h))
		return;
	if (is_known(k, h)) {
		a->pass = k->live->passes;
		a->held = has_held(k, h);
	} else if (is_settled(k, h) || !condition_may_hold(k->evidence, &k->all, h, k->known)) {
		return;
	}
	if (a->pass != k->live->passes || a->held)
		requests_of_condition(spec, h->condition, k->asked);
	if (a->pass == k->live->passes && a->held && h->nrefines)
		requests_of_waits(spec, h->about, k->asked);
}

/* ---- findings ---- */

static char *copy(const char *text)
{
	return text_format("%s", text);
}

/* From the first axis to the last. */
static size_t where_of(const struct search *s, size_t node, struct live_place places[NAXES])
{
	size_t n = 0;

	for (; node != NO_PARENT; node = s->history.at[node].parent) {
		const struct search_node *h = &s->history.at[node];

		if (h->axis != NAXES && h->where && n < NAXES)
			places[n++] = (struct live_place){(char *)axis_name(s->evidence, h->axis),
							  (char *)h->where};
	}
	for (size_t i = 0; i < n / 2; i++) {
		struct live_place place = places[i];

		places[i] = places[n - 1 - i];
		places[n - 1 - i] = place;
	}
	return n;
}

static bool is_same(const struct live_finding *f, const char *hypothesis,
		    const struct live_place *places, size_t n)
{
	if (strcmp(f->hypothesis, hypothesis) || f->where.n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(f->where.at[i].axis, places[i].axis) ||
		    strcmp(f->where.at[i].name, places[i].name))
			return false;
	return true;
}

static void finding_take(struct pass *k, const struct finding *found)
{
	struct live_place places[NAXES];
	size_t n = where_of(k->search, found->node, places);
	struct live_finding *f;

	for (size_t i = 0; i < k->live->findings.n; i++)
		if (is_same(&k->live->findings.at[i], found->hypothesis->name, places, n))
			return;
	f = vector_add(&k->live->findings);
	f->hypothesis = copy(found->hypothesis->name);
	f->explanation = copy(found->hypothesis->explanation);
	for (size_t i = 0; i < n; i++)
		*vector_add(&f->where) =
		    (struct live_place){copy(places[i].axis), copy(places[i].name)};
	f->found = f->held_to = k->all.to;
	f->tested = f->held = 1;
	f->holds = true;
	f->cost = found->cost.time / (double)(k->all.to - k->all.from);
	f->share = found->share;
}

static struct focus focus_of(const struct pass *k, const struct live_finding *f,
			     const struct test_measure *about)
{
	const struct evidence *g = k->evidence;
	struct focus in = focus_all(g, k->all.from, k->all.to);
	bool *places = test_places(g, about);

	for (size_t i = 0; i < f->where.n; i++)
		for (enum axis a = 0; a < AXIS_USER + g->trace->spec->naxes && a < NAXES; a++) {
			struct focus narrow;

			if (strcmp(axis_name(g, a), f->where.at[i].axis))
				continue;
			narrow = focus_narrow(g, &in, places, a,
					      symbols_number(g->trace, f->where.at[i].name));
			focus_free(&in);
			in = narrow;
		}
	free(places);
	return in;
}

/* A test of what held before. */
struct again {
	const struct evidence *evidence;
	const struct focus *focus;
	const struct hypothesis *hypothesis;
};

static bool measure_again(void *context, const struct test_measure *m, struct value *result)
{
	const struct again *a = context;
	double value = focus_measure(a->evidence, a->focus, m, a->hypothesis->about);

	if (!measure_is_whole(m->function))
		value /= LIVE_HYSTERESIS;
	return measure_result(m, value, result);
}

/*
 * What it rests on, and what says more of it, goes on being logged. Samples say which functions
 * ran, at a known cost, from the beginning: where there are any, calls are not asked for.
 */
static void finding_need(struct pass *k, const struct hypothesis *h)
{
	requests_of_condition(k->evidence->trace->spec, h->condition, k->needed);
	requests_of_waits(k->evidence->trace->spec, h->about, k->needed);
	if (!trace_has_samples(k->trace))
		requests_of_calls(k->evidence->trace->spec, k->asked);
}

static void finding_verify(struct pass *k, struct live_finding *f, const struct hypothesis *h)
{
	struct focus in = focus_of(k, f, h->about);
	struct again again = {k->evidence, &in, h};
	struct binding b = {.measure = measure_again, .context = &again};
	struct test_measure m = *h->about;
	uint64_t faults = 0;

	f->tested++;
	f->holds = expr_holds(h->condition, &b, &faults);
	m.function = TEST_COST;
	f->cost = focus_measure(k->evidence, &in, &m, NULL);
	m.function = TEST_SHARE;
	f->share = focus_measure(k->evidence, &in, &m, NULL);
	focus_free(&in);
	if (!f->holds)
		return;
	f->held++;
	f->held_to = k->all.to;
	answer_of(k->live, h->name)->held = true;
	finding_need(k, h);
}

static void findings_verify(struct pass *k)
{
	for (size_t i = 0; i < k->live->findings.n; i++) {
		struct live_finding *f = &k->live->findings.at[i];

		for (size_t n = 0; n < k->why->hypotheses.all.n; n++) {
			const struct hypothesis *h = k->why->hypotheses.all.at[n];

			if (h->about && h->condition && is_known(k, h) &&
			    strcmp(h->name, f->hypothesis) == 0)
				finding_verify(k, f, h);
		}
	}
}

static void findings_take(struct pass *k)
{
	for (size_t i = 0; i < k->search->findings.n; i++) {
		const struct finding *f = &k->search->findings.at[i];

		if (f->phase != NO_PHASE)
			continue; /* of a part, that is not searched again */
		finding_take(k, f);
		finding_need(k, f->hypothesis);
	}
}

char *live_finding_place(const struct live_finding *f)
{
	char *text = copy("");

	for (size_t i = 0; i < f->where.n; i++) {
		char *longer = text_format("%s%s%s %s", text, i ? ", " : "", f->where.at[i].axis,
					   f->where.at[i].name);

		free(text);
		text = longer;
	}
	return text;
}

/* ---- a pass ---- */

static double running_of(const struct pass *k)
{
	static char running[] = "running";
	struct test_measure m = {.function = TEST_SHARE, .state = running};
	int64_t lives = focus_lives(k->evidence, &k->all);

	return focus_measure(k->evidence, &k->all, &m, NULL) * (double)lives /
	       (double)(k->all.to - k->all.from);
}

static void pass_take(struct pass *k)
{
	struct live *l = k->live;

	l->tests += (unsigned)k->search->history.n;
	l->running = running_of(k);
	for (size_t i = 0; i < k->why->hypotheses.all.n; i++)
		hypothesis_ask(k, k->why->hypotheses.all.at[i]);
	findings_verify(k);
	findings_take(k);
	asked_take(k);
}

bool live_pass(struct live *l, struct trace *t, int64_t from, int64_t to, struct diag *diag)
{
	struct pass k = {.live = l, .trace = t};
	struct why_options o = {.hypotheses = l->hypotheses,
				.processors = l->processors,
				.from = from,
				.to = to,
				.search = true,
				.tests = is_tested,
				.context = &k};

	bool looked;

	k.known = array_zero(t->spec->nevents, sizeof *k.known);
	k.asked = array_zero(t->spec->nevents, sizeof *k.asked);
	k.needed = array_zero(t->spec->nevents, sizeof *k.needed);
	known_mark(&k);
	k.why = why_of(t, &o, diag);
	looked = k.why != NULL;
	if (looked) {
		l->passes++;
		k.evidence = k.why->evidence;
		k.search = k.why->search;
		k.all = focus_all(k.evidence, from, to);
		pass_take(&k);
		focus_free(&k.all);
		why_free(k.why);
	}
	free(k.known);
	free(k.asked);
	free(k.needed);
	return looked;
}

void live_free(struct live *l)
{
	for (size_t i = 0; i < l->findings.n; i++) {
		struct live_finding *f = &l->findings.at[i];

		for (size_t n = 0; n < f->where.n; n++) {
			free(f->where.at[n].axis);
			free(f->where.at[n].name);
		}
		free(f->where.at);
		free(f->hypothesis);
		free(f->explanation);
	}
	for (size_t i = 0; i < l->events.n; i++)
		free(l->events.at[i].name);
	for (size_t i = 0; i < l->answers.n; i++)
		free(l->answers.at[i].hypothesis);
	free(l->findings.at);
	free(l->events.at);
	free(l->answers.at);
}
