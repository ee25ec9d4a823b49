#include "analysis/replay/changes/fit_value.h"
#include "base/array.h"
#include "base/nearest.h"
#include "grammar/parse.h"
#include "spec/expr_check.h"
#include "spec/layout.h"
#include "spec/qualified.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NO_ATTRIBUTE = -1 };

/* ---- text ---- */

/* Returns the first comma that is in no parentheses, or NULL. */
static const char *comma_find(const char *text)
{
	int depth = 0;

	for (; *text; text++) {
		depth += (*text == '(') - (*text == ')');
		if (*text == ',' && !depth)
			return text;
	}
	return NULL;
}

/*
 * Returns the checked expression of an event, or NULL. spec: NULL: only the syntax is checked,
 * *good says how.
 */
static struct expr *expression_of(const struct spec *spec, const struct event_type *event,
				  const char *text, size_t n, bool *good)
{
	struct diag silent = {.out = NULL};
	char *copy = text_format("%.*s", (int)n, text);
	struct source *source = source_text("", copy);
	struct ast *tree = parse_series(source, &silent);
	struct expr *e = NULL;

	*good = tree != NULL;
	if (tree && spec) {
		qualified_resolve(spec, tree->series);
		e = event_key(spec, event, tree->series, &silent);
	}
	if (tree)
		ast_free(tree);
	source_free(source);
	free(copy);
	return e;
}

bool fit_value_is_expression(const char *text)
{
	const char *comma = comma_find(text);
	bool first, second = true;

	expression_of(NULL, NULL, text, comma ? (size_t)(comma - text) : strlen(text), &first);
	if (comma)
		expression_of(NULL, NULL, comma + 1, strlen(comma + 1), &second);
	return first && second;
}

/* ---- attributes ---- */

static bool is_number(const struct attribute *a)
{
	return a->type <= TYPE_DOUBLE;
}

static int attribute_named(const struct event_type *event, const char *name, size_t n)
{
	for (unsigned i = 0; i < event->nattributes; i++)
		if (strlen(event->attributes[i].name) == n &&
		    memcmp(event->attributes[i].name, name, n) == 0)
			return (int)i;
	return NO_ATTRIBUTE;
}

/*
 * Returns why an expression cannot be evaluated for an event: the first name in it that is no
 * attribute.
 */
static char *unknown_name(const struct event_type *event, const char *text)
{
	const char *end, *near;
	const char **names;
	char *name, *reason;

	while (*text && !isalpha((unsigned char)*text) && *text != '_')
		text++;
	for (end = text; isalnum((unsigned char)*end) || *end == '_';)
		end++;
	if (*text && attribute_named(event, text, (size_t)(end - text)) != NO_ATTRIBUTE)
		return unknown_name(event, end);
	if (!*text)
		return text_format("it is not an expression of attributes of %s", event->name);
	names = array_new(event->nattributes + 1, sizeof *names);
	for (unsigned i = 0; i < event->nattributes; i++)
		names[i] = event->attributes[i].name;
	name = text_format("%.*s", (int)(end - text), text);
	near = nearest_name(name, names, event->nattributes);
	reason = text_format("%s has no attribute '%s'%s%s%s", event->name, name,
			     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	free(names);
	free(name);
	return reason;
}

/*
 * Sets *attribute to the one that an expression is of; left as it is if there is none. Returns
 * false if it is of several, or of something else.
 */
static bool attribute_find(const struct expr *e, int *attribute)
{
	if (!e)
		return true;
	if (e->op == EXPR_ATTRIBUTE) {
		if (*attribute != NO_ATTRIBUTE && *attribute != (int)e->attribute)
			return false;
		*attribute = (int)e->attribute;
		return true;
	}
	return !expr_is_of_side(e->op) && attribute_find(e->left, attribute) &&
	       attribute_find(e->right, attribute);
}

/* Returns the only attribute that is a number; NO_ATTRIBUTE: there is none, or several. */
static int only_number(const struct event_type *event)
{
	int found = NO_ATTRIBUTE;

	for (unsigned i = 0; i < event->nattributes; i++) {
		if (!is_number(&event->attributes[i]))
			continue;
		if (found != NO_ATTRIBUTE)
			return NO_ATTRIBUTE;
		found = (int)i;
	}
	return found;
}

/* ---- all ---- */

/* Returns why an expression cannot be fitted, or NULL; sets the attribute. */
static char *value_check(struct fit_value *v, const char *text, int attribute)
{
	if (!attribute_find(v->asked, &attribute))
		return text_format("'%s' must be an expression of one attribute of %s", text,
				   v->event->name);
	if (attribute == NO_ATTRIBUTE)
		attribute = only_number(v->event);
	if (attribute == NO_ATTRIBUTE)
		return text_format("'%s' names no attribute of %s; write fit(ATTRIBUTE,%s)", text,
				   v->event->name, text);
	v->attribute = (unsigned)attribute;
	if (!is_number(&v->event->attributes[attribute]))
		return text_format("'%s' of %s is not a number",
				   v->event->attributes[attribute].name, v->event->name);
	if (v->asked->kind != VALUE_INT && v->asked->kind != VALUE_REAL)
		return text_format("'%s' is not a number", text);
	return NULL;
}

bool fit_value_parse(const struct spec *spec, const struct event_type *event, const char *text,
		     struct fit_value *v, char **refusal)
{
	const char *comma = comma_find(text), *asked = comma ? comma + 1 : text;
	int attribute = NO_ATTRIBUTE;
	bool good;

	*v = (struct fit_value){.event = event};
	if (comma) {
		struct expr *first =
		    expression_of(spec, event, text, (size_t)(comma - text), &good);

		good = first && first->op == EXPR_ATTRIBUTE;
		if (good)
			attribute = (int)first->attribute;
		if (first)
			expr_free(first);
		if (!good) {
			*refusal = unknown_name(event, text);
			return false;
		}
	}
	v->asked = expression_of(spec, event, asked, strlen(asked), &good);
	*refusal = v->asked ? value_check(v, asked, attribute) : unknown_name(event, asked);
	if (*refusal)
		fit_value_free(v);
	return !*refusal;
}

void fit_value_free(struct fit_value *v)
{
	if (v->asked)
		expr_free(v->asked);
	v->asked = NULL;
}

double fit_value_recorded(const struct fit_value *v, const struct event *e)
{
	struct value value = record_value(e->type, v->attribute, e->record);

	return value_real(&value);
}

bool fit_value_asked(const struct fit_value *v, const struct trace *t, const struct event *e,
		     double *value)
{
	struct binding b = {.side[SIDE_ANCHOR] = event_operand(t, e)};
	struct value result;

	if (!expr_value(v->asked, &b, &result))
		return false;
	*value = value_real(&result);
	return true;
}
