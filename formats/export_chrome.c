#include "base/json.h"
#include "base/print.h"
#include "formats/tracks.h"
#include "trace/address.h"
#include <math.h>
#include <stdlib.h>

struct chrome_export {
	FILE *out;
	struct tracks *tracks;
	VECTOR(char *) quoted; /* texts by their numbers, as JSON; NULL: not asked for yet */
	const char *between;   /* "\n" before the first event, ",\n" before the others */
};

/* ---- values ---- */

static const char *quoted(struct chrome_export *c, int64_t name)
{
	size_t size;
	struct json j;
	FILE *out;

	while (c->quoted.n <= (size_t)name)
		vector_add(&c->quoted);
	if (c->quoted.at[name])
		return c->quoted.at[name];
	out = open_memstream(&c->quoted.at[name], &size);
	if (!out)
		array_exhausted();
	j = json_begin(out, 0);
	json_string(&j, NULL, address_key_text(c->tracks->trace, name));
	if (fclose(out))
		array_exhausted();
	return c->quoted.at[name];
}

/* JavaScript reads numbers as doubles: integers that these cannot hold are strings. */
static void integer_write(FILE *out, bool negative, uint64_t magnitude)
{
	bool exact = magnitude <= UINT64_C(1) << 53;

	if (!exact)
		putc_unlocked('"', out);
	if (negative)
		putc_unlocked('-', out);
	print_uint(out, magnitude);
	if (!exact)
		putc_unlocked('"', out);
}

/* JSON has no such numbers: the names are those of protocol buffers in JSON. */
static void real_write(FILE *out, double real)
{
	if (isnan(real))
		print_text(out, "\"NaN\"");
	else if (isinf(real))
		print_text(out, real < 0 ? "\"-Infinity\"" : "\"Infinity\"");
	else
		print_real(out, real);
}

static void argument_write(struct chrome_export *c, const struct argument *a)
{
	struct json alone = json_begin(c->out, 0);
	char digits[ADDRESS_TEXT];

	switch (a->kind) {
	case ARGUMENT_INT:
		integer_write(c->out, a->integer < 0,
			      a->integer < 0 ? -(uint64_t)a->integer : (uint64_t)a->integer);
		break;
	case ARGUMENT_UINT:
		integer_write(c->out, false, a->word);
		break;
	case ARGUMENT_REAL:
		real_write(c->out, a->real);
		break;
	case ARGUMENT_BOOL:
		print_text(c->out, a->truth ? "true" : "false");
		break;
	case ARGUMENT_POINTER:
		putc_unlocked('"', c->out);
		print_text(c->out, address_digits(digits, a->word));
		putc_unlocked('"', c->out);
		break;
	case ARGUMENT_NAME:
		print_text(c->out, quoted(c, a->text));
		break;
	case ARGUMENT_STRING:
		json_bytes(&alone, NULL, a->string.bytes, a->string.length);
	}
}

static void arguments_write(struct chrome_export *c, const struct argument *arguments, size_t n)
{
	putc_unlocked('{', c->out);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putc_unlocked(',', c->out);
		print_text(c->out, quoted(c, arguments[i].name));
		putc_unlocked(':', c->out);
		argument_write(c, &arguments[i]);
	}
	putc_unlocked('}', c->out);
}

/* ---- events ---- */

/* Writes nanoseconds, none negative, as microseconds. */
static void time_write(FILE *out, int64_t time)
{
	unsigned rest = (unsigned)(time % 1000);

	print_uint(out, (uint64_t)time / 1000);
	if (!rest)
		return;
	putc_unlocked('.', out);
	putc_unlocked((int)('0' + rest / 100), out);
	putc_unlocked((int)('0' + rest / 10 % 10), out);
	putc_unlocked((int)('0' + rest % 10), out);
}

static uint32_t process_id(const struct chrome_export *c, const struct track *t)
{
	const struct trace *trace = c->tracks->trace;

	return c->tracks
	    ->processes[t->kind == TRACK_COUNTER ? 0 : trace->threads[t->thread].directory];
}

/* Tracks that are not a thread's own are threads of their own; their ids are above all others. */
static uint32_t thread_id(const struct chrome_export *c, const struct track *t)
{
	enum { TRACK_IDS = 1 << 30 };

	return t->kind == TRACK_THREAD || t->kind == TRACK_EVENTS ? c->tracks->threads[t->thread]
								  : TRACK_IDS + t->id;
}

/* Begins an event of a phase, up to its name. */
static void event_begin(struct chrome_export *c, const char *phase, const struct track *t)
{
	print_text(c->out, c->between);
	c->between = ",\n";
	print_text(c->out, "{\"ph\":\"");
	print_text(c->out, phase);
	print_text(c->out, "\",\"pid\":");
	print_uint(c->out, process_id(c, t));
	if (t->kind == TRACK_COUNTER)
		return;
	print_text(c->out, ",\"tid\":");
	print_uint(c->out, thread_id(c, t));
}

static void time_member(struct chrome_export *c, int64_t time)
{
	print_text(c->out, ",\"ts\":");
	time_write(c->out, time);
}

static void slice_members(struct chrome_export *c, const struct track_slice *s)
{
	time_member(c, s->start);
	print_text(c->out, ",\"cat\":");
	print_text(c->out, quoted(c, s->category));
	print_text(c->out, ",\"name\":");
	print_text(c->out, quoted(c, s->name));
}

static void event_end(struct chrome_export *c, const struct argument *arguments, size_t n)
{
	if (n) {
		print_text(c->out, ",\"args\":");
		arguments_write(c, arguments, n);
	}
	putc_unlocked('}', c->out);
}

static void instant_write(void *to, const struct track_slice *s)
{
	struct chrome_export *c = to;

	event_begin(c, "i", s->track);
	slice_members(c, s);
	print_text(c->out, ",\"s\":\"t\"");
	event_end(c, s->arguments, s->narguments);
}

static void slice_write(void *to, const struct track_slice *s)
{
	struct chrome_export *c = to;

	event_begin(c, "X", s->track);
	slice_members(c, s);
	print_text(c->out, ",\"dur\":");
	time_write(c->out, s->end - s->start);
	event_end(c, s->arguments, s->narguments);
}

/*
 * A flow leads from slice to slice; these last the least time, as none has a flow that lasts no
 * time.
 */
static void flow_write(void *to, uint64_t id, const struct track_slice ends[2])
{
	struct chrome_export *c = to;

	for (int i = 0; i < 2; i++) {
		struct track_slice s = ends[i];

		s.end++;
		slice_write(c, &s);
		event_begin(c, i ? "f" : "s", s.track);
		slice_members(c, &s);
		print_text(c->out, ",\"id\":");
		print_uint(c->out, id);
		if (i)
			print_text(c->out, ",\"bp\":\"e\"");
		event_end(c, NULL, 0);
	}
}

static void counter_write(void *to, const struct track *t, int64_t time, int64_t value)
{
	struct chrome_export *c = to;
	struct json alone = json_begin(c->out, 0);

	event_begin(c, "C", t);
	time_member(c, time);
	print_text(c->out, ",\"name\":");
	json_string(&alone, NULL, t->name);
	print_text(c->out, ",\"args\":{\"value\":");
	print_int(c->out, value);
	print_text(c->out, "}}");
}

static void sample_write(void *to, uint32_t thread, int64_t time, uint32_t stack)
{
	struct chrome_export *c = to;

	event_begin(c, "P", c->tracks->list[thread]);
	time_member(c, time);
	print_text(c->out, ",\"cat\":\"sample\",\"name\":\"sample\"");
	if (c->tracks->samples->stacks.at[stack].path > STACK_CUT) {
		print_text(c->out, ",\"sf\":");
		print_uint(c->out, stack);
	}
	event_end(c, NULL, 0);
}

/* ---- names of threads and processes ---- */

static void metadata_write(struct chrome_export *c, const struct track *t, const char *what,
			   const char *text, uint64_t number)
{
	struct json alone = json_begin(c->out, 0);

	event_begin(c, "M", t);
	print_text(c->out, ",\"name\":\"");
	print_text(c->out, what);
	print_text(c->out, text ? "\",\"args\":{\"name\":" : "\",\"args\":{\"sort_index\":");
	if (text)
		json_string(&alone, NULL, text);
	else
		print_uint(c->out, number);
	print_text(c->out, "}}");
}

static void process_write(struct chrome_export *c, const struct track *t)
{
	const struct trace_process *p =
	    &c->tracks->trace->processes[c->tracks->trace->threads[t->thread].directory];
	char *name = *p->program ? text_format("%s", p->program) : trace_process_name(p);

	metadata_write(c, t, "process_name", name, 0);
	free(name);
}

static void track_write(void *to, const struct track *t)
{
	const struct trace *trace = ((struct chrome_export *)to)->tracks->trace;
	enum { TRACKS_OF_THREAD = 1 << 10 };
	const char *label = trace->threads[t->thread].label;
	struct chrome_export *c = to;
	char *name;

	if (t->kind == TRACK_COUNTER || t->kind == TRACK_EVENTS)
		return;
	if (t->kind == TRACK_THREAD &&
	    trace->processes[trace->threads[t->thread].directory].first_thread == t->thread)
		process_write(c, t);
	name = t->kind == TRACK_THREAD ? text_format("%s", label)
				       : text_format("%s: %s", label, t->name);
	metadata_write(c, t, "thread_name", name, 0);
	free(name);
	metadata_write(c, t, "thread_sort_index", NULL,
		       (uint64_t)t->thread * TRACKS_OF_THREAD + t->kind);
}

/* ---- what comes before events ---- */

static void frame_write(struct chrome_export *c, uint32_t stack)
{
	const struct sample_stack *s = &c->tracks->samples->stacks.at[stack];

	putc_unlocked('"', c->out);
	print_uint(c->out, stack);
	print_text(c->out, "\":{\"name\":");
	print_text(c->out, quoted(c, c->tracks->samples->paths.at[s->path].function));
	if (c->tracks->samples->stacks.at[s->caller].path > STACK_CUT) {
		print_text(c->out, ",\"parent\":");
		print_uint(c->out, s->caller);
	}
	putc_unlocked('}', c->out);
}

static void frames_write(struct chrome_export *c)
{
	const char *between = "\n";

	if (!c->tracks->samples)
		return;
	print_text(c->out, "\"stackFrames\":{");
	for (uint32_t i = 0; i < c->tracks->samples->stacks.n; i++) {
		if (c->tracks->samples->stacks.at[i].path <= STACK_CUT)
			continue;
		print_text(c->out, between);
		frame_write(c, i);
		between = ",\n";
	}
	print_text(c->out, "},\n");
}

static void listed_write(struct chrome_export *c)
{
	arguments_write(c, c->tracks->arguments.at, c->tracks->arguments.n);
}

static void about_write(struct chrome_export *c)
{
	struct tracks *t = c->tracks;

	print_text(c->out, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"glimpse\":");
	tracks_about_trace(t);
	tracks_add_specification(t);
	listed_write(c);
	print_text(c->out, ",\n\"processes\":[");
	for (uint32_t i = 0; i < t->trace->nprocesses; i++) {
		print_text(c->out, i ? ",\n" : "\n");
		tracks_about_process(t, i);
		listed_write(c);
	}
	print_text(c->out, "],\n\"threads\":[");
	for (uint32_t i = 0; i < t->trace->nthreads; i++) {
		print_text(c->out, i ? ",\n" : "\n");
		tracks_about_thread(t, i);
		listed_write(c);
	}
	print_text(c->out, "]},\n");
}

static bool chrome_of(FILE *out, const struct export_request *r)
{
	static const struct track_writer writer = {
	    .track = track_write,
	    .instant = instant_write,
	    .begin = slice_write,
	    .flow = flow_write,
	    .counter = counter_write,
	    .sample = sample_write,
	};
	struct tracks tracks;
	struct chrome_export c = {.out = out, .tracks = &tracks, .between = "\n"};

	tracks_make(&tracks, r);
	about_write(&c);
	frames_write(&c);
	print_text(out, "\"traceEvents\":[");
	tracks_write(&tracks, &writer, &c);
	print_text(out, "\n]}\n");
	for (size_t i = 0; i < c.quoted.n; i++)
		free(c.quoted.at[i]);
	free(c.quoted.at);
	tracks_free(&tracks);
	return true;
}

const struct export_format export_chrome = {
    .name = "chrome",
    .summary = "events, intervals and samples as Chrome trace JSON, for many viewers",
    .intervals = true,
    .write = chrome_of,
};
