#include "formats/tracks.h"
#include "base/base64.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/format/record.h"
#include "trace/open/opened.h"
#include <stdlib.h>

enum { STEP = 65536 }; /* events between two looks at the progress bar */

/* ---- ids ---- */

/*
 * Viewers know threads by the numbers of the system. Where there is none, or one that another
 * thread had before, the number is above those that Linux gives.
 */
enum { NUMBER_MOST = 1 << 22, PROCESS_IDS = 1 << 28, THREAD_IDS = 1 << 29 };

static uint32_t id_of(struct hash_table *known, uint64_t number, uint32_t otherwise)
{
	struct hash_slot *slot;

	if (!number || number > NUMBER_MOST)
		return otherwise;
	slot = hash_table_slot(known, hash_mix(number), 0);
	if (slot->head != HASH_NOTHING)
		return otherwise;
	slot->head = 0;
	return (uint32_t)number;
}

static void ids_make(struct tracks *t)
{
	const struct trace *trace = t->trace;
	struct hash_table known = {0};

	t->processes = array_new(trace->nprocesses, sizeof *t->processes);
	for (uint32_t i = 0; i < trace->nprocesses; i++)
		t->processes[i] = id_of(&known, trace->processes[i].pid, PROCESS_IDS + i);
	hash_table_reset(&known);
	t->threads = array_new(trace->nthreads, sizeof *t->threads);
	for (uint32_t i = 0; i < trace->nthreads; i++)
		t->threads[i] = id_of(&known, trace->threads[i].tid, THREAD_IDS + i);
	hash_table_free(&known);
}

/* ---- names ---- */

static int64_t part_name(const struct trace *t, const char *name, const char *part)
{
	char *text = text_format("%s.%s", name, part);
	int64_t number = text_key(t, text);

	free(text);
	return number;
}

static struct attribute_names *attribute_names_of(const struct trace *t,
						  const struct event_type *type)
{
	struct attribute_names *names = array_zero(type->nattributes, sizeof *names);

	for (unsigned i = 0; i < type->nattributes; i++) {
		const char *name = type->attributes[i].name;

		names[i].text = text_key(t, name);
		if (type_is_symbolic(type->attributes[i].type))
			names[i].raw = part_name(t, name, "raw");
		if (type->attributes[i].type != TYPE_STRING)
			continue;
		names[i].bytes = part_name(t, name, "bytes");
		names[i].cut = part_name(t, name, "cut");
	}
	return names;
}

void tracks_make(struct tracks *t, const struct export_request *r)
{
	const struct spec *spec = r->trace->spec;

	*t = (struct tracks){.trace = r->trace, .request = r};
	ids_make(t);
	t->samples = samples_of(t->trace, SAMPLE_FUNCTIONS);
	t->states = array_zero(t->trace->nthreads, sizeof *t->states);
	t->flows = array_zero(t->trace->nthreads, sizeof *t->flows);
	t->event_names = array_new(spec->nevents, sizeof *t->event_names);
	t->attribute_names = array_new(spec->nevents, sizeof *t->attribute_names);
	for (unsigned i = 0; i < spec->nevents; i++) {
		t->event_names[i] = text_key(t->trace, spec->events[i]->name);
		t->attribute_names[i] = attribute_names_of(t->trace, spec->events[i]);
	}
	t->event_category = text_key(t->trace, "event");
	t->flow_category = text_key(t->trace, "flow");
}

void tracks_free(struct tracks *t)
{
	tracks_reset(t);
	for (unsigned i = 0; i < t->trace->spec->nevents; i++)
		free(t->attribute_names[i]);
	for (uint32_t i = 0; i < t->ntracks; i++)
		free(t->list[i]);
	samples_free(t->samples);
	free(t->made.at);
	free(t->arguments.at);
	free(t->attribute_names);
	free(t->event_names);
	free(t->list);
	free(t->flows);
	free(t->states);
	free(t->threads);
	free(t->processes);
}

/* ---- arguments ---- */

void tracks_reset(struct tracks *t)
{
	for (size_t i = 0; i < t->made.n; i++)
		free(t->made.at[i]);
	t->made.n = t->arguments.n = 0;
}

static struct argument *argument_add(struct tracks *t, int64_t name, enum argument_kind kind)
{
	struct argument *a = vector_add(&t->arguments);

	a->name = name;
	a->kind = kind;
	return a;
}

static void string_argument(struct tracks *t, int64_t name, const char *bytes, size_t length)
{
	struct argument *a = argument_add(t, name, ARGUMENT_STRING);

	a->string.bytes = bytes;
	a->string.length = length;
}

static void integer_argument(struct tracks *t, int64_t name, __int128 integer)
{
	if (integer > INT64_MAX)
		argument_add(t, name, ARGUMENT_UINT)->word = (uint64_t)integer;
	else
		argument_add(t, name, ARGUMENT_INT)->integer = (int64_t)integer;
}

/* Returns a text that is freed with the arguments. */
static const char *bytes_text(struct tracks *t, const char *bytes, size_t n,
			      void (*print)(FILE *out, const char *bytes, size_t n))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		array_exhausted();
	print(out, bytes, n);
	if (fclose(out))
		array_exhausted();
	*vector_add(&t->made) = text;
	return text;
}

static void base64_print(FILE *out, const char *bytes, size_t n)
{
	base64_write(out, (const unsigned char *)bytes, n);
}

/*
 * Formats hold UTF-8: of other bytes they get what people can read, and beside it the bytes as
 * digits.
 */
static void bytes_argument(struct tracks *t, int64_t name, int64_t bytes_name, const char *bytes,
			   size_t n)
{
	const char *text = bytes;

	if (utf8_check(bytes, n) == n && !memchr(bytes, '\0', n)) {
		string_argument(t, name, bytes, n);
		return;
	}
	text = bytes_text(t, bytes, n, visible_print);
	string_argument(t, name, text, strlen(text));
	text = bytes_text(t, bytes, n, base64_print);
	string_argument(t, bytes_name, text, strlen(text));
}

static void symbol_argument(struct tracks *t, const struct event *e, unsigned attribute,
			    const struct attribute_names *names, uint64_t raw)
{
	argument_add(t, names->text, ARGUMENT_NAME)->text = address_key(t->trace, e, attribute);
	argument_add(t, names->raw, ARGUMENT_POINTER)->word = raw;
}

void tracks_attribute(struct tracks *t, const struct event *e, unsigned attribute)
{
	const struct attribute_names *names = &t->attribute_names[e->type->index][attribute];
	struct value v = record_value(e->type, attribute, e->record);
	enum type type = e->type->attributes[attribute].type;

	if (v.kind == VALUE_REAL) {
		argument_add(t, names->text, ARGUMENT_REAL)->real = v.real;
	} else if (type_is_symbolic(type)) {
		symbol_argument(t, e, attribute, names, (uint64_t)v.integer);
	} else if (type == TYPE_ADDRESS) {
		argument_add(t, names->text, ARGUMENT_POINTER)->word = (uint64_t)v.integer;
	} else if (v.kind == VALUE_STRING) {
		bytes_argument(t, names->text, names->bytes, v.string.bytes, v.string.length);
		if (string_is_cut(&v))
			argument_add(t, names->cut, ARGUMENT_BOOL)->truth = true;
	} else {
		integer_argument(t, names->text, v.integer);
	}
}

void tracks_metric(struct tracks *t, const struct metric *metric, const struct value *v)
{
	int64_t number = text_key(t->trace, metric->name);

	if (v->kind == VALUE_REAL)
		argument_add(t, number, ARGUMENT_REAL)->real = v->real;
	else if (metric->value->unit == UNIT_ADDRESS)
		argument_add(t, number, ARGUMENT_POINTER)->word = (uint64_t)v->integer;
	else
		integer_argument(t, number, v->integer);
}

/* ---- what an importer needs ---- */

static void text_argument(struct tracks *t, const char *name, const char *text)
{
	char *bytes_name = text_format("%s.bytes", name);

	bytes_argument(t, text_key(t->trace, name), text_key(t->trace, bytes_name), text,
		       strlen(text));
	free(bytes_name);
}

void tracks_add_specification(struct tracks *t)
{
	text_argument(t, "specification", t->trace->spec->text);
}

static void number_argument(struct tracks *t, const char *name, __int128 number)
{
	integer_argument(t, text_key(t->trace, name), number);
}

void tracks_about_trace(struct tracks *t)
{
	tracks_reset(t);
	number_argument(t, "origin", t->trace->origin);
	number_argument(t, "origin_real", t->trace->origin_real);
}

void tracks_about_thread(struct tracks *t, uint32_t thread)
{
	const struct trace_thread *x = &t->trace->threads[thread];
	const struct log *log = &opened_of(t->trace)->logs[thread];

	tracks_reset(t);
	number_argument(t, "id", t->threads[thread]);
	number_argument(t, "number", x->number);
	text_argument(t, "name", x->name);
	text_argument(t, "owner", x->owner);
	number_argument(t, "pid", x->process);
	number_argument(t, "tid", x->tid);
	number_argument(t, "directory", x->directory);
	number_argument(t, "log", log->number);
	if (log->renamed && log->first_name)
		text_argument(t, "first", log->first_name);
}

void tracks_about_process(struct tracks *t, uint32_t process)
{
	const struct trace_process *p = &t->trace->processes[process];
	const struct directory *d = &opened_of(t->trace)->directories[process];

	tracks_reset(t);
	number_argument(t, "id", t->processes[process]);
	text_argument(t, "program", p->program);
	number_argument(t, "pid", p->pid);
	number_argument(t, "rank", p->rank);
	text_argument(t, "log", d->inner ? d->name : "");
}

/* ---- tracks ---- */

const struct track *tracks_add(struct tracks *t, uint32_t thread, enum track_kind kind,
			       const char *name)
{
	struct track *track = array_new(1, sizeof *track);

	*track = (struct track){t->ntracks + 1, thread, kind, name};
	t->list = array_grow(t->list, t->ntracks, sizeof *t->list);
	t->list[t->ntracks++] = track;
	if (kind == TRACK_COUNTER || tracks_has(t, thread))
		t->writer->track(t->to, track);
	return track;
}

static void events_write(struct tracks *t)
{
	const struct track **of = array_zero(t->trace->nthreads, sizeof *of);
	struct merge *m = merge_open(t->trace);
	uint64_t done = 0;
	struct event e;

	if (!m)
		array_exhausted();
	for (uint32_t i = 0; i < t->trace->nthreads; i++)
		if (tracks_has(t, i))
			of[i] = tracks_add(t, i, TRACK_EVENTS, "events");
	for (; merge_next(m, &e); done++) {
		const struct track *track = of[trace_thread_index(t->trace, e.thread)];

		if (done % STEP == 0)
			progress_step(done, t->trace->events);
		if (!track)
			continue;
		tracks_reset(t);
		for (unsigned i = 0; i < e.type->nattributes; i++)
			tracks_attribute(t, &e, i);
		t->writer->instant(t->to, &(struct track_slice){
					      .track = track,
					      .name = t->event_names[e.type->index],
					      .category = t->event_category,
					      .start = e.time,
					      .end = e.time,
					      .arguments = t->arguments.at,
					      .narguments = t->arguments.n,
					  });
	}
	merge_close(m);
	free(of);
}

static void samples_write(struct tracks *t)
{
	for (uint32_t i = 0; i < t->trace->nthreads; i++) {
		const struct thread_samples *list = &t->samples->threads[i];

		for (size_t k = 0; tracks_has(t, i) && k < list->list.n; k++) {
			const struct stack_sample *s = &list->list.at[k];

			t->writer->sample(t->to, i,
					  s->to == INT64_MAX ? t->trace->threads[i].last : s->to,
					  s->stack);
		}
	}
}

void tracks_write(struct tracks *t, const struct track_writer *writer, void *to)
{
	t->writer = writer;
	t->to = to;
	progress_begin("writing events");
	for (uint32_t i = 0; i < t->trace->nthreads; i++)
		tracks_add(t, i, TRACK_THREAD, t->trace->threads[i].label);
	events_write(t);
	tracks_instances(t);
	if (t->samples && writer->sample)
		samples_write(t);
	progress_end();
}
