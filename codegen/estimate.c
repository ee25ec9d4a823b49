#include "codegen/emit.h"
#include "codegen/report.h"
#include <string.h>

/* Sizes of doc/log-format.md. */
enum {
	LOG_HEADER = 128,
	NOTE_HEADER = 8,   /* its word, then kind and size */
	SCHEMA_FIXED = 16, /* identity, base, number of events; the name follows */
	WORD = 4,
	STRING_MAX = 4096, /* 4095 bytes, padded */
};

static unsigned estimate_padded(size_t size)
{
	return (unsigned)(size + 3) & ~3u;
}

/* Returns the bytes of an event with empty strings, each of which has its length word. */
static unsigned least_size(const struct event_type *e)
{
	return e->fixed_size + e->nstrings * type_size(TYPE_STRING);
}

static unsigned greatest_size(const struct event_type *e)
{
	return least_size(e) + e->nstrings * STRING_MAX;
}

static int name_width(const struct spec *s)
{
	size_t width = strlen("event");

	for (unsigned i = 0; i < s->nevents; i++)
		if (strlen(s->events[i]->name) > width)
			width = strlen(s->events[i]->name);
	return (int)width;
}

static void print_event(const struct event_type *e, int width, FILE *out)
{
	struct wrap line = {out, 0, "\n\t"};

	wrap_item(&line, "%-*s  %5u  %7u  id and time %d", width, e->name, least_size(e),
		  greatest_size(e), WORD);
	for (unsigned i = 0; i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];
		wrap_item(&line, ", %s %u%s", a->name, type_size(a->type),
			  a->type == TYPE_STRING ? " + text" : "");
	}
	putc('\n', out);
}

void spec_estimate(const struct spec *s, FILE *out)
{
	int width = name_width(s);
	bool strings = false;

	fprintf(out, "%s: bytes of each event in a log\n\n", s->name);
	fprintf(out, "%-*s  %5s  %7s  %s\n", width, "event", "bytes", "at most", "of which");
	for (unsigned i = 0; i < s->nevents; i++) {
		print_event(s->events[i], width, out);
		strings |= s->events[i]->nstrings > 0;
	}
	if (strings)
		fprintf(out,
			"\n"
			"A text takes its length, rounded up to a multiple of 4, at most %d.\n",
			STRING_MAX);
	fprintf(out,
		"\n"
		"In addition to its events, a thread's log has %u bytes at its start, and 8 bytes\n"
		"for every 2^20 ticks of the clock (0.5 ms at 2 GHz).\n",
		LOG_HEADER + NOTE_HEADER + SCHEMA_FIXED + estimate_padded(strlen(s->name)));
}
