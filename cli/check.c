#include "base/array.h"
#include "base/json.h"
#include "base/output.h"
#include "base/visible.h"
#include "cli/common/command.h"
#include "cli/common/intervals.h"
#include "cli/common/text.h"
#include "match/stats/assertions.h"
#include "spec/print.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct showing {
	FILE *out;
	struct aggregates *aggregates;
	const char *before; /* what stands before each line */
	struct json *json;
};

/* ---- text ---- */

static void show_event(FILE *out, const struct trace *t, const struct event *e)
{
	const struct trace_thread *thread = trace_thread(t, e->thread);

	fprintf(out, "%s #%" PRIu64 " %s at %" PRId64 ".%09" PRId64 " s (thread %" PRIu32 ")",
		thread ? thread->label : "?", e->seq, e->type->name, e->time / 1000000000,
		e->time % 1000000000, e->thread);
}

static void show_violation(const struct showing *s, const struct trace *t, const struct matches *m,
			   size_t anchor)
{
	char text[UNITS_TEXT];
	struct instance i;

	matches_get(m, anchor, &i);
	fputs(s->before, s->out);
	show_event(s->out, t, &i.anchor);
	fputs(m->interval->direction == FORWARDS ? " -> " : " <- ", s->out);
	show_event(s->out, t, &i.partner);
	fprintf(s->out, ": %s\n", units_time(text, (double)(i.end - i.start)));
}

static void show_aggregate(void *context, const struct expr *e)
{
	const struct showing *s = context;
	char text[UNITS_TEXT];
	struct value v;
	bool defined = aggregates_value(s->aggregates, e->aggregate, &v);

	fputs(s->before, s->out);
	expr_print(e, NULL, s->out);
	fprintf(s->out, " = %s\n",
		defined ? value_text(text, &v, e->unit) : "undefined: there are no values");
}

/* The lines that belong to a verdict. */
static void show_details(const struct showing *s, const struct trace *t, const struct verdict *v)
{
	const struct assertion *a = v->assertion;

	if (!a->interval) {
		aggregates_each(a->condition, show_aggregate, (void *)s);
		return;
	}
	for (size_t i = 0; i < v->nworst; i++)
		show_violation(s, t, aggregates_matches(s->aggregates, a->interval),
			       v->worst[i].anchor);
	if (v->faults)
		fprintf(s->out, "%s%" PRIu64 " instances overflow or divide by zero\n", s->before,
			v->faults);
}

static void show_count(FILE *out, const struct verdict *v)
{
	char violated[UNITS_TEXT], all[UNITS_TEXT];

	if (!v->assertion->interval)
		return;
	if (v->holds)
		fprintf(out, "  (%s instances)", units_count(all, v->instances));
	else
		fprintf(out, "  (%s of %s instances; the worst first)",
			units_count(violated, v->violated), units_count(all, v->instances));
}

static void assertion_place(const struct assertion *a, size_t *line)
{
	size_t column;

	source_place(a->where.source, a->where.start, line, &column);
}

static void check_text(FILE *out, struct aggregates *a, const struct trace *t,
		       const struct verdict *verdicts, size_t n)
{
	struct showing s = {.out = out, .aggregates = a, .before = "          "};
	size_t violated = 0, line;

	for (size_t i = 0; i < n; i++) {
		const struct verdict *v = &verdicts[i];
		char *text = assertion_text(v->assertion);

		assertion_place(v->assertion, &line);
		fputs(v->holds ? "holds     " : "VIOLATED  ", out);
		visible_puts(out, v->assertion->where.source->name);
		fprintf(out, ":%zu: ", line);
		visible_puts(out, text);
		show_count(out, v);
		putc('\n', out);
		show_details(&s, t, v);
		violated += !v->holds;
		free(text);
	}
	fprintf(out, "%zu of %zu assertions hold\n", n - violated, n);
}

/* ---- json ---- */

static void json_aggregate(void *context, const struct expr *e)
{
	const struct showing *s = context;
	char *text = expr_text(e, NULL);
	struct value v;

	json_object(s->json, NULL);
	json_string(s->json, "aggregate", text);
	if (aggregates_value(s->aggregates, e->aggregate, &v))
		value_json(s->json, "value", &v);
	else
		json_null(s->json, "value");
	json_close(s->json);
	free(text);
}

static void json_event(struct json *j, const char *key, const struct event *e)
{
	json_object(j, key);
	json_uint(j, "thread", e->thread);
	json_uint(j, "seq", e->seq);
	json_int(j, "time", e->time);
	json_close(j);
}

static void json_violations(struct showing *s, const struct verdict *v)
{
	const struct matches *m = aggregates_matches(s->aggregates, v->assertion->interval);

	json_uint(s->json, "instances", v->instances);
	json_uint(s->json, "violated", v->violated);
	json_array(s->json, "worst");
	for (size_t i = 0; i < v->nworst; i++) {
		struct instance instance;

		matches_get(m, v->worst[i].anchor, &instance);
		json_object(s->json, NULL);
		json_event(s->json, "anchor", &instance.anchor);
		json_event(s->json, "partner", &instance.partner);
		json_int(s->json, "duration", instance.end - instance.start);
		json_close(s->json);
	}
	json_close(s->json);
}

static void check_json(FILE *out, struct aggregates *a, const struct verdict *verdicts, size_t n)
{
	struct json j = json_begin(out, 1);
	struct showing s = {.out = out, .aggregates = a, .json = &j};

	json_array(&j, NULL);
	for (size_t i = 0; i < n; i++) {
		const struct verdict *v = &verdicts[i];
		char *text = assertion_text(v->assertion);

		json_object(&j, NULL);
		json_string(&j, "assertion", text);
		json_bool(&j, "holds", v->holds);
		if (v->assertion->interval) {
			json_string(&j, "interval", v->assertion->interval->name);
			json_violations(&s, v);
		} else {
			json_array(&j, "aggregates");
			aggregates_each(v->assertion->condition, json_aggregate, &s);
			json_close(&j);
		}
		json_close(&j);
		free(text);
	}
	json_close(&j);
}

/* ---- JUnit ---- */

static void xml_text(FILE *out, const char *text)
{
	for (size_t n; *text; text += n) {
		size_t left = strlen(text);
		char escape[VISIBLE_ESCAPE];

		n = visible_length(text, left);
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\n':
			putc('\n', out);
			n = 1;
			break;
		default:
			if (n) {
				fwrite(text, 1, n, out);
				break;
			}
			n = visible_escape(escape, text, left);
			fputs(escape, out);
		}
	}
}

static void junit_failure(FILE *out, struct aggregates *a, const struct trace *t,
			  const struct verdict *v)
{
	char *details;
	size_t size;
	struct showing s = {.out = open_memstream(&details, &size), .aggregates = a, .before = ""};

	show_details(&s, t, v);
	fclose(s.out);
	fputs("    <failure message=\"", out);
	if (v->assertion->interval)
		fprintf(out, "%zu of %zu instances violate it", v->violated, v->instances);
	else
		fputs(v->undefined ? "an aggregate is undefined" : "it does not hold", out);
	fputs("\">", out);
	xml_text(out, details);
	fputs("</failure>\n", out);
	free(details);
}

static void check_junit(FILE *out, struct aggregates *a, const struct trace *t,
			const struct verdict *verdicts, size_t n)
{
	size_t failures = 0;

	for (size_t i = 0; i < n; i++)
		failures += !verdicts[i].holds;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
	xml_text(out, t->spec->name);
	fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n", n, failures);
	for (size_t i = 0; i < n; i++) {
		char *text = assertion_text(verdicts[i].assertion);

		fputs("  <testcase classname=\"", out);
		xml_text(out, t->spec->name);
		fputs("\" name=\"", out);
		xml_text(out, text);
		fputs(verdicts[i].holds ? "\"/>\n" : "\">\n", out);
		if (!verdicts[i].holds) {
			junit_failure(out, a, t, &verdicts[i]);
			fputs("  </testcase>\n", out);
		}
		free(text);
	}
	fputs("</testsuite>\n", out);
}

static const char *junit;
static size_t worst = 5;

static void take_junit(const char *path)
{
	junit = path;
	request_take_report(path);
}

static void take_worst(const char *value)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end || number > 1000000)
		usage_fail("--worst: '%s' is not a number from 0 to 1000000", value);
	worst = number;
}

static bool junit_write(struct command_request *r, struct aggregates *a, const struct trace *t,
			const struct verdict *v, size_t n)
{
	struct output *output = output_begin(NULL, 0, diag_write_failed, &r->diag);
	FILE *out = output_file(output, "%s", junit);

	if (out)
		check_junit(out, a, t, v, n);
	return output_commit(output);
}

static int check_report(struct command_request *r, struct trace *t, struct aggregates *a,
			const struct verdict *verdicts, size_t n)
{
	int status = EXIT_FINE;

	for (size_t i = 0; i < n; i++)
		if (!verdicts[i].holds)
			status = EXIT_NO;
	if (r->format == FORMAT_JSON)
		check_json(r->out, a, verdicts, n);
	else
		check_text(r->out, a, t, verdicts, n);
	if (junit && !junit_write(r, a, t, verdicts, n))
		return EXIT_ERROR;
	return status;
}

static int check_check_all(struct command_request *r, struct trace *t)
{
	const struct spec *spec = t->spec;
	struct aggregates *a = aggregates_new(t);
	struct verdict *verdicts = array_new(spec->nassertions, sizeof *verdicts);
	int status;

	for (unsigned i = 0; i < spec->nassertions; i++)
		verdicts[i] = check_assertion(a, spec->assertions[i], worst);
	status = check_report(r, t, a, verdicts, spec->nassertions);
	for (unsigned i = 0; i < spec->nassertions; i++)
		verdict_clear(&verdicts[i]);
	free(verdicts);
	aggregates_free(a);
	return status;
}

static int check_run(struct command_request *r)
{
	struct trace *t = request_open(r);
	int status = EXIT_ERROR;

	if (!t)
		return EXIT_ERROR;
	if (t->spec->nassertions)
		status = check_check_all(r, t);
	else
		diag_error(
		    &r->diag, DIAG_NOWHERE,
		    "the specification '%s' has no assertions; give another one with -s FILE",
		    t->spec->name);
	trace_close(t);
	return status;
}

static const struct choice options[] = {
    {0, "junit", "FILE", "also write the results as JUnit XML", take_junit},
    MEMORY_OPTION,
    {0, "worst", "N", "show at most this many violations of each assertion (5)", take_worst},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_check = {
    .name = "check",
    .summary = "check the assertions: exit status 0 if all hold, 1 if not",
    .teaches =
	"Checks every assertion of the specification, and prints its worst violations with their\n"
	"events. An assertion over an empty statistic fails.\n"
	"Exit status: 0 all assertions hold, 1 one is violated, 2 error.\n",
    .examples = "  glimpse check run1\n"
		"  glimpse check run1 -s limits.spec --junit check.xml\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = check_run,
};
