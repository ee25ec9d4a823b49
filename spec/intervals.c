#include "spec/intervals.h"
#include "base/nearest.h"
#include "spec/expr_check.h"
#include "spec/names.h"
#include "spec/style.h"
#include <stdio.h>
#include <string.h>

/* ---- Ends ------------------------------------------------------------------------------------ */

static bool moment_find(const char *name, enum moment *moment)
{
	*moment = strcmp(name, "start") == 0 ? MOMENT_START : MOMENT_END;
	return *moment == MOMENT_START || strcmp(name, "end") == 0;
}

static void end_interval(struct resolve_context *r, struct interval_end *end,
			 const struct ast_end *ast)
{
	static const char *const moments[] = {"start", "end"};
	if (!ast->moment.text)
		diag_error(r->diag, ast->name.where, "%s is an interval; write %s.start or %s.end",
			   ast->name.text, ast->name.text, ast->name.text);
	else if (!moment_find(ast->moment.text, &end->moment))
		diag_unknown(r->diag, ast->moment.where, nearest_name(ast->moment.text, moments, 2),
			     "an interval has a start and an end, but no '%s'", ast->moment.text);
}

static void end_unknown(struct resolve_context *r, const struct ast_end *ast)
{
	const char *near = nearest_event(r->spec, ast->name.text);
	if (!near)
		near = nearest_interval(r->spec, ast->name.text);
	diag_unknown(r->diag, ast->name.where, near, "no event '%s'", ast->name.text);
}

static void end_resolve(struct resolve_context *r, struct interval_end *end,
			const struct ast_end *ast)
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

static void interval_ends(struct resolve_context *r, struct interval *i,
			  const struct ast_interval *ast)
{
	end_resolve(r, &i->anchor, &ast->first);
	end_resolve(r, &i->partner, &ast->second);
	if (i->anchor.alias && i->partner.alias && strcmp(i->anchor.alias, i->partner.alias) == 0) {
		diag_error(r->diag, ast->second.alias.where, "both ends have the alias '%s'",
			   i->anchor.alias);
		diag_note(r->diag, ast->first.alias.where, "first given here");
	}
	if (i->nested && i->direction == BACKWARDS)
		diag_error(r->diag, ast->pairing_where,
			   "'nested' pairs events like calls and returns, which needs a forward "
			   "arrow");
}

/* Reports the path from an interval back to itself. */
static void cycle_error(struct resolve_context *r, const struct interval *const *path, unsigned n)
{
	char text[512];
	int used = 0;
	for (unsigned i = 0; i < n && used >= 0 && (size_t)used < sizeof text; i++)
		used += snprintf(text + used, sizeof text - (size_t)used, "%s -> ", path[i]->name);
	diag_error(r->diag, path[0]->where, "interval %s depends on itself: %s%s", path[0]->name,
		   text, path[0]->name);
}

enum visit_state { UNSEEN, ON_PATH, DONE };

/* Intervals that end at intervals that end at intervals ... */
enum { LONGEST_CHAIN = 1000 };

struct interval_walk {
	struct resolve_context *r;
	unsigned char *states;
	const struct interval **path;
	unsigned depth;
};

static void interval_walk(struct interval_walk *w, struct interval *i);

/* Cuts off an end that closes a cycle, so that following ends comes to an end from now on. */
static void end_walk(struct interval_walk *w, struct interval_end *end)
{
	if (!end->interval)
		return;
	unsigned start = w->depth;
	if (w->depth == LONGEST_CHAIN) {
		diag_error(w->r->diag, end->where,
			   "intervals over intervals are nested more than %d deep", LONGEST_CHAIN);
		end->interval = NULL;
	} else if (w->states[end->interval->index] == ON_PATH) {
		while (w->path[--start] != end->interval)
			;
		cycle_error(w->r, w->path + start, w->depth - start);
		end->interval = NULL;
	} else {
		interval_walk(w, w->r->spec->intervals[end->interval->index]);
	}
}

static void interval_walk(struct interval_walk *w, struct interval *i)
{
	if (w->states[i->index] == DONE)
		return;
	w->states[i->index] = ON_PATH;
	w->path[w->depth++] = i;
	end_walk(w, &i->anchor);
	end_walk(w, &i->partner);
	w->depth--;
	w->states[i->index] = DONE;
}

/*
 * Reports intervals whose ends lead back to themselves, and cuts off the last end of each such
 * path.
 */
static void ends_cut_cycles(struct resolve_context *r)
{
	const struct spec *s = r->spec;
	struct interval_walk w = {.r = r};
	w.states = arena_alloc(s->arena, s->nintervals);
	w.path = arena_alloc(s->arena, s->nintervals * sizeof *w.path);
	for (unsigned i = 0; i < s->nintervals; i++)
		interval_walk(&w, s->intervals[i]);
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static struct expr *attribute_side(const struct event_type *event, unsigned index, enum side side,
				   struct span where)
{
	enum type t = event->attributes[index].type;
	enum value_kind kind = t == TYPE_DOUBLE ? VALUE_REAL : VALUE_INT;
	if (t == TYPE_STRING)
		kind = VALUE_STRING;
	struct expr *x = expr_new(EXPR_ATTRIBUTE, kind, where);
	x->event = event;
	x->attribute = index;
	x->side = side;
	return x;
}

static bool same_names(struct resolve_context *r, const struct interval *i,
		       const struct event_type *a, const struct event_type *b, struct span where)
{
	bool good = true;
	for (unsigned k = 0; k < a->nattributes; k++) {
		if (event_attribute(b, a->attributes[k].name) >= 0)
			continue;
		diag_error(r->diag, where, "interval %s cannot use Match: %s has no attribute '%s'",
			   i->name, b->name, a->attributes[k].name);
		diag_note(r->diag, a->attributes[k].where, "%s has it here", a->name);
		good = false;
	}
	return good;
}

static bool same_kinds(struct resolve_context *r, const struct interval *i,
		       const struct attribute *a, const struct attribute *b, struct span where)
{
	if ((a->type == TYPE_STRING) == (b->type == TYPE_STRING))
		return true;
	diag_error(r->diag, where,
		   "interval %s cannot use Match: '%s' is a string in only one of "
		   "the events",
		   i->name, a->name);
	diag_note(r->diag, a->where, "%s here", type_name(a->type));
	diag_note(r->diag, b->where, "%s here", type_name(b->type));
	return false;
}

static struct expr *constant_true(struct span where)
{
	struct expr *x = expr_new(EXPR_CONSTANT, VALUE_BOOL, where);
	x->constant = (struct value){.kind = VALUE_BOOL, .truth = true};
	return x;
}

/*
 * Returns the equalities that Match stands for, joined by &&; the constant true without an
 * attribute; NULL after an error.
 */
static struct expr *match_condition(struct resolve_context *r, const struct interval *i,
				    struct span where)
{
	const struct event_type *a = end_event(&i->anchor), *b = end_event(&i->partner);
	bool good = same_names(r, i, a, b, where);
	if (a != b)
		good &= same_names(r, i, b, a, where);
	struct expr *all = NULL;
	for (unsigned k = 0; good && k < a->nattributes; k++) {
		unsigned other = (unsigned)event_attribute(b, a->attributes[k].name);
		if (!same_kinds(r, i, &a->attributes[k], &b->attributes[other], where)) {
			good = false;
			break;
		}
		struct expr *equal =
		    expr_binary(EXPR_EQ, where, attribute_side(a, k, SIDE_ANCHOR, where),
				attribute_side(b, other, SIDE_PARTNER, where));
		all = all ? expr_binary(EXPR_AND, where, all, equal) : equal;
	}
	if (good)
		return all ? all : constant_true(where);
	expr_free(all);
	return NULL;
}

/* Returns an attribute of one end that Match names; reports that there is none. */
static struct expr *matched_side(struct resolve_context *r, const struct interval *i,
				 enum side side, const struct ast_name *name)
{
	const struct event_type *event = end_event(side == SIDE_ANCHOR ? &i->anchor : &i->partner);
	struct expr *x = attribute_expr(event, name->text, name->where, side);

	if (x && x->op != EXPR_TIME)
		return x;
	expr_free(x);
	diag_unknown(r->diag, name->where, nearest_attribute(event, name->text),
		     "interval %s cannot use Match: %s has no attribute '%s'", i->name, event->name,
		     name->text);
	diag_note(r->diag, event->where, "%s is specified here", event->name);
	return NULL;
}

/* Returns the equality of an attribute that Match names, or NULL after an error. */
static struct expr *matched_equality(struct resolve_context *r, const struct interval *i,
				     const struct ast_name *name)
{
	struct expr *left = matched_side(r, i, SIDE_ANCHOR, name);
	struct expr *right = left ? matched_side(r, i, SIDE_PARTNER, name) : NULL;

	if (right && (left->kind == VALUE_STRING) == (right->kind == VALUE_STRING))
		return expr_binary(EXPR_EQ, name->where, left, right);
	if (right)
		diag_error(
		    r->diag, name->where,
		    "interval %s cannot use Match: '%s' is a string in only one of the events",
		    i->name, name->text);
	expr_free(left);
	expr_free(right);
	return NULL;
}

/* The same as match_condition() for the attributes that Match names. */
static struct expr *chosen_condition(struct resolve_context *r, const struct interval *i,
				     const struct ast_look *names)
{
	struct expr *all = NULL;
	bool good = true;

	for (; names; names = names->next) {
		struct expr *equal = matched_equality(r, i, &names->word);

		good = good && equal;
		all = all && equal ? expr_binary(EXPR_AND, names->word.where, all, equal)
		      : equal      ? equal
				   : all;
	}
	if (good)
		return all;
	expr_free(all);
	return NULL;
}

/* Returns anchor.thread == partner.thread. */
static struct expr *same_thread_condition(const struct interval *i)
{
	struct expr *left = expr_new(EXPR_THREAD, VALUE_INT, i->where);
	struct expr *right = expr_new(EXPR_THREAD, VALUE_INT, i->where);
	right->side = SIDE_PARTNER;
	return expr_binary(EXPR_EQ, i->where, left, right);
}

/* Returns the whole condition, or NULL after an error. */
static struct expr *condition_resolve(struct resolve_context *r, const struct interval *i,
				      const struct ast_interval *ast)
{
	struct scope scope = {.spec = r->spec, .interval = i, .diag = r->diag};
	if (!i->match && !ast->condition)
		return same_thread_condition(i);
	struct expr *match = ast->match ? chosen_condition(r, i, ast->match)
			     : i->match ? match_condition(r, i, ast->pairing_where)
					: NULL;
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

/* ---- Metrics --------------------------------------------------------------------------------- */

static void metric_name_check(struct resolve_context *r, const struct interval *i,
			      const struct metric *m)
{
	if (is_intrinsic(m->name))
		diag_error(r->diag, m->where, "'%s' already has a meaning; choose another name",
			   m->name);
	for (const struct metric *other = i->metrics; other < m; other++) {
		if (strcmp(other->name, m->name) != 0)
			continue;
		diag_error(r->diag, m->where, "interval %s already has a metric '%s'", i->name,
			   m->name);
		diag_note(r->diag, other->where, "first given here");
		return;
	}
}

/* A metric evaluates those that it uses: a long chain of m = l + l would take forever. */
enum { HEAVIEST_METRIC = 10000 };

/* Returns how many nodes an expression evaluates, at most HEAVIEST_METRIC + 1. */
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

static void metric_weigh(struct resolve_context *r, const struct interval *i, unsigned *weights)
{
	const struct metric *m = &i->metrics[i->nmetrics];
	unsigned *weight = &weights[i->nmetrics];
	*weight = expr_weight(m->value, i, weights);
	if (*weight <= HEAVIEST_METRIC)
		return;
	diag_error(r->diag, m->where,
		   "metric '%s' takes more than %d steps, including those of the metrics it uses",
		   m->name, HEAVIEST_METRIC);
	*weight = 1;
}

/* A metric may use those before it, so nmetrics grows while they are resolved. */
static void metrics_resolve(struct resolve_context *r, struct interval *i,
			    const struct ast_metric *list)
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

void intervals_resolve(struct resolve_context *r)
{
	struct spec *s = r->spec;
	for (unsigned k = 0; k < s->nintervals; k++)
		interval_ends(r, s->intervals[k], &r->interval_items[k]->interval);
	ends_cut_cycles(r);
	for (unsigned k = 0; k < s->nintervals; k++) {
		struct interval *i = s->intervals[k];
		const struct ast_interval *ast = &r->interval_items[k]->interval;
		interval_style_resolve(r, i, ast->look);
		if (!end_event(&i->anchor) || !end_event(&i->partner))
			continue;
		i->condition = condition_resolve(r, i, ast);
		metrics_resolve(r, i, ast->metrics);
	}
}
