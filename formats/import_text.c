/*
 * Text by the patterns of a specification: event Request(...) = from "PATTERN" time "FORMAT". Each
 * line is matched against the patterns in the order of the specification; the first that matches
 * gives the event. Events with the same pattern are all made of the line.
 */
#include "config.h"
#include "formats/lines.h"
#include <stdlib.h>
#include <string.h>

static bool has_patterns(const struct spec *s)
{
	for (unsigned i = 0; i < s->nevents; i++)
		if (s->events[i]->from.pattern)
			return true;
	return false;
}

static bool text_recognise(const struct import_input *in)
{
	struct diag quiet = {.out = NULL};
	struct spec *s = in->spec && !in->directory ? spec_read(in->spec, &quiet) : NULL;
	bool recognised = s && has_patterns(s);

	spec_free(s);
	return recognised;
}

#ifdef HAVE_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The number of a group; of a name that several groups have, the first of its entries. */
struct pattern_groups {
	const unsigned char *entries; /* of the table of names; NULL: there is no such group */
	unsigned n, size;
};

struct pattern_event {
	const struct event_type *type;
	const struct logs_event *event;
	struct pattern_groups *attributes;
	struct time_reader time;
};

struct pattern {
	pcre2_code *code;
	pcre2_match_data *match;
	struct pattern_groups time, thread, process;
	VECTOR(struct pattern_event) events;
};

struct text_import {
	struct lines lines;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	VECTOR(struct pattern) patterns;
	struct logs_value *values;
};

/* ---- compiling ---- */

static struct pattern_groups groups_named(const struct pattern *p, const char *name)
{
	PCRE2_SPTR first, last;
	int size = pcre2_substring_nametable_scan(p->code, (PCRE2_SPTR)name, &first, &last);

	if (size <= 0)
		return (struct pattern_groups){NULL, 0, 0};
	return (struct pattern_groups){first, (unsigned)((last - first) / size + 1),
				       (unsigned)size};
}

static bool pattern_compile(struct text_import *t, struct pattern *p, const struct event_type *e)
{
	PCRE2_SIZE at;
	int error;

	p->code = pcre2_compile((PCRE2_SPTR)e->from.pattern, PCRE2_ZERO_TERMINATED,
				PCRE2_DUPNAMES | PCRE2_NEVER_BACKSLASH_C, &error, &at, NULL);
	if (!p->code) {
		PCRE2_UCHAR why[160];

		pcre2_get_error_message(error, why, sizeof why);
		diag_error(t->lines.in->diag, e->from.where, "at byte %zu of the pattern: %s", at,
			   (const char *)why);
		return false;
	}
	/* Where a system has no JIT, patterns are interpreted. */
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	p->match = pcre2_match_data_create_from_pattern(p->code, NULL);
	if (!p->match)
		array_exhausted();
	p->time = groups_named(p, "time");
	p->thread = groups_named(p, "thread");
	p->process = groups_named(p, "process");
	return true;
}

static void event_add(struct text_import *t, struct pattern *p, const struct event_type *e)
{
	struct pattern_event *to = vector_add(&p->events);

	to->type = e;
	to->event = logs_event(t->lines.logs, e->name);
	to->time = time_reader_make(&e->from, t->lines.latest);
	to->attributes = array_new(e->nattributes, sizeof *to->attributes);
	for (unsigned i = 0; i < e->nattributes; i++)
		to->attributes[i] = groups_named(p, e->attributes[i].name);
}

/* The stack that patterns have of themselves is too small for lines of some kilobytes. */
static void stack_make(struct text_import *t)
{
	enum { FIRST = 64 << 10, MOST = 16 << 20 };

	t->context = pcre2_match_context_create(NULL);
	t->stack = pcre2_jit_stack_create(FIRST, MOST, NULL);
	if (!t->context)
		array_exhausted();
	pcre2_jit_stack_assign(t->context, NULL, t->stack);
}

static bool patterns_compile(struct text_import *t)
{
	const struct spec *s = t->lines.spec;
	const char **seen = array_new(s->nevents, sizeof *seen);
	unsigned most = 0;
	bool good = true;

	for (unsigned i = 0; i < s->nevents && good; i++) {
		const struct event_type *e = s->events[i];
		size_t at = 0;

		if (!e->from.pattern)
			continue;
		while (at < t->patterns.n && strcmp(seen[at], e->from.pattern) != 0)
			at++;
		if (at == t->patterns.n) {
			seen[at] = e->from.pattern;
			good = pattern_compile(t, vector_add(&t->patterns), e);
		}
		if (good)
			event_add(t, &t->patterns.at[at], e);
		most = e->nattributes > most ? e->nattributes : most;
	}
	free(seen);
	stack_make(t);
	t->values = array_new(most, sizeof *t->values);
	return good;
}

static void text_free(struct text_import *t)
{
	for (size_t i = 0; i < t->patterns.n; i++) {
		struct pattern *p = &t->patterns.at[i];

		for (size_t k = 0; k < p->events.n; k++)
			free(p->events.at[k].attributes);
		free(p->events.at);
		pcre2_match_data_free(p->match);
		pcre2_code_free(p->code);
	}
	free(t->patterns.at);
	free(t->values);
	pcre2_match_context_free(t->context);
	pcre2_jit_stack_free(t->stack);
}

/* ---- lines ---- */

/* Returns what a group matched; of several with its name, the first that did. */
static struct line_text group_text(const struct pattern *p, const struct pattern_groups *g,
				   const char *line)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(p->match);

	for (unsigned i = 0; i < g->n; i++) {
		const unsigned char *entry = g->entries + i * g->size;
		unsigned number = (unsigned)entry[0] << 8 | entry[1];

		if (ends[2 * number] != PCRE2_UNSET)
			return (struct line_text){line + ends[2 * number],
						  ends[2 * number + 1] - ends[2 * number]};
	}
	return (struct line_text){NULL, 0};
}

static bool event_write(struct text_import *t, const struct pattern *p, struct pattern_event *e,
			const char *line)
{
	const struct event_type *type = e->type;
	struct logs_thread *thread;
	int64_t time;

	if (!lines_time(&t->lines, &e->time, group_text(p, &p->time, line), &time))
		return false;
	for (unsigned i = 0; i < type->nattributes; i++)
		t->values[i] = lines_value(&t->lines, &type->attributes[i],
					   group_text(p, &e->attributes[i], line));
	thread = lines_thread(&t->lines, group_text(p, &p->process, line),
			      group_text(p, &p->thread, line));
	logs_write(thread, lines_earlier(type, t->values, time), e->event, t->values);
	return true;
}

static void line_take(struct text_import *t, const char *line, size_t length)
{
	for (size_t i = 0; i < t->patterns.n; i++) {
		struct pattern *p = &t->patterns.at[i];
		int n = pcre2_match(p->code, (PCRE2_SPTR)line, length, 0, 0, p->match, t->context);

		if (n == PCRE2_ERROR_NOMATCH)
			continue;
		if (n < 0) {
			lines_note(&t->lines, &t->lines.unmatched, (struct line_text){line, length},
				   "the pattern takes too long: ");
			return;
		}
		for (size_t k = 0; k < p->events.n; k++)
			if (!event_write(t, p, &p->events.at[k], line))
				return;
		return;
	}
	lines_note(&t->lines, &t->lines.unmatched, (struct line_text){line, length}, "");
}

static bool files_read(struct text_import *t)
{
	struct import_input *in = t->lines.in;
	ssize_t length;
	char *line;
	bool bad;

	do {
		while ((length = import_line(in, &line, &bad)) >= 0)
			if (length)
				line_take(t, line, (size_t)length);
	} while (!bad && import_next(in, &bad));
	return !bad;
}

static bool text_read(struct import_input *in, struct logs *l)
{
	struct text_import t = {.values = NULL};
	bool good;

	if (!in->spec)
		return import_fail(in, "text needs a specification with patterns: -s FILE");
	good = lines_begin(&t.lines, in, l);
	if (good && !has_patterns(t.lines.spec))
		good =
		    import_fail(in, "no event of %s has a pattern: = from \"PATTERN\"", in->spec);
	good = good && patterns_compile(&t) && files_read(&t);
	logs_realtime(l, 0, 0);
	lines_end(&t.lines);
	text_free(&t);
	return good;
}

#else

static bool text_read(struct import_input *in, struct logs *l)
{
	(void)l;
	return import_built_without(in, "PCRE2", "libpcre2-dev");
}

#endif

const struct import_format import_text = {
    .name = "text",
    .summary = "lines of text, by the patterns of a specification (-s)",
    .several = true,
    .recognise = text_recognise,
    .read = text_read,
};
