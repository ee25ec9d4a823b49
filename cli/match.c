#include "match/join/match.h"
#include "base/json.h"
#include "base/monotonic.h"
#include "base/spill.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "cli/common/intervals.h"
#include "cli/common/text.h"
#include "match/plan/explain.h"
#include "match/stats/account.h"
#include "match/stats/crossing.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Prints the instances of intervals in one of the formats. */
struct match_printer {
	FILE *out;
	enum format format;
	const struct trace *trace;
	bool matched, unmatched; /* which instances to print */
	bool metrics;
	struct json json;
};

static void moment_text(const struct match_printer *p, const struct event *e)
{
	const struct trace_thread *thread = trace_thread(p->trace, e->thread);

	fprintf(p->out, "%" PRId64 ".%09" PRId64 "  %s #%" PRIu64 " %s", e->time / 1000000000,
		e->time % 1000000000, thread ? thread->label : "?", e->seq, e->type->name);
}

static void match_text_metrics(const struct match_printer *p, const struct matches *m, size_t i)
{
	const struct interval *interval = m->interval;
	char text[UNITS_TEXT];
	struct binding b;
	struct value v;

	matches_bind(m, i, true, &b);
	for (unsigned k = 0; k < interval->nmetrics; k++) {
		const struct expr *e = interval->metrics[k].value;

		fprintf(p->out, "  %s=%s", interval->metrics[k].name,
			expr_value(e, &b, &v) ? value_text(text, &v, e->unit) : "?");
	}
}

static void match_text_instance(const struct match_printer *p, const struct matches *m, size_t i,
				const struct instance *instance, enum fate fate)
{
	char text[UNITS_TEXT];

	fputs("  ", p->out);
	moment_text(p, &instance->anchor);
	fputs(m->interval->direction == FORWARDS ? "  ->  " : "  <-  ", p->out);
	if (fate == FATE_MATCHED) {
		moment_text(p, &instance->partner);
		fprintf(p->out, "  %s",
			units_time(text, (double)(instance->end - instance->start)));
		if (p->metrics)
			match_text_metrics(p, m, i);
	} else {
		fprintf(p->out, "unmatched: %s", fate_text(fate));
	}
	putc('\n', p->out);
}

static void match_text_head(const struct match_printer *p, const struct matches *m,
			    const struct account *account)
{
	char matched[UNITS_TEXT], unmatched[UNITS_TEXT];

	fprintf(p->out, "%s: %s matched, %s unmatched", m->interval->name,
		units_count(matched, m->matched), units_count(unmatched, m->count - m->matched));
	if (p->unmatched)
		account_print(account, p->out);
	putc('\n', p->out);
}

/* ---- csv ---- */

static void match_csv_number(FILE *out, int64_t number)
{
	putc_unlocked(',', out);
	print_int(out, number);
}

static void match_csv_metrics(const struct match_printer *p, const struct matches *m, size_t i)
{
	const struct interval *interval = m->interval;
	char text[UNITS_TEXT];
	struct binding b;
	struct value v;

	matches_bind(m, i, true, &b);
	for (unsigned k = 0; k < interval->nmetrics; k++)
		fprintf(p->out, "%s%s=%s", k ? ";" : "", interval->metrics[k].name,
			expr_value(interval->metrics[k].value, &b, &v) ? value_digits(text, &v)
								       : "");
}

static void match_csv_instance(const struct match_printer *p, const struct matches *m, size_t i,
			       const struct instance *instance)
{
	bool matched = instance->partner.record != NULL;

	print_text(p->out, m->interval->name);
	match_csv_number(p->out, instance->anchor.thread);
	match_csv_number(p->out, (int64_t)instance->anchor.seq);
	match_csv_number(p->out, instance->anchor.time);
	if (matched) {
		match_csv_number(p->out, instance->partner.thread);
		match_csv_number(p->out, (int64_t)instance->partner.seq);
		match_csv_number(p->out, instance->partner.time);
		match_csv_number(p->out, instance->end - instance->start);
	} else {
		print_text(p->out, ",,,,");
	}
	if (p->metrics) {
		putc_unlocked(',', p->out);
		if (matched)
			match_csv_metrics(p, m, i);
	}
	putc_unlocked('\n', p->out);
}

/* ---- json ---- */

static void moment_json(struct json *j, const char *key, const struct event *e)
{
	json_object(j, key);
	json_uint(j, "thread", e->thread);
	json_uint(j, "seq", e->seq);
	json_int(j, "time", e->time);
	json_close(j);
}

static void match_json_metrics(struct json *j, const struct matches *m, size_t i)
{
	struct binding b;
	struct value v;

	matches_bind(m, i, true, &b);
	json_object(j, "metrics");
	for (unsigned k = 0; k < m->interval->nmetrics; k++) {
		const struct metric *metric = &m->interval->metrics[k];

		if (expr_value(metric->value, &b, &v))
			value_json(j, metric->name, &v);
		else
			json_null(j, metric->name);
	}
	json_close(j);
}

static void match_json_instance(struct match_printer *p, const struct matches *m, size_t i,
				const struct instance *instance, enum fate fate)
{
	struct json *j = &p->json;

	json_object(j, NULL);
	json_string(j, "interval", m->interval->name);
	moment_json(j, "anchor", &instance->anchor);
	if (fate == FATE_MATCHED) {
		moment_json(j, "partner", &instance->partner);
		json_int(j, "duration", instance->end - instance->start);
		if (p->metrics)
			match_json_metrics(j, m, i);
	} else {
		json_null(j, "partner");
		json_string(j, "unmatched", fate_text(fate));
	}
	json_close(j);
}

static void match_print_begin(struct match_printer *p)
{
	if (p->format == FORMAT_CSV)
		fprintf(p->out,
			"interval,anchor_thread,anchor_seq,anchor_time,partner_thread,partner_seq,"
			"partner_time,duration%s\n",
			p->metrics ? ",metrics" : "");
	if (p->format == FORMAT_JSON) {
		p->json = json_begin(p->out, 1);
		json_array(&p->json, NULL);
	}
}

static void match_print(struct match_printer *p, const struct matches *m,
			const struct account *account)
{
	if (p->format == FORMAT_TEXT)
		match_text_head(p, m, account);
	for (size_t i = 0; i < m->count && !ferror(p->out); i++) {
		enum fate fate = account_fate(account, m, i);
		struct instance instance;

		if (!(fate == FATE_MATCHED ? p->matched : p->unmatched))
			continue;
		matches_get(m, i, &instance);
		if (p->format == FORMAT_TEXT)
			match_text_instance(p, m, i, &instance, fate);
		else if (p->format == FORMAT_CSV)
			match_csv_instance(p, m, i, &instance);
		else
			match_json_instance(p, m, i, &instance, fate);
	}
}

static void match_print_end(struct match_printer *p)
{
	if (p->format == FORMAT_JSON)
		json_close(&p->json);
}

static struct {
	bool matched, unmatched, metrics, explain;
} wanted = {.matched = true};

static void take_unmatched(const char *value)
{
	if (value)
		usage_choice("--unmatched", "value", (const char *const[]){"only"}, 1, value);
	wanted.unmatched = true;
	wanted.matched = value == NULL;
}

static void take_metrics(const char *unused)
{
	(void)unused;
	wanted.metrics = true;
}

static void take_explain(const char *unused)
{
	(void)unused;
	wanted.explain = true;
}

static void print_instances(struct command_request *r, struct trace *t,
			    const struct interval **intervals)
{
	struct match_printer p = {
	    .out = r->out,
	    .format = r->format,
	    .trace = t,
	    .matched = wanted.matched,
	    .unmatched = wanted.unmatched,
	    .metrics = wanted.metrics,
	};

	match_print_begin(&p);
	for (; *intervals && !ferror(r->out); intervals++) {
		struct matches *m = match_interval(t, *intervals);
		struct account account;

		matches_warn(m, &r->diag);
		crossing_warn_of(t, m, &r->diag);
		account_of(t, m, &account);
		match_print(&p, m, &account);
		account_clear(&account);
		matches_free(m);
	}
	match_print_end(&p);
}

static void print_cost(const struct matches *m, double ns, uint64_t spilled, FILE *out)
{
	char anchors[UNITS_TEXT], partners[UNITS_TEXT], matched[UNITS_TEXT], time[UNITS_TEXT],
	    files[UNITS_TEXT];
	double n = m->count ? (double)m->count : 1;

	fprintf(out, "  %-10s %s anchors, %s partners, %s matched, in %s\n", "cost",
		units_count(anchors, m->count), units_count(partners, m->partners.count),
		units_count(matched, m->matched), units_time(time, ns));
	fprintf(out, "  %-10s %.3g candidates tested and %.3g index entries visited per anchor\n",
		"", (double)m->tested / n, (double)m->visited / n);
	if (spilled)
		fprintf(out, "  %-10s %s of temporary files\n", "", units_bytes(files, spilled));
	if (m->faults)
		fprintf(out, "  %-10s %" PRIu64 " tests overflowed or divided by zero\n", "",
			m->faults);
}

/* Prints the plan of each interval, and what finding its instances cost. */
static void print_plans(struct trace *t, const struct interval **intervals, FILE *out)
{
	for (; *intervals; intervals++) {
		struct plan *plan = plan_new(*intervals);
		uint64_t spilled = spill_in_files();
		struct matches *m;
		int64_t begin;

		plan_explain(plan, out);
		begin = monotonic_now();
		m = match_interval(t, *intervals);
		print_cost(m, (double)(monotonic_now() - begin), spill_in_files() - spilled, out);
		matches_free(m);
		plan_free(plan);
	}
}

static int match_run(struct command_request *r)
{
	struct trace *t = request_open(r);
	const struct interval **intervals = t ? intervals_chosen(t, &r->diag) : NULL;

	if (wanted.explain && r->format != FORMAT_TEXT)
		usage_fail("--explain prints text; leave out --format");
	if (intervals && wanted.explain)
		print_plans(t, intervals, r->out);
	else if (intervals)
		print_instances(r, t, intervals);
	free(intervals);
	trace_close(t);
	return intervals ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    INTERVAL_OPTION,
    MEMORY_OPTION,
    {'u', "unmatched", "[=only]", "also print anchors without a partner; =only: print nothing else",
     take_unmatched},
    {'m', "metrics", NULL, "also print the metrics of each instance (csv: as name=value;...)",
     take_metrics},
    {0, "explain", NULL, "print how each interval is searched for, and the cost, not instances",
     take_explain},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_match = {
    .name = "match",
    .summary = "print the instances of intervals, and anchors without a partner",
    .teaches =
	"Prints the instances of each interval of the specification, sorted by anchor. Times in\n"
	"csv and json are nanoseconds since the trace's first event; seq counts a thread's events\n"
	"from 0.\n",
    .examples = "  glimpse match run1 --interval Transit --unmatched\n"
		"  glimpse match run1 --format=csv | sort -t, -k8 -n | tail   # the longest\n"
		"  glimpse match run1 -s other.spec --explain\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = match_run,
};
