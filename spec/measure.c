#include "spec/measure.h"
#include "base/array.h"
#include "base/nearest.h"
#include "spec/names.h"
#include <stdlib.h>
#include <string.h>

static const char *const names[NTESTS] = {
    "share",     "cost",     "crowd",     "holder",   "rate",      "count",      "mean",
    "threads",   "again",    "together",  "uneven",   "probe",     "queued",     "spread",
    "preempted", "inverted", "overtaken", "deadlock", "stuck",     "switching",  "ended",
    "surplus",   "switched", "paging",    "paged",    "throttled", "migrations", "during",
};

/* Of the others: shares. */
static const enum measure_unit units[NTESTS] = {
    [TEST_RATE] = MEASURE_PER_SECOND,  [TEST_COUNT] = MEASURE_COUNT,
    [TEST_MEAN] = MEASURE_TIME,        [TEST_THREADS] = MEASURE_COUNT,
    [TEST_DEADLOCK] = MEASURE_COUNT,   [TEST_STUCK] = MEASURE_COUNT,
    [TEST_MIGRATIONS] = MEASURE_COUNT,
};

/* These are about threads that run. */
static const bool of_running[NTESTS] = {
    [TEST_PAGING] = true, [TEST_PAGED] = true, [TEST_MIGRATIONS] = true};

const char *measure_name(enum test_function f)
{
	return names[f];
}

enum measure_unit measure_unit(enum test_function f)
{
	return units[f];
}

bool measure_is_whole(enum test_function f)
{
	return units[f] == MEASURE_COUNT || units[f] == MEASURE_TIME;
}

bool measure_is_of_running(const struct test_measure *m)
{
	return m->event || of_running[m->function];
}

static bool kind_take(const struct scope *s, struct test_measure *m, const struct ast_argument *a)
{
	const char *text = a->value->name.text;
	for (enum interval_kind k = KIND_WORK; k <= KIND_SPIN; k++)
		if (strcmp(interval_kind_name(k), text) == 0) {
			m->kind = k;
			return true;
		}
	diag_error(s->diag, a->value->where, "'%s' is no kind of interval", text);
	return false;
}

/* kind "wait", state "ready", label "...", object "...", interval "...", event "..." */
static bool key_take(const struct scope *s, struct test_measure *m, const struct ast_argument *a)
{
	static const char *const keys[] = {"kind", "state", "label", "object", "interval", "event"};
	char **slots[] = {NULL, &m->state, &m->label, &m->object, &m->interval, &m->event};
	size_t i = 0, n = sizeof keys / sizeof *keys;
	while (i < n && strcmp(keys[i], a->key.text) != 0)
		i++;
	if (i == n) {
		diag_unknown(
		    s->diag, a->key.where, nearest_name(a->key.text, keys, n),
		    "a measure selects by kind, state, label, object, interval or event, not '%s'",
		    a->key.text);
		return false;
	}
	if (a->value->kind != AST_STRING) {
		diag_error(s->diag, a->value->where, "expected a string after '%s'", a->key.text);
		return false;
	}
	if (!slots[i])
		return kind_take(s, m, a);
	*slots[i] = text_format("%s", a->value->name.text);
	return true;
}

/* LockWait, or LockWait[where e.result == 0] */
static bool interval_take(const struct scope *s, struct test_measure *m, const struct ast_expr *e)
{
	const struct ast_expr *name = e->kind == AST_SELECT ? e->left : e;
	if (name->kind != AST_NAME) {
		diag_error(s->diag, e->where, "expected an interval, or kind \"...\"");
		return false;
	}
	m->exact = spec_interval(s->spec, name->name.text);
	if (!m->exact) {
		diag_unknown(s->diag, name->where, nearest_interval(s->spec, name->name.text),
			     "no interval '%s'", name->name.text);
		return false;
	}
	if (e->kind != AST_SELECT)
		return true;
	if (!e->arguments->is_where || e->arguments->next) {
		diag_error(s->diag, e->where, "a measure selects instances by one 'where'");
		return false;
	}
	m->where = e->arguments->value;
	return true;
}

static bool function_find(const struct scope *s, const struct ast_expr *e, struct test_measure *m)
{
	for (enum test_function f = 0; f < NTESTS; f++)
		if (strcmp(names[f], e->name.text) == 0) {
			m->function = f;
			return true;
		}
	diag_unknown(s->diag, e->name.where, nearest_name(e->name.text, names, NTESTS),
		     "unknown measure '%s'", e->name.text);
	return false;
}

/* Events have no duration: they are counted, or an attribute is summed up. */
static bool event_fits(const struct scope *s, const struct ast_expr *e,
		       const struct test_measure *m)
{
	bool alone = !m->kind && !m->state && !m->label && !m->object && !m->interval && !m->exact;
	bool time = m->function == TEST_SHARE || m->function == TEST_COST;

	if (m->function == TEST_ENDED) {
		if (m->event && alone)
			return true;
		diag_error(s->diag, e->where, "an event alone ends turns: ended(event \"E\")");
		return false;
	}
	if (!m->event || (alone && (m->function == TEST_RATE || (time && strchr(m->event, '.')))))
		return true;
	diag_error(
	    s->diag, e->where,
	    "an event is selected alone: rate(event \"E\"), or share(event \"E.attribute\")");
	return false;
}

struct expr *measure_check(const struct scope *s, const struct ast_expr *e)
{
	struct test_measure *m = array_zero(1, sizeof *m);
	struct expr *x = expr_new(EXPR_MEASURE, VALUE_REAL, e->where);
	bool good = function_find(s, e, m);
	x->measure = m;
	for (const struct ast_argument *a = e->arguments; a && good; a = a->next)
		good = a->key.text ? key_take(s, m, a) : interval_take(s, m, a->value);
	x->kind = measure_is_whole(m->function) ? VALUE_INT : VALUE_REAL;
	x->unit = units[m->function] == MEASURE_TIME ? UNIT_TIME : UNIT_NONE;
	if (good && event_fits(s, e, m))
		return x;
	expr_free(x);
	return NULL;
}
