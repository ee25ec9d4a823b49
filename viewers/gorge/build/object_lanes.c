#include "viewers/gorge/build/object_lanes.h"
#include "base/visible.h"
#include "viewers/gorge/build/building.h"
#include <fnmatch.h>
#include <stdlib.h>

/*
 * So many lanes of one kind. A picture of a trace with more events than LARGE_TRACE is not kept
 * waiting for objects.
 */
enum { OBJECT_INDENT = 12, MOST_LANES = 40, LARGE_TRACE = 3000000, PATIENCE = 20 };

char *object_kind_plural(const struct object_kind *kind)
{
	size_t n = strlen(kind->name);
	char last = n ? kind->name[n - 1] : 's';

	if (last == 's' || kind->interval)
		return text_format("%s", kind->name);
	if (last == 'y')
		return text_format("%.*sies", (int)n - 1, kind->name);
	return text_format("%s%s", kind->name, last == 'x' || last == 'h' ? "es" : "s");
}

/* ---- the list ---- */

struct object_choice {
	const struct view *view;
	struct object_lanes *lanes;
	const struct object_kinds *kinds;
	bool *kinds_chosen, *chosen; /* by kind; by object */
	bool any;                    /* a word asks for objects */
	bool contended;              /* those for which threads waited most are wanted */
};

static bool is_word(const char *list, size_t n, const char *word)
{
	return strlen(word) == n && !strncmp(list, word, n);
}

static bool take_kind(struct object_choice *c, const char *word, size_t n)
{
	bool found = false;

	for (unsigned i = 0; i < c->kinds->list.n; i++) {
		const char *name = c->kinds->list.at[i].name;
		char *plural = object_kind_plural(&c->kinds->list.at[i]);

		if (is_word(word, n, name) || is_word(word, n, plural))
			found = c->kinds_chosen[i] = true;
		free(plural);
	}
	return found;
}

static bool take_objects(struct object_choice *c, const char *word, size_t n)
{
	const struct object_index *x = c->lanes->index;
	char *pattern = text_format("%.*s", (int)n, word);
	bool found = !x;

	for (size_t i = 0; x && i < x->objects.n; i++)
		if (!fnmatch(pattern, x->objects.at[i].name, 0))
			found = c->chosen[i] = true;
	free(pattern);
	return found;
}

static bool take_word(struct object_choice *c, const char *word, size_t n)
{
	if (is_word(word, n, "threads") || is_word(word, n, "alive")) {
		c->lanes->threads = true;
		c->lanes->first = c->any;
		return true;
	}
	c->any = true;
	if (is_word(word, n, "contended"))
		return c->contended = true;
	if (is_word(word, n, "objects")) {
		for (unsigned i = 0; i < c->kinds->list.n; i++)
			c->kinds_chosen[i] = true;
		return true;
	}
	return take_kind(c, word, n) || take_objects(c, word, n);
}

static void refuse(const struct object_choice *c, const char *word, size_t n, struct diag *diag)
{
	char *list = text_format("threads, alive, contended");

	for (unsigned i = 0; i < c->kinds->list.n; i++) {
		char *plural = object_kind_plural(&c->kinds->list.at[i]);
		char *longer = text_format("%s, %s", list, plural);
		free(plural);
		free(list);
		list = longer;
	}
	diag_error(diag, DIAG_NOWHERE, "--lanes: unknown lane '%.*s' (expected %s%s)", (int)n, word,
		   list, c->kinds->list.n ? " or names of objects" : "");
	free(list);
}

static bool take_list(struct object_choice *c, struct diag *diag)
{
	bool good = true;

	for (const char *at = c->view->lanes; *at;) {
		size_t n = strcspn(at, ",");

		if (n && !take_word(c, at, n)) {
			refuse(c, at, n, diag);
			good = false;
		}
		at += n + (at[n] == ',');
	}
	return good;
}

/* ---- the objects ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

struct object_order {
	const struct object_index *index;
	enum sort sort;
};

/* What was waited for longest comes first, unless the view has another order. */
static int compare_objects(const void *pa, const void *pb, void *context)
{
	const struct object_order *o = context;
	uint32_t i = *(const uint32_t *)pa, k = *(const uint32_t *)pb;
	const struct traced_object *a = &o->index->objects.at[i], *b = &o->index->objects.at[k];
	int order = 0;

	if (o->sort == SORT_NAME)
		order = strverscmp(a->name, b->name);
	if (o->sort == SORT_SPEC || o->sort == SORT_LOGGED)
		order = compare_numbers((uint64_t)a->waited, (uint64_t)b->waited);
	if (!order && o->sort != SORT_START && o->sort != SORT_NAME)
		order = compare_numbers(a->holds + a->waits, b->holds + b->waits);
	return order ? order : (i > k) - (i < k);
}

/* So many of these, for which threads waited more than a hundredth of their time. */
enum { MOST_CONTENDED = 3, LEAST_SHARE = 100 };

static int64_t time_of_threads(const struct trace *t)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < t->nthreads; i++)
		if (t->threads[i].events)
			sum += t->threads[i].last - t->threads[i].first;
	return sum;
}

/* Chooses what is held and was waited for longest. */
static void choose_contended(struct object_choice *c, const struct trace *t)
{
	const struct object_index *x = c->lanes->index;
	int64_t least = time_of_threads(t) / LEAST_SHARE;

	for (unsigned n = 0; c->contended && x && n < MOST_CONTENDED; n++) {
		size_t best = x->objects.n;

		for (size_t i = 0; i < x->objects.n; i++) {
			const struct traced_object *o = &x->objects.at[i];

			if (!c->chosen[i] && o->holds && o->waited > least &&
			    (best == x->objects.n || o->waited > x->objects.at[best].waited))
				best = i;
		}
		if (best == x->objects.n)
			return;
		c->chosen[best] = true;
	}
}

static bool is_chosen(const struct object_choice *c, size_t object)
{
	return c->chosen[object] || c->kinds_chosen[c->lanes->index->objects.at[object].kind];
}

static void add_group(struct object_choice *c, unsigned kind)
{
	struct object_lanes *l = c->lanes;
	struct object_group group = {.kind = kind, .first = l->objects.n};
	struct object_order ordering = {l->index, c->view->sort};

	for (size_t i = 0; i < l->index->objects.n; i++)
		if (l->index->objects.at[i].kind == kind && is_chosen(c, i))
			*vector_add(&l->objects) = (uint32_t)i;
	group.all = l->objects.n - group.first;
	group.bare = c->contended && !c->kinds_chosen[kind];
	if (!group.all)
		return;
	qsort_r(&l->objects.at[group.first], group.all, sizeof *l->objects.at, compare_objects,
		&ordering);
	group.n = group.all < MOST_LANES ? group.all : MOST_LANES;
	l->objects.n = group.first + group.n;
	*vector_add(&l->groups) = group;
}

struct object_lanes *object_lanes_new(const struct view *v, struct trace_index *m,
				      struct diag *diag, bool *good)
{
	struct object_kinds kinds = object_kinds_of(m->trace);
	struct object_choice c = {.view = v, .kinds = &kinds};
	bool waits = v->complete || m->trace->events < LARGE_TRACE;

	*good = true;
	c.contended = !v->lanes && trace_has_states(m->trace) && kinds.list.n;
	if (!c.contended && (!v->lanes || !strcmp(v->lanes, "threads") ||
			     !strcmp(v->lanes, "alive") || !*v->lanes)) {
		free(kinds.list.at);
		return NULL;
	}
	c.lanes = array_zero(1, sizeof *c.lanes);
	if (kinds.list.n)
		c.lanes->index = trace_index_objects(m, waits ? -1 : PATIENCE);
	c.kinds_chosen = array_zero(kinds.list.n, 1);
	c.chosen = array_zero(c.lanes->index ? c.lanes->index->objects.n : 0, 1);
	c.lanes->threads = c.contended;
	*good = !v->lanes || take_list(&c, diag);
	choose_contended(&c, m->trace);
	for (unsigned i = 0; c.lanes->index && i < kinds.list.n; i++)
		add_group(&c, i);
	free(c.chosen);
	free(c.kinds_chosen);
	free(kinds.list.at);
	if (*good)
		return c.lanes;
	object_lanes_free(c.lanes);
	return NULL;
}

void object_lanes_free(struct object_lanes *l)
{
	if (!l)
		return;
	free(l->groups.at);
	free(l->objects.at);
	free(l);
}

/* ---- as lanes of a scene ---- */

/* Returns whether the page's list of what is collapsed names "o3", a kind of object. */
static bool kind_collapsed(const struct view *v, unsigned kind)
{
	char *token = text_format("o%u", kind);
	bool found = false;

	for (const char *at = v->collapsed; at && *at && !found;) {
		size_t n = strcspn(at, ",");
		found = is_word(at, n, token);
		at += n + (at[n] == ',');
	}
	free(token);
	return found;
}

void building_plan_objects(struct building *g)
{
	const struct object_lanes *l = g->view->objects;

	for (size_t i = 0; i < l->groups.n; i++) {
		const struct object_group *group = &l->groups.at[i];
		bool collapsed = kind_collapsed(g->view, group->kind);

		if (!l->index->kinds.list.at[group->kind].interval && !group->bare)
			*vector_add(&g->plan) = (struct lane_plan){.heading = true,
								   .small = true,
								   .collapsed = collapsed,
								   .object = (uint32_t)i + 1};
		for (size_t k = 0; k < group->n && !collapsed; k++)
			*vector_add(&g->plan) =
			    (struct lane_plan){.object = (uint32_t)(group->first + k) + 1,
					       .indent = group->bare ? 0 : OBJECT_INDENT};
	}
}

static char *group_name(const struct object_lanes *l, const struct object_group *group)
{
	char *plural = object_kind_plural(&l->index->kinds.list.at[group->kind]), *name;

	if (group->n < group->all)
		name = text_format("%s: %zu of %zu, the longest waited for", plural, group->n,
				   group->all);
	else
		name = text_format("%s", plural);
	free(plural);
	return name;
}

char *building_object_name(const struct building *g, const struct lane_plan *p)
{
	const struct object_lanes *l = g->view->objects;

	if (p->heading)
		return group_name(l, &l->groups.at[p->object - 1]);
	return visible_text(l->index->objects.at[l->objects.at[p->object - 1]].name);
}

unsigned building_object_kind(const struct building *g, const struct lane_plan *p)
{
	const struct object_lanes *l = g->view->objects;

	if (p->heading)
		return l->groups.at[p->object - 1].kind;
	return l->index->objects.at[l->objects.at[p->object - 1]].kind;
}
