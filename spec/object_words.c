#include "spec/object_words.h"
#include "base/nearest.h"
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

/* Says of a style that it is given twice, if so. */
static bool is_again(struct resolve_context *r, const struct ast_look *l, bool given)
{
	if (given)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	return given;
}

static void hold_set(struct resolve_context *r, const struct ast_look *l, struct object_words *o)
{
	if (!is_again(r, l, o->hold) && strcmp(l->value.text, "hold") != 0)
		diag_error(r->diag, l->value.where, "'kind' of an object is \"hold\", not \"%s\"",
			   l->value.text);
	o->hold = true;
}

static void by_set(struct resolve_context *r, const struct ast_look *l, struct object_words *o)
{
	bool by_name = strcmp(l->value.text, "name") == 0;

	if (!is_again(r, l, o->by_site || o->by_name) && !by_name &&
	    strcmp(l->value.text, "site") != 0)
		diag_error(r->diag, l->value.where,
			   "'by' of an object is \"site\" or \"name\", not \"%s\"", l->value.text);
	o->by_name = by_name;
	o->by_site = !by_name;
}

static void label_set(struct resolve_context *r, const struct ast_look *l, struct object_words *o)
{
	if (!is_again(r, l, o->label))
		o->label = text_take(r, &l->value, "leave the label out");
}

static void of_set(struct resolve_context *r, const struct ast_look *l, struct object_words *o)
{
	if (!is_again(r, l, o->of))
		o->of = text_take(r, &l->value, "give the name of an attribute of type object");
}

static void style_resolve(struct resolve_context *r, struct object_words *o,
			  const struct ast_look *l)
{
	static const char *const words[] = {"kind", "by", "label", "of"};
	static void (*const set[])(struct resolve_context *, const struct ast_look *,
				   struct object_words *) = {hold_set, by_set, label_set, of_set};
	enum { WORDS = sizeof words / sizeof *words };
	unsigned i = 0;
	while (i < WORDS && (!l->value.text || strcmp(words[i], l->word.text) != 0))
		i++;
	if (i == WORDS)
		diag_unknown(r->diag, l->word.where, nearest_name(l->word.text, words, WORDS),
			     "an object has kind \"hold\", by \"site\" or \"name\", label \"...\" "
			     "and of \"...\", not '%s'",
			     l->word.text);
	else
		set[i](r, l, o);
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
