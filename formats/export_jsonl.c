#include "base/base64.h"
#include "base/json.h"
#include "base/print.h"
#include "base/utf8.h"
#include "formats/chosen_events.h"
#include "spec/layout.h"
#include "trace/format/record.h"
#include <math.h>

/* ---- the first line ---- */

static void process_write(struct json *j, const struct trace_process *p)
{
	json_object(j, NULL);
	json_string(j, "path", p->path);
	json_string(j, "program", p->program);
	json_uint(j, "pid", p->pid);
	json_uint(j, "rank", p->rank);
	json_bool(j, "ended", p->ended);
	json_uint(j, "dropped", p->dropped);
	json_close(j);
}

static void thread_write(struct json *j, const struct trace_thread *t)
{
	json_object(j, NULL);
	json_uint(j, "thread", t->number);
	json_string(j, "name", t->name);
	json_uint(j, "process", t->directory);
	json_uint(j, "pid", t->process);
	json_uint(j, "tid", t->tid);
	json_uint(j, "events", t->events);
	json_uint(j, "lost", t->lost);
	json_close(j);
}

static void header_write(FILE *out, const struct export_request *r)
{
	const struct trace *t = r->trace;
	struct json j = json_begin(out, 0);

	json_object(&j, NULL);
	json_object(&j, "glimpse");
	json_uint(&j, "version", 1);
	json_string(&j, "specification", t->spec->text);
	json_int(&j, "origin", t->origin);
	if (t->origin_real)
		json_int(&j, "origin_real", t->origin_real);
	json_int(&j, "duration", t->duration);
	json_array(&j, "processes");
	for (unsigned i = 0; i < t->nprocesses; i++)
		process_write(&j, &t->processes[i]);
	json_close(&j);
	json_array(&j, "threads");
	for (unsigned i = 0; i < t->nthreads; i++)
		if (!r->threads || r->threads[i])
			thread_write(&j, &t->threads[i]);
	json_close(&j);
	json_close(&j);
	json_close(&j);
}

/* ---- events ---- */

/* JSON's strings are UTF-8: other bytes, and a string that was cut, are an object. */
static void string_print(FILE *out, const struct value *v)
{
	bool text = utf8_check(v->string.bytes, v->string.length) == v->string.length;
	bool cut = string_is_cut(v);
	struct json alone = json_begin(out, 0);

	if (text && !cut) {
		json_bytes(&alone, NULL, v->string.bytes, v->string.length);
		return;
	}
	print_text(out, text ? "{\"text\": " : "{\"base64\": \"");
	if (text) {
		json_bytes(&alone, NULL, v->string.bytes, v->string.length);
	} else {
		base64_write(out, (const unsigned char *)v->string.bytes, v->string.length);
		putc_unlocked('"', out);
	}
	print_text(out, cut ? ", \"cut\": true}" : "}");
}

/*
 * JSON has neither NaN nor infinities: they are the words "nan", "inf" and "-inf". Readers take -0
 * for an integer, which has no sign.
 */
static void real_print(FILE *out, double real)
{
	const char *quote = isfinite(real) ? "" : "\"";

	print_text(out, quote);
	print_real(out, real);
	print_text(out, real == 0 && signbit(real) ? ".0" : quote);
}

static void value_print(FILE *out, const struct value *v)
{
	if (v->kind == VALUE_STRING)
		string_print(out, v);
	else if (v->kind == VALUE_REAL)
		real_print(out, v->real);
	else
		print_integer(out, v->integer);
}

/* Names are identifiers, and need no care. */
static void event_print(FILE *out, const struct event *e)
{
	print_text(out, "{\"time\": ");
	print_int(out, e->time);
	print_text(out, ", \"thread\": ");
	print_uint(out, e->thread);
	print_text(out, ", \"seq\": ");
	print_uint(out, e->seq);
	print_text(out, ", \"event\": \"");
	print_text(out, e->type->name);
	print_text(out, "\", \"attributes\": {");
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		struct value v = record_value(e->type, i, e->record);

		print_text(out, i ? ", \"" : "\"");
		print_text(out, e->type->attributes[i].name);
		print_text(out, "\": ");
		value_print(out, &v);
	}
	print_text(out, "}}\n");
}

static bool jsonl_write(FILE *out, const struct export_request *r)
{
	struct chosen_events events;
	uint32_t thread;
	struct event e;

	if (!chosen_events_begin(&events, r, &export_jsonl))
		return false;
	header_write(out, r);
	while (!ferror_unlocked(out) && chosen_events_next(&events, &e, &thread))
		event_print(out, &e);
	chosen_events_end(&events);
	return true;
}

const struct export_format export_jsonl = {
    .name = "jsonl",
    .summary = "JSON Lines: the specification and the threads, then an object for each event",
    .write = jsonl_write,
};
