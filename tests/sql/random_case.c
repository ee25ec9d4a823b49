/*
 * random_case SEED: prints a recipe of mklog with a random specification and a trace that goes with it, in which events
 * may be lost and ends be cut off. Most specifications are by keys and by time; the others have all forms.
 */
#include "spec/layout.h"
#include "tests/random.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_quoted(const char *bytes, size_t length)
{
	putchar('"');
	for (size_t i = 0; i < length; i++)
		if (isalnum((unsigned char)bytes[i]) || bytes[i] == ' ')
			putchar(bytes[i]);
		else
			printf("\\x%02x", (unsigned char)bytes[i]);
	putchar('"');
}

static void print_value(struct value v)
{
	if (v.kind == VALUE_REAL)
		printf("%.17g", v.real);
	else if (v.kind == VALUE_STRING)
		print_quoted(v.string.bytes, v.string.length);
	else if (v.integer < 0)
		printf("%" PRId64, (int64_t)v.integer);
	else
		printf("%" PRIu64, (uint64_t)v.integer);
}

static void print_event(const struct event *e)
{
	printf("%" PRId64 " %s", e->time, e->type->name);
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		printf(" %s=", e->type->attributes[i].name);
		print_value(record_value(e->type, i, e->record));
	}
	putchar('\n');
}

static void print_thread(struct random *r, const struct log *l, const struct trace_thread *thread)
{
	bool loses = random_chance(r, 10), cut = random_chance(r, 5);
	size_t events = 0;

	printf("log %u name=\"%s\"\n", thread->number, thread->name);
	for (size_t i = 0; i < l->n; i++) {
		if (l->events[i].thread != thread->number)
			continue;
		print_event(&l->events[i]);
		events++;
		if (loses && random_chance(r, 10))
			printf("note lost %u\n", 1 + random_below(r, 9));
	}
	if (cut && events > 1)
		printf("cut %u\n", 1 + random_below(r, 12));
}

static void print_spec(const char *text)
{
	printf("spec random.spec <<\n%s>>\n", text);
}

/* Each process has a directory of its own. */
static void print_log(struct random *r, const struct log *l, const char *text)
{
	for (size_t i = 0; i < l->trace.nthreads; i++) {
		const struct trace_thread *thread = &l->threads[i];

		if (i == 0 || thread->directory != l->threads[i - 1].directory) {
			if (l->trace.nthreads > 2)
				printf("directory p%u\n", thread->directory);
			print_spec(text);
			printf("process program=program%u pid=%u\n", thread->directory % 2,
			       100 + thread->directory);
		}
		print_thread(r, l, thread);
	}
}

/* A specification that is not refused; its text is freed by the caller. */
static struct spec *choose_spec(struct random *r, char **text)
{
	for (;;) {
		struct diag diag = {.program = "random_case"};
		struct spec *spec;

		*text = random_chance(r, 85) ? random_keyed_spec(r) : random_spec(r);
		spec = spec_parse("random.spec", *text, &diag);
		if (spec)
			return spec;
		free(*text);
	}
}

int main(int argc, char **argv)
{
	struct random r = {argc > 1 ? strtoull(argv[1], NULL, 0) : 0};
	struct spec *spec;
	struct log *l;
	char *text;

	spec = choose_spec(&r, &text);
	l = random_log(&r, spec, random_below(&r, random_chance(&r, 10) ? 400 : 60));
	printf("# random_case %s\n", argc > 1 ? argv[1] : "0");
	print_log(&r, l, text);
	log_free(l);
	spec_free(spec);
	free(text);
	return 0;
}
