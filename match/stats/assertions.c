#include "match/stats/assertions.h"
#include "base/array.h"
#include "base/parallel.h"
#include "match/eval/formula.h"
#include "spec/expr.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- aggregates ---- */

/* A series and what it is of. */
struct known {
	const struct interval *interval;
	const struct metric *metric;
	const struct event_type *event;
	int attribute;
	struct series series;
};

struct aggregates {
	struct trace *trace;
	struct matches **matches; /* by interval; those that are lent are not here */
	struct lender lender;     /* find is NULL: there is none */
	struct known *known;
	size_t nknown;
};

struct aggregates *aggregates_new(struct trace *t)
{
	struct aggregates *a = array_zero(1, sizeof *a);

	a->trace = t;
	a->matches = array_zero(t->spec->nintervals, sizeof *a->matches);
	return a;
}

struct aggregates *aggregates_new_from(struct trace *t, const struct lender *lender)
{
	struct aggregates *a = aggregates_new(t);

	a->lender = *lender;
	return a;
}

void aggregates_free(struct aggregates *a)
{
	for (unsigned i = 0; i < a->trace->spec->nintervals; i++)
		matches_free(a->matches[i]);
	for (size_t i = 0; i < a->nknown; i++)
		series_clear(&a->known[i].series);
	free(a->matches);
	free(a->known);
	free(a);
}

const struct matches *aggregates_matches(struct aggregates *a, const struct interval *interval)
{
	struct matches **m = &a->matches[interval->index];

	if (a->lender.find)
		return a->lender.find(a->lender.context, interval);
	if (!*m)
		*m = match_interval(a->trace, interval);
	return *m;
}

static struct series series_find(struct aggregates *a, const struct aggregate *wanted)
{
	struct moments events = {.trace = a->trace};
	const struct matches *m;

	if (wanted->metric && a->lender.measure)
		return a->lender.measure(a->lender.context, wanted->interval, wanted->metric);
	if (wanted->interval) {
		m = aggregates_matches(a, wanted->interval);
		return wanted->metric ? series_of_metric(m, wanted->metric)
				      : series_of_durations(m);
	}
	events.list = trace_events(a->trace, wanted->event);
	events.count = event_list_size(events.list);
	return series_of_attribute(&events, wanted->event, (unsigned)wanted->attribute);
}

static struct series *series_known(struct aggregates *a, const struct aggregate *wanted)
{
	for (size_t i = 0; i < a->nknown; i++) {
		struct known *k = &a->known[i];

		if (k->interval == wanted->interval && k->metric == wanted->metric &&
		    k->event == wanted->event && k->attribute == wanted->attribute)
			return &k->series;
	}
	a->known = array_grow(a->known, a->nknown, sizeof *a->known);
	a->known[a->nknown] = (struct known){wanted->interval, wanted->metric, wanted->event,
					     wanted->attribute, series_find(a, wanted)};
	return &a->known[a->nknown++].series;
}

static struct value integer_value(__int128 i)
{
	return (struct value){.kind = VALUE_INT, .integer = i};
}

static struct value real_value(double x)
{
	return (struct value){.kind = VALUE_REAL, .real = x};
}

static size_t count_of(struct aggregates *a, const struct aggregate *wanted)
{
	if (wanted->event)
		return a->trace->events_of_type[wanted->event->index];
	return aggregates_matches(a, wanted->interval)->matched;
}

static bool series_aggregate(struct series *s, const struct aggregate *wanted, struct value *result)
{
	if (s->n == 0 && wanted->function != AGGREGATE_SUM)
		return false;
	switch (wanted->function) {
	case AGGREGATE_MIN:
		*result = series_quantile(s, 0);
		break;
	case AGGREGATE_MAX:
		*result = series_quantile(s, 1);
		break;
	case AGGREGATE_MEAN:
		*result = real_value(series_mean(s));
		break;
	case AGGREGATE_SUM:
		*result = series_sum(s);
		break;
	default:
		*result = series_quantile(s, wanted->quantile);
	}
	return true;
}

bool aggregates_value(void *aggregates, const struct aggregate *wanted, struct value *result)
{
	struct aggregates *a = aggregates;
	const struct matches *m;

	switch (wanted->function) {
	case AGGREGATE_COUNT:
		*result = integer_value((__int128)count_of(a, wanted));
		return true;
	case AGGREGATE_UNMATCHED:
		m = aggregates_matches(a, wanted->interval);
		*result = integer_value((__int128)(m->count - m->matched));
		return true;
	case AGGREGATE_RATE:
		if (a->trace->duration <= 0)
			return false;
		*result =
		    real_value((double)count_of(a, wanted) / ((double)a->trace->duration / 1e9));
		return true;
	default:
		return series_aggregate(series_known(a, wanted), wanted, result);
	}
}

/* ---- assertions ---- */

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
	return value_real(&left) < value_real(&right) ? value_real(&right) - value_real(&left)
						      : value_real(&left) - value_real(&right);
}

/* Adds a violation to the worst, which are in order; of equal ones the earlier comes first. */
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

/* Which instances break a condition: all are looked at in parallel, then shown in order. */
struct checking {
	const struct matches *matches;
	struct formula condition;
	uint64_t *broken; /* a bit for each anchor */
	uint64_t faults;
};

static void chunk_check(void *context, size_t from, size_t to)
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

static void instances_check(struct verdict *v, const struct matches *m, size_t worst,
			    void (*show)(void *, const struct matches *, size_t), void *context)
{
	const struct expr *condition = v->assertion->condition;
	struct checking c = {.matches = m,
			     .condition = formula_of(condition),
			     .broken = array_zero(m->count / 64 + 1, sizeof *c.broken)};

	v->worst = array_new(worst, sizeof *v->worst);
	v->instances = m->matched;
	parallel_chunks(m->count, chunk_check, &c);
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
		instances_check(&v, aggregates_matches(a, assertion->interval), worst, show,
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

void aggregates_each(const struct expr *e, void (*show)(void *, const struct expr *), void *context)
{
	if (e->op == EXPR_AGGREGATE)
		show(context, e);
	if (e->left)
		aggregates_each(e->left, show, context);
	if (e->right)
		aggregates_each(e->right, show, context);
}
