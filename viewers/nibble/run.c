#include "viewers/nibble/run.h"
#include "analysis/flame/time_window.h"
#include "base/array.h"
#include "base/path.h"
#include "base/units.h"
#include "spec/qualified.h"
#include "trace/stream/losses.h"
#include "trace/symbols/start_names.h"
#include "viewers/nibble/expr/series_check.h"
#include "viewers/nibble/series/evaluate.h"
#include "viewers/nibble/series/sample_shares.h"
#include "viewers/select.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Checks all expressions, so that every error is reported at once. */
static bool run_check_all(struct node **nodes, const struct expressions *x, const struct spec *spec,
			  struct diag *diag)
{
	bool fine = true;

	for (size_t i = 0; i < x->n; i++) {
		nodes[i] = NULL;
		if (!asks_ambiguous(spec, x->at[i].tree->series, diag)) {
			qualified_resolve(spec, x->at[i].tree->series);
			nodes[i] = check_series(x->at[i].tree->series, spec, diag);
		}
		fine = fine && nodes[i];
	}
	return fine;
}

/* Finds the time of the first event at which the runs are aligned. */
static bool find_origin(struct nibble_run *run, const char *event, struct diag *diag)
{
	const struct event_type *type = spec_event(run->trace->spec, event);
	const struct event_list *list = type ? trace_events(run->trace, type) : NULL;

	if (is_ambiguous(run->trace->spec, event, DIAG_NOWHERE, diag))
		return false;
	if (!type)
		diag_error(diag, DIAG_NOWHERE, "--align: the specification of %s has no event '%s'",
			   run->name, event);
	else if (event_list_size(list) == 0)
		diag_error(diag, DIAG_NOWHERE, "--align: %s never logged the event '%s'", run->name,
			   event);
	else
		run->origin = (double)event_list_time(list, 0);
	return list && event_list_size(list) > 0;
}

/*
 * Finds the range of a run. --from and --to are in the time of the picture; there is nothing to see
 * beyond the run.
 */
static bool run_find_range(struct nibble_run *run, const struct nibble_options *o,
			   struct diag *diag)
{
	double from = o->from == INT64_MIN ? 0 : (double)o->from + run->origin;
	double to = o->to == INT64_MAX ? INFINITY : (double)o->to + run->origin;
	char end[UNITS_TEXT];

	run->range.from = fmax(from, 0);
	run->range.to = fmin(to, (double)run->trace->duration);
	if (run->range.from <= run->range.to)
		return true;
	diag_error(diag, DIAG_NOWHERE,
		   "%s: --from and --to are outside the run, which ends after %s", run->name,
		   units_exact_time(end, run->trace->duration));
	return false;
}

static void losses_warn(const struct nibble_run *run, struct diag *diag)
{
	char *text = losses_text(run->trace);

	if (text)
		diag_warning(diag, "lost", DIAG_NOWHERE, "%s: %s", run->name, text);
	free(text);
}

bool runs_open(struct runs *r, const struct nibble_options *o, struct diag *diag)
{
	unsigned each = o->join ? o->nruns : 1;

	*r = (struct runs){.range = {INFINITY, -INFINITY}};
	r->at = array_zero(o->nruns, sizeof *r->at);
	for (unsigned i = 0; i < o->nruns; i += each) {
		struct nibble_run *run = &r->at[r->n];
		bool others = each == 1 && (r->n || i + 1 < o->nruns);

		if (others && trace_lacks_logs(o->runs[i], diag))
			continue;
		run->trace = start_names_add(trace_open(&o->runs[i], each, o->spec, diag));
		if (!run->trace)
			return false;
		r->n++;
		run->name = path_name(o->runs[i]);
		losses_warn(run, diag);
		if (o->align && !find_origin(run, o->align, diag))
			return false;
		if (!run_find_range(run, o, diag))
			return false;
		r->range.from = fmin(r->range.from, run->range.from - run->origin);
		r->range.to = fmax(r->range.to, run->range.to - run->origin);
	}
	return true;
}

void runs_close(struct runs *r)
{
	for (unsigned i = 0; i < r->n; i++) {
		trace_close(r->at[i].trace);
		free(r->at[i].name);
	}
	free(r->at);
}

const char *runs_frequent_event(const struct runs *r)
{
	const struct trace *t = r->at[0].trace;
	unsigned best = 0;

	for (unsigned i = 1; i < t->spec->nevents; i++)
		if (t->events_of_type[i] > t->events_of_type[best])
			best = i;
	return t->events_of_type[best] ? t->spec->events[best]->name : NULL;
}

char *runs_subject(const struct runs *r)
{
	const char *spec = r->at[0].trace->spec->name;

	return r->n == 1 ? text_format("%s, %s", spec, r->at[0].name) : text_format("%s", spec);
}

/* A curve of one of several runs is a member of the family of runs. */
static void name_after_run(struct curve *s, const struct runs *r, unsigned number)
{
	const char *name = r->at[number].name;
	char *group = s->group ? text_format("%s, %s", name, s->group) : text_format("%s", name);

	free(s->group);
	s->group = group;
	s->key = number;
	if (s->part) {
		char *whole = text_format("%s%s%s", name, *s->whole ? ", " : "", s->whole);

		free(s->whole);
		s->whole = whole;
	}
}

static void evaluate_all(struct evaluation *v, struct node **nodes, const struct expressions *x,
			 const struct runs *r, unsigned number, struct family *families)
{
	for (size_t i = 0; i < x->n; i++) {
		struct family f = expression_evaluate(v, nodes[i], x->at[i].text);

		for (size_t k = 0; k < f.n; k++) {
			if (r->n > 1)
				name_after_run(f.at[k], r, number);
			curve_shift(f.at[k], -r->at[number].origin);
			family_append(&families[i], f.at[k]);
		}
		free(f.at);
	}
}

static bool run_choose_threads(struct evaluation *v, const struct nibble_options *o,
			       struct diag *diag)
{
	if (!o->threads)
		return true;
	v->threads = array_zero(v->trace->nthreads, sizeof *v->threads);
	return select_threads(o->threads, v->trace, v->threads, diag);
}

static bool evaluate_run(const struct runs *r, unsigned number, const struct nibble_options *o,
			 const struct expressions *x, struct family *families, struct diag *diag)
{
	const struct nibble_run *run = &r->at[number];
	struct node **nodes = array_zero(x->n, sizeof *nodes);
	struct evaluation *v = evaluation_new(run->trace, run->range, diag);
	struct time_window *times = NULL;
	unsigned errors = diag->errors;

	v->shares = sample_shares;
	v->shares_of = &times;
	v->window = window_width(r->range);
	v->allow_empty = o->allow_empty;
	v->drawing = o->action == ACTION_DRAW || o->action == ACTION_DUMP;
	v->canvas = plot_canvas(&o->plot);
	if (run_choose_threads(v, o, diag) && run_check_all(nodes, x, run->trace->spec, diag)) {
		expressions_prepare(v, nodes, x->n);
		evaluate_all(v, nodes, x, r, number, families);
		if (v->faults > 0)
			diag_warning(diag, "faults", DIAG_NOWHERE,
				     "events left out because an expression overflowed or "
				     "divided by zero: %llu",
				     (unsigned long long)v->faults);
	}
	for (size_t i = 0; i < x->n; i++)
		node_free(nodes[i]);
	free(nodes);
	evaluation_free(v);
	time_window_free(times);
	return diag->errors == errors;
}

bool runs_evaluate(const struct runs *r, const struct nibble_options *o,
		   const struct expressions *x, struct family *families, struct diag *diag)
{
	for (unsigned i = 0; i < r->n; i++)
		if (!evaluate_run(r, i, o, x, families, diag))
			return false;
	return true;
}
