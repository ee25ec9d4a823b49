/*
 * Fuchsia's trace format (FXT), also of magic-trace and others: "Fuchsia trace format",
 * fuchsia.dev. Records of 64-bit words, little endian. Events become slices, instants and flows;
 * context switches states. Of a trace that we exported, its own events are restored.
 */
#include "formats/import.h"
#include "formats/logs_restore.h"
#include "formats/logs_slices.h"
#include "formats/logs_switches.h"
#include "trace/format/bytes.h"
#include <stdlib.h>

#define FXT_MAGIC UINT64_C(0x0016547846040010)

enum {
	STRINGS = 1 << 15,
	THREADS = 256,
	RECORD_MOST = 4096, /* words of a record that is not large */
	STRING_INLINE = 0x8000,
	FXT_BLOCK = 1 << 16, /* words that are read at once */
	TEXT_MOST = 8192,
};

enum record_type {
	RECORD_METADATA,
	RECORD_INITIALIZATION,
	RECORD_STRING,
	RECORD_THREAD,
	RECORD_EVENT,
	RECORD_BLOB,
	RECORD_USERSPACE_OBJECT,
	RECORD_KERNEL_OBJECT,
	RECORD_SCHEDULING,
	RECORD_LARGE = 15
};

struct thread_reference {
	uint64_t process, thread;
};

struct fxt_import {
	struct import_input *in;
	struct logs *logs;
	struct slices slices;
	struct logs_switches switches;
	struct restore restore;
	bool scheduled; /* switches have begun */
	bool ours;      /* we are the provider */
	bool more;      /* more arguments of the last event may follow */
	char *strings[STRINGS];
	struct thread_reference threads[THREADS];
	uint64_t ticks; /* per second */
	bool described[THREADS];
	uint64_t unknown, nameless, threadless;
	VECTOR(char *) texts; /* of the current record */
};

/* What is left of a record. */
struct words {
	const unsigned char *at;
	size_t n;
};

static bool fxt_recognise(const struct import_input *in)
{
	return !in->directory && in->nhead >= 8 && read_little_64(in->head) == FXT_MAGIC;
}

/* ---- parts of records ---- */

static unsigned bits(uint64_t word, unsigned from, unsigned n)
{
	return (unsigned)(word >> from & ((UINT64_C(1) << n) - 1));
}

static bool word_take(struct words *w, uint64_t *word)
{
	if (!w->n)
		return false;
	*word = read_little_64(w->at);
	w->at += 8;
	w->n--;
	return true;
}

/* Takes the bytes of a text that is in the record. */
static char *text_take(struct fxt_import *f, struct words *w, size_t length)
{
	size_t n = (length + 7) / 8;
	char *text;

	if (n > w->n)
		return NULL;
	text = text_format("%.*s", (int)length, (const char *)w->at);
	*vector_add(&f->texts) = text;
	w->at += 8 * n;
	w->n -= n;
	return text;
}

/* Returns the text of a reference; NULL: it is not in the record. */
static const char *string_of(struct fxt_import *f, struct words *w, unsigned reference)
{
	if (reference & STRING_INLINE)
		return text_take(f, w, reference & (STRING_INLINE - 1));
	f->nameless += reference && !f->strings[reference];
	return reference && f->strings[reference] ? f->strings[reference] : "";
}

static bool thread_take(struct fxt_import *f, struct words *w, unsigned reference,
			struct thread_reference *t)
{
	if (!reference)
		return word_take(w, &t->process) && word_take(w, &t->thread);
	f->threadless += !f->described[reference];
	*t = f->threads[reference];
	return true;
}

static int64_t time_of(const struct fxt_import *f, uint64_t ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000000 / f->ticks;

	return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

enum argument_type {
	ARGUMENT_NULL,
	ARGUMENT_INT,
	ARGUMENT_UINT,
	ARGUMENT_LONG,
	ARGUMENT_ULONG,
	ARGUMENT_DOUBLE,
	ARGUMENT_STRING,
	ARGUMENT_POINTER,
	ARGUMENT_KOID,
	ARGUMENT_BOOL
};

/* Reads the value of an argument behind its name. Returns false if the record ends within it. */
static bool value_take(struct fxt_import *f, struct words *w, uint64_t head, struct logs_value *v)
{
	uint64_t word = 0;
	const char *text;
	double real;

	switch ((enum argument_type)bits(head, 0, 4)) {
	case ARGUMENT_INT:
		*v = logs_integer((int32_t)(head >> 32));
		return true;
	case ARGUMENT_UINT:
		*v = logs_natural(head >> 32);
		return true;
	case ARGUMENT_BOOL:
		*v = logs_integer(bits(head, 32, 1));
		return true;
	case ARGUMENT_STRING:
		text = string_of(f, w, bits(head, 32, 16));
		*v = logs_bytes(text, text ? strlen(text) : 0);
		return text != NULL;
	case ARGUMENT_LONG:
		if (!word_take(w, &word))
			return false;
		*v = logs_integer((int64_t)word);
		return true;
	case ARGUMENT_DOUBLE:
		if (!word_take(w, &word))
			return false;
		memcpy(&real, &word, sizeof real);
		*v = logs_real(real);
		return true;
	case ARGUMENT_ULONG:
	case ARGUMENT_POINTER:
	case ARGUMENT_KOID:
		if (!word_take(w, &word))
			return false;
		*v = logs_natural(word);
		return true;
	default:
		*v = logs_bytes("", 0);
		return true;
	}
}

/* Reads the arguments of a record. Returns false if they are not in it. */
static bool arguments_take(struct fxt_import *f, struct words *w, unsigned n,
			   struct logs_argument *to, unsigned *count)
{
	for (unsigned i = 0; i < n; i++) {
		struct words one;
		uint64_t head;
		size_t size;

		if (!w->n)
			return false;
		head = read_little_64(w->at);
		size = bits(head, 4, 12);
		if (!size || size > w->n)
			return false;
		one = (struct words){w->at + 8, size - 1};
		w->at += 8 * size;
		w->n -= size;
		to[*count].name = string_of(f, &one, bits(head, 16, 16));
		if (!to[*count].name || !value_take(f, &one, head, &to[*count].value))
			return false;
		++*count;
	}
	return true;
}

/* ---- events ---- */

enum event_kind {
	EVENT_INSTANT,
	EVENT_COUNTER,
	EVENT_BEGIN,
	EVENT_END,
	EVENT_COMPLETE,
	EVENT_ASYNC_BEGIN,
	EVENT_ASYNC_INSTANT,
	EVENT_ASYNC_END,
	EVENT_FLOW_BEGIN,
	EVENT_FLOW_STEP,
	EVENT_FLOW_END
};

static bool event_log(struct fxt_import *f, struct slice_event *e, enum event_kind kind,
		      uint64_t extra)
{
	struct logs_value id = logs_natural(extra);

	switch (kind) {
	case EVENT_INSTANT:
	case EVENT_COUNTER:
	case EVENT_ASYNC_INSTANT:
		return slices_instant(&f->slices, e);
	case EVENT_BEGIN:
		return slices_open(&f->slices, e, INT64_MAX);
	case EVENT_END:
		slices_close(&f->slices, e->thread, e->time, *e->name ? e->name : NULL);
		return true;
	case EVENT_COMPLETE:
		return slices_open(&f->slices, e, time_of(f, extra));
	case EVENT_ASYNC_BEGIN:
		return slices_open_keyed(&f->slices, e);
	case EVENT_ASYNC_END:
		return slices_close_keyed(&f->slices, e);
	case EVENT_FLOW_BEGIN:
		return slices_flow(&f->slices, e, FLOW_START, &id);
	case EVENT_FLOW_STEP:
		return slices_flow(&f->slices, e, FLOW_STEP, &id);
	case EVENT_FLOW_END:
		return slices_flow(&f->slices, e, FLOW_END, &id);
	default:
		f->unknown++;
		return true;
	}
}

static bool is_keyed(enum event_kind kind)
{
	return kind == EVENT_ASYNC_BEGIN || kind == EVENT_ASYNC_END || kind == EVENT_ASYNC_INSTANT;
}

static bool torn(struct fxt_import *f, const char *what)
{
	return import_fail(f->in, "%s is longer than its record", what);
}

/* Takes an event of a trace that we exported. */
static bool restored_take(struct fxt_import *f, const struct slice_event *e, enum event_kind kind,
			  const char *category, uint64_t koid)
{
	bool event = strcmp(category, "event") == 0, more = strcmp(category, "more") == 0;

	f->more = kind == EVENT_INSTANT && (event || (more && f->more));
	if (kind != EVENT_INSTANT)
		return true;
	if (strcmp(category, "glimpse") == 0)
		restore_trace(&f->restore, e->arguments, e->narguments);
	if (event && !restore_event(&f->restore, koid, e->time, e->name))
		return false;
	if (f->more)
		restore_arguments(&f->restore, e->arguments, e->narguments);
	return true;
}

static bool event_take(struct fxt_import *f, uint64_t head, struct words w)
{
	enum event_kind kind = (enum event_kind)bits(head, 16, 4);
	unsigned category = bits(head, 32, 16), name = bits(head, 48, 16);
	struct thread_reference t;
	uint64_t ticks, extra = 0;
	struct slice_event e;
	const char *text;

	e.narguments = is_keyed(kind);
	if (!word_take(&w, &ticks) || !thread_take(f, &w, bits(head, 24, 8), &t))
		return torn(f, "an event");
	text = string_of(f, &w, category);
	e.name = text ? string_of(f, &w, name) : NULL;
	if (!e.name || !arguments_take(f, &w, bits(head, 20, 4), e.arguments, &e.narguments))
		return torn(f, "an event's text or argument");
	if (kind != EVENT_INSTANT && kind != EVENT_BEGIN && kind != EVENT_END &&
	    !word_take(&w, &extra))
		return torn(f, "an event");
	if (is_keyed(kind))
		e.arguments[0] = (struct logs_argument){"id", logs_natural(extra)};
	if (!*e.name && kind != EVENT_END)
		e.name = "unnamed";
	e.time = time_of(f, ticks);
	if (f->restore.active)
		return restored_take(f, &e, kind, text, t.thread);
	e.thread = slices_thread(&f->slices, (uint32_t)t.process, t.thread);
	return event_log(f, &e, kind, extra);
}

/* ---- names ---- */

enum { OBJECT_PROCESS = 1, OBJECT_THREAD = 2 };

static bool object_take(struct fxt_import *f, uint64_t head, struct words w)
{
	unsigned type = bits(head, 16, 8), n = 0;
	struct logs_argument arguments[16];
	uint64_t koid, process = 0;
	const char *name;

	if (!word_take(&w, &koid))
		return torn(f, "an object");
	name = string_of(f, &w, bits(head, 24, 16));
	if (!name || !arguments_take(f, &w, bits(head, 40, 4), arguments, &n))
		return torn(f, "an object");
	for (unsigned i = 0; i < n; i++)
		if (strcmp(arguments[i].name, "process") == 0 &&
		    arguments[i].value.kind == LOGS_NATURAL)
			process = arguments[i].value.natural;
	if (f->ours) {
		if (type == OBJECT_PROCESS)
			restore_process(&f->restore, arguments, n);
		else if (type == OBJECT_THREAD && n > 1)
			restore_thread(&f->restore, arguments, n);
		return true;
	}
	if (type == OBJECT_PROCESS)
		logs_process(f->logs, (uint32_t)koid, name);
	else if (type == OBJECT_THREAD && process)
		logs_thread_name(logs_thread(logs_process(f->logs, (uint32_t)process, NULL), koid),
				 name);
	return true;
}

/* Finds out who made the trace. */
static bool metadata_take(struct fxt_import *f, uint64_t head, struct words w)
{
	enum { PROVIDER_INFO = 1 };
	const char *name;

	if (bits(head, 16, 4) != PROVIDER_INFO)
		return true;
	name = text_take(f, &w, bits(head, 52, 8));
	if (!name)
		return torn(f, "a provider's name");
	f->ours = strcmp(name, "glimpse") == 0;
	return true;
}

/* Takes a part of the specification, if we made the trace. */
static bool blob_take(struct fxt_import *f, uint64_t head, struct words w)
{
	const char *name = string_of(f, &w, bits(head, 16, 16)), *text;
	size_t size = bits(head, 32, 15);

	if (!name || (size + 7) / 8 > w.n)
		return torn(f, "a blob");
	text = (const char *)w.at;
	if (f->ours && strcmp(name, "specification") == 0)
		restore_specification(&f->restore, text, size);
	else
		f->unknown++;
	return true;
}

static bool string_take(struct fxt_import *f, uint64_t head, struct words w)
{
	unsigned index = bits(head, 16, 15), length = bits(head, 32, 15);

	if ((length + 7) / 8 > w.n)
		return torn(f, "a string");
	if (!index)
		return true;
	free(f->strings[index]);
	f->strings[index] = text_format("%.*s", (int)length, (const char *)w.at);
	return true;
}

/* ---- switches ---- */

enum { SCHEDULING_LEGACY, SCHEDULING_SWITCH, SCHEDULING_WAKEUP };
enum { STATE_RUNNING = 1, STATE_DYING = 4, STATE_DEAD = 5 };

static enum switch_why why_of(unsigned state)
{
	if (state == STATE_DYING || state == STATE_DEAD)
		return SWITCH_EXITS;
	return state <= STATE_RUNNING ? SWITCH_PREEMPTED : SWITCH_BLOCKS;
}

static void switches_need(struct fxt_import *f)
{
	if (!f->scheduled)
		switches_begin(&f->switches, f->logs, 0);
	f->scheduled = true;
}

static uint32_t switch_thread(struct fxt_import *f, const struct thread_reference *t)
{
	if (t->process)
		switches_thread(&f->switches, (uint32_t)t->thread, (uint32_t)t->process, NULL);
	return (uint32_t)t->thread;
}

static bool legacy_take(struct fxt_import *f, uint64_t head, struct words w)
{
	struct thread_reference out, in;
	uint64_t ticks;
	uint32_t from;

	if (!word_take(&w, &ticks) || !thread_take(f, &w, bits(head, 28, 8), &out) ||
	    !thread_take(f, &w, bits(head, 36, 8), &in))
		return torn(f, "a context switch");
	from = switch_thread(f, &out);
	switches_switch(&f->switches, time_of(f, ticks), bits(head, 16, 8), from,
			why_of(bits(head, 24, 4)), switch_thread(f, &in));
	return true;
}

static bool scheduling_take(struct fxt_import *f, uint64_t head, struct words w)
{
	uint64_t ticks, out, in;

	switches_need(f);
	switch (bits(head, 60, 4)) {
	case SCHEDULING_LEGACY:
		return legacy_take(f, head, w);
	case SCHEDULING_SWITCH:
		if (!word_take(&w, &ticks) || !word_take(&w, &out) || !word_take(&w, &in))
			return torn(f, "a context switch");
		switches_switch(&f->switches, time_of(f, ticks), bits(head, 20, 16), (uint32_t)out,
				why_of(bits(head, 36, 4)), (uint32_t)in);
		return true;
	case SCHEDULING_WAKEUP:
		if (!word_take(&w, &ticks) || !word_take(&w, &in))
			return torn(f, "a wake-up");
		switches_wake(&f->switches, time_of(f, ticks), 0, (uint32_t)in);
		return true;
	default:
		f->unknown++;
		return true;
	}
}

/* ---- records ---- */

static bool record_take(struct fxt_import *f, uint64_t head, struct words w)
{
	struct thread_reference *t;
	bool good = true;

	switch ((enum record_type)bits(head, 0, 4)) {
	case RECORD_METADATA:
		good = metadata_take(f, head, w);
		break;
	case RECORD_INITIALIZATION:
		if (!word_take(&w, &f->ticks) || !f->ticks)
			return import_fail(f->in, "the clock has no ticks per second");
		break;
	case RECORD_STRING:
		good = string_take(f, head, w);
		break;
	case RECORD_THREAD:
		t = &f->threads[bits(head, 16, 8)];
		f->described[bits(head, 16, 8)] = true;
		good = (word_take(&w, &t->process) && word_take(&w, &t->thread)) ||
		       torn(f, "a thread");
		break;
	case RECORD_EVENT:
		good = event_take(f, head, w);
		break;
	case RECORD_BLOB:
		good = blob_take(f, head, w);
		break;
	case RECORD_KERNEL_OBJECT:
		good = object_take(f, head, w);
		break;
	case RECORD_SCHEDULING:
		good = scheduling_take(f, head, w);
		break;
	default:
		f->unknown++;
	}
	for (size_t i = 0; i < f->texts.n; i++)
		free(f->texts.at[i]);
	f->texts.n = 0;
	return good;
}

/* Bytes that were read and not yet taken. */
struct fxt_buffer {
	unsigned char *bytes;
	size_t from, to;
};

/* Brings n bytes together. Returns false at the end of the file, or after a report. */
static bool stream_need(struct fxt_import *f, struct fxt_buffer *s, size_t n, bool *bad)
{
	while (s->to - s->from < n) {
		ssize_t got;

		memmove(s->bytes, s->bytes + s->from, s->to - s->from);
		s->to -= s->from;
		s->from = 0;
		got = import_read(f->in, s->bytes + s->to, (size_t)8 * FXT_BLOCK - s->to);
		*bad = got < 0;
		if (got <= 0)
			return false;
		s->to += (size_t)got;
	}
	return true;
}

/* Passes over a large record. */
static bool large_pass(struct fxt_import *f, struct fxt_buffer *s, uint64_t head)
{
	uint64_t left = 8 * (head >> 4 & UINT32_MAX);
	bool bad = false;

	f->unknown++;
	if (!left)
		return import_fail(f->in, "a record has no size");
	while (left) {
		size_t n = left < 8 * RECORD_MOST ? (size_t)left : 8 * RECORD_MOST;

		if (!stream_need(f, s, n, &bad))
			return !bad && import_fail(f->in, "the file ends within a record");
		s->from += n;
		left -= n;
	}
	return true;
}

static bool records_read(struct fxt_import *f, struct fxt_buffer *s)
{
	bool bad = false, good = true;

	while (good && stream_need(f, s, 8, &bad)) {
		uint64_t head = read_little_64(s->bytes + s->from);
		size_t size = bits(head, 4, 12);

		if (bits(head, 0, 4) == RECORD_LARGE) {
			good = large_pass(f, s, head);
			continue;
		}
		if (!size)
			return import_fail(f->in, "a record has no size");
		if (!stream_need(f, s, 8 * size, &bad))
			return !bad && import_fail(f->in, "the file ends within a record");
		good = record_take(f, head, (struct words){s->bytes + s->from + 8, size - 1});
		s->from += 8 * size;
	}
	if (good && !bad && s->to > s->from)
		return import_fail(f->in, "the file ends within a record");
	return good && !bad;
}

static bool fxt_read(struct import_input *in, struct logs *l)
{
	struct fxt_import *f = array_zero(1, sizeof *f);
	struct fxt_buffer s = {array_new((size_t)8 * FXT_BLOCK, 1), 0, 0};
	bool good;

	f->in = in;
	f->logs = l;
	f->ticks = 1000000000;
	slices_begin(&f->slices, l);
	restore_begin(&f->restore, in, l);
	good = records_read(f, &s);
	if (good) {
		import_passed_over(in, f->unknown, "records of other types were left out");
		import_passed_over(in, f->nameless,
				   "references to strings that no record has: they are empty");
		import_passed_over(
		    in, f->threadless,
		    "references to threads that no record has: they are of process 0, thread 0");
	}
	slices_end(&f->slices, in, good);
	good = restore_end(&f->restore, good);
	if (f->scheduled)
		switches_end(&f->switches);
	for (size_t i = 0; i < STRINGS; i++)
		free(f->strings[i]);
	free(f->texts.at);
	free(s.bytes);
	free(f);
	return good;
}

const struct import_format import_fxt = {
    .name = "fxt",
    .summary = "Fuchsia's trace format, also of magic-trace",
    .recognise = fxt_recognise,
    .read = fxt_read,
};
