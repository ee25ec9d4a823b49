#include "base/array.h"
#include "base/csv.h"
#include "base/print.h"
#include "formats/chosen_events.h"
#include "spec/layout.h"
#include "trace/format/record.h"
#include <stdlib.h>

/* What is printed many times, ready. */
struct csv_export {
	FILE *out;
	const struct trace *trace;
	char **threads;   /* by index: ",process,pid,thread,tid,name," */
	unsigned *column; /* by the event's index: its first column */
	unsigned columns;
	char *commas; /* one for each column */
};

/*
 * Prints bytes as a field: what is hidden or no UTF-8 as escapes, and backslashes doubled. The
 * empty string is "", as nothing means that there is none.
 */
static void bytes_print(FILE *out, const char *bytes, size_t n, bool cut)
{
	bool quoted = n == 0 || csv_needs_quotes(bytes, n);

	if (quoted)
		putc_unlocked('"', out);
	csv_write_escaped(out, bytes, n, "\\", quoted);
	if (cut)
		print_text(out, "\\...");
	if (quoted)
		putc_unlocked('"', out);
}

static char *thread_text(const struct trace_thread *thread)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		array_exhausted();
	fprintf(out, ",%u,", thread->directory);
	if (thread->process)
		print_uint(out, thread->process);
	fprintf(out, ",%u,", thread->number);
	if (thread->tid)
		print_uint(out, thread->tid);
	putc(',', out);
	bytes_print(out, thread->name, strlen(thread->name), false);
	putc(',', out);
	if (fclose(out) != 0)
		array_exhausted();
	return text;
}

/* Events that the trace has none of have no columns. */
static void columns_count(struct csv_export *c)
{
	const struct spec *spec = c->trace->spec;

	c->column = array_new(spec->nevents, sizeof *c->column);
	for (unsigned i = 0; i < spec->nevents; i++) {
		c->column[i] = c->columns;
		if (c->trace->events_of_type[i])
			c->columns += spec->events[i]->nattributes;
	}
	c->commas = array_new(c->columns + 1, 1);
	memset(c->commas, ',', c->columns + 1);
}

static struct csv_export csv_begin(FILE *out, const struct trace *t)
{
	struct csv_export c = {.out = out, .trace = t};

	c.threads = array_new(t->nthreads, sizeof *c.threads);
	for (unsigned i = 0; i < t->nthreads; i++)
		c.threads[i] = thread_text(&t->threads[i]);
	columns_count(&c);
	return c;
}

static void csv_end(struct csv_export *c)
{
	for (unsigned i = 0; i < c->trace->nthreads; i++)
		free(c->threads[i]);
	free(c->threads);
	free(c->column);
	free(c->commas);
}

static void header_print(const struct csv_export *c)
{
	const struct spec *spec = c->trace->spec;

	fputs("time,realtime,process,pid,thread,tid,name,seq,event", c->out);
	for (unsigned i = 0; i < spec->nevents; i++)
		for (unsigned k = 0;
		     c->trace->events_of_type[i] && k < spec->events[i]->nattributes; k++)
			fprintf(c->out, ",%s.%s", spec->events[i]->name,
				spec->events[i]->attributes[k].name);
	putc('\n', c->out);
}

static void value_print(FILE *out, const struct value *v)
{
	if (v->kind == VALUE_STRING)
		bytes_print(out, v->string.bytes, v->string.length, string_is_cut(v));
	else if (v->kind == VALUE_REAL)
		print_real(out, v->real);
	else
		print_integer(out, v->integer);
}

static void event_print(const struct csv_export *c, const struct event *e, uint32_t thread)
{
	unsigned first = c->column[e->type->index], n = e->type->nattributes;

	print_int(c->out, e->time);
	putc_unlocked(',', c->out);
	if (c->trace->origin_real)
		print_int(c->out, c->trace->origin_real + e->time);
	print_text(c->out, c->threads[thread]);
	print_uint(c->out, e->seq);
	putc_unlocked(',', c->out);
	print_text(c->out, e->type->name);
	fwrite_unlocked(c->commas, 1, first, c->out);
	for (unsigned i = 0; i < n; i++) {
		struct value v = record_value(e->type, i, e->record);

		putc_unlocked(',', c->out);
		value_print(c->out, &v);
	}
	fwrite_unlocked(c->commas, 1, c->columns - first - n, c->out);
	putc_unlocked('\n', c->out);
}

static bool csv_write(FILE *out, const struct export_request *r)
{
	struct chosen_events events;
	uint32_t thread;
	struct event e;
	struct csv_export c;

	if (!chosen_events_begin(&events, r, &export_csv))
		return false;
	c = csv_begin(out, r->trace);
	header_print(&c);
	while (!ferror_unlocked(out) && chosen_events_next(&events, &e, &thread))
		event_print(&c, &e, thread);
	csv_end(&c);
	chosen_events_end(&events);
	return true;
}

const struct export_format export_csv = {
    .name = "csv",
    .summary = "a line for each event, with a column for each attribute (RFC 4180)",
    .write = csv_write,
};
