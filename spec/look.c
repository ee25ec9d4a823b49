#include "spec/look.h"
#include "spec/names.h"
#include "spec/types.h"
#include <string.h>

/* Accepts "color", too. */
static char **style_slot(struct style *style, const char *key)
{
	if (strcmp(key, "colour") == 0 || strcmp(key, "color") == 0)
		return &style->colour;
	return strcmp(key, "label") == 0 ? &style->label : NULL;
}

static void style_set(struct resolver *r, struct style *style, const struct ast_look *l)
{
	static const char *const keys[] = {"colour", "label"};
	char **slot = style_slot(style, l->word.text);
	if (!slot)
		diag_unknown(r->diag, l->word.where, diag_nearest(l->word.text, keys, 2),
			     "unknown style '%s'", l->word.text);
	else if (*slot)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else
		*slot = arena_copy(r->spec->arena, l->value.text, strlen(l->value.text));
}

static void offset_set(struct resolver *r, struct event_type *e, const struct ast_name *word)
{
	int index = event_attribute(e, word->text);
	if (index < 0)
		diag_unknown(r->diag, word->where, nearest_attribute(e, word->text),
			     "%s has no attribute '%s' to shift its symbol by", e->name,
			     word->text);
	else if (e->attributes[index].type == TYPE_STRING)
		diag_error(r->diag, word->where, "a symbol cannot be shifted by '%s', a string",
			   word->text);
	else if (type_is_symbolic(e->attributes[index].type))
		diag_error(r->diag, word->where, "a symbol cannot be shifted by '%s', an address",
			   word->text);
	else
		e->offset_attribute = index;
}

/*
 * Sets the symbol that the first word names. If the word is an attribute instead, it shifts the
 * symbol that the viewer chooses.
 */
static void symbol_set(struct resolver *r, struct event_type *e, const struct ast_name *word)
{
	size_t n;
	const char *const *names = symbol_names(&n);
	if (symbol_find(word->text, &e->symbol))
		return;
	if (event_attribute(e, word->text) >= 0)
		offset_set(r, e, word);
	else
		diag_unknown(r->diag, word->where, diag_nearest(word->text, names, n),
			     "unknown symbol '%s'", word->text);
}

void event_look_resolve(struct resolver *r, struct event_type *e, const struct ast_look *look)
{
	unsigned words = 0;
	for (const struct ast_look *l = look; l; l = l->next) {
		if (l->value.text)
			style_set(r, &e->style, l);
		else if (++words == 1)
			symbol_set(r, e, &l->word);
		else if (words == 2)
			offset_set(r, e, &l->word);
		else if (words == 3)
			diag_error(r->diag, l->word.where,
				   "'%s' cannot follow a symbol and its offset; only styles can",
				   l->word.text);
	}
}

void interval_look_resolve(struct resolver *r, struct interval *i, const struct ast_look *look)
{
	size_t n;
	const char *const *names = connection_names(&n);
	bool given = false;
	for (const struct ast_look *l = look; l; l = l->next) {
		if (l->value.text)
			style_set(r, &i->style, l);
		else if (given)
			diag_error(r->diag, l->word.where,
				   "'%s' cannot follow a connection; only styles can",
				   l->word.text);
		else if (!connection_find(l->word.text, &i->connection))
			diag_unknown(r->diag, l->word.where, diag_nearest(l->word.text, names, n),
				     "unknown connection '%s' (use line or rectangle)",
				     l->word.text);
		given |= !l->value.text;
	}
}
