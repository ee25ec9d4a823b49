#include "base/json.h"
#include "base/output.h"
#include "base/visible.h"
#include "formats/avro_file.h"
#include "formats/chosen_events.h"
#include "formats/field_names.h"
#include "match/join/match.h"
#include "match/stats/crossing.h"
#include "spec/layout.h"
#include "trace/format/record.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

struct avro {
	const char *directory;
	const struct export_request *request;
};

/* ---- schemas ---- */

struct avro_schema {
	struct json json;
	char *text;
	size_t size;
};

static void schema_begin(struct avro_schema *s, const char *name, const char *comment)
{
	FILE *out = open_memstream(&s->text, &s->size);

	if (!out)
		array_exhausted();
	s->json = json_begin(out, 0);
	json_object(&s->json, NULL);
	json_string(&s->json, "type", "record");
	json_string(&s->json, "name", name);
	json_string(&s->json, "namespace", "glimpse");
	if (comment)
		json_string(&s->json, "doc", comment);
	json_array(&s->json, "fields");
}

static void field_begin(struct avro_schema *s, const char *name)
{
	json_object(&s->json, NULL);
	json_string(&s->json, "name", name);
}

static void field_write(struct avro_schema *s, const char *name, const char *type)
{
	field_begin(s, name);
	json_string(&s->json, "type", type);
	json_close(&s->json);
}

/* Ends a schema; the caller frees its text. */
static char *schema_end(struct avro_schema *s)
{
	json_close(&s->json);
	json_close(&s->json);
	if (fclose(s->json.out) != 0)
		array_exhausted();
	return s->text;
}

/* Begins the file of a path in the directory, with the schema, which ends. */
__attribute__((format(printf, 4, 5))) static void file_begin(struct avro_file *f,
							     const struct avro *a,
							     struct avro_schema *s,
							     const char *format, ...)
{
	char *schema = schema_end(s), *name, *path;
	va_list arguments;

	va_start(arguments, format);
	name = text_vformat(format, arguments);
	va_end(arguments);
	path = text_format("%s/%s.avro", a->directory, name);
	avro_begin(f, path, schema);
	free(name);
	free(schema);
}

/* Ends a file; returns false after a report to diag. */
static bool file_end(struct avro_file *f, const struct avro *a)
{
	avro_end(f);
	if (f->error)
		diag_error(a->request->diag, DIAG_NOWHERE, "cannot write %s: %s", f->path,
			   strerror(f->error));
	free(f->path);
	return !f->error;
}

/* ---- values ---- */

static const char *attribute_schema(enum type type)
{
	return type == TYPE_INT      ? "int"
	       : type == TYPE_DOUBLE ? "double"
	       : type == TYPE_STRING ? "bytes"
				     : "long";
}

/* An integer beyond 63 bits becomes the negative one of the same bits. */
static void value_put(struct avro_file *f, const struct value *v)
{
	if (v->kind == VALUE_STRING)
		avro_bytes(f, v->string.bytes, v->string.length);
	else if (v->kind == VALUE_REAL)
		avro_double(f, v->real);
	else
		avro_long(f, (int64_t)v->integer);
}

/* Puts a text that must be UTF-8. */
static void visible_put(struct avro_file *f, const char *text)
{
	char *visible = visible_text(text);

	avro_string(f, visible);
	free(visible);
}

/* ---- processes and threads ---- */

static bool processes_write(const struct avro *a)
{
	const struct trace *t = a->request->trace;
	struct avro_schema s;
	struct avro_file f;

	schema_begin(&s, "processes", NULL);
	field_write(&s, "process", "long");
	field_write(&s, "path", "string");
	field_write(&s, "program", "string");
	field_write(&s, "pid", "long");
	field_write(&s, "rank", "long");
	field_write(&s, "ended", "boolean");
	field_write(&s, "dropped", "long");
	file_begin(&f, a, &s, "processes");
	for (unsigned i = 0; i < t->nprocesses; i++) {
		avro_long(&f, i);
		visible_put(&f, t->processes[i].path);
		visible_put(&f, t->processes[i].program);
		avro_long(&f, t->processes[i].pid);
		avro_long(&f, t->processes[i].rank);
		avro_boolean(&f, t->processes[i].ended);
		avro_long(&f, (int64_t)t->processes[i].dropped);
		avro_record_end(&f);
	}
	return file_end(&f, a);
}

static bool threads_write(const struct avro *a)
{
	const struct trace *t = a->request->trace;
	struct avro_schema s;
	struct avro_file f;

	schema_begin(&s, "threads", NULL);
	field_write(&s, "thread", "long");
	field_write(&s, "name", "string");
	field_write(&s, "process", "long");
	field_write(&s, "pid", "long");
	field_write(&s, "tid", "long");
	field_write(&s, "events", "long");
	field_write(&s, "lost", "long");
	file_begin(&f, a, &s, "threads");
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];

		if (a->request->threads && !a->request->threads[i])
			continue;
		avro_long(&f, thread->number);
		visible_put(&f, thread->name);
		avro_long(&f, thread->directory);
		avro_long(&f, thread->process);
		avro_long(&f, (int64_t)thread->tid);
		avro_long(&f, (int64_t)thread->events);
		avro_long(&f, (int64_t)thread->lost);
		avro_record_end(&f);
	}
	return file_end(&f, a);
}

/* ---- events ---- */

static const char *const event_fixed[] = {"time", "realtime", "thread", "seq", "cut", NULL};
enum { EVENT_FIXED = sizeof event_fixed / sizeof *event_fixed - 1 };

static void attribute_write(struct avro_schema *s, const struct attribute *attribute,
			    const char *name)
{
	field_begin(s, name);
	json_string(&s->json, "type", attribute_schema(attribute->type));
	json_string(&s->json, "glimpse.name", attribute->name);
	json_string(&s->json, "glimpse.type", type_name(attribute->type));
	json_close(&s->json);
}

static void realtime_write(struct avro_schema *s)
{
	field_begin(s, "realtime");
	json_object(&s->json, "type");
	json_string(&s->json, "type", "long");
	json_string(&s->json, "logicalType", "timestamp-nanos");
	json_close(&s->json);
	json_close(&s->json);
}

/* The names of the attributes whose strings the runtime cut. */
static void cut_write(struct avro_schema *s)
{
	field_begin(s, "cut");
	json_object(&s->json, "type");
	json_string(&s->json, "type", "array");
	json_string(&s->json, "items", "string");
	json_close(&s->json);
	json_close(&s->json);
}

static void event_begin(struct avro_file *f, const struct avro *a, const struct event_type *e,
			const char *file)
{
	struct field_names names = attribute_names(e, event_fixed);
	struct avro_schema s;

	schema_begin(&s, e->name, e->comment);
	field_write(&s, "time", "long");
	if (a->request->trace->origin_real)
		realtime_write(&s);
	field_write(&s, "thread", "long");
	field_write(&s, "seq", "long");
	if (e->nstrings)
		cut_write(&s);
	for (unsigned i = 0; i < e->nattributes; i++)
		attribute_write(&s, &e->attributes[i], names.names[EVENT_FIXED + i]);
	file_begin(f, a, &s, "events/%s", file);
	field_names_free(&names);
}

static void cut_put(struct avro_file *f, const struct event *e)
{
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		struct value v = record_value(e->type, i, e->record);

		if (v.kind != VALUE_STRING || !string_is_cut(&v))
			continue;
		avro_long(f, 1); /* a block of one item */
		avro_string(f, e->type->attributes[i].name);
	}
	avro_long(f, 0);
}

static void event_put(struct avro_file *f, const struct trace *t, const struct event *e)
{
	avro_long(f, e->time);
	if (t->origin_real)
		avro_long(f, t->origin_real + e->time);
	avro_long(f, e->thread);
	avro_long(f, (int64_t)e->seq);
	if (e->type->nstrings)
		cut_put(f, e);
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		struct value v = record_value(e->type, i, e->record);

		value_put(f, &v);
	}
	avro_record_end(f);
}

static bool events_put(const struct avro *a, struct avro_file *files)
{
	struct chosen_events events;
	uint32_t thread;
	struct event e;
	bool good = true;

	if (!chosen_events_begin(&events, a->request, &export_avro))
		return false;
	while (good && chosen_events_next(&events, &e, &thread)) {
		event_put(&files[e.type->index], a->request->trace, &e);
		good = !files[e.type->index].error;
	}
	chosen_events_end(&events);
	return good;
}

static bool events_write(const struct avro *a)
{
	const struct spec *spec = a->request->trace->spec;
	struct avro_file *files = array_new(spec->nevents, sizeof *files);
	struct field_names names = {NULL, 0};
	bool good;

	for (unsigned i = 0; i < spec->nevents; i++)
		event_begin(&files[i], a, spec->events[i],
			    field_name_add(&names, spec->events[i]->name));
	good = events_put(a, files);
	for (unsigned i = 0; i < spec->nevents; i++)
		good = file_end(&files[i], a) && good;
	field_names_free(&names);
	free(files);
	return good;
}

/* ---- intervals ---- */

static void metric_write(struct avro_schema *s, const struct metric *metric, const char *name)
{
	field_begin(s, name);
	json_array(&s->json, "type");
	json_string(&s->json, NULL, "null");
	json_string(&s->json, NULL, metric->value->kind == VALUE_REAL ? "double" : "long");
	json_close(&s->json);
	json_close(&s->json);
}

static void interval_begin(struct avro_file *f, const struct avro *a,
			   const struct interval *interval, const char *file)
{
	struct field_names names = metric_names(interval);
	struct avro_schema s;

	schema_begin(&s, interval->name, interval->comment);
	for (int i = 0; i < INTERVAL_FIELDS; i++)
		field_write(&s, interval_fields[i], "long");
	for (unsigned i = 0; i < interval->nmetrics; i++)
		metric_write(&s, &interval->metrics[i], names.names[INTERVAL_FIELDS + i]);
	file_begin(f, a, &s, "intervals/%s", file);
	field_names_free(&names);
}

/* Each metric is a union of null, for what cannot be computed, and its value. */
static void metrics_put(struct avro_file *f, const struct matches *m, size_t i)
{
	struct binding b;
	struct value v;

	if (m->interval->nmetrics)
		matches_bind(m, i, true, &b);
	for (unsigned k = 0; k < m->interval->nmetrics; k++) {
		bool known = expr_value(m->interval->metrics[k].value, &b, &v);

		avro_long(f, known);
		if (known)
			value_put(f, &v);
	}
}

static void instance_put(struct avro_file *f, const struct avro *a, const struct matches *m,
			 size_t i)
{
	struct instance instance;

	matches_get(m, i, &instance);
	if (!instance.partner.record || !export_has_thread(a->request, instance.anchor.thread))
		return;
	avro_long(f, instance.start);
	avro_long(f, instance.end);
	avro_long(f, instance.end - instance.start);
	avro_long(f, instance.anchor.thread);
	avro_long(f, (int64_t)instance.anchor.seq);
	avro_long(f, instance.partner.thread);
	avro_long(f, (int64_t)instance.partner.seq);
	metrics_put(f, m, i);
	avro_record_end(f);
}

static bool interval_write(const struct avro *a, const struct interval *interval, const char *file)
{
	struct matches *m = match_interval(a->request->trace, interval);
	struct avro_file f;

	matches_warn(m, a->request->diag);
	crossing_warn_of(a->request->trace, m, a->request->diag);
	interval_begin(&f, a, interval, file);
	for (size_t i = 0; i < m->count && !f.error && !output_interrupted(); i++)
		instance_put(&f, a, m, i);
	matches_free(m);
	return file_end(&f, a);
}

static bool intervals_write(const struct avro *a)
{
	struct field_names names = {NULL, 0};
	bool good = true;

	for (const struct interval *const *i = a->request->intervals;
	     *i && good && !output_interrupted(); i++)
		good = interval_write(a, *i, field_name_add(&names, (*i)->name));
	field_names_free(&names);
	return good;
}

/* ---- the directory ---- */

static bool folder_make(const struct avro *a, const char *name)
{
	char *path = text_format("%s/%s", a->directory, name);
	bool good = mkdir(path, 0777) == 0;

	if (!good)
		diag_error(a->request->diag, DIAG_NOWHERE, "cannot create %s: %s", path,
			   strerror(errno));
	free(path);
	return good;
}

static bool specification_write(const struct avro *a)
{
	const char *text = a->request->trace->spec->text;
	char *path = text_format("%s/specification", a->directory);
	FILE *f = fopen(path, "wx");
	bool good = f && fputs(text, f) >= 0;

	good = f && fclose(f) == 0 && good;
	if (!good)
		diag_error(a->request->diag, DIAG_NOWHERE, "cannot write %s: %s", path,
			   strerror(errno));
	free(path);
	return good;
}

static bool avro_fill(const char *directory, const struct export_request *r)
{
	struct avro a = {.directory = directory, .request = r};

	return folder_make(&a, "events") && folder_make(&a, "intervals") &&
	       specification_write(&a) && processes_write(&a) && threads_write(&a) &&
	       events_write(&a) && intervals_write(&a) && !output_interrupted();
}

const struct export_format export_avro = {
    .name = "avro",
    .summary = "a directory of Avro files: one for each event and interval, processes, threads",
    .intervals = true,
    .fill = avro_fill,
};
