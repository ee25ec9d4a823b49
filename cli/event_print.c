#include "cli/event_print.h"
#include "base/json.h"
#include "cli/event_text.h"
#include "cli/table.h"
#include "spec/layout.h"

static void padded_print(FILE *out, const char *text, int width)
{
	print_text(out, text);
	for (width -= (int)width_of(text); width > 0; width--)
		putc_unlocked(' ', out);
}

/* Control characters in a thread's name must not reach the terminal. */
static void name_print(const struct printer *p, const char *name)
{
	char clean[64];
	size_t i = 0;

	for (; name[i] && i < sizeof clean - 1; i++)
		clean[i] = (unsigned char)name[i] < 32 || name[i] == 127 ? '?' : name[i];
	clean[i] = '\0';
	padded_print(p->out, clean, p->name_width);
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

static void text_event(struct printer *p, const struct event *e)
{
	time_print(p->out, e->time);
	print_text(p->out, "  ");
	name_print(p, trace_thread(p->trace, e->thread)->name);
	print_text(p->out, "  ");
	padded_print(p->out, e->type->name, e->type->nattributes ? p->type_width : 0);
	if (e->type->nattributes)
		print_text(p->out, "  ");
	attributes_print(p->out, e);
	putc_unlocked('\n', p->out);
}

static void csv_event(struct printer *p, const struct event *e)
{
	print_int(p->out, e->time);
	putc_unlocked(',', p->out);
	print_uint(p->out, e->thread);
	putc_unlocked(',', p->out);
	print_uint(p->out, e->seq);
	putc_unlocked(',', p->out);
	print_text(p->out, e->type->name);
	putc_unlocked(',', p->out);
	attributes_print_csv(p->out, e);
	putc_unlocked('\n', p->out);
}

/* Names are identifiers and numbers need no care: only strings and doubles go through the writer of
 * JSON. */
static void json_value(FILE *out, const struct attribute *a, const struct value *v)
{
	struct json alone = json_begin(out, 0);
	char text[HEXADECIMAL_TEXT];

	if (a->type == TYPE_STRING)
		json_bytes(&alone, NULL, v->string.bytes, v->string.length);
	else if (a->type == TYPE_DOUBLE)
		json_real(&alone, NULL, v->real);
	else if (a->type == TYPE_ADDRESS)
		json_string(&alone, NULL, hexadecimal_text(text, (uint64_t)v->integer));
	else if (v->integer < 0)
		print_int(out, (int64_t)v->integer);
	else
		print_uint(out, (uint64_t)v->integer);
}

static void json_event(struct printer *p, const struct event *e)
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
		json_value(p->out, a, &v);
	}
	print_text(p->out, "}}");
}

static void widths_find(struct printer *p)
{
	for (unsigned i = 0; i < p->trace->nthreads; i++) {
		int width = (int)width_of(p->trace->threads[i].name);

		if (width > p->name_width)
			p->name_width = width < 63 ? width : 63;
	}
	for (unsigned i = 0; i < p->trace->spec->nevents; i++) {
		int width = (int)width_of(p->trace->spec->events[i]->name);

		if (width > p->type_width && p->trace->events_of_type[i])
			p->type_width = width;
	}
}

struct printer printer_begin(FILE *out, enum format format, const struct trace *trace)
{
	struct printer p = {.out = out, .format = format, .trace = trace};

	widths_find(&p);
	if (format == FORMAT_CSV)
		fputs("time,thread,seq,event,attributes\n", out);
	if (format == FORMAT_JSON)
		fputs("[", out);
	return p;
}

void printer_event(struct printer *p, const struct event *e)
{
	if (p->format == FORMAT_TEXT)
		text_event(p, e);
	else if (p->format == FORMAT_CSV)
		csv_event(p, e);
	else
		json_event(p, e);
}

void printer_end(struct printer *p)
{
	if (p->format == FORMAT_JSON)
		fputs(p->begun ? "\n]\n" : "]\n", p->out);
}
