#include "spec/object_words.h"
#include <string.h>

/* Copies a text that must not be empty; `remedy` says what to do if it is. */
static char *text_take(struct resolve_context *r, const struct ast_name *text, const char *remedy)
{
	if (!*text->text)
		diag_error(r->diag, text->where, "the text is empty; %s", remedy);
	return arena_copy(r->spec->arena, text->text, strlen(text->text));
}

static void functions_resolve(struct resolve_context *r, struct object_words *o,
			      const struct ast_look *list)
{
	unsigned n = 0;
	for (const struct ast_look *l = list; l; l = l->next)
		n++;
	o->functions = arena_alloc(r->spec->arena, n * sizeof *o->functions);
	for (const struct ast_look *l = list; l; l = l->next)
		o->functions[o->nfunctions++] =
		    text_take(r, &l->word, "give a pattern of functions' names");
}

/* Sets a style that has one value only. */
static void only_set(struct resolve_context *r, const struct ast_look *l, const char *only,
		     bool *slot)
{
	if (*slot)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else if (strcmp(l->value.text, only) != 0)
		diag_error(r->diag, l->value.where, "'%s' of an object is \"%s\", not \"%s\"",
			   l->word.text, only, l->value.text);
	*slot = true;
}

static void label_set(struct resolve_context *r, const struct ast_look *l, char **slot)
{
	if (*slot)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else
		*slot = text_take(r, &l->value, "leave the label out");
}

static void style_resolve(struct resolve_context *r, struct object_words *o,
			  const struct ast_look *l)
{
	static const char *const words[] = {"kind", "by", "label"};
	enum { WORDS = sizeof words / sizeof *words };
	unsigned i = 0;
	while (i < WORDS && (!l->value.text || strcmp(words[i], l->word.text) != 0))
		i++;
	if (i == WORDS)
		diag_unknown(r->diag, l->word.where, diag_nearest(l->word.text, words, WORDS),
			     "an object has kind \"hold\", by \"site\" and label \"...\", "
			     "not '%s'",
			     l->word.text);
	else if (i == 0)
		only_set(r, l, "hold", &o->hold);
	else if (i == 1)
		only_set(r, l, "site", &o->by_site);
	else
		label_set(r, l, &o->label);
}

static void object_resolve(struct resolve_context *r, struct object_words *o,
			   const struct ast_item *item)
{
	const struct ast_object *ast = &item->object;
	o->where = item->where;
	if (ast->name.text)
		o->name = text_take(r, &ast->name,
				    "leave the name out if the functions only pass a wait through");
	functions_resolve(r, o, ast->functions);
	if (ast->look && !o->name)
		diag_error(r->diag, ast->look->word.where,
			   "an object without a name has no styles; write object \"NAME\" in ...");
	for (const struct ast_look *l = o->name ? ast->look : NULL; l; l = l->next)
		style_resolve(r, o, l);
}

void object_words_resolve(struct resolve_context *r)
{
	struct spec *s = r->spec;
	s->object_words = arena_alloc(s->arena, r->load->nobjects * sizeof *s->object_words);
	for (size_t i = 0; i < r->load->nobjects; i++) {
		struct object_words *o = arena_alloc(s->arena, sizeof *o);
		object_resolve(r, o, r->load->objects[i]);
		s->object_words[s->nobject_words++] = o;
	}
}
