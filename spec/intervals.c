#include "spec/intervals.h"
#include "spec/check.h"

#include <string.h>

static bool moment_find(const char *name, enum moment *moment)
{
	*moment = strcmp(name, "start") == 0 ? MOMENT_START : MOMENT_END;
	return *moment == MOMENT_START || strcmp(name, "end") == 0;
}

static void end_interval(struct resolver *r, struct interval_end *end, const struct ast_end *ast)
{
	static const char *const moments[] = {"start", "end"};
	if (!ast->moment.text)
		diag_error(r->diag, ast->name.where,
			   "%s is an interval: say which moment of it, %s.start or %s.end",
			   ast->name.text, ast->name.text, ast->name.text);
	else if (!moment_find(ast->moment.text, &end->moment))
		error_unknown(r->diag, ast->moment.where,
			      diag_nearest(ast->moment.text, moments, 2),
			      "an interval has a start and an end, no '%s'", ast->moment.text);
}

static void end_unknown(struct resolver *r, const struct ast_end *ast)
{
	const char *near = nearest_event(r->spec, ast->name.text);
	if (!near)
		near = nearest_interval(r->spec, ast->name.text);
	error_unknown(r->diag, ast->name.where, near, "no event '%s'", ast->name.text);
}

static void end_resolve(struct resolver *r, struct interval_end *end, const struct ast_end *ast)
{
	const char *name = ast->name.text, *alias = ast->alias.text;
	end->where = ast->where;
	if (alias)
		end->alias = arena_copy(r->spec->arena, alias, strlen(alias));
	end->event = spec_event(r->spec, name);
	end->interval = end->event ? NULL : spec_interval(r->spec, name);
	if (end->event && ast->moment.text)
		diag_error(r->diag, ast->moment.where,
			   "%s is an event: only intervals have a start and an end", name);
	else if (end->interval)
		end_interval(r, end, ast);
	else if (!end->event)
		end_unknown(r, ast);
}

static void interval_ends(struct resolver *r, struct interval *i, const struct ast_interval *ast)
{
	end_resolve(r, &i->anchor, &ast->first);
	end_resolve(r, &i->partner, &ast->second);
	if (i->anchor.alias && i->partner.alias && strcmp(i->anchor.alias, i->partner.alias) == 0) {
		diag_error(r->diag, ast->second.alias.where, "both ends have the alias '%s'",
			   i->anchor.alias);
		diag_note(r->diag, ast->first.alias.where, "it was given here");
	}
	if (i->nested && i->direction == BACKWARDS)
		diag_error(r->diag, ast->pairing_where,
			   "nested pairs like calls and returns, which only a forward arrow can");
}

/* All of the condition; NULL after an error. */
static struct expr *condition_resolve(struct resolver *r, const struct interval *i,
				      const struct ast_interval *ast)
{
	struct scope scope = {.spec = r->spec, .interval = i, .diag = r->diag};
	if (!i->match && !ast->condition)
		return same_thread_condition(i);
	struct expr *match = i->match ? match_condition(r, i, ast->pairing_where) : NULL;
	struct expr *given = ast->condition ? condition_check(&scope, ast->condition) : NULL;
	if (match && given)
		return expr_binary(EXPR_AND, ast->condition->where, match, given);
	if (match && !ast->condition)
		return match;
	if (given && !i->match)
		return given;
	expr_free(match);
	expr_free(given);
	return NULL;
}

static void metric_name_check(struct resolver *r, const struct interval *i, const struct metric *m)
{
	if (is_intrinsic(m->name))
		diag_error(r->diag, m->where, "'%s' has a meaning already; choose another name",
			   m->name);
	for (const struct metric *other = i->metrics; other < m; other++) {
		if (strcmp(other->name, m->name) != 0)
			continue;
		diag_error(r->diag, m->where, "interval %s has a metric '%s' already", i->name,
			   m->name);
		diag_note(r->diag, other->where, "it was given here");
		return;
	}
}

/* Evaluating a metric evaluates those it uses: a chain of m = l + l would take for ever. */
enum { HEAVIEST_METRIC = 10000 };

/* How many nodes are evaluated for an expression, capped. */
static unsigned expr_weight(const struct expr *e, const struct interval *i, const unsigned *weights)
{
	if (!e)
		return 0;
	unsigned weight = 1;
	if (e->op == EXPR_METRIC)
		weight += weights[e->metric - i->metrics];
	weight += expr_weight(e->left, i, weights) + expr_weight(e->right, i, weights);
	return weight > HEAVIEST_METRIC ? HEAVIEST_METRIC + 1 : weight;
}

static void metric_weigh(struct resolver *r, const struct interval *i, unsigned *weights)
{
	const struct metric *m = &i->metrics[i->nmetrics];
	unsigned *weight = &weights[i->nmetrics];
	*weight = expr_weight(m->value, i, weights);
	if (*weight <= HEAVIEST_METRIC)
		return;
	diag_error(r->diag, m->where,
		   "metric '%s' takes more than %d steps, by way of other metrics", m->name,
		   HEAVIEST_METRIC);
	*weight = 1;
}

/* A metric may use those before it: nmetrics grows as they are resolved. */
static void metrics_resolve(struct resolver *r, struct interval *i, const struct ast_metric *list)
{
	struct scope scope = {.spec = r->spec, .interval = i, .duration = true, .diag = r->diag};
	unsigned n = 0;
	for (const struct ast_metric *m = list; m; m = m->next)
		n++;
	i->metrics = arena_alloc(r->spec->arena, n * sizeof *i->metrics);
	unsigned *weights = arena_alloc(r->spec->arena, n * sizeof *weights);
	for (const struct ast_metric *ast = list; ast; ast = ast->next) {
		struct metric *m = &i->metrics[i->nmetrics];
		m->name = arena_copy(r->spec->arena, ast->name.text, strlen(ast->name.text));
		m->where = ast->name.where;
		metric_name_check(r, i, m);
		m->value = number_check(&scope, ast->value);
		metric_weigh(r, i, weights);
		i->nmetrics++;
	}
}

void intervals_resolve(struct resolver *r)
{
	struct spec *s = r->spec;
	for (unsigned k = 0; k < s->nintervals; k++)
		interval_ends(r, s->intervals[k], &r->interval_items[k]->interval);
	ends_cut_cycles(r);
	for (unsigned k = 0; k < s->nintervals; k++) {
		struct interval *i = s->intervals[k];
		const struct ast_interval *ast = &r->interval_items[k]->interval;
		interval_look_resolve(r, i, ast->look);
		if (!end_event(&i->anchor) || !end_event(&i->partner))
			continue;
		i->condition = condition_resolve(r, i, ast);
		metrics_resolve(r, i, ast->metrics);
	}
}
