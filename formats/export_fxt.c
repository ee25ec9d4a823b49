#include "formats/tracks.h"
#include "trace/address.h"
#include <stdlib.h>

/* Numbers of the format. */
enum fxt_record {
	FXT_METADATA,
	FXT_INITIALIZATION,
	FXT_STRING,
	FXT_THREAD,
	FXT_EVENT,
	FXT_BLOB,
	FXT_OBJECT = 7
};
enum fxt_event {
	FXT_INSTANT,
	FXT_COUNTER,
	FXT_COMPLETE = 4,
	FXT_FLOW_BEGIN = 8,
	FXT_FLOW_END = 10
};
enum fxt_value { FXT_INT64 = 3, FXT_UINT64, FXT_DOUBLE, FXT_TEXT, FXT_POINTER, FXT_KOID, FXT_BOOL };
enum { FXT_PROVIDER_INFO = 1, FXT_PROVIDER_SECTION = 2 };
enum { FXT_PROCESS_OBJECT = 1, FXT_THREAD_OBJECT = 2 };
enum { FXT_BLOB_DATA = 1 };
#define FXT_MAGIC UINT64_C(0x0016547846040010)

/*
 * A record has at most 4,095 words of 8 bytes, 15 arguments, and, so that all else has room, these
 * bytes of texts. Texts have numbers up to 32,767, threads up to 255; others are written where they
 * are used.
 */
enum { WORDS_MOST = 4095, ARGUMENTS_MOST = 15, BYTES_MOST = 31000 };
enum { TEXTS_MOST = 32767, INLINE = 32768, THREADS_MOST = 255 };

struct fxt_export {
	FILE *out;
	struct tracks *tracks;
	uint64_t words[WORDS_MOST]; /* of the record that is made */
	size_t n, bytes;            /* of its words, and of the texts in it */
	VECTOR(uint16_t) known;     /* by number of a text: its number in the file; 0: none yet */
	uint16_t nknown;
	int64_t more, value, process; /* numbers of texts */
	uint64_t ncut;                /* texts that are not whole */
};

/* ---- records ---- */

static void record_begin(struct fxt_export *f, enum fxt_record type, uint64_t head)
{
	f->words[0] = type | head;
	f->n = 1;
	f->bytes = 0;
}

static void put(struct fxt_export *f, uint64_t word)
{
	f->words[f->n++] = word;
}

static void put_bytes(struct fxt_export *f, const char *bytes, size_t n)
{
	size_t words = (n + 7) / 8;

	if (!n)
		return;
	f->words[f->n + words - 1] = 0;
	memcpy(f->words + f->n, bytes, n);
	f->n += words;
	f->bytes += n;
}

static void record_write(struct fxt_export *f)
{
	f->words[0] |= (uint64_t)f->n << 4;
	fwrite_unlocked(f->words, sizeof *f->words, f->n, f->out);
}

/* Returns how many bytes of a text have room: whole characters. */
static size_t text_room(struct fxt_export *f, const char *text, size_t n)
{
	size_t room = BYTES_MOST - f->bytes;

	if (n <= room)
		return n;
	f->ncut++;
	while (room && ((unsigned char)text[room] & 0xc0) == 0x80)
		room--;
	return room;
}

/* ---- texts ---- */

/* Gives a text its number in the file, ahead of the record that is being made. */
static void text_define(struct fxt_export *f, int64_t name, const char *text, size_t length)
{
	uint64_t zero = 0;
	uint64_t head = FXT_STRING | (uint64_t)(1 + (length + 7) / 8) << 4 |
			(uint64_t)++f->nknown << 16 | (uint64_t)length << 32;

	f->known.at[name] = f->nknown;
	fwrite_unlocked(&head, sizeof head, 1, f->out);
	fwrite_unlocked(text, 1, length, f->out);
	fwrite_unlocked(&zero, 1, -length % 8, f->out);
}

/* A text in a record: by its number, or its bytes behind what refers to it. */
struct text_reference {
	const char *text;
	size_t length; /* 0: the number says it */
	uint64_t number;
};

static struct text_reference reference(struct fxt_export *f, int64_t name)
{
	struct text_reference r = {.number = (size_t)name < f->known.n ? f->known.at[name] : 0};
	size_t length;

	if (r.number)
		return r;
	while (f->known.n <= (size_t)name)
		vector_add(&f->known);
	r.text = address_key_text(f->tracks->trace, name);
	length = strlen(r.text);
	if (length && length <= BYTES_MOST && f->nknown < TEXTS_MOST)
		text_define(f, name, r.text, length);
	else
		r.length = text_room(f, r.text, length);
	r.number = r.length ? INLINE | r.length : f->known.at[name];
	return r;
}

/* ---- arguments ---- */

static void argument_put(struct fxt_export *f, int64_t name, enum fxt_value type, uint64_t head,
			 const char *text, size_t length)
{
	struct text_reference r = reference(f, name);
	size_t at = f->n;

	put(f, type | r.number << 16 | head);
	put_bytes(f, r.text, r.length);
	put_bytes(f, text, length);
	f->words[at] |= (uint64_t)(f->n - at) << 4;
}

static void word_put(struct fxt_export *f, int64_t name, enum fxt_value type, const void *word)
{
	argument_put(f, name, type, 0, word, sizeof(uint64_t));
	f->bytes -= sizeof(uint64_t); /* which are no text's */
}

static void string_put(struct fxt_export *f, const struct argument *a)
{
	size_t length = text_room(f, a->string.bytes, a->string.length);

	argument_put(f, a->name, FXT_TEXT, (length ? INLINE | (uint64_t)length : 0) << 32,
		     a->string.bytes, length);
}

static void name_put(struct fxt_export *f, const struct argument *a)
{
	struct text_reference r = reference(f, a->text);

	argument_put(f, a->name, FXT_TEXT, r.number << 32, r.text, r.length);
}

static void argument_write(struct fxt_export *f, const struct argument *a)
{
	switch (a->kind) {
	case ARGUMENT_INT:
		word_put(f, a->name, FXT_INT64, &a->integer);
		break;
	case ARGUMENT_UINT:
		word_put(f, a->name, FXT_UINT64, &a->word);
		break;
	case ARGUMENT_REAL:
		word_put(f, a->name, FXT_DOUBLE, &a->real);
		break;
	case ARGUMENT_BOOL:
		argument_put(f, a->name, FXT_BOOL, (uint64_t)a->truth << 32, NULL, 0);
		break;
	case ARGUMENT_POINTER:
		word_put(f, a->name, FXT_POINTER, &a->word);
		break;
	case ARGUMENT_NAME:
		name_put(f, a);
		break;
	case ARGUMENT_STRING:
		string_put(f, a);
	}
}

/* ---- threads ---- */

static uint64_t process_koid(const struct fxt_export *f, const struct track *t)
{
	const struct trace *trace = f->tracks->trace;

	return f->tracks->processes[trace->threads[t->thread].directory];
}

static bool is_threads(const struct track *t)
{
	return t->kind == TRACK_THREAD || t->kind == TRACK_EVENTS || t->kind == TRACK_COUNTER;
}

/* Tracks that are not a thread's own are threads of their own; their ids are above all others. */
static uint64_t thread_koid(const struct fxt_export *f, const struct track *t)
{
	enum { TRACK_IDS = 1 << 30 };

	return is_threads(t) ? f->tracks->threads[t->thread] : TRACK_IDS + (uint64_t)t->id;
}

static uint64_t thread_number(const struct track *t)
{
	return is_threads(t) && t->thread < THREADS_MOST ? t->thread + UINT64_C(1) : 0;
}

/* ---- events ---- */

static void event_begin(struct fxt_export *f, enum fxt_event type, const struct track *t,
			int64_t time, int64_t category, int64_t name, size_t narguments)
{
	uint64_t thread = thread_number(t);
	struct text_reference c, n;

	f->bytes = 0;
	c = reference(f, category);
	n = reference(f, name);
	record_begin(f, FXT_EVENT,
		     (uint64_t)type << 16 | (uint64_t)narguments << 20 | thread << 24 |
			 c.number << 32 | n.number << 48);
	put(f, (uint64_t)f->tracks->trace->origin + (uint64_t)time);
	if (!thread) {
		put(f, process_koid(f, t));
		put(f, thread_koid(f, t));
	}
	put_bytes(f, c.text, c.length);
	put_bytes(f, n.text, n.length);
}

/* Begins an event with as many arguments as it can have; returns how many it has. */
static size_t slice_begin(struct fxt_export *f, enum fxt_event type, const struct track_slice *s)
{
	size_t n = s->narguments < ARGUMENTS_MOST ? s->narguments : ARGUMENTS_MOST;

	event_begin(f, type, s->track, s->start, s->category, s->name, n);
	for (size_t i = 0; i < n; i++)
		argument_write(f, &s->arguments[i]);
	return n;
}

/* Writes what arguments are left as instants, which the category tells from others. */
static void more_write(struct fxt_export *f, const struct track_slice *s, size_t from)
{
	struct track_slice more = *s;

	more.category = f->more;
	while (from < s->narguments) {
		more.arguments = s->arguments + from;
		more.narguments = s->narguments - from;
		from += slice_begin(f, FXT_INSTANT, &more);
		record_write(f);
	}
}

static void instant_write(void *to, const struct track_slice *s)
{
	struct fxt_export *f = to;
	size_t n = slice_begin(f, FXT_INSTANT, s);

	record_write(f);
	more_write(f, s, n);
}

static void slice_write(void *to, const struct track_slice *s)
{
	struct fxt_export *f = to;
	size_t n = slice_begin(f, FXT_COMPLETE, s);

	put(f, (uint64_t)f->tracks->trace->origin + (uint64_t)s->end);
	record_write(f);
	more_write(f, s, n);
}

/*
 * A flow leads from slice to slice; these last the least time, as none has a flow that lasts no
 * time.
 */
static void flow_write(void *to, uint64_t id, const struct track_slice ends[2])
{
	struct fxt_export *f = to;

	for (int i = 0; i < 2; i++) {
		struct track_slice s = ends[i];

		s.end++;
		slice_write(f, &s);
		event_begin(f, i ? FXT_FLOW_END : FXT_FLOW_BEGIN, s.track, s.start, s.category,
			    s.name, 0);
		put(f, id);
		record_write(f);
	}
}

static void counter_write(void *to, const struct track *t, int64_t time, int64_t value)
{
	struct fxt_export *f = to;
	int64_t name = text_key(f->tracks->trace, t->name);

	event_begin(f, FXT_COUNTER, t, time, f->value, name, 1);
	word_put(f, f->value, FXT_INT64, &value);
	put(f, t->id);
	record_write(f);
}

/* ---- processes and threads ---- */

/* Names an object of the system, with the arguments that are listed. */
static void object_write(struct fxt_export *f, unsigned type, uint64_t koid, int64_t name,
			 const uint64_t *process)
{
	const struct tracks *t = f->tracks;
	struct text_reference r;

	f->bytes = 0;
	r = reference(f, name);
	record_begin(f, FXT_OBJECT,
		     (uint64_t)type << 16 | r.number << 24 |
			 (uint64_t)(t->arguments.n + (process != NULL)) << 40);
	put(f, koid);
	put_bytes(f, r.text, r.length);
	if (process)
		word_put(f, f->process, FXT_KOID, process);
	for (size_t i = 0; i < t->arguments.n; i++)
		argument_write(f, &t->arguments.at[i]);
	record_write(f);
}

static void process_write(struct fxt_export *f, uint32_t process)
{
	const struct trace_process *p = &f->tracks->trace->processes[process];
	char *name = *p->program ? text_format("%s", p->program) : trace_process_name(p);

	tracks_about_process(f->tracks, process);
	object_write(f, FXT_PROCESS_OBJECT, f->tracks->processes[process],
		     text_key(f->tracks->trace, name), NULL);
	free(name);
}

static void track_write(void *to, const struct track *t)
{
	struct fxt_export *f = to;
	struct tracks *x = f->tracks;
	uint64_t process = process_koid(f, t);
	char *name;

	if (t->kind == TRACK_COUNTER || t->kind == TRACK_EVENTS)
		return;
	tracks_reset(x);
	if (t->kind == TRACK_THREAD) {
		name = text_format("%s", t->name);
		tracks_about_thread(x, t->thread);
	} else {
		name = text_format("%s: %s", x->trace->threads[t->thread].label, t->name);
	}
	object_write(f, FXT_THREAD_OBJECT, thread_koid(f, t), text_key(x->trace, name), &process);
	free(name);
}

/* Gives threads their numbers in the file, as far as there are some. */
static void threads_define(struct fxt_export *f)
{
	for (uint32_t i = 0; i < f->tracks->trace->nthreads && i < THREADS_MOST; i++) {
		struct track own = {.thread = i, .kind = TRACK_THREAD};

		record_begin(f, FXT_THREAD, thread_number(&own) << 16);
		put(f, process_koid(f, &own));
		put(f, thread_koid(f, &own));
		record_write(f);
	}
}

/* ---- what comes before events ---- */

static void head_write(struct fxt_export *f)
{
	enum { PROVIDER = 1, TICKS_PER_SECOND = 1000000000 };
	static const char name[] = "glimpse";
	uint64_t magic = FXT_MAGIC;

	fwrite_unlocked(&magic, sizeof magic, 1, f->out);
	record_begin(f, FXT_METADATA,
		     FXT_PROVIDER_INFO << 16 | PROVIDER << 20 | (uint64_t)strlen(name) << 52);
	put_bytes(f, name, strlen(name));
	record_write(f);
	record_begin(f, FXT_METADATA, FXT_PROVIDER_SECTION << 16 | PROVIDER << 20);
	record_write(f);
	record_begin(f, FXT_INITIALIZATION, 0);
	put(f, TICKS_PER_SECOND);
	record_write(f);
}

/*
 * The specification is mostly too long for an argument: blobs of its name, one after another, are
 * it.
 */
static void specification_write(struct fxt_export *f)
{
	const char *text = f->tracks->trace->spec->text;
	int64_t name = text_key(f->tracks->trace, "specification");

	for (size_t left = strlen(text), n; left; left -= n, text += n) {
		struct text_reference r = reference(f, name);

		n = left < BYTES_MOST ? left : BYTES_MOST;
		record_begin(f, FXT_BLOB,
			     r.number << 16 | (uint64_t)n << 32 | (uint64_t)FXT_BLOB_DATA << 48);
		put_bytes(f, text, n);
		record_write(f);
	}
}

/* Writes what is said of the whole trace as an instant of its first thread. */
static void trace_write(struct fxt_export *f)
{
	static const struct track first = {.kind = TRACK_THREAD};
	struct tracks *t = f->tracks;

	specification_write(f);
	tracks_about_trace(t);
	instant_write(f, &(struct track_slice){
			     .track = &first,
			     .name = text_key(t->trace, "trace"),
			     .category = text_key(t->trace, "glimpse"),
			     .arguments = t->arguments.at,
			     .narguments = t->arguments.n,
			 });
}

static void left_out_report(const struct fxt_export *f)
{
	const struct samples *s = f->tracks->samples;
	uint64_t n = 0;

	for (unsigned i = 0; s && i < f->tracks->trace->nthreads; i++)
		n += tracks_has(f->tracks, i) ? s->threads[i].list.n : 0;
	export_left_out(f->tracks->request, &export_fxt, n, "call stacks of samples");
	export_left_out(f->tracks->request, &export_fxt, f->ncut,
			"more than 31,000 bytes of text per event: ends of texts");
}

static bool fxt_of(FILE *out, const struct export_request *r)
{
	static const struct track_writer writer = {
	    .track = track_write,
	    .instant = instant_write,
	    .begin = slice_write,
	    .flow = flow_write,
	    .counter = counter_write,
	};
	struct tracks tracks;
	struct fxt_export *f = array_zero(1, sizeof *f);

	tracks_make(&tracks, r);
	f->out = out;
	f->tracks = &tracks;
	f->more = text_key(r->trace, "more");
	f->value = text_key(r->trace, "value");
	f->process = text_key(r->trace, "process");
	head_write(f);
	for (uint32_t i = 0; i < r->trace->nprocesses; i++)
		process_write(f, i);
	threads_define(f);
	trace_write(f);
	tracks_write(&tracks, &writer, f);
	left_out_report(f);
	free(f->known.at);
	free(f);
	tracks_free(&tracks);
	return true;
}

const struct export_format export_fxt = {
    .name = "fxt",
    .summary = "events, intervals and counters in the Fuchsia trace format",
    .intervals = true,
    .write = fxt_of,
};
