#include "match/stats/check.h"
#include "base/array.h"
#include "base/parallel.h"
#include "match/eval/formula.h"
#include "spec/expr.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

double check_excess(const struct expr *e, const struct binding *b)
{
	struct value left, right;

	if (e->op == EXPR_AND || e->op == EXPR_OR) {
		uint64_t faults = 0;

		return check_excess(expr_holds(e->left, b, &faults) ? e->right : e->left, b);
	}
	if (e->op < EXPR_EQ || e->op > EXPR_GE || e->left->kind == VALUE_STRING ||
	    !expr_value(e->left, b, &left) || !expr_value(e->right, b, &right))
		return (double)b->duration;
	return value_real(&left) < value_real(&right) ? value_real(&right) - value_real(&left) :
							value_real(&left) - value_real(&right);
}

/* Keeps the list of the worst in order; of equal ones the earlier comes first. */
static void violation_add(struct verdict *v, struct violation new, size_t most)
{
	size_t i = v->nworst;

	if (i == most && (most == 0 || !(new.excess > v->worst[most - 1].excess)))
		return;
	if (i < most)
		v->nworst++;
	else
		i--;
	for (; i > 0 && new.excess > v->worst[i - 1].excess; i--)
		v->worst[i] = v->worst[i - 1];
	v->worst[i] = new;
}

/* Which instances break a condition: first all are looked at, then those that do are told in order. */
struct checking {
	const struct matches *matches;
	struct formula condition;
	uint64_t *broken; /* a bit for each anchor */
	uint64_t faults;
};

static void stretch_check(void *context, size_t from, size_t to)
{
	struct checking *c = context;
	uint64_t faults = 0;

	for (size_t i = from; i < to; i++) {
		struct binding b;

		if (c->matches->partner_of[i] == UNMATCHED)
			continue;
		matches_bind(c->matches, i, c->condition.names, &b);
		if (!formula_holds(&c->condition, &b, &faults))
			c->broken[i / 64] |= UINT64_C(1) << i % 64;
	}
	__atomic_fetch_add(&c->faults, faults, __ATOMIC_RELAXED);
}

static void check_instances(struct verdict *v, const struct matches *m, size_t worst,
			    void (*show)(void *, const struct matches *, size_t), void *context)
{
	const struct expr *condition = v->assertion->condition;
	struct checking c = {.matches = m,
			     .condition = formula_of(condition),
			     .broken = array_zero(m->count / 64 + 1, sizeof *c.broken)};

	v->worst = array_new(worst, sizeof *v->worst);
	v->instances = m->matched;
	parallel_chunks(m->count, stretch_check, &c);
	v->faults = c.faults;
	for (size_t i = 0; i < m->count; i++) {
		struct binding b;

		if (!(c.broken[i / 64] >> i % 64 & 1))
			continue;
		matches_bind(m, i, true, &b);
		v->violated++;
		show(context, m, i);
		violation_add(v, (struct violation){i, check_excess(condition, &b)}, worst);
	}
	v->holds = v->violated == 0;
	formula_clear(&c.condition);
	free(c.broken);
}

struct verdict check_each(struct aggregates *a, const struct assertion *assertion, size_t worst,
			  void (*show)(void *, const struct matches *, size_t), void *context)
{
	struct verdict v = {.assertion = assertion};
	struct binding b = {.aggregate = aggregates_value, .context = a};
	uint64_t faults = 0;

	if (assertion->interval) {
		check_instances(&v, aggregates_matches(a, assertion->interval), worst, show,
				context);
	} else {
		v.holds = expr_holds(assertion->condition, &b, &faults);
		v.undefined = faults > 0;
	}
	return v;
}

static void show_nothing(void *context, const struct matches *m, size_t anchor)
{
	(void)context, (void)m, (void)anchor;
}

struct verdict check_assertion(struct aggregates *a, const struct assertion *assertion,
			       size_t worst)
{
	return check_each(a, assertion, worst, show_nothing, NULL);
}

void verdict_clear(struct verdict *v)
{
	free(v->worst);
}

char *assertion_text(const struct assertion *assertion)
{
	const struct span *where = &assertion->where;
	char *text = array_new(where->end - where->start + 1, 1), *to = text;

	for (size_t i = where->start; i < where->end; i++) {
		char c = where->source->text[i];

		if (!isspace((unsigned char)c))
			*to++ = c;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	*to = '\0';
	return text;
}

void each_aggregate(const struct expr *e, void (*show)(void *, const struct expr *), void *context)
{
	if (e->op == EXPR_AGGREGATE)
		show(context, e);
	if (e->left)
		each_aggregate(e->left, show, context);
	if (e->right)
		each_aggregate(e->right, show, context);
}
