#include "cli/live/report.h"
#include "base/json.h"
#include "base/units.h"
#include "base/visible.h"
#include "cli/common/table.h"
#include <stdlib.h>

void live_news_print(FILE *out, const struct live *l, size_t before, double seconds)
{
	for (size_t i = before; i < l->findings.n; i++) {
		const struct live_finding *f = &l->findings.at[i];
		char *place = live_finding_place(f), *said = visible_text(place);

		fprintf(
		    out,
		    "glimpse why: after %.2f s: %s: %.1f %% of their time, %.1f %% of the run%s%s\n",
		    seconds, f->explanation, 100 * f->share, 100 * f->cost, *said ? "; " : "",
		    said);
		free(said);
		free(place);
	}
}

/* Returns the part of the running threads' time that an event took: of the whole run. */
static double live_cost(const struct live *l, const struct live_event *v,
			const struct live_ending *e)
{
	double running = e->running * (double)e->duration;

	return running > 0 ? (double)v->count * l->event_cost / running : 0;
}

/* What was thought while it was on. */
static double predicted_cost(const struct live_event *v, const struct live_ending *e)
{
	return e->duration > 0 ? v->predicted_time / (double)e->duration : 0;
}

static void found_print(FILE *out, const struct live *l)
{
	for (size_t i = 0; i < l->findings.n; i++) {
		const struct live_finding *f = &l->findings.at[i];
		char *place = live_finding_place(f), *said = visible_text(place);
		char found[UNITS_TEXT], to[UNITS_TEXT];

		fprintf(out, "  found     %s%s%s at %s; held in %u of %u passes, %s %s\n",
			f->hypothesis, *said ? ": " : "", said, units_time(found, (double)f->found),
			f->held, f->tested, f->holds ? "to the end:" : "not any more after",
			units_time(to, (double)f->held_to));
		free(said);
		free(place);
	}
}

static char *percent(double part)
{
	return text_format(100 * part < 0.1 && part > 0 ? "%.3f %%" : "%.1f %%", 100 * part);
}

/* Events that are on from the beginning, as one row. */
static void cheap_add(struct columns *c, const struct live *l, const struct live_ending *e)
{
	char count[UNITS_TEXT], *observed;
	uint64_t logged = 0;
	double cost = 0;

	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.at[i].cheap) {
			logged += l->events.at[i].count;
			cost += live_cost(l, &l->events.at[i], e);
		}
	observed = percent(cost);
	columns_add(c, (const char *const[]){"    waits, threads, names", "from the beginning",
					     units_count(count, logged), "", observed, ""});
	free(observed);
}

static void event_add(struct columns *c, const struct live *l, const struct live_event *v,
		      const struct live_ending *e)
{
	char on[UNITS_TEXT], count[UNITS_TEXT], *name = text_format("    %s", v->name);
	char *predicted = percent(predicted_cost(v, e)), *observed = percent(live_cost(l, v, e));

	columns_add(c, (const char *const[]){name, units_time(on, v->time),
					     units_count(count, v->count), predicted, observed,
					     v->refused ? "too expensive" : ""});
	free(predicted);
	free(observed);
	free(name);
}

static int by_count(const void *a, const void *b)
{
	const struct live_event *x = *(const struct live_event *const *)a;
	const struct live_event *y = *(const struct live_event *const *)b;

	return (x->count < y->count) - (x->count > y->count);
}

/* Those that were asked for and logged, most first; then the names of those that did not occur. */
static void events_print(FILE *out, const struct live *l, const struct live_ending *e)
{
	static const char *const head[] = {"    events", "on for",   "logged",
					   "predicted",  "observed", ""};
	struct columns columns = {.count = 6, .left = 2};
	const struct live_event **sorted = array_new(l->events.n + 1, sizeof *sorted);
	size_t n = 0, none = 0;

	for (size_t i = 0; i < l->events.n; i++)
		if (!l->events.at[i].cheap && l->events.at[i].count)
			sorted[n++] = &l->events.at[i];
	qsort(sorted, n, sizeof *sorted, by_count);
	columns_add(&columns, head);
	cheap_add(&columns, l, e);
	for (size_t i = 0; i < n; i++)
		event_add(&columns, l, sorted[i], e);
	columns_print(&columns, out);
	for (size_t i = 0; i < l->events.n; i++)
		if (!l->events.at[i].cheap && !l->events.at[i].count && l->events.at[i].time > 0)
			fprintf(out, "%s%s", none++ ? ", " : "    requested, none logged: ",
				l->events.at[i].name);
	fputs(none ? "\n" : "", out);
	free(sorted);
}

/* Of all events. */
static void costs_sum(const struct live *l, const struct live_ending *e, double *predicted,
		      double *observed)
{
	*predicted = *observed = 0;
	for (size_t i = 0; i < l->events.n; i++) {
		const struct live_event *v = &l->events.at[i];

		*predicted += v->cheap ? live_cost(l, v, e) : predicted_cost(v, e);
		*observed += live_cost(l, v, e);
	}
}

void live_report_print(FILE *out, const struct live *l, const struct live_ending *e)
{
	double predicted, observed;
	char took[UNITS_TEXT], searched[UNITS_TEXT];
	char *a, *b;

	costs_sum(l, e, &predicted, &observed);
	a = percent(predicted);
	b = percent(observed);
	fputs("glimpse why: ", out);
	visible_puts(out, e->program);
	fprintf(out, ": exit status %d after %s\n", e->status,
		units_time(took, (double)e->duration));
	fprintf(out, "  searched  while it ran: %u passes, %u tests, %s of CPU time\n", l->passes,
		l->tests, units_time(searched, (double)e->search_time));
	found_print(out, l);
	fprintf(out,
		"  cost      of the events: predicted %s, observed %s of the threads' run time; "
		"at most %.1f %%\n",
		a, b, 100 * e->limit);
	events_print(out, l, e);
	free(a);
	free(b);
}

static void event_json(struct json *j, const struct live *l, const struct live_event *v,
		       const struct live_ending *e)
{
	json_object(j, NULL);
	json_string(j, "event", v->name);
	json_bool(j, "from_beginning", v->cheap);
	json_int(j, "on", (int64_t)v->time);
	json_uint(j, "logged", v->count);
	if (!v->cheap)
		json_real(j, "predicted", predicted_cost(v, e));
	json_real(j, "observed", live_cost(l, v, e));
	json_bool(j, "too_dear", v->refused);
	json_close(j);
}

static void found_json(struct json *j, const struct live_finding *f)
{
	json_object(j, NULL);
	json_string(j, "hypothesis", f->hypothesis);
	json_object(j, "where");
	for (size_t i = 0; i < f->where.n; i++)
		json_string(j, f->where.at[i].axis, f->where.at[i].name);
	json_close(j);
	json_int(j, "found", f->found);
	json_int(j, "held_to", f->held_to);
	json_uint(j, "looks", f->tested);
	json_uint(j, "held", f->held);
	json_bool(j, "to_the_end", f->holds);
	json_real(j, "cost", f->cost);
	json_real(j, "share", f->share);
	json_close(j);
}

void live_report_json(FILE *out, const struct live *l, const struct live_ending *e)
{
	struct json j = json_begin(out, 2);
	double predicted, observed;

	costs_sum(l, e, &predicted, &observed);
	json_object(&j, NULL);
	json_string(&j, "program", e->program);
	json_string(&j, "directory", e->directory);
	json_int(&j, "status", e->status);
	json_int(&j, "duration", e->duration);
	json_uint(&j, "looks", l->passes);
	json_uint(&j, "tests", l->tests);
	json_int(&j, "search_time", e->search_time);
	json_real(&j, "limit", e->limit);
	json_real(&j, "predicted", predicted);
	json_real(&j, "observed", observed);
	json_array(&j, "found");
	for (size_t i = 0; i < l->findings.n; i++)
		found_json(&j, &l->findings.at[i]);
	json_close(&j);
	json_array(&j, "events");
	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.at[i].count || l->events.at[i].time > 0)
			event_json(&j, l, &l->events.at[i], e);
	json_close(&j);
	json_close(&j);
}
