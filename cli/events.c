#include "base/array.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "cli/common/selection_options.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "spec/layout.h"
#include "spec/names.h"
#include "spec/qualified.h"
#include "trace/address.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prints events, each on a line, in one of the formats. */
struct event_printer {
	FILE *out;
	enum format format;
	const struct trace *trace;
	int name_width, type_width; /* of the columns of text */
	bool begun;                 /* an event was printed */
};

static void padded_print(FILE *out, const char *text, int width)
{
	print_text(out, text);
	for (width -= (int)text_width(text); width > 0; width--)
		putc_unlocked(' ', out);
}

/* Seconds with nine digits: they stand under each other, and read as what they are. */
static void time_print(FILE *out, int64_t time)
{
	char text[32];
	uint64_t fraction = (uint64_t)time % 1000000000;

	for (int i = 9; i > 0; i--, fraction /= 10)
		text[i] = (char)('0' + fraction % 10);
	text[0] = '.';
	text[10] = '\0';
	for (int64_t bound = 1000; bound > 1 && time / 1000000000 < bound; bound /= 10)
		putc_unlocked(' ', out);
	print_uint(out, (uint64_t)time / 1000000000);
	print_text(out, text);
}

static void event_text(struct event_printer *p, const struct event *e)
{
	time_print(p->out, e->time);
	print_text(p->out, "  ");
	padded_print(p->out, trace_thread(p->trace, e->thread)->label, p->name_width);
	print_text(p->out, "  ");
	padded_print(p->out, e->type->name, e->type->nattributes ? p->type_width : 0);
	if (e->type->nattributes)
		print_text(p->out, "  ");
	attributes_print(p->out, p->trace, e);
	putc_unlocked('\n', p->out);
}

static void event_csv(struct event_printer *p, const struct event *e)
{
	print_int(p->out, e->time);
	putc_unlocked(',', p->out);
	print_uint(p->out, e->thread);
	putc_unlocked(',', p->out);
	print_uint(p->out, e->seq);
	putc_unlocked(',', p->out);
	print_text(p->out, e->type->name);
	putc_unlocked(',', p->out);
	attributes_print_csv(p->out, p->trace, e);
	putc_unlocked('\n', p->out);
}

/* Names are identifiers and numbers need no care: only strings and doubles go through the writer of
 * JSON. */
static void attribute_json(const struct event_printer *p, const struct event *e, unsigned attribute,
			   const struct value *v)
{
	FILE *out = p->out;
	enum type type = e->type->attributes[attribute].type;
	struct json alone = json_begin(out, 0);
	char text[ADDRESS_TEXT];

	if (type == TYPE_STRING)
		json_bytes(&alone, NULL, v->string.bytes, v->string.length);
	else if (type == TYPE_DOUBLE)
		json_real(&alone, NULL, v->real);
	else if (type_is_address(type))
		json_string(&alone, NULL, address_text(p->trace, text, e, attribute));
	else
		print_integer(out, v->integer);
}

static void event_json(struct event_printer *p, const struct event *e)
{
	print_text(p->out, p->begun ? ",\n  {\"time\": " : "\n  {\"time\": ");
	p->begun = true;
	print_int(p->out, e->time);
	print_text(p->out, ", \"thread\": ");
	print_uint(p->out, e->thread);
	print_text(p->out, ", \"seq\": ");
	print_uint(p->out, e->seq);
	print_text(p->out, ", \"event\": \"");
	print_text(p->out, e->type->name);
	print_text(p->out, "\", \"attributes\": {");
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		const struct attribute *a = &e->type->attributes[i];
		struct value v = record_value(e->type, i, e->record);

		print_text(p->out, i ? ", \"" : "\"");
		print_text(p->out, a->name);
		print_text(p->out, "\": ");
		attribute_json(p, e, i, &v);
	}
	print_text(p->out, "}}");
}

static void widths_find(struct event_printer *p)
{
	for (unsigned i = 0; i < p->trace->nthreads; i++) {
		int width = (int)text_width(p->trace->threads[i].label);

		if (width > p->name_width)
			p->name_width = width < 63 ? width : 63;
	}
	for (unsigned i = 0; i < p->trace->spec->nevents; i++) {
		int width = (int)text_width(p->trace->spec->events[i]->name);

		if (width > p->type_width && p->trace->events_of_type[i])
			p->type_width = width;
	}
}

static struct event_printer printer_begin(FILE *out, enum format format, const struct trace *trace)
{
	struct event_printer p = {.out = out, .format = format, .trace = trace};

	widths_find(&p);
	if (format == FORMAT_CSV)
		fputs("time,thread,seq,event,attributes\n", out);
	if (format == FORMAT_JSON)
		fputs("[", out);
	return p;
}

static void printer_event(struct event_printer *p, const struct event *e)
{
	if (p->format == FORMAT_TEXT)
		event_text(p, e);
	else if (p->format == FORMAT_CSV)
		event_csv(p, e);
	else
		event_json(p, e);
}

static void printer_end(struct event_printer *p)
{
	if (p->format == FORMAT_JSON)
		fputs(p->begun ? "\n]\n" : "]\n", p->out);
}

#define STEP 65536 /* events between two looks at the progress bar */

/* What the command line selects. */
static struct {
	const char **events;
	unsigned nevents;
	int64_t from, to;
} wanted;

/* The same, resolved. */
struct selection {
	bool *thread; /* indexed like the trace's threads; NULL: all */
	bool *event;  /* indexed like the specification's events; NULL: all */
};

static void events_take_event(const char *value)
{
	wanted.events = array_grow(wanted.events, wanted.nevents, sizeof *wanted.events);
	wanted.events[wanted.nevents++] = value;
}

/* ---- selection ---- */

static void event_unknown(const struct trace *t, const char *name, struct diag *diag)
{
	const char *near = nearest_event(t->spec, name);

	diag_unknown(diag, DIAG_NOWHERE, near,
		     near ? "there is no event '%s'"
			  : "there is no event '%s'; glimpse info lists them",
		     name);
}

static bool events_select(const struct trace *t, struct selection *s, struct diag *diag)
{
	bool good = true;

	if (wanted.nevents)
		s->event = array_zero(t->spec->nevents, sizeof *s->event);
	for (unsigned i = 0; s->event && i < wanted.nevents; i++) {
		bool known = false;

		for (unsigned k = 0; k < t->spec->nevents; k++)
			if (event_is_called(t->spec->events[k], wanted.events[i]))
				known = s->event[k] = true;
		if (is_ambiguous(t->spec, wanted.events[i], DIAG_NOWHERE, diag))
			known = false;
		else if (!known)
			event_unknown(t, wanted.events[i], diag);
		good &= known;
	}
	return good;
}

static bool selected(const struct selection *s, const struct trace *t, const struct event *e)
{
	if (e->time < wanted.from || (s->event && !s->event[e->type->index]))
		return false;
	return !s->thread || s->thread[trace_thread_index(t, e->thread)];
}

/* ---- the stream ---- */

static void stream_print(struct event_printer *p, const struct selection *s)
{
	struct merge *m = merge_open(p->trace);
	bool bar = !isatty(STDOUT_FILENO);
	uint64_t done = 0;
	struct event e;

	progress_begin("printing events");
	for (; m && merge_next(m, &e) && e.time <= wanted.to && !ferror_unlocked(p->out); done++) {
		if (bar && done % STEP == 0)
			progress_step(done, p->trace->events);
		if (selected(s, p->trace, &e))
			printer_event(p, &e);
	}
	progress_end();
	merge_close(m);
}

static void events_print(const struct command_request *r, const struct trace *t,
			 const struct selection *s)
{
	struct event_printer p = printer_begin(r->out, r->format, t);

	stream_print(&p, s);
	printer_end(&p);
}

static int events_run(struct command_request *r)
{
	struct selection s = {NULL, NULL};
	struct trace_part part;
	struct trace *t;
	bool good;

	selection_times(&wanted.from, &wanted.to);
	part = (struct trace_part){wanted.from, wanted.to, wanted.events, wanted.nevents};
	t = request_open_part(r, &part);
	if (!t)
		return EXIT_ERROR;
	good = selection_threads(t, &s.thread, &r->diag);
	good = events_select(t, &s, &r->diag) && good;
	if (good)
		events_print(r, t, &s);
	free(s.thread);
	free(s.event);
	free(wanted.events);
	trace_close(t);
	return good ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    THREAD_OPTION("events of"),
    PROCESS_OPTION("events of"),
    {'e', "event", "EVENT", "only events of this type, or all that match a pattern (repeatable)",
     events_take_event},
    FROM_OPTION("events"),
    TO_OPTION("events"),
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_events = {
    .name = "events",
    .summary = "print all events, merged by time",
    .teaches =
	"Prints the events of all threads, sorted by time. Times count from the trace's first\n"
	"event: seconds in text, nanoseconds in csv and json. Events with the same time are\n"
	"sorted by thread, then by position in the thread's log.\n",
    .examples = "  glimpse events run1 | less\n"
		"  glimpse events run1 --event Sendmsg --thread 3 --from 10ms --to 20ms\n"
		"  glimpse events run1 --format=csv | cut -d, -f4 | sort | uniq -c\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = events_run,
};
