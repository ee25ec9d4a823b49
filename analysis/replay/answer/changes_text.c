#include "analysis/replay/answer/changes_text.h"
#include "base/array.h"
#include "base/units.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Adds to a text what comes after a comma. */
__attribute__((format(printf, 2, 3))) static void text_add(char **text, const char *format, ...)
{
	char *more, *longer;
	va_list values;

	va_start(values, format);
	more = text_vformat(format, values);
	va_end(values);
	longer = text_format("%s%s%s", *text, **text ? ", " : "", more);
	free(more);
	free(*text);
	*text = longer;
}

static void length_add(char **text, const struct span_change *c)
{
	static const char *const names[] = {
	    "", "uniform", "normal", "lognormal", "exponential", "as measured", ""};
	const char *each = c->kind == SPAN_HOLD ? " held " : " ";
	char a[UNITS_TEXT], b[UNITS_TEXT];

	units_time(a, c->length.a);
	units_time(b, c->length.b);
	switch (c->length.kind) {
	case DISTRIBUTION_CONSTANT:
		text_add(text, "%s%s%s", c->what, each, a);
		break;
	case DISTRIBUTION_UNIFORM:
	case DISTRIBUTION_NORMAL:
		text_add(text, "%s%s%s(%s, %s)", c->what, each, names[c->length.kind], a, b);
		break;
	case DISTRIBUTION_LOGNORMAL:
		text_add(text, "%s%slognormal(%s, %g)", c->what, each, a, c->length.b);
		break;
	case DISTRIBUTION_EXPONENTIAL:
		text_add(text, "%s%sexponential(%s)", c->what, each, a);
		break;
	case DISTRIBUTION_MEASURED:
		text_add(text, "%s%sas measured", c->what, each);
		break;
	case DISTRIBUTION_FIT:
		text_add(text, "%s%sfit(%s)", c->what, each, c->length.fit);
	}
}

static void subject_text(char **text, const struct span_change *c)
{
	static const char *const words[NSUBJECTS] = {
	    [SUBJECT_FUNCTION] = "own(%s)", [SUBJECT_INTERVAL] = "interval %s",
	    [SUBJECT_LOCK] = "holds of %s", [SUBJECT_SITE] = "calls at %s",
	    [SUBJECT_THREAD] = "thread %s",
	};
	const char *word = words[c->subject->kind], *name = strstr(word, "%s");

	text_add(text, "%.*s%s%s x %g", (int)(name - word), word, c->what, name + 2, c->factor);
}

static void span_text(char **text, const struct span_change *c)
{
	if (c->subject)
		subject_text(text, c);
	else if (c->kind >= SPAN_TIME)
		length_add(text, c);
	else if (c->device_text)
		text_add(text, "%s at %s", c->what, c->device_text);
	else
		text_add(text, "%s%s%s%s%s x %g", c->own ? "own(" : "", c->what, c->own ? ")" : "",
			 c->where ? " where " : "", c->where ? c->where : "", c->factor);
}

static void lock_text(char **text, const struct lock_change *c)
{
	static const char *const words[] = {
	    "free",       "first come first served", "last come first served",
	    "never held", "as a ticket lock",        "as a spinlock"};

	if (c->readers)
		text_add(text, "%s shared by %s", c->what, c->readers);
	else if (c->shared)
		text_add(text, "%s shared by its readers", c->what);
	else if (c->parts)
		text_add(text, "%s split into %u by %s", c->what, c->parts, c->by);
	else
		text_add(text, "%s %s", c->what, words[c->discipline]);
}

static void team_text(char **text, const struct team_changes *c)
{
	for (unsigned i = 0; i < c->ncrews; i++)
		text_add(text, "%u x %s", c->crews[i].n, c->crews[i].what);
	for (unsigned i = 0; i < c->nloops; i++) {
		const struct schedule *s = &c->loops[i].schedule;

		if (s->chunk)
			text_add(text, "loop %s %s,%" PRId64, c->loops[i].what,
				 schedule_name(s->kind), s->chunk);
		else
			text_add(text, "loop %s %s", c->loops[i].what, schedule_name(s->kind));
	}
}

/* Returns the requested changes as text: "compress x 2, on 4 processors". */
char *replay_changes_text(const struct changes *c)
{
	char *text = text_format("%s", ""), time[UNITS_TEXT];

	team_text(&text, &c->team);
	for (unsigned i = 0; i < c->nspans; i++)
		span_text(&text, &c->spans[i]);
	for (unsigned i = 0; i < c->nlocks; i++)
		lock_text(&text, &c->locks[i]);
	for (unsigned i = 0; i < c->nslots; i++)
		text_add(&text, "%s with %u slot%s", c->slots[i].what, c->slots[i].slots,
			 c->slots[i].slots == 1 ? "" : "s");
	if (c->served)
		text_add(&text, "%u request%s at once", c->served, c->served == 1 ? "" : "s");
	if (c->cores)
		text_add(&text, "on %u processor%s", c->cores, c->cores == 1 ? "" : "s");
	else if (c->cores_given)
		text_add(&text, "on unlimited processors");
	if (c->slice)
		text_add(&text, "in slices of %s", units_time(time, (double)c->slice));
	return text;
}
