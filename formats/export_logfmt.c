#include "base/array.h"
#include "base/json.h"
#include "base/print.h"
#include "base/utf8.h"
#include "formats/chosen_events.h"
#include "formats/field_names.h"
#include "spec/layout.h"
#include "trace/format/record.h"
#include <inttypes.h>
#include <stdlib.h>

static const char *const fixed[] = {"time", "realtime", "process", "pid",   "thread",
				    "tid",  "name",     "seq",     "event", NULL};
enum { FIXED = sizeof fixed / sizeof *fixed - 1 };

struct logfmt_export {
	FILE *out;
	const struct trace *trace;
	char **threads;            /* by index: " process=0 ... seq=" */
	struct field_names *names; /* by the event's index: the fixed ones, and its attributes */
};

/* Whether bytes are a text without backslashes, which stands for itself. */
static bool is_plain(const struct value *v)
{
	return !memchr(v->string.bytes, '\\', v->string.length) && !string_is_cut(v) &&
	       utf8_check(v->string.bytes, v->string.length) == v->string.length;
}

/* Writes a string with a backslash before each backslash, and \xNN for bytes that are no UTF-8. */
static size_t string_escape(char *to, const struct value *v)
{
	const char *at = v->string.bytes, *end = at + v->string.length;
	char *begin = to;

	while (at < end) {
		size_t length = utf8_length(at, (size_t)(end - at));

		if (*at == '\\')
			*to++ = '\\';
		if (length == 0) {
			to += sprintf(to, "\\x%02x", (unsigned char)*at++);
		} else {
			memcpy(to, at, length);
			to += length;
			at += length;
		}
	}
	if (string_is_cut(v))
		to = stpcpy(to, "\\...");
	return (size_t)(to - begin);
}

/* Values in quotes are escaped as in JSON. */
static void string_print(FILE *out, const struct value *v)
{
	char text[4 * STRING_MAX + sizeof "\\..."];
	struct json alone = json_begin(out, 0);

	if (is_plain(v))
		json_bytes(&alone, NULL, v->string.bytes, v->string.length);
	else
		json_bytes(&alone, NULL, text, string_escape(text, v));
}

static void value_print(FILE *out, const struct value *v)
{
	if (v->kind == VALUE_STRING)
		string_print(out, v);
	else if (v->kind == VALUE_REAL)
		print_real(out, v->real);
	else
		print_integer(out, v->integer);
}

static char *thread_text(const struct trace_thread *thread)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct json alone = json_begin(out, 0);

	if (!out)
		array_exhausted();
	fprintf(out, " process=%u", thread->directory);
	if (thread->process)
		fprintf(out, " pid=%" PRIu32, thread->process);
	fprintf(out, " thread=%" PRIu32, thread->number);
	if (thread->tid)
		fprintf(out, " tid=%" PRIu64, thread->tid);
	fputs(" name=", out);
	json_string(&alone, NULL, thread->name);
	fputs(" seq=", out);
	if (fclose(out) != 0)
		array_exhausted();
	return text;
}

static struct logfmt_export logfmt_begin(FILE *out, const struct trace *t)
{
	struct logfmt_export l = {.out = out, .trace = t};

	l.threads = array_new(t->nthreads, sizeof *l.threads);
	for (unsigned i = 0; i < t->nthreads; i++)
		l.threads[i] = thread_text(&t->threads[i]);
	l.names = array_new(t->spec->nevents, sizeof *l.names);
	for (unsigned i = 0; i < t->spec->nevents; i++)
		l.names[i] = attribute_names(t->spec->events[i], fixed);
	return l;
}

static void logfmt_end(struct logfmt_export *l)
{
	for (unsigned i = 0; i < l->trace->nthreads; i++)
		free(l->threads[i]);
	for (unsigned i = 0; i < l->trace->spec->nevents; i++)
		field_names_free(&l->names[i]);
	free(l->threads);
	free(l->names);
}

/* The first line is of the trace: what an import needs to know. */
static void header_print(const struct logfmt_export *l)
{
	struct json alone = json_begin(l->out, 0);

	fprintf(l->out, "glimpse=1 origin=%" PRId64, l->trace->origin);
	if (l->trace->origin_real)
		fprintf(l->out, " origin_real=%" PRId64, l->trace->origin_real);
	fputs(" specification=", l->out);
	json_string(&alone, NULL, l->trace->spec->text);
	putc('\n', l->out);
}

static void event_print(const struct logfmt_export *l, const struct event *e, uint32_t thread)
{
	char *const *names = l->names[e->type->index].names + FIXED;

	print_text(l->out, "time=");
	print_int(l->out, e->time);
	if (l->trace->origin_real) {
		print_text(l->out, " realtime=");
		print_int(l->out, l->trace->origin_real + e->time);
	}
	print_text(l->out, l->threads[thread]);
	print_uint(l->out, e->seq);
	print_text(l->out, " event=");
	print_text(l->out, e->type->name);
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		struct value v = record_value(e->type, i, e->record);

		putc_unlocked(' ', l->out);
		print_text(l->out, names[i]);
		putc_unlocked('=', l->out);
		value_print(l->out, &v);
	}
	putc_unlocked('\n', l->out);
}

static bool logfmt_write(FILE *out, const struct export_request *r)
{
	struct chosen_events events;
	uint32_t thread;
	struct logfmt_export l;
	struct event e;

	if (!chosen_events_begin(&events, r, &export_logfmt))
		return false;
	l = logfmt_begin(out, r->trace);
	header_print(&l);
	while (!ferror_unlocked(out) && chosen_events_next(&events, &e, &thread))
		event_print(&l, &e, thread);
	logfmt_end(&l);
	chosen_events_end(&events);
	return true;
}

const struct export_format export_logfmt = {
    .name = "logfmt",
    .summary = "a line of key=value for each event, as Loki and other readers of logs take it",
    .write = logfmt_write,
};
