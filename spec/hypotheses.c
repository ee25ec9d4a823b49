#include "spec/hypotheses.h"
#include "base/nearest.h"
#include "spec/expr_check.h"
#include "spec/measure.h"
#include "spec/names.h"
#include <string.h>

const struct hypothesis *spec_hypothesis(const struct spec *s, const char *name)
{
	for (unsigned i = 0; i < s->nhypotheses; i++)
		if (strcmp(s->hypotheses[i]->name, name) == 0)
			return s->hypotheses[i];
	return NULL;
}

static char *text_keep(struct resolve_context *r, const char *text)
{
	return arena_copy(r->spec->arena, text, strlen(text));
}

static void hypothesis_enter(struct resolve_context *r, const struct ast_item *item)
{
	const struct ast_name *name = &item->hypothesis.name;
	const struct hypothesis *other = spec_hypothesis(r->spec, name->text);
	struct hypothesis *h = arena_alloc(r->spec->arena, sizeof *h);
	if (other) {
		diag_error(r->diag, name->where, "there already is a hypothesis '%s'", name->text);
		diag_note(r->diag, other->where, "first given here");
	}
	h->name = text_keep(r, name->text);
	h->where = name->where;
	h->comment = item->comment ? text_keep(r, item->comment) : NULL;
	h->explanation = h->advice = h->hint = "";
	h->index = r->spec->nhypotheses;
	r->spec->hypotheses[r->spec->nhypotheses++] = h;
}

static void refines_resolve(struct resolve_context *r, struct hypothesis *h,
			    const struct ast_look *list)
{
	unsigned n = 0;
	for (const struct ast_look *l = list; l; l = l->next)
		n++;
	h->refines = arena_alloc(r->spec->arena, n * sizeof *h->refines);
	for (const struct ast_look *l = list; l; l = l->next) {
		const struct hypothesis *other = spec_hypothesis(r->spec, l->word.text);
		if (other && other->index < h->index)
			h->refines[h->nrefines++] = other;
		else
			diag_error(
			    r->diag, l->word.where,
			    "no hypothesis '%s' before this one; those that glimpse brings are "
			    "in \"glimpse/why.spec\", which can be imported",
			    l->word.text);
	}
}

static void texts_resolve(struct resolve_context *r, struct hypothesis *h,
			  const struct ast_look *list)
{
	static const char *const words[] = {"explain", "advice", "hint"};
	const char **slots[] = {&h->explanation, &h->advice, &h->hint};
	enum { WORDS = sizeof words / sizeof *words };
	for (const struct ast_look *l = list; l; l = l->next) {
		unsigned i = 0;
		while (i < WORDS && strcmp(words[i], l->word.text) != 0)
			i++;
		if (i < WORDS && l->value.text)
			*slots[i] = text_keep(r, l->value.text);
		else
			diag_unknown(r->diag, l->word.where,
				     nearest_name(l->word.text, words, WORDS),
				     "a hypothesis has explain \"...\", advice \"...\" and hint "
				     "\"...\", not '%s'",
				     l->word.text);
	}
}

static const struct test_measure *first_measure(const struct expr *e)
{
	const struct test_measure *m;
	if (!e || e->op == EXPR_MEASURE)
		return e ? e->measure : NULL;
	m = first_measure(e->left);
	return m ? m : first_measure(e->right);
}

/* Returns false after an error. */
static bool conditions_resolve(struct resolve_context *r, struct expr *e)
{
	struct test_measure *m = e ? e->measure : NULL;
	if (m && m->where)
		m->condition = interval_condition(r->spec, m->exact, m->where, r->diag);
	return !e || ((!m || !m->where || m->condition) && conditions_resolve(r, e->left) &&
		      conditions_resolve(r, e->right));
}

static void hypothesis_resolve(struct resolve_context *r, struct hypothesis *h,
			       const struct ast_hypothesis *ast)
{
	struct scope scope = {.spec = r->spec, .measures = true, .diag = r->diag};
	refines_resolve(r, h, ast->refines);
	texts_resolve(r, h, ast->look);
	if (!ast->condition)
		return;
	h->condition = condition_check(&scope, ast->condition);
	h->about = first_measure(h->condition);
	if (conditions_resolve(r, h->condition) && h->condition && !h->about)
		diag_error(r->diag, ast->condition->where,
			   "a hypothesis is tested by measures, such as share(kind \"wait\")");
}

static void axis_enter(struct resolve_context *r, const struct ast_axis *ast)
{
	struct search_axis *a = arena_alloc(r->spec->arena, sizeof *a);
	int attribute;
	a->event = spec_event(r->spec, ast->event.text);
	if (!a->event) {
		diag_unknown(r->diag, ast->event.where, nearest_event(r->spec, ast->event.text),
			     "no event '%s'", ast->event.text);
		return;
	}
	attribute = event_attribute(a->event, ast->attribute.text);
	if (attribute < 0) {
		diag_unknown(r->diag, ast->attribute.where,
			     nearest_attribute(a->event, ast->attribute.text),
			     "%s has no attribute '%s'", a->event->name, ast->attribute.text);
		return;
	}
	a->attribute = (unsigned)attribute;
	a->name = text_keep(r, ast->name.text);
	a->where = ast->name.where;
	r->spec->axes[r->spec->naxes++] = a;
}

void hypotheses_resolve(struct resolve_context *r)
{
	struct spec *s = r->spec;
	size_t n = r->load->nitems;
	unsigned h = 0;
	s->hypotheses = arena_alloc(s->arena, n * sizeof *s->hypotheses);
	s->axes = arena_alloc(s->arena, n * sizeof *s->axes);
	for (size_t i = 0; i < n; i++) {
		if (r->load->items[i]->kind == AST_HYPOTHESIS)
			hypothesis_enter(r, r->load->items[i]);
		else if (r->load->items[i]->kind == AST_AXIS)
			axis_enter(r, &r->load->items[i]->axis);
	}
	for (size_t i = 0; i < n; i++)
		if (r->load->items[i]->kind == AST_HYPOTHESIS)
			hypothesis_resolve(r, s->hypotheses[h++], &r->load->items[i]->hypothesis);
}
