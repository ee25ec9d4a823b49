#include "spec/from.h"
#include "base/nearest.h"
#include "grammar/literal.h"
#include "spec/names.h"
#include <string.h>

static const struct {
	const char *name;
	enum time_format format;
} formats[] = {
    {"iso8601", TIME_ISO8601},   {"rfc3339", TIME_ISO8601},   {"clf", TIME_CLF},
    {"syslog", TIME_SYSLOG},     {"epoch", TIME_EPOCH},       {"epoch_ms", TIME_EPOCH_MS},
    {"epoch_us", TIME_EPOCH_US}, {"epoch_ns", TIME_EPOCH_NS},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- styles ---- */

static char *kept(struct resolve_context *r, const struct ast_look *l)
{
	return arena_copy(r->spec->arena, l->value.text, strlen(l->value.text));
}

static void pattern_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l)
{
	e->from.pattern = kept(r, l);
	e->from.where = l->value.where;
}

static void time_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l)
{
	const char *names[FORMATS];

	for (unsigned i = 0; i < FORMATS; i++) {
		names[i] = formats[i].name;
		if (strcmp(l->value.text, formats[i].name) == 0)
			e->from.time = formats[i].format;
	}
	if (strchr(l->value.text, '%'))
		e->from.time = TIME_STRPTIME;
	if (e->from.time == TIME_UNSAID)
		diag_unknown(r->diag, l->value.where, nearest_name(l->value.text, names, FORMATS),
			     "unknown time format '%s' (use iso8601, rfc3339, clf, syslog, epoch, "
			     "epoch_ms, epoch_us, epoch_ns or a pattern of strptime)",
			     l->value.text);
	e->from.time_text = kept(r, l);
}

/* Sets the attribute by which the event is earlier than the time of its line: "seconds s". */
static void earlier_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l)
{
	const char *space = strchr(l->value.text, ' ');
	uint64_t unit = space ? literal_time_unit(space + 1) : 0;
	const struct attribute *a;
	char *name;
	int index;

	if (!unit) {
		diag_error(r->diag, l->value.where,
			   "expected an attribute and a unit of time, such as \"seconds s\"");
		return;
	}
	name = kept(r, l);
	name[space - l->value.text] = '\0';
	index = event_attribute(e, name);
	if (index < 0) {
		diag_unknown(r->diag, l->value.where, nearest_attribute(e, name),
			     "%s has no attribute '%s' that it could be earlier by", e->name, name);
		return;
	}
	a = &e->attributes[index];
	if (a->type == TYPE_STRING || type_is_symbolic(a->type)) {
		diag_error(r->diag, l->value.where, "'%s' is of type %s; a duration is a number",
			   name, type_name(a->type));
		return;
	}
	e->from.earlier = kept(r, l);
	e->from.earlier_attribute = index;
	e->from.earlier_unit = unit;
}

bool from_take(struct resolve_context *r, struct event_type *e, const struct ast_look *l)
{
	static const struct {
		const char *name;
		void (*set)(struct resolve_context *, struct event_type *, const struct ast_look *);
	} styles[] = {{"from", pattern_set}, {"time", time_set}, {"earlier", earlier_set}};

	for (unsigned i = 0; i < sizeof styles / sizeof *styles; i++) {
		if (strcmp(l->word.text, styles[i].name) != 0)
			continue;
		if (e->from.taken & 1u << i)
			diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
		else
			styles[i].set(r, e, l);
		e->from.taken |= 1u << i;
		return true;
	}
	return false;
}

/* ---- groups ---- */

/* Returns what follows a class of characters, whose '[' is at its beginning. */
static const char *class_end(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	if (*at == ']')
		at++;
	while (*at && *at != ']') {
		const char *named =
		    at[0] == '[' && strchr(":.=", at[1]) ? strstr(at + 2, ":]") : NULL;

		at = named ? named + 2 : at[0] == '\\' && at[1] ? at + 2 : at + 1;
	}
	return *at ? at + 1 : at;
}

static const char *quote_end(const char *at)
{
	const char *end = at[1] == 'Q' ? strstr(at + 2, "\\E") : NULL;

	return end ? end + 2 : at[1] == 'Q' || !at[1] ? at + strlen(at) : at + 2;
}

/* Returns the name of a group that begins here, and sets its length; NULL: it has none. */
static const char *group_name(const char *at, size_t *length)
{
	const char *name = strncmp(at, "(?P<", 4) == 0  ? at + 4
			   : strncmp(at, "(?<", 3) == 0 ? at + 3
			   : strncmp(at, "(?'", 3) == 0 ? at + 3
							: NULL;

	if (!name || *name == '=' || *name == '!')
		return NULL;
	*length = strcspn(name, name[-1] == '\'' ? "'" : ">");
	return name;
}

/*
 * Finds the next named group in the pattern of an event, from *at on, which is moved behind its
 * name. Returns the name and sets its length; NULL: there are no more.
 */
static const char *from_group(const char **at, size_t *length)
{
	while (**at) {
		const char *name = group_name(*at, length);

		if (name) {
			*at = name + *length;
			return name;
		}
		if (strncmp(*at, "(?#", 3) == 0)
			*at += strcspn(*at, ")");
		else if (**at == '[')
			*at = class_end(*at);
		else if (**at == '\\')
			*at = quote_end(*at);
		else
			++*at;
	}
	return NULL;
}

/* Returns the place of a group's name in the specification; of the pattern, if escapes hide it. */
static struct span group_where(const struct from *f, const char *name, size_t length)
{
	const char *text = f->where.source->text + f->where.start;
	size_t n = f->where.end - f->where.start;

	for (size_t i = 1; i + length < n; i++)
		if (memcmp(text + i, name, length) == 0 &&
		    ((text[i - 1] == '<' && text[i + length] == '>') ||
		     (text[i - 1] == '\'' && text[i + length] == '\'')))
			return (struct span){f->where.source, f->where.start + i,
					     f->where.start + i + length};
	return f->where;
}

static bool is_named(const char *name, size_t length, const char *wanted)
{
	return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* Notes which attribute a group gives, or that it gives the time. */
static void group_note(struct resolve_context *r, const struct event_type *e, const char *name,
		       size_t length, bool *given, bool *timed)
{
	char *text;

	for (unsigned i = 0; i < e->nattributes; i++)
		if (is_named(name, length, e->attributes[i].name)) {
			given[i] = true;
			return;
		}
	*timed |= is_named(name, length, "time");
	if (is_named(name, length, "time") || is_named(name, length, "thread") ||
	    is_named(name, length, "process"))
		return;
	text = arena_copy(r->spec->arena, name, length);
	diag_unknown(r->diag, group_where(&e->from, name, length), nearest_attribute(e, text),
		     "%s has no attribute '%s' for the group of this name", e->name, text);
}

void from_check(struct resolve_context *r, const struct event_type *e)
{
	const char *at = e->from.pattern, *name;
	bool *given, timed = false;
	size_t length;

	if (!at)
		return;
	given = arena_alloc(r->spec->arena, e->nattributes * sizeof *given);
	while ((name = from_group(&at, &length)))
		group_note(r, e, name, length, given, &timed);
	for (unsigned i = 0; i < e->nattributes; i++)
		if (!given[i]) {
			diag_error(r->diag, e->attributes[i].where,
				   "the pattern has no group '(?<%s>...)' for this attribute",
				   e->attributes[i].name);
			diag_note(r->diag, e->from.where, "the pattern is here");
		}
	if (!timed)
		diag_error(r->diag, e->from.where,
			   "the pattern has no group '(?<time>...)', the time of the event");
}
