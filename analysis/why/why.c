#include "analysis/why/why.h"
#include "analysis/replay/answer/rank_replay.h"
#include "analysis/why/evidence_collect.h"
#include "analysis/why/finding.h"
#include "analysis/why/fixes.h"
#include "analysis/why/paging_gain.h"
#include "base/task.h"
#include "spec/qualified.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char why_spec[] =
#include "analysis/why/why_spec.h"
    ;

static bool is_known(const struct hypotheses *h, const char *name)
{
	for (size_t i = 0; i < h->all.n; i++)
		if (strcmp(h->all.at[i]->name, name) == 0)
			return true;
	return false;
}

static void hypotheses_add(struct hypotheses *h, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nhypotheses; i++)
		if (!is_known(h, spec->hypotheses[i]->name))
			*vector_add(&h->all) = spec->hypotheses[i];
}

/*
 * Of hypotheses with one name, that of the trace's specification counts. file: has those that are
 * otherwise always there; NULL: why.spec. Returns false after a report to diag.
 */
static bool hypotheses_read(struct hypotheses *h, const struct spec *spec, const char *file,
			    struct diag *diag)
{
	*h = (struct hypotheses){0};
	h->ready_made = file ? spec_read(file, diag) : spec_parse("why.spec", why_spec, diag);
	if (!h->ready_made)
		return false;
	hypotheses_add(h, spec);
	hypotheses_add(h, h->ready_made);
	return true;
}

static void hypotheses_free(struct hypotheses *h)
{
	spec_free(h->ready_made);
	free(h->all.at);
}

/* ---- from the trace to the findings ---- */

static struct why *why_on(struct trace *t, unsigned processors, condition_list conditions)
{
	struct why *w = array_zero(1, sizeof *w);

	w->conditions = conditions;
	evidence_announce(t);
	w->set = instance_set_of(t, SPANS_ALL | SPANS_NAMED | SPANS_FILES, conditions.at,
				 (unsigned)conditions.n);
	w->evidence = evidence_of(w->set, processors, conditions.at, (unsigned)conditions.n);
	return w;
}

static void why_search(struct why *w, const struct why_options *o)
{
	VECTOR(const struct hypothesis *) tested = {0};

	for (size_t i = 0; i < w->hypotheses.all.n; i++)
		if (!o->tests || o->tests(o->context, w->hypotheses.all.at[i]))
			*vector_add(&tested) = w->hypotheses.all.at[i];
	w->search = search_run(w->evidence, tested.at, (unsigned)tested.n, o->from, o->to);
	free(tested.at);
}

/*
 * Everything is ranked as glimpse rank does it, so that both say the same. A run that hangs has no
 * length that a fix could shorten.
 */
static void why_rank(struct why *w)
{
	if (w->search->findings.n && !is_hang(&w->search->findings.at[0]))
		w->rank = rank_of(w->set, w->evidence->graph, w->evidence->path,
				  (1u << NSUBJECTS) - 1, false);
}

/* Whether a row is what a finding says to fix, or the thread that has to do it. */
static bool is_said(const struct search *s, const struct rank_row *row)
{
	for (size_t i = 0; i < s->findings.n; i++) {
		const struct finding *f = &s->findings.at[i];

		if (f->fix == row || (row->subject.kind == SUBJECT_THREAD && f->threads.n == 1 &&
				      f->threads.at[0].key == row->subject.key))
			return true;
	}
	return false;
}

/* Replays what is said with ranges of its own, as the first rows of the rank are. */
static void said_replay(struct why *w, struct prediction *p)
{
	for (size_t i = 0; i < w->rank->n && !task_cancelled(); i++)
		if (is_said(w->search, &w->rank->rows[i]))
			rank_row_replay_whole(&w->rank->rows[i], p);
}

/* If so many threads lack a processor on average, a replay has more processors. */
static const double least_ready = 0.1;

/* Of the replays after the first fix: with it, and with each of the next ones. */
static uint64_t plan_steps(const struct replay_plan *plan, const struct trace *t)
{
	return plan->scope == REPLAY_ROWS ? (1 + NEXT_STEPS) * t->events : 0;
}

/*
 * Replays what is ranked, chooses what to fix first, and replays what comes next, and more
 * processors where these may gain something.
 */
static void why_replay(struct why *w, const struct why_options *o, const struct replay_plan *plan)
{
	struct prediction *p = NULL;

	if ((w->rank || w->busy) && !task_cancelled())
		p = rank_predict(w->rank, w->set, plan);
	if (p)
		paging_gains_find(p, w->search);
	if (w->rank)
		fixes_find(w->search, w->rank);
	if (!p)
		return;
	if (w->rank) {
		said_replay(w, p);
		w->plan = fix_plan_of(p, w->search);
		task_step(plan_steps(plan, w->set->trace));
	}
	if (w->busy || busy_threads(w->evidence, ACTIVITY_READY, o->from, o->to) >= least_ready)
		w->more = more_processors_of(p, w->evidence);
	prediction_free(p);
}

static void why_fixes(struct why *w, const struct why_options *o)
{
	struct replay_plan plan = replay_plan_of(w->set->trace, false);

	why_rank(w);
	task_step(w->set->trace->events);
	w->busy = busy_of(w->evidence, o->from, o->to);
	why_replay(w, o, &plan);
}

/* One for each event in the evidence, in the search and in the rank; and those of the replays. */
static uint64_t steps_of(const struct trace *t, const struct why_options *o)
{
	uint64_t steps = (1 + (uint64_t)o->search + o->rank) * t->events;
	struct replay_plan plan = replay_plan_of(t, false);

	return o->rank ? steps + plan.steps + plan_steps(&plan, t) : steps;
}

static struct why *why_find(struct trace *t, const struct why_options *o, struct hypotheses h)
{
	condition_list conditions = {0};
	struct why *w;

	for (size_t i = 0; i < h.all.n; i++)
		conditions_collect(&conditions, h.all.at[i]->condition);
	w = why_on(t, o->processors, conditions);
	w->hypotheses = h;
	task_step(t->events);
	if (o->search && !task_cancelled())
		why_search(w, o);
	if (o->rank && w->search && !task_cancelled())
		why_fixes(w, o);
	return w;
}

struct why *why_of(struct trace *t, const struct why_options *o, struct diag *diag)
{
	struct hypotheses h;
	struct why *w;

	if (!hypotheses_read(&h, t->spec, o->hypotheses, diag))
		return NULL;
	if (task_current)
		task_current->whole_parts = true;
	task_plan(steps_of(t, o));
	w = why_find(t, o, h);
	if (!task_cancelled())
		return w;
	why_free(w);
	return NULL;
}

struct why *why_of_condition(struct trace *t, unsigned processors, const struct expr *condition)
{
	condition_list conditions = {0};

	conditions_collect(&conditions, condition);
	return why_on(t, processors, conditions);
}

void why_free(struct why *w)
{
	if (w->rank)
		rank_free(w->rank);
	if (w->busy)
		busy_free(w->busy);
	if (w->search)
		search_free(w->search);
	evidence_free(w->evidence);
	instance_set_free(w->set);
	if (w->hypotheses.ready_made)
		hypotheses_free(&w->hypotheses);
	free(w->conditions.at);
	free(w);
}

/* ---- measures alone ---- */

/* Prints a list of measures, with && between them, as a condition. */
static void condition_print(FILE *out, const char *measures)
{
	const char *end;

	for (; (end = strstr(measures, "&&")); measures = end + 2)
		fprintf(out, "%.*s >= 0 && ", (int)(end - measures), measures);
	fprintf(out, "%s >= 0", measures);
}

struct spec *measures_read(const struct spec *spec, const char *measures, struct diag *diag)
{
	const char *items;
	char *text, *plain = qualified_replace(spec, measures);
	size_t length, n = spec_items(spec, &items);
	FILE *out = open_memstream(&text, &length);
	/* what is to be said of the trace's own has been said */
	static const char *const unheard[] = {"unused-attribute", "type-as-attribute",
					      "narrow-match", "never-holds", NULL};
	const char *const *muted = diag->muted;
	struct spec *s;

	/* the measures come first, so that messages about them have the line 1 */
	fputs("glimpse measures hypothesis Measured where ", out);
	condition_print(out, plain);
	free(plain);
	fprintf(out, ";\n%.*s\nend measures\n", (int)n, items);
	fclose(out);
	diag->muted = unheard;
	s = spec_parse("--measure", text, diag);
	diag->muted = muted;
	free(text);
	return s;
}
