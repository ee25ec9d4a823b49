#include "analysis/replay/answer/refusal.h"
#include "analysis/activity/unrecorded.h"
#include "analysis/replay/answer/unexplained.h"
#include "analysis/replay/recorded/early_holds.h"
#include "analysis/samples/cut_stacks.h"
#include "base/array.h"
#include "base/units.h"
#include <math.h>
#include <stdlib.h>

/* Of the recorded time. */
static const double most_miss = 0.1;

enum { THREADS_SHOWN = 4, PLACES_SHOWN = 5 };

static void refuse_stopped(struct diag *diag, const struct prediction *p, const struct replay *r)
{
	char reached[UNITS_TEXT], recorded[UNITS_TEXT];

	if (r->stop == STOP_CANCELLED) {
		diag_error(diag, DIAG_NOWHERE, "the replay was cancelled");
		return;
	}
	if (r->stop == STOP_CUT) {
		diag_error(
		    diag, DIAG_NOWHERE,
		    "the replay%s has a thread that computes for more than %s without an event, or "
		    "waits for more than %s: it holds no longer times",
		    r == p->unchanged ? " without changes" : "",
		    units_time(reached, (double)LONGEST_WORK),
		    units_time(recorded, (double)LONGEST_TIME));
		return;
	}
	diag_error(
	    diag, DIAG_NOWHERE,
	    "the replay%s does not end: after %.0f million steps it is at %s; the run took %s",
	    r == p->unchanged ? " without changes" : "", (double)r->steps / 1e6,
	    units_time(reached, (double)r->reached),
	    units_time(recorded, (double)p->operations->duration));
	diag_note(diag, DIAG_NOWHERE,
		  "threads repeat a loop in it, or a time slice is short beside the run");
}

static void refuse_stuck(struct diag *diag, const struct trace *t, const struct replay *r)
{
	char *names = text_format("%s", "");

	for (uint32_t i = 0; i < r->nstuck && i < THREADS_SHOWN; i++) {
		char *longer = text_format("%s%s%s", names, i ? ", " : "",
					   t->threads[r->stuck_threads[i]].label);

		free(names), names = longer;
	}
	diag_error(diag, DIAG_NOWHERE, "the replay deadlocks: %u threads wait for each other: %s%s",
		   r->nstuck, names, r->nstuck > THREADS_SHOWN ? ", ..." : "");
	free(names);
}

void refuse_name(struct diag *diag, const struct trace *t, const char *unknown)
{
	char *cut = cut_stacks_text(t);

	diag_error(diag, DIAG_NOWHERE,
		   "the trace has nothing named '%s'; glimpse rank lists the names", unknown);
	if (cut)
		diag_note(diag, DIAG_NOWHERE, "%s", cut);
	free(cut);
}

void refuse_change(struct diag *diag, const struct prediction *p, const char *unknown)
{
	if (unknown)
		refuse_name(diag, p->model->trace, unknown);
	else
		diag_error(diag, DIAG_NOWHERE, "%s", p->refusal);
}

static bool ends_as_state(const struct instance_set *set, const struct role *wait)
{
	for (unsigned i = 0; i < set->nroles; i++)
		if (set->roles[i].kind == KIND_STATE && set->roles[i].end.event == wait->end.event)
			return true;
	return false;
}

/* Whether the run has waits for other threads, beside those that the states of threads show. */
static bool waits_recorded(const struct instance_set *set)
{
	for (unsigned i = 0; i < set->nwaits; i++)
		if (interval_waits_for_thread(set->roles[i].interval) &&
		    !ends_as_state(set, &set->roles[i]))
			return true;
	return false;
}

/* Returns the probes whose intervals the run lacks, or NULL. */
static const char *probes_missing(const struct instance_set *set)
{
	bool states = false, waits = waits_recorded(set);

	for (unsigned i = 0; i < set->nroles; i++)
		states |= set->roles[i].kind == KIND_STATE;
	if (waits && states)
		return NULL;
	return waits ? "scheduler" : states ? "threads" : "threads,scheduler";
}

/* Whether another program recorded the run: only the runtime measures what an event costs. */
static bool is_imported(const struct trace *t)
{
	for (unsigned i = 0; i < t->nprocesses; i++)
		if (t->processes[i].event_cost)
			return false;
	return true;
}

/* Returns what to do about what the run lacks; NULL: it lacks nothing. The caller frees it. */
static char *missing_text(const struct prediction *p)
{
	const struct instance_set *set = p->model->set;
	const char *missing = probes_missing(set);

	if (!missing)
		return NULL;
	if (!is_imported(set->trace))
		return text_format("record with --probes %s as well", missing);
	return text_format("this imported recording does not say %s; glimpse record does",
			   waits_recorded(set) ? "when threads ran" : "what threads waited for");
}

static char *miss_text(const struct prediction *p)
{
	char *missing = missing_text(p);
	char *advice = missing ? text_format("%s, or use --anyway", missing)
			       : text_format("--anyway prints the answer");
	double others = prediction_others(p);
	char *beside =
	    others >= OTHERS_TOLD
		? text_format(", beside other programs that took %.0f %% of the processor time",
			      100 * others)
		: text_format("%s", "");
	char *text =
	    text_format("the replay without changes misses the recorded run by %.0f %%%s; %s",
			100 * prediction_miss(p), beside, advice);

	free(beside);
	free(advice);
	free(missing);
	return text;
}

/* Whether waits without a known cause are long enough for what the replay misses. */
static bool is_unexplained(const struct prediction *p)
{
	int64_t missed = p->unchanged->duration - p->operations->duration;

	return p->operations->unexplained >= (missed < 0 ? -missed : missed) / 10;
}

/* Returns whether something of that is missing. */
static bool unrecorded_note(struct diag *diag, const struct trace *t, uint32_t needs)
{
	char *text = unrecorded_text(t, needs);
	bool missing = text != NULL;

	if (text)
		diag_note(diag, DIAG_NOWHERE, "%s", text);
	free(text);
	return missing;
}

static void refuse_miss(struct diag *diag, const struct prediction *p)
{
	char *text = miss_text(p), all[UNITS_TEXT];
	size_t n;
	struct unexplained_waits *rows = unexplained_of(p->model, &n);

	diag_error(diag, DIAG_NOWHERE, "%s", text);
	if (!is_unexplained(p))
		n = 0;
	if (n)
		diag_note(diag, DIAG_NOWHERE, "%s of waiting has an unknown cause:",
			  units_time(all, (double)p->operations->unexplained));
	for (size_t i = 0; i < n && i < PLACES_SHOWN; i++) {
		const struct unexplained_waits *w = &rows[i];
		char time[UNITS_TEXT], longest[UNITS_TEXT];

		diag_note(diag, DIAG_NOWHERE, "%s in %zu wait%s: %s; longest %s, in %s",
			  units_time(time, (double)w->time), w->waits, w->waits == 1 ? "" : "s",
			  w->where, units_time(longest, (double)w->longest),
			  p->model->trace->threads[w->thread].label);
	}
	if (n > PLACES_SHOWN)
		diag_note(diag, DIAG_NOWHERE, "and %zu more call sites", n - PLACES_SHOWN);
	unrecorded_note(diag, p->model->trace, UNRECORDED_STATES);
	free(rows);
	free(text);
}

/* Says how much of the path is unknown, and in which thread of the recorded run most of it is. */
static char *unknown_text(const struct prediction *p)
{
	struct critical_path *path = critical_path_of(p->model->graph);
	int64_t duration = p->operations->duration;
	struct unknown_part u = unknown_on(p->model->unknown, path, 0, duration);
	double recorded = duration > 0 ? (double)u.time / (double)duration : 0;
	double replayed = (double)prediction_unknown(p) / (double)p->base->duration;
	char *text;

	if (unknown_decides(u.time, duration))
		text = text_format(
		    "cannot tell: %.0f %% of the critical path is waiting without a known cause, most of it in thread %s",
		    100 * recorded, p->model->trace->threads[u.thread].label);
	else
		text = text_format(
		    "cannot tell: then %.0f %% of the recorded time would be waiting without a known cause on the critical path",
		    100 * fmin(1, replayed));
	critical_path_free(path);
	return text;
}

/* The waits that may have ended in another thread. */
static void unknown_list(struct diag *diag, const struct prediction *p)
{
	size_t n, shown = 0;
	struct unexplained_waits *rows = unexplained_of(p->model, &n);

	for (size_t i = 0; i < n && shown < PLACES_SHOWN; i++) {
		char time[UNITS_TEXT];

		if (rows[i].unknown <= 0)
			continue;
		diag_note(diag, DIAG_NOWHERE, "%s in %zu wait%s: %s; longest in %s",
			  units_time(time, (double)rows[i].unknown), rows[i].waits,
			  rows[i].waits == 1 ? "" : "s", rows[i].where,
			  p->model->trace->threads[rows[i].thread].label);
		shown++;
	}
	free(rows);
}

static void refuse_unknown(struct diag *diag, const struct prediction *p)
{
	char *missing = missing_text(p), *text = unknown_text(p);
	bool lacks = missing != NULL;

	diag_error(diag, DIAG_NOWHERE, "%s", text);
	free(text);
	unknown_list(diag, p);
	if (missing)
		diag_note(diag, DIAG_NOWHERE, "%s", missing);
	free(missing);
	if (unrecorded_note(diag, p->model->trace, UNRECORDED_STATES | UNRECORDED_WAKEUPS))
		return;
	if (unknown_is_usual(p->model->unknown))
		diag_note(
		    diag, DIAG_NOWHERE,
		    "most waits have no known cause: no event shows the wake-ups of raw futexes and of schedulers "
		    "above threads, as in Go (doc/whatif.md)");
	else if (!lacks)
		diag_note(diag, DIAG_NOWHERE,
			  "no event shows what ended these waits; --anyway prints the answer");
}

/* More than the range explains. */
static void refuse_contradiction(struct diag *diag, const struct prediction *p)
{
	double change = (double)p->changed->duration / (double)p->base->duration - 1;

	diag_error(
	    diag, DIAG_NOWHERE,
	    "cannot tell: although nothing is %s, the replay is %.0f %% %s, which this recording does not "
	    "explain; --anyway prints the answer",
	    p->order == CHANGE_SHORTENS ? "slower" : "faster", 100 * fabs(change),
	    change > 0 ? "longer" : "shorter");
}

static void refuse_unseen(struct diag *diag, const struct prediction *p)
{
	char time[2][UNITS_TEXT];

	if (p->held_earlier < 0)
		diag_error(diag, DIAG_NOWHERE,
			   "cannot tell: when threads acquired the lock is often not known");
	else
		diag_error(
		    diag, DIAG_NOWHERE,
		    "cannot tell: the run would take %s or %s, depending on when threads acquired "
		    "the lock, which is not known",
		    units_time(time[0], (double)p->held_earlier),
		    units_time(time[1], (double)p->changed->duration));
	diag_note(diag, DIAG_NOWHERE, "%s", HOLDS_UNSEEN);
	diag_note(diag, DIAG_NOWHERE,
		  "change the functions that hold it, with --speed or --time; --anyway prints the "
		  "answer");
}

bool prediction_is_refused(const struct prediction *p, bool anyway, struct diag *diag)
{
	const struct replay *stuck = p->unchanged->stuck               ? p->unchanged
				     : p->changed && p->changed->stuck ? p->changed
								       : NULL;

	if (stuck) {
		if (stuck->stop)
			refuse_stopped(diag, p, stuck);
		else
			refuse_stuck(diag, p->model->trace, stuck);
		return true;
	}
	if (anyway)
		return false;
	if (prediction_miss(p) > most_miss)
		refuse_miss(diag, p);
	else if (prediction_is_unknown(p))
		refuse_unknown(diag, p);
	else if (p->changed && prediction_contradicts(p))
		refuse_contradiction(diag, p);
	else if (p->changed && prediction_is_unseen(p))
		refuse_unseen(diag, p);
	else
		return false;
	return true;
}
