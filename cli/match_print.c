#include "cli/match_print.h"
#include "cli/event_text.h"
#include "cli/value_text.h"
#include <inttypes.h>
#include <string.h>

/* ---- text ---- */

static void text_event(const struct match_printer *p, const struct event *e)
{
	const struct trace_thread *thread = trace_thread(p->trace, e->thread);

	fprintf(p->out, "%" PRId64 ".%09" PRId64 "  %s #%" PRIu64 " %s", e->time / 1000000000,
		e->time % 1000000000, thread ? thread->name : "?", e->seq, e->type->name);
}

static void text_metrics(const struct match_printer *p, const struct matches *m, size_t i)
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

static void text_instance(const struct match_printer *p, const struct matches *m, size_t i,
			  const struct instance *instance, enum fate fate)
{
	char text[UNITS_TEXT];

	fputs("  ", p->out);
	text_event(p, &instance->anchor);
	fputs(m->interval->direction == FORWARDS ? "  ->  " : "  <-  ", p->out);
	if (fate == FATE_MATCHED) {
		text_event(p, &instance->partner);
		fprintf(p->out, "  %s",
			units_time(text, (double)(instance->end - instance->start)));
		if (p->metrics)
			text_metrics(p, m, i);
	} else {
		fprintf(p->out, "unmatched: %s", fate_text(fate));
	}
	putc('\n', p->out);
}

static void text_head(const struct match_printer *p, const struct matches *m,
		      const struct account *account)
{
	char matched[UNITS_TEXT], unmatched[UNITS_TEXT];

	fprintf(p->out, "%s: %s matched, %s unmatched", m->interval->name,
		units_count(matched, m->matched),
		units_count(unmatched, m->count - m->matched));
	if (p->unmatched)
		account_print(account, p->out);
	putc('\n', p->out);
}

/* ---- csv ---- */

static void csv_number(FILE *out, int64_t number)
{
	putc_unlocked(',', out);
	print_int(out, number);
}

static void csv_metrics(const struct match_printer *p, const struct matches *m, size_t i)
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

static void csv_instance(const struct match_printer *p, const struct matches *m, size_t i,
			 const struct instance *instance)
{
	bool matched = instance->partner.record != NULL;

	print_text(p->out, m->interval->name);
	csv_number(p->out, instance->anchor.thread);
	csv_number(p->out, (int64_t)instance->anchor.seq);
	csv_number(p->out, instance->anchor.time);
	if (matched) {
		csv_number(p->out, instance->partner.thread);
		csv_number(p->out, (int64_t)instance->partner.seq);
		csv_number(p->out, instance->partner.time);
		csv_number(p->out, instance->end - instance->start);
	} else {
		print_text(p->out, ",,,,");
	}
	if (p->metrics) {
		putc_unlocked(',', p->out);
		if (matched)
			csv_metrics(p, m, i);
	}
	putc_unlocked('\n', p->out);
}

/* ---- json ---- */

static void json_event(struct json *j, const char *key, const struct event *e)
{
	json_object(j, key);
	json_uint(j, "thread", e->thread);
	json_uint(j, "seq", e->seq);
	json_int(j, "time", e->time);
	json_close(j);
}

static void json_value(struct json *j, const char *key, const struct value *v)
{
	if (v->kind == VALUE_REAL)
		json_real(j, key, v->real);
	else if (v->kind == VALUE_BOOL)
		json_bool(j, key, v->truth);
	else if (v->kind == VALUE_STRING)
		json_bytes(j, key, v->string.bytes, v->string.length);
	else if (v->integer < 0)
		json_int(j, key, (int64_t)v->integer);
	else
		json_uint(j, key, (uint64_t)v->integer);
}

static void json_metrics(struct json *j, const struct matches *m, size_t i)
{
	struct binding b;
	struct value v;

	matches_bind(m, i, true, &b);
	json_object(j, "metrics");
	for (unsigned k = 0; k < m->interval->nmetrics; k++) {
		const struct metric *metric = &m->interval->metrics[k];

		if (expr_value(metric->value, &b, &v))
			json_value(j, metric->name, &v);
		else
			json_null(j, metric->name);
	}
	json_close(j);
}

static void json_instance(struct match_printer *p, const struct matches *m, size_t i,
			  const struct instance *instance, enum fate fate)
{
	struct json *j = &p->json;

	json_object(j, NULL);
	json_string(j, "interval", m->interval->name);
	json_event(j, "anchor", &instance->anchor);
	if (fate == FATE_MATCHED) {
		json_event(j, "partner", &instance->partner);
		json_int(j, "duration", instance->end - instance->start);
		if (p->metrics)
			json_metrics(j, m, i);
	} else {
		json_null(j, "partner");
		json_string(j, "unmatched", fate_text(fate));
	}
	json_close(j);
}

void match_print_begin(struct match_printer *p)
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

void match_print(struct match_printer *p, const struct matches *m, const struct account *account)
{
	if (p->format == FORMAT_TEXT)
		text_head(p, m, account);
	for (size_t i = 0; i < m->count && !ferror(p->out); i++) {
		enum fate fate = account_fate(account, m, i);
		struct instance instance;

		if (!(fate == FATE_MATCHED ? p->matched : p->unmatched))
			continue;
		matches_get(m, i, &instance);
		if (p->format == FORMAT_TEXT)
			text_instance(p, m, i, &instance, fate);
		else if (p->format == FORMAT_CSV)
			csv_instance(p, m, i, &instance);
		else
			json_instance(p, m, i, &instance, fate);
	}
}

void match_print_end(struct match_printer *p)
{
	if (p->format == FORMAT_JSON)
		json_close(&p->json);
}
