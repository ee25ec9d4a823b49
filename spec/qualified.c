#include "spec/qualified.h"
#include "base/array.h"
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
static const char *item_of(const struct spec *s, const char *home, size_t nhome,
			   const char *declared, size_t ndeclared)
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

/* The specifications that have a name. */
struct name_owners {
	const char *name, **list;
	unsigned n;
	FILE *text;
};

static void home_add(struct name_owners *h, const char *home, const char *declared)
{
	if (!home || strcmp(declared, h->name) != 0)
		return;
	for (unsigned i = 0; i < h->n; i++)
		if (strcmp(h->list[i], home) == 0)
			return;
	if (h->text)
		fprintf(h->text, "%s%s.%s", h->n ? ", " : "", home, declared);
	h->list[h->n++] = home;
}

bool is_ambiguous(const struct spec *s, const char *name, struct span where, struct diag *diag)
{
	char *text = NULL;
	size_t size;
	struct name_owners h = {.name = name, .text = open_memstream(&text, &size)};

	h.list = array_zero(s->nevents + s->nintervals, sizeof *h.list);
	for (unsigned i = 0; i < s->nevents; i++)
		home_add(&h, s->events[i]->home, s->events[i]->declared);
	for (unsigned i = 0; i < s->nintervals; i++)
		home_add(&h, s->intervals[i]->home, s->intervals[i]->declared);
	if (h.text)
		fclose(h.text);
	if (h.n == 2)
		diag_error(diag, where, "'%s' is in two specifications: %s", name, text);
	else if (h.n > 2)
		diag_error(diag, where, "'%s' is in %u specifications: %s", name, h.n, text);
	free(h.list);
	free(text);
	return h.n > 1;
}

bool has_ambiguous(const struct spec *s, const char *list, struct diag *diag)
{
	bool has = false;

	for (size_t n; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		char *name = strndup(list, n);

		has |= name && is_ambiguous(s, name, DIAG_NOWHERE, diag);
		free(name);
	}
	return has;
}

/*
 * Returns the name that a function is about; what is in brackets or behind a dot is an attribute's.
 */
static const struct ast_expr *subject_of(const struct ast_expr *e)
{
	while (e->kind == AST_SELECT || e->kind == AST_MEMBER)
		e = e->left;
	return e->kind == AST_NAME ? e : NULL;
}

bool asks_ambiguous(const struct spec *s, const struct ast_expr *e, struct diag *diag)
{
	bool asks = false;

	if (e->kind == AST_CALL)
		for (const struct ast_argument *a = e->arguments; a; a = a->next) {
			const struct ast_expr *subject = subject_of(a->value);

			asks |= subject ? is_ambiguous(s, subject->name.text, subject->where, diag)
					: asks_ambiguous(s, a->value, diag);
		}
	if (e->kind == AST_UNARY || e->kind == AST_BINARY || e->kind == AST_PER)
		asks |= asks_ambiguous(s, e->left, diag);
	if (e->kind == AST_BINARY)
		asks |= asks_ambiguous(s, e->right, diag);
	return asks;
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
