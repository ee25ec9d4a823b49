/*
 * Builds the functions of threads whose stacks were sampled. What is shorter than a pixel is summed
 * up by pixels: from the outermost frame inwards, the callee with the most of a pixel has it.
 */
#include "analysis/samples/samples.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "trace/plain_name.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/scene/stack_scene.h"
#include "viewers/gorge/style/density.h"
#include "viewers/gorge/style/function_colour.h"
#include "viewers/gorge/style/text_width.h"
#include <math.h>
#include <stdlib.h>

/* Of more lanes only those that are grown have rows, if the view does not say how many. */
enum { MOST_LANES = 16 };
/* A bar this wide shows a name, or its beginning; a shorter name needs its letters and the room. */
enum { SURE_WIDTH = 56, LETTERS = 9, LETTERS_ROOM = 8 };

struct stack_building {
	struct building *g;
	struct stack_scene *scene;
	const struct flame *flame;
	uint32_t *depths;           /* by node: 1 for the outermost functions */
	VECTOR(struct bar) * lanes; /* the bars of each */
	bool *telling;              /* by lane: a name has room, or it shows all rows anyway */
};

/* Of a row, the bar that may go on. */
struct open_bar {
	uint32_t node;          /* 0: there is none */
	bool full;              /* it has nearly all of its time */
	bool begins, ends;      /* before the window, after it */
	double x0, x1, covered; /* covered: columns */
};

struct node_share {
	int64_t own, all; /* all: with what it calls */
	uint32_t best;    /* the callee with the most */
};

struct stack_lane {
	struct stack_building *all;
	uint32_t lane;
	unsigned base, rows, above; /* the first row; rows; frames above them */
	double pixel;               /* ns */
	double done;                /* where bars may begin: columns */
	int32_t column;
	int64_t begin, end;        /* times of that column; none yet: begin is after end */
	struct node_share *shares; /* by node */
	VECTOR(uint32_t) touched;  /* nodes with shares */
	struct open_bar *open;
};

/* ---- bars ---- */

static bool is_same_function(const struct flame *f, uint32_t a, uint32_t b)
{
	return f->nodes.at[a].name == f->nodes.at[b].name &&
	       f->nodes.at[a].origin == f->nodes.at[b].origin;
}

static uint8_t partial_level(double share)
{
	return (uint8_t)(1 + (share >= 0.25) + (share >= 0.5));
}

static void bar_close(struct stack_lane *l, unsigned row)
{
	struct open_bar *o = &l->open[row];

	if (o->node && o->x1 > o->x0)
		*vector_add(&l->all->lanes[l->lane]) = (struct bar){
		    .lane = l->lane,
		    .row = l->base + row,
		    .x0 = o->x0,
		    .x1 = o->x1,
		    .count = o->full ? 1 : 2,
		    .anchor = o->node,
		    .level = o->full ? 0 : partial_level(o->covered / (o->x1 - o->x0)),
		    .slices = 1,
		    .cut_left = o->full && o->begins,
		    .cut_right = o->full && o->ends,
		};
	o->node = 0;
}

/* A function has the columns from x0 to x1 of a row; so much of them was running. */
static void bar_put(struct stack_lane *l, uint32_t node, struct open_bar b)
{
	static const double near = 0.25; /* columns: a gap that nobody sees */
	unsigned depth = l->all->depths[node];
	struct open_bar *o;

	if (depth <= l->above || depth > l->above + l->rows || b.x1 <= b.x0)
		return;
	o = &l->open[depth - l->above - 1];
	if (o->node && o->full == b.full && b.x0 - o->x1 < near &&
	    is_same_function(l->all->flame, o->node, node)) {
		o->x1 = b.x1;
		o->covered += b.covered;
		o->ends = b.ends;
		return;
	}
	bar_close(l, depth - l->above - 1);
	b.node = node;
	*o = b;
}

/* ---- pixels ---- */

/* Adds a node's time to it and its callers, and finds of each the callee with the most. */
static void shares_sum(struct stack_lane *l)
{
	const struct flame_node *nodes = l->all->flame->nodes.at;
	size_t leaves = l->touched.n;

	for (size_t i = 0; i < leaves; i++) {
		uint32_t leaf = l->touched.at[i];

		for (uint32_t n = leaf; n; n = nodes[n].parent) {
			if (!l->shares[n].own && !l->shares[n].all)
				*vector_add(&l->touched) = n;
			l->shares[n].all += l->shares[leaf].own;
		}
	}
}

static void best_find(struct stack_lane *l)
{
	const struct flame_node *nodes = l->all->flame->nodes.at;

	for (size_t i = 0; i < l->touched.n; i++) {
		uint32_t n = l->touched.at[i], parent = nodes[n].parent;
		uint32_t best = l->shares[parent].best;

		if (!best || l->shares[n].all > l->shares[best].all ||
		    (l->shares[n].all == l->shares[best].all && n < best))
			l->shares[parent].best = n;
	}
}

static void column_end(struct stack_lane *l, double before)
{
	double x0 = fmax(l->column, l->done), x1 = fmin(l->column + 1, before);

	if (!l->touched.n)
		return;
	shares_sum(l);
	best_find(l);
	for (uint32_t n = l->shares[0].best; n; n = l->shares[n].best) {
		double share = (double)l->shares[n].all / l->pixel / fmax(x1 - x0, 1e-3);

		bar_put(l, n,
			(struct open_bar){.full = share >= 0.75,
					  .x0 = x0,
					  .x1 = x1,
					  .covered = fmin(share, 1) * (x1 - x0)});
	}
	l->shares[0].best = 0;
	for (size_t i = 0; i < l->touched.n; i++)
		l->shares[l->touched.at[i]] = (struct node_share){0};
	l->touched.n = 0;
}

static void share_put(struct stack_lane *l, const struct node_time *t)
{
	if (!l->shares[t->node].own)
		*vector_add(&l->touched) = t->node;
	l->shares[t->node].own += t->time;
}

/* Puts time that may be in another column than what came before it. */
static void node_place(struct stack_lane *l, const struct node_time *t)
{
	const struct scene *s = l->all->g->scene;
	const struct flame_node *nodes = l->all->flame->nodes.at;
	double x0 = scene_x(s, t->from), x1 = scene_x(s, t->to);
	bool wide = x1 - x0 >= 1 && t->time == t->to - t->from;
	int32_t column = scene_column(s, t->from + (t->to - t->from) / 2);

	if (wide || column != l->column)
		column_end(l, wide ? x0 : s->columns);
	l->column = column;
	if (!wide) {
		share_put(l, t);
		l->begin = scene_column_end(s, column - 1);
		l->end = scene_column_end(s, column) - 1;
		return;
	}
	for (uint32_t n = t->node; n; n = nodes[n].parent)
		bar_put(l, n,
			(struct open_bar){.full = true,
					  .x0 = fmax(x0, 0),
					  .x1 = fmin(x1, s->columns),
					  .covered = x1 - x0,
					  .begins = t->from <= s->window.from && t->from > 0,
					  .ends = t->to >= s->window.to &&
						  t->to < l->all->g->trace->duration});
	l->done = x1;
	l->begin = 1;
	l->end = 0;
}

static void node_put(void *context, const struct node_time *t)
{
	struct stack_lane *l = context;

	/* most of very many are in the column of the one before */
	if (t->from >= l->begin && t->to <= l->end)
		share_put(l, t);
	else
		node_place(l, t);
}

/* Returns whether the time from one moment to another lies in one column, so that all is summed. */
static bool is_in_column(void *context, int64_t from, int64_t to)
{
	const struct stack_lane *l = context;
	const struct scene *s = l->all->g->scene;

	return scene_column(s, from) == scene_column(s, to);
}

/* ---- lanes ---- */

static bool is_stacked_thread(const struct stack_building *b, unsigned thread)
{
	const struct stack_times *t = b->scene->times;

	return thread < generation_trace(t->generation)->nthreads && t->threads[thread].depth;
}

static unsigned most_rows(const struct stack_building *b, const struct lane *lane)
{
	const struct view *view = b->g->view;

	if (lane->grown)
		return UINT32_MAX;
	if (lane->small || lane->merged)
		return 0;
	return view->functions ? view->functions : b->g->scene->nlanes <= MOST_LANES;
}

/*
 * Gives a lane its rows. A single row is the one that says most. Else one that is not grown begins
 * with the program's first function, or as much further inwards as the usual depth needs, but with
 * a frame that all of its samples have in common.
 */
static void lane_rows(struct stack_building *b, uint32_t i)
{
	const struct lane_plan *plan = &b->g->plan.at[i];
	struct lane *lane = &b->g->scene->lanes[i];
	struct stack_rows *r = &b->scene->rows[i];
	unsigned most = most_rows(b, lane), n;
	struct stack_depth all = {.common = UINT32_MAX, .first = UINT32_MAX};

	for (unsigned k = plan->first; k < plan->first + plan->n && most; k++) {
		const struct stack_depth *d;

		if (!is_stacked_thread(b, b->g->order[k]))
			continue;
		d = &b->scene->times->threads[b->g->order[k]];
		r->frames = d->depth > r->frames ? d->depth : r->frames;
		all.usual = d->usual > all.usual ? d->usual : all.usual;
		all.common = d->common < all.common ? d->common : all.common;
		all.first = d->first < all.first ? d->first : all.first;
		all.telling = d->telling > all.telling ? d->telling : all.telling;
		r->thread = b->g->order[k];
	}
	if (!r->frames)
		return;
	if (most == 1) {
		r->above = all.telling - 1;
	} else if (r->frames > most) {
		r->above = all.usual > most ? all.usual - most : 0;
		if (r->above >= all.common)
			r->above = all.common ? all.common - 1 : 0;
		if (r->above < all.first - 1)
			r->above = all.first - 1;
	}
	n = r->frames - r->above < most ? r->frames - r->above : most;
	lane->bands[BAND_STACKS] = n;
	lane->rows += n;
}

/* Whether a bar has room for its name. */
static bool bar_has_room(const struct flame *f, const struct bar *bar)
{
	double width = bar->x1 - bar->x0;
	char *function;
	bool fits;

	if (width >= SURE_WIDTH || width <= LETTERS_ROOM)
		return width >= SURE_WIDTH;
	function = plain_name_function(f->nodes.at[bar->anchor].name);
	fits = text_width(plain_name_unqualified(function), LETTERS, false) <= width - LETTERS_ROOM;
	free(function);
	return fits;
}

/* Whether a bar of the lane has. */
static bool has_room(const struct stack_lane *l)
{
	for (size_t i = 0; i < l->all->lanes[l->lane].n; i++)
		if (bar_has_room(l->all->flame, &l->all->lanes[l->lane].at[i]))
			return true;
	return false;
}

static void lane_fill(void *context, size_t i, unsigned worker)
{
	struct stack_building *b = context;
	const struct scene *s = b->g->scene;
	const struct lane_plan *plan = &b->g->plan.at[i];
	const struct lane *lane = &s->lanes[i];
	struct stack_lane l = {.all = b,
			       .lane = (uint32_t)i,
			       .rows = lane->bands[BAND_STACKS],
			       .base = lane->rows - lane->bands[BAND_STACKS],
			       .above = b->scene->rows[i].above,
			       .pixel =
				   ((double)s->window.to - (double)s->window.from) / s->columns,
			       .begin = 1};

	(void)worker;
	if (!l.rows)
		return;
	l.shares = array_zero(b->flame->nodes.n, sizeof *l.shares);
	l.open = array_zero(l.rows, sizeof *l.open);
	for (unsigned k = plan->first; k < plan->first + plan->n; k++) {
		if (!is_stacked_thread(b, b->g->order[k]))
			continue;
		time_window_nodes(b->scene->times->window, b->g->order[k], s->window.from,
				  s->window.to, &(struct node_visitor){node_put, is_in_column, &l});
		column_end(&l, s->columns);
		l.done = 0;
		l.begin = 1;
		l.end = 0;
	}
	for (unsigned row = 0; row < l.rows; row++)
		bar_close(&l, row);
	b->telling[i] = lane->grown || has_room(&l);
	free(l.shares);
	free(l.touched.at);
	free(l.open);
}

/* ---- names and colours ---- */

static void keys_make(struct stack_building *b)
{
	struct scene *bars = b->scene->bars;

	bars->nintervals = FUNCTION_COLOURS;
	bars->intervals = array_zero(bars->nintervals, sizeof *bars->intervals);
	for (unsigned i = 0; i < bars->nintervals; i++)
		bars->intervals[i] = (struct interval_key){.form = FORM_BAR,
							   .named = true,
							   .band = BAND_STACKS,
							   .colour = bars->theme->functions[i]};
}

/* Returns a function's name, which the scene keeps. */
static const struct bar_name *name_of(struct stack_building *b, struct hash_table *known,
				      const struct flame_node *n)
{
	struct scene *s = b->g->scene;
	struct hash_slot *slot =
	    hash_table_slot(known, hash_mix((uintptr_t)n->name), (uintptr_t)n->name);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)s->names.n;
		*vector_add(&s->names) = array_zero(1, sizeof(struct bar_name));
		*s->names.at[slot->head] =
		    (struct bar_name){text_format("%s", n->name), (uint8_t)function_hue(n->name)};
	}
	return s->names.at[slot->head];
}

static void bars_name(struct stack_building *b)
{
	struct scene *bars = b->scene->bars;
	struct hash_table known = {0};

	for (size_t i = 0; i < bars->bars.n; i++) {
		struct bar *bar = &bars->bars.at[i];

		bar->name = name_of(b, &known, &b->flame->nodes.at[bar->anchor]);
		bar->key = bar->name->hue;
	}
	hash_table_free(&known);
}

/* ---- all ---- */

/* Takes the rows from a lane that cannot name one function. */
static void rows_take(struct lane *lane)
{
	lane->rows -= lane->bands[BAND_STACKS];
	lane->bands[BAND_STACKS] = 0;
}

static void lanes_join(struct stack_building *b)
{
	for (unsigned i = 0; i < b->g->scene->nlanes; i++) {
		if (!b->telling[i])
			rows_take(&b->g->scene->lanes[i]);
		else if (b->lanes[i].n && building_sees(b->g, i))
			vector_append(&b->scene->bars->bars, b->lanes[i].at, b->lanes[i].n);
		free(b->lanes[i].at);
	}
	free(b->lanes);
	free(b->telling);
}

void building_stacks(struct building *g, long patience)
{
	struct stack_building b = {.g = g};
	struct stack_times *times;
	bool pending;

	if (g->view->logical || !trace_has_samples(g->trace))
		return;
	times = trace_index_stacks(g->index, patience, &pending);
	b.scene = g->scene->stacks = stack_scene_new(g->scene, times);
	b.scene->pending = pending;
	if (!times)
		return;
	b.flame = time_window_flame(times->window, FLAME_CPU);
	b.lanes = array_zero(g->scene->nlanes, sizeof *b.lanes);
	b.telling = array_zero(g->scene->nlanes, sizeof *b.telling);
	b.depths = array_zero(b.flame->nodes.n, sizeof *b.depths);
	for (size_t i = 1; i < b.flame->nodes.n; i++)
		b.depths[i] = b.depths[b.flame->nodes.at[i].parent] + 1;
	keys_make(&b);
	for (uint32_t i = 0; i < g->scene->nlanes; i++)
		lane_rows(&b, i);
	parallel_for(g->scene->nlanes, lane_fill, &b);
	lanes_join(&b);
	bars_name(&b);
	free(b.depths);
}
