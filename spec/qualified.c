#include "spec/qualified.h"
#include "grammar/arena.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789"

static bool is_called(const char *name, const char *home, const char *declared, const char *pattern)
{
	size_t n = home ? strlen(home) : 0;

	return fnmatch(pattern, name, 0) == 0 ||
	       (home && strncmp(pattern, home, n) == 0 && pattern[n] == '.' &&
		fnmatch(pattern + n + 1, declared, 0) == 0);
}

bool event_is_called(const struct event_type *e, const char *pattern)
{
	return is_called(e->name, e->home, e->declared, pattern);
}

bool interval_is_called(const struct interval *i, const char *pattern)
{
	return is_called(i->name, i->home, i->declared, pattern);
}

/* Returns the name in this trace of what a specification declared; or NULL. */
static const char *item_of(const struct spec *s, const char *home, size_t nhome, const char *declared,
			   size_t ndeclared)
{
	char name[nhome + ndeclared + 2];
	const struct event_type *e;
	const struct interval *i;

	snprintf(name, sizeof name, "%.*s.%.*s", (int)nhome, home, (int)ndeclared, declared);
	e = spec_event(s, name);
	i = e ? NULL : spec_interval(s, name);
	return e ? e->name : i ? i->name : NULL;
}

/* ---- expressions ---- */

void qualified_resolve(const struct spec *s, struct ast_expr *e)
{
	const char *name = NULL;

	if (!e)
		return;
	qualified_resolve(s, e->left);
	qualified_resolve(s, e->right);
	for (struct ast_argument *a = e->arguments; a; a = a->next)
		qualified_resolve(s, a->value);
	if (e->kind == AST_MEMBER && e->left->kind == AST_NAME)
		name = item_of(s, e->left->name.text, strlen(e->left->name.text), e->name.text,
			       strlen(e->name.text));
	if (name) {
		e->kind = AST_NAME;
		e->name.text = name;
		e->left = NULL;
	}
}

/* ---- texts ---- */

size_t text_piece(const char *at)
{
	size_t word = strspn(at, WORD);
	const char *end = at + 1;

	if (word)
		return word;
	if (*at == '"') {
		for (; *end && *end != '"'; end++)
			end += *end == '\\' && end[1];
		return (size_t)(end - at) + (*end == '"');
	}
	if (*at == '#' || strncmp(at, "//", 2) == 0)
		return strcspn(at, "\n");
	if (strncmp(at, "/*", 2) != 0)
		return 1;
	end = strstr(at + 2, "*/");
	return end ? (size_t)(end - at) + 2 : strlen(at);
}

char *qualified_replace(const struct spec *s, const char *text)
{
	char *plain = NULL;
	size_t size;
	FILE *out = open_memstream(&plain, &size);

	for (size_t n; out && *text; text += n) {
		size_t home = strspn(text, WORD), declared;
		const char *name = NULL;

		n = text_piece(text);
		declared = home && text[home] == '.' ? strspn(text + home + 1, WORD) : 0;
		if (declared)
			name = item_of(s, text, home, text + home + 1, declared);
		if (name) {
			fputs(name, out);
			n = home + 1 + declared;
		} else {
			fwrite(text, 1, n, out);
		}
	}
	return out && fclose(out) == 0 ? plain : NULL;
}

/* ---- ambiguity ---- */

/* Looks at an item of that name; *homes and *other are of those that were seen so far. */
static void home_count(const char *home, const char *declared, const char *item, const char *name,
		       const char **own, const char **other)
{
	if (!home || strcmp(declared, name) != 0)
		return;
	if (strcmp(item, name) == 0)
		*own = home;
	else if (!*other)
		*other = home;
}

void ambiguity_note(const struct spec *s, const char *name, struct span where, struct diag *diag)
{
	const char *own = NULL, *other = NULL;

	for (unsigned i = 0; i < s->nevents; i++)
		home_count(s->events[i]->home, s->events[i]->declared, s->events[i]->name, name, &own,
			   &other);
	for (unsigned i = 0; i < s->nintervals; i++)
		home_count(s->intervals[i]->home, s->intervals[i]->declared, s->intervals[i]->name, name,
			   &own, &other);
	if (own && other)
		diag_warning(diag, "ambiguous", where, "'%s' is that of %s, and there is another one: %s.%s or %s.%s",
			     name, own, own, name, other, name);
}

void ambiguities_note(const struct spec *s, const struct ast_expr *e, struct diag *diag)
{
	if (!e)
		return;
	if (e->kind == AST_NAME)
		ambiguity_note(s, e->name.text, e->where, diag);
	ambiguities_note(s, e->left, diag);
	ambiguities_note(s, e->right, diag);
	for (const struct ast_argument *a = e->arguments; a; a = a->next)
		ambiguities_note(s, a->value, diag);
}

/* ---- what was made of a text ---- */

static const char *kept(struct spec *s, const char *text)
{
	return text ? arena_copy(s->arena, text, strlen(text)) : NULL;
}

void homes_take(struct spec *s, const struct spec *from)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = spec_event(from, s->events[i]->name);

		s->events[i]->home = e ? kept(s, e->home) : NULL;
		s->events[i]->declared = e ? kept(s, e->declared) : NULL;
	}
	for (unsigned i = 0; i < s->nintervals; i++) {
		const struct interval *v = spec_interval(from, s->intervals[i]->name);

		s->intervals[i]->home = v ? kept(s, v->home) : NULL;
		s->intervals[i]->declared = v ? kept(s, v->declared) : NULL;
	}
}
