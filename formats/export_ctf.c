#include "base/array.h"
#include "base/output.h"
#include "base/progress.h"
#include "formats/ctf_metadata.h"
#include "formats/export.h"
#include "spec/layout.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEP = 4096, /* events between two looks at the progress bar and at interruption */
	PACKET_SIZE = 1 << 18, /* a packet that has so many bytes ends */
};

/* ---- how events become fields ---- */

/* A run of attributes that follow each other in the record, too; or a string. */
struct attribute_run {
	uint32_t offset, size; /* size 0: a string */
};

/* Of an event type: its attributes in their order as pieces. */
struct encoder {
	struct attribute_run *pieces;
	unsigned npieces;
};

static struct encoder encoder_make(const struct event_type *type)
{
	struct encoder e = {.pieces = array_new(type->nattributes, sizeof *e.pieces)};
	bool joins = false;

	for (unsigned i = 0; i < type->nattributes; i++) {
		const struct attribute *a = &type->attributes[i];
		bool is_string = a->type == TYPE_STRING;

		if (joins && !is_string)
			e.pieces[e.npieces - 1].size += type_size(a->type);
		else
			e.pieces[e.npieces++] =
			    (struct attribute_run){a->offset, is_string ? 0 : type_size(a->type)};
		joins = !is_string;
	}
	return e;
}

static struct encoder *encoders_make(const struct spec *spec)
{
	struct encoder *list = array_new(spec->nevents, sizeof *list);

	for (unsigned i = 0; i < spec->nevents; i++)
		list[i] = encoder_make(spec->events[i]);
	return list;
}

static void encoders_free(struct encoder *list, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nevents; i++)
		free(list[i].pieces);
	free(list);
}

/* ---- packets ---- */

struct packet_stream {
	const struct ctf_metadata *metadata;
	const struct encoder *encoders;
	bool *bytes; /* by event type: some had strings with a NUL */
	FILE *file;
	struct ctf_packet_head head; /* of the packet that is being filled */
	const char *name, *program;
	unsigned char *packet;
	size_t size, room;
	bool begun;
};

static void packet_reserve(struct packet_stream *s, size_t more)
{
	if (s->size + more <= s->room)
		return;
	s->room = s->size + more + PACKET_SIZE;
	s->packet = array_resize(s->packet, s->room, 1);
}

static void packet_put(struct packet_stream *s, const void *bytes, size_t size)
{
	memcpy(s->packet + s->size, bytes, size);
	s->size += size;
}

static void packet_begin(struct packet_stream *s, uint64_t time)
{
	size_t name = strlen(s->name) + 1, program = strlen(s->program) + 1;

	s->size = sizeof s->head;
	s->head.begin = s->head.end = time;
	packet_reserve(s, name + program);
	packet_put(s, s->name, name);
	packet_put(s, s->program, program);
	s->begun = true;
}

static void packet_end(struct packet_stream *s)
{
	if (!s->begun)
		return;
	s->head.content_size = s->head.size = 8 * (uint64_t)s->size;
	memcpy(s->packet, &s->head, sizeof s->head);
	fwrite_unlocked(s->packet, 1, s->size, s->file);
	s->head.number++;
	s->begun = false;
}

/*
 * A packet without events says that some were lost in its time. Readers know how many from the
 * packet before: where there is none, one is made.
 */
static void packet_lost(struct packet_stream *s, uint64_t from, uint64_t to, uint64_t events)
{
	if (!s->begun && !s->head.number)
		packet_begin(s, from);
	packet_end(s);
	packet_begin(s, from);
	s->head.end = to;
	if (__builtin_add_overflow(s->head.discarded, events, &s->head.discarded))
		s->head.discarded = UINT64_MAX;
	packet_end(s);
}

/* ---- events ---- */

/*
 * The header of an event. The compact one has the low half of the time: readers know the rest from
 * the event before.
 */
static void head_put(struct packet_stream *s, uint32_t id, uint64_t time)
{
	struct {
		uint16_t id;
		uint32_t time;
	} __attribute__((packed)) compact = {(uint16_t)id, (uint32_t)time};
	struct {
		uint16_t mark;
		uint32_t id;
		uint64_t time;
	} __attribute__((packed)) extended = {CTF_ID_EXTENDED, id, time};

	if (__builtin_expect(id < CTF_ID_EXTENDED && time - s->head.end <= UINT32_MAX, 1))
		packet_put(s, &compact, sizeof compact);
	else
		packet_put(s, &extended, sizeof extended);
	s->head.end = time;
}

static void string_put(struct packet_stream *s, const unsigned char *text, uint32_t length,
		       bool bytes)
{
	if (bytes)
		packet_put(s, &length, sizeof length);
	packet_put(s, text, length);
	if (!bytes)
		s->packet[s->size++] = '\0';
}

static bool has_nul(const struct event_type *type, const unsigned char *record)
{
	const unsigned char *at = record + type->fixed_size;

	for (unsigned i = 0; i < type->nstrings; i++) {
		uint32_t length = STRING_LENGTH(read_32(at));

		if (memchr(at + 4, '\0', length))
			return true;
		at += 4 + padded_size(length);
	}
	return false;
}

static void fields_put(struct packet_stream *s, const struct encoder *e,
		       const unsigned char *record, const unsigned char *strings, bool bytes)
{
	for (unsigned i = 0; i < e->npieces; i++) {
		const struct attribute_run *piece = &e->pieces[i];

		if (piece->size) {
			packet_put(s, record + piece->offset, piece->size);
		} else {
			uint32_t length = STRING_LENGTH(read_32(strings));

			string_put(s, strings + 4, length, bytes);
			strings += 4 + padded_size(length);
		}
	}
}

static void event_put(struct packet_stream *s, const struct event_type *type,
		      const unsigned char *record, uint64_t time)
{
	bool bytes = type->nstrings && has_nul(type, record);

	if (!s->begun || s->size >= PACKET_SIZE) {
		packet_end(s);
		packet_begin(s, time);
	}
	/* A record is larger than its fields, but for the header, and a NUL of each string. */
	packet_reserve(s, 16 + type->nstrings + record_size(type, record, UINT32_MAX));
	head_put(s, ctf_class_id(s->metadata->trace->spec, type, bytes), time);
	fields_put(s, &s->encoders[type->index], record, record + type->fixed_size, bytes);
	s->bytes[type->index] |= bytes;
}

/* ---- losses ---- */

/* Events that were lost between two times, values of the clock; to UINT64_MAX: no event follows. */
struct ctf_loss {
	uint64_t from, to, events;
};
typedef VECTOR(struct ctf_loss) loss_vector;

static int loss_compare(const void *left, const void *right)
{
	const struct ctf_loss *a = left, *b = right;

	return (a->to > b->to) - (a->to < b->to);
}

/* Returns the value of the clock at ticks, which may be those of no event. */
static uint64_t clock_value(const struct ctf_metadata *m, const struct log *log, uint64_t ticks)
{
	int64_t time = clock_ns(log->time, ticks) - m->trace->origin;

	time = time < 0 ? 0 : time < m->trace->duration ? time : m->trace->duration;
	return (uint64_t)(m->base + time);
}

/*
 * Lists the losses of a thread by the time of the next event; to be freed. What its notes do not
 * count was lost at the end. Adds to *unknown in how many places nobody knows how many events were
 * lost.
 */
static loss_vector losses_list(const struct ctf_metadata *m, const struct log *log,
			       uint64_t *unknown)
{
	loss_vector list = {0};
	uint64_t rest = log->lost;

	for (size_t i = 0; i < log->marks.count; i++) {
		const struct log_mark *mark = &log->marks.list[i];

		if (mark->kind != MARK_LOST)
			continue;
		*unknown += !mark->events;
		if (mark->events)
			*vector_add(&list) = (struct ctf_loss){
			    clock_value(m, log, mark->from),
			    mark->to == UINT64_MAX ? UINT64_MAX : clock_value(m, log, mark->to),
			    mark->events};
		rest -= mark->events < rest ? mark->events : rest;
	}
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, loss_compare);
	if (rest)
		*vector_add(&list) = (struct ctf_loss){
		    log->events ? clock_value(m, log, log->last) : 0, UINT64_MAX, rest};
	return list;
}

/* Writes the losses before an event at a time, from *next on. */
static void losses_put(struct packet_stream *s, const loss_vector *losses, size_t *next,
		       uint64_t time)
{
	for (; *next < losses->n && losses->at[*next].to <= time; ++*next) {
		const struct ctf_loss *l = &losses->at[*next];
		uint64_t from = l->from < l->to ? l->from : l->to, to;

		from = from > s->head.end ? from : s->head.end;
		to = l->to == UINT64_MAX || l->to < from ? from : l->to;
		packet_lost(s, from, to, l->events);
	}
}

/* ---- a thread ---- */

static void events_write(struct packet_stream *s, const struct opened *o, size_t thread,
			 const loss_vector *losses, uint64_t *done)
{
	int64_t shift = s->metadata->base - o->trace.origin;
	struct log_cursor c;
	size_t next = 0;

	log_cursor_open(&c, &o->logs[thread]);
	while (log_cursor_next(&c)) {
		uint64_t time = (uint64_t)(c.time + shift);

		if (__builtin_expect(next < losses->n && losses->at[next].to <= time, 0))
			losses_put(s, losses, &next, time);
		event_put(s, o->trace.spec->events[c.type], c.record, time);
		if (++*done % STEP)
			continue;
		progress_step(*done, o->trace.events);
		if (output_interrupted() || ferror_unlocked(s->file))
			return;
	}
	losses_put(s, losses, &next, UINT64_MAX);
}

static void stream_write(struct packet_stream *s, const struct opened *o, size_t thread,
			 uint64_t *done, uint64_t *unknown)
{
	const struct trace_thread *t = &o->threads[thread];
	loss_vector losses = losses_list(s->metadata, &o->logs[thread], unknown);

	s->head = (struct ctf_packet_head){.magic = CTF_PACKET_MAGIC,
					   .instance = t->number,
					   .end = (uint64_t)s->metadata->base,
					   .thread = t->number,
					   .tid = t->tid,
					   .pid = t->process};
	memcpy(s->head.uuid, s->metadata->uuid, sizeof s->head.uuid);
	s->name = t->name;
	s->program = o->processes[t->directory].program;
	events_write(s, o, thread, &losses, done);
	if (!s->begun && !s->head.number)
		packet_begin(s, s->head.end);
	packet_end(s);
	free(losses.at);
}

/* ---- files ---- */

static bool write_failed(const struct export_request *r, const char *path)
{
	diag_error(r->diag, DIAG_NOWHERE, "cannot write %s: %s", path, strerror(errno));
	return false;
}

/* Closes a file that was written; returns false after a report, or an interruption. */
static bool file_end(const struct export_request *r, FILE *f, const char *path)
{
	bool good = !ferror(f);

	/* Closing sets errno anew only if writing fails there. */
	good = fclose(f) == 0 && good;
	if (output_interrupted())
		return false;
	return good || write_failed(r, path);
}

static bool thread_write(struct packet_stream *s, const struct export_request *r, size_t thread,
			 const char *directory, uint64_t *done, uint64_t *unknown)
{
	const struct opened *o = opened_of(r->trace);
	char *path = text_format("%s/thread_%" PRIu32, directory, o->threads[thread].number);
	bool good;

	s->file = fopen(path, "wbx");
	good = s->file || write_failed(r, path);
	if (good) {
		stream_write(s, o, thread, done, unknown);
		good = file_end(r, s->file, path);
	}
	free(path);
	return good;
}

static bool metadata_write(const struct packet_stream *s, const struct export_request *r,
			   const char *directory)
{
	char *path = text_format("%s/metadata", directory);
	FILE *f = fopen(path, "wx");
	bool good = f || write_failed(r, path);

	if (good) {
		ctf_metadata_write(f, s->metadata, s->bytes);
		good = file_end(r, f, path);
	}
	free(path);
	return good;
}

/* ---- the export ---- */

static void left_out_report(const struct export_request *r, uint64_t unknown)
{
	uint64_t off = 0, dropped = 0;

	for (size_t i = 0; i < r->trace->ngaps; i++)
		off += r->trace->gaps[i].kind == GAP_OFF;
	for (unsigned i = 0; i < r->trace->nprocesses; i++)
		dropped += r->trace->processes[i].dropped;
	export_left_out(r, &export_ctf, off, "times in which events were switched off");
	export_left_out(r, &export_ctf, unknown,
			"places where an unknown number of events is missing");
	export_left_out(r, &export_ctf, dropped, "lost events of no thread");
}

static bool ctf_fill(const char *directory, const struct export_request *r)
{
	struct ctf_metadata m = ctf_metadata_of(r->trace);
	const struct spec *spec = r->trace->spec;
	struct encoder *encoders = encoders_make(spec);
	struct packet_stream s = {.metadata = &m,
				  .encoders = encoders,
				  .bytes = array_zero(spec->nevents, sizeof *s.bytes)};
	uint64_t done = 0, unknown = 0;
	bool good = true;

	progress_begin("exporting");
	for (size_t i = 0; good && i < r->trace->nthreads; i++)
		if (!r->threads || r->threads[i])
			good = thread_write(&s, r, i, directory, &done, &unknown);
	progress_end();
	/* Which classes there are is known at the end. */
	good = good && metadata_write(&s, r, directory);
	if (good)
		left_out_report(r, unknown);
	encoders_free(encoders, spec);
	free(s.packet);
	free(s.bytes);
	return good;
}

const struct export_format export_ctf = {
    .name = "ctf",
    .summary = "the Common Trace Format 1.8, for babeltrace2 and Trace Compass: a directory",
    .fill = ctf_fill,
};
