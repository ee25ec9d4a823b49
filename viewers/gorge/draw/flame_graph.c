#include "viewers/gorge/draw/flame_graph.h"
#include "base/units.h"
#include "trace/address.h"
#include "viewers/gorge/index/layer.h"
#include "viewers/gorge/style/density.h"
#include "viewers/gorge/style/function_colour.h"
#include "viewers/gorge/style/function_name.h"
#include "viewers/gorge/style/text_width.h"
#include <stdlib.h>

enum {
	ROW = 18,
	FONT = 11,
	TITLE_FONT = 15,
	PAD = 4,
	HEAD = 62,
	LEGEND = 26,
	BOX = 10,
	SHARE_ROOM = 48
};
enum { MOST_ROWS = 150 };

/* Frames that are narrower are left out, and names in frames narrower than that. */
static const double LEAST = 0.2, LEAST_NAME = 24;

struct flame_graph {
	const struct flame *flame;
	const struct flame_amounts *amounts; /* of its nodes; NULL: those in the nodes */
	const struct theme *theme;
	struct drawing *drawing;
	uint32_t *first, *next; /* by node: its first child, and the next of its parent */
	/* what is above it may be as much narrower as it is narrower than all */
	uint32_t root;
	double *left; /* by node: where it begins; negative: it is not drawn */
	unsigned *depth;
	unsigned rows, deepest;
	double bottom, scale; /* of the lowest row; pixels for each unit */
};

/* ---- amounts ---- */

static const char *amount_text(const struct flame *f, int64_t amount, char text[UNITS_TEXT])
{
	if (f->kind <= FLAME_OFF)
		return units_time(text, (double)amount);
	return f->kind == FLAME_COUNT ? units_count(text, (uint64_t)amount)
				      : units_bytes(text, (uint64_t)amount);
}

static int64_t total(const struct flame_graph *g, size_t i)
{
	return g->amounts ? g->amounts[i].total : g->flame->nodes.at[i].total;
}

static int64_t self(const struct flame_graph *g, size_t i)
{
	return g->amounts ? g->amounts[i].self : g->flame->nodes.at[i].self;
}

static double share(const struct flame_graph *g, int64_t amount)
{
	int64_t all = total(g, 0);

	return all ? 100.0 * (double)amount / (double)all : 0;
}

/* ---- places ---- */

static int node_compare(const void *left, const void *right, void *context)
{
	const struct flame *f = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct flame_node *x = &f->nodes.at[a], *y = &f->nodes.at[b];
	int order;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	order = strcmp(x->name, y->name);
	return order ? order : (a > b) - (a < b);
}

/*
 * Children that are wide enough are in the order of their names, so that two graphs can be
 * compared.
 */
static void children_link(struct flame_graph *g, double least)
{
	const struct flame_node *nodes = g->flame->nodes.at;
	double finer = least * (double)total(g, g->root) / (double)(total(g, 0) ? total(g, 0) : 1);
	bool *above = array_zero(g->flame->nodes.n, sizeof *above);
	VECTOR(uint32_t) order = {0};

	for (uint32_t i = 0; i < g->flame->nodes.n; i++) {
		g->first[i] = g->next[i] = 0;
		g->left[i] = -1;
		above[i] = i == g->root || (i && above[nodes[i].parent]);
		if (i && total(g, i) > 0 &&
		    (double)total(g, i) * g->scale >= (above[i] ? finer : least))
			*vector_add(&order) = i;
	}
	free(above);
	if (order.n)
		qsort_r(order.at, order.n, sizeof *order.at, node_compare, (void *)g->flame);
	for (size_t i = order.n; i-- > 0;) {
		uint32_t parent = nodes[order.at[i]].parent;

		g->next[order.at[i]] = g->first[parent];
		g->first[parent] = order.at[i];
	}
	free(order.at);
}

/* What is narrower than the least is left out, with what is above it. */
static void places_find(struct flame_graph *g, double from, double width, double least)
{
	g->scale = total(g, 0) ? width / (double)total(g, 0) : 0;
	children_link(g, least);
	g->left[0] = from;
	for (size_t i = 0; i < g->flame->nodes.n; i++) {
		double at = g->left[i];

		for (uint32_t child = at < 0 ? 0 : g->first[i]; child; child = g->next[child]) {
			g->depth[child] = g->depth[i] + 1;
			g->left[child] = at;
			at += (double)total(g, child) * g->scale;
			if (g->depth[child] > g->deepest)
				g->deepest = g->depth[child];
		}
	}
}

/* ---- colours ---- */

static rgba pale(const struct theme *theme, rgba colour)
{
	return colour_mix(colour, theme->page, 0.42);
}

/* What a wait is for, by the interval that it is of. */
static enum wait_class wait_of(const struct flame *f, const struct flame_node *n)
{
	const struct spec *spec = f->trace->spec;

	for (unsigned i = 0; n->origin && i < spec->nintervals; i++)
		if (strcmp(spec->intervals[i]->name, n->origin) == 0)
			return wait_class_of(spec, spec->intervals[i]);
	return WAIT_NONE;
}

/* A function has its own, and what threads wait for the one that it has in the lanes. */
static rgba node_colour(const struct flame_graph *g, size_t i)
{
	const struct flame_node *n = &g->flame->nodes.at[i];
	const struct theme *theme = g->theme;
	enum wait_class wait;

	switch (n->kind) {
	case FRAME_READY:
		return pale(theme, theme->states[STATE_READY]);
	case FRAME_UNKNOWN:
		return colour_mix(theme->muted, theme->page, 0.4);
	case FRAME_WAIT:
		wait = wait_of(g->flame, n);
		return wait == WAIT_HELD ? pale(theme, theme->waits[wait])
					 : theme->waits[wait == WAIT_NONE ? WAIT_REST : wait];
	default:
		return theme->functions[i ? function_hue(n->name) : FUNCTION_UNNAMED];
	}
}

/* ---- drawing ---- */

static void node_tip(struct flame_graph *g, size_t i)
{
	const struct flame_node *n = &g->flame->nodes.at[i];
	char all[UNITS_TEXT], own[UNITS_TEXT];
	bool named = !n->origin || strstr(n->name, n->origin);
	char *name =
	    named ? text_format("%s", n->name) : text_format("%s (%s)", n->name, n->origin);
	char *text = text_format("%s, %.2f %%; self %s, %.2f %%",
				 amount_text(g->flame, total(g, i), all), share(g, total(g, i)),
				 amount_text(g->flame, self(g, i), own), share(g, self(g, i)));

	drawing_tip(g->drawing, name, text);
	free(name);
	free(text);
}

/* A name, and after it the share if there is room for both. */
static void node_label(struct flame_graph *g, size_t i, double y, double width)
{
	const struct flame_node *n = &g->flame->nodes.at[i];
	struct typeface face = {.size = FONT, .colour = g->theme->ink};
	double x = g->left[i] + PAD, end = g->left[i] + width - PAD;
	char text[UNITS_TEXT], *name = name_fit(n->name, FONT, end - x);

	x += drawing_text(g->drawing, &face, x, y, end - x, name) + 2 * PAD;
	free(name);
	if (end - x < SHARE_ROOM)
		return;
	if (i)
		snprintf(text, sizeof text, "%.1f %%", share(g, total(g, i)));
	else
		amount_text(g->flame, total(g, i), text);
	drawing_text(g->drawing, &face, x, y, end - x, text);
}

static void node_draw(struct flame_graph *g, size_t i)
{
	double width = (double)total(g, i) * g->scale, y = g->bottom - (g->depth[i] + 1.0) * ROW;
	double gap = width > 3 ? 1 : 0;

	drawing_brush(g->drawing, (struct brush){.colour = node_colour(g, i)});
	drawing_rect(g->drawing, g->left[i], y, width - gap, ROW - 1);
	node_tip(g, i);
	if (width >= LEAST_NAME)
		node_label(g, i, y + ROW - 6, width);
}

static const char *const whats[NFLAME_KINDS] = {"CPU time by function",
						"off-CPU time, by what the threads waited for",
						"allocated bytes by call stack",
						"allocations by call stack",
						"bytes in use at the peak, by call stack",
						"leaked bytes by call stack"};

static void head_draw(struct flame_graph *g, const struct view *v)
{
	struct typeface face = {.size = TITLE_FONT, .bold = true, .colour = g->theme->ink};
	double width = g->drawing->width - 2 * PAGE_MARGIN;
	const struct trace *t = g->flame->trace;
	const char *first =
	    t->nprocesses && *t->processes[0].program ? t->processes[0].program : "";
	const char *program = v->command ? v->command : first;
	char from[UNITS_TEXT], to[UNITS_TEXT], *text;

	text = v->title
		   ? text_format("%s", v->title)
		   : text_format("%s%s%s", program, *program ? ": " : "", whats[g->flame->kind]);
	drawing_text(g->drawing, &face, PAGE_MARGIN, 28, width, text);
	free(text);
	face = (struct typeface){.size = FONT, .colour = g->theme->muted};
	text = text_format(
	    "from %s to %s%s; widths are shares of the total, callers are below, siblings are sorted by name%s",
	    units_time(from, v->has_from ? (double)v->window.from : 0),
	    units_time(to, v->has_to ? (double)v->window.to : (double)t->duration),
	    v->threads ? ", of some threads" : "",
	    g->deepest + 1 > g->rows ? "; deeper calls are omitted" : "");
	drawing_text(g->drawing, &face, PAGE_MARGIN, 47, width, text);
	free(text);
}

static double legend_entry(struct flame_graph *g, double x, rgba colour, const char *name)
{
	struct typeface face = {.size = FONT, .colour = g->theme->muted};
	double y = g->bottom + LEGEND - BOX, room = g->drawing->width - PAGE_MARGIN - x - BOX - PAD;

	if (room < 3 * LEAST_NAME)
		return x;
	drawing_brush(g->drawing, (struct brush){.colour = colour});
	drawing_rect(g->drawing, x, y, BOX, BOX);
	x += BOX + PAD;
	return x + drawing_text(g->drawing, &face, x, y + BOX - 1, room, name) + 16;
}

/* A flame graph of waits has the colours of the lanes, and all have one per function. */
static void legend_draw(struct flame_graph *g)
{
	const struct theme *theme = g->theme;
	double x = PAGE_MARGIN;

	if (g->flame->kind == FLAME_OFF) {
		x = legend_entry(g, x, pale(theme, theme->waits[WAIT_HELD]),
				 "waits for an object that another thread holds");
		x = legend_entry(g, x, theme->waits[WAIT_WORK], "waits for work");
		x = legend_entry(g, x, theme->waits[WAIT_REST], "other waits");
		x = legend_entry(g, x, pale(theme, theme->states[STATE_READY]), "ready");
		x = legend_entry(g, x, colour_mix(theme->muted, theme->page, 0.4), "unknown");
	}
	legend_entry(g, x, theme->functions[0], "functions: one colour each");
}

static void graph_draw(struct flame_graph *g, const struct view *v)
{
	double height;

	g->rows = g->deepest + 1 < MOST_ROWS ? g->deepest + 1 : MOST_ROWS;
	if (v->height > 0 && g->rows > (v->height - HEAD - LEGEND - PAGE_MARGIN) / ROW)
		g->rows = v->height > HEAD + LEGEND + PAGE_MARGIN + ROW
			      ? (unsigned)((v->height - HEAD - LEGEND - PAGE_MARGIN) / ROW)
			      : 1;
	height = v->height > 0 ? v->height : HEAD + g->rows * ROW + LEGEND + PAGE_MARGIN;
	g->bottom = height - LEGEND - PAGE_MARGIN;
	g->drawing = drawing_new(v->width, height, g->theme->page,
				 v->title ? v->title : whats[g->flame->kind]);
	head_draw(g, v);
	for (size_t i = 0; i < g->flame->nodes.n; i++)
		if (g->left[i] >= 0 && g->depth[i] < g->rows)
			node_draw(g, i);
	legend_draw(g);
}

static struct flame_graph graph_new(const struct flame *f, const struct theme *theme)
{
	size_t n = f->nodes.n;

	return (struct flame_graph){
	    .flame = f,
	    .theme = theme,
	    .first = array_new(n, sizeof(uint32_t)),
	    .next = array_new(n, sizeof(uint32_t)),
	    .left = array_new(n, sizeof(double)),
	    .depth = array_zero(n, sizeof(unsigned)),
	};
}

static void graph_free(struct flame_graph *g)
{
	free(g->first);
	free(g->next);
	free(g->left);
	free(g->depth);
}

struct drawing *flame_draw(const struct flame *f, const struct view *v)
{
	struct flame_graph g = graph_new(f, v->theme);

	places_find(&g, PAGE_MARGIN, v->width - 2 * PAGE_MARGIN, LEAST);
	graph_draw(&g, v);
	graph_free(&g);
	return g.drawing;
}

/* ---- for the page ---- */

/* Writes what is shown of a name where it has no room. */
static void forms_write(const char *name, struct json *j)
{
	struct name_forms f = name_forms_of(name);

	json_array(j, "shorter");
	for (unsigned i = 1; i < f.n; i++)
		json_string(j, NULL, f.at[i]);
	json_close(j);
	name_forms_free(&f);
}

/* "std::thread::_Invoker<...>::_M_invoke", "void std::__invoke_impl<...>(...)" */
static bool is_of_std(const char *name)
{
	size_t n = strcspn(name, "(<");
	const char *at = memmem(name, n, "std::", strlen("std::"));

	return at && (at == name || at[-1] == ' ');
}

/* _start is linked into each program. */
static bool is_of_program(const struct flame_node *n)
{
	return n->kind == FRAME_CODE && !module_is_of_run_time(n->origin) &&
	       strcmp(n->name, "_start") && !is_of_std(n->name);
}

/*
 * Returns of each node whether it only leads to the program's first functions: neither it nor a
 * caller is of the program, and some callee is.
 */
static bool *outer_find(const struct flame_graph *g)
{
	const struct flame_node *nodes = g->flame->nodes.at;
	size_t n = g->flame->nodes.n;
	bool *outer = array_zero(n, sizeof *outer), *leads = array_zero(n, sizeof *leads);

	for (size_t i = n; i-- > 1;) {
		leads[i] |= is_of_program(&nodes[i]);
		leads[nodes[i].parent] |= leads[i] && g->left[i] >= 0;
	}
	for (size_t i = 1; i < n; i++)
		outer[i] = leads[i] && !is_of_program(&nodes[i]) &&
			   (!nodes[i].parent || outer[nodes[i].parent]);
	free(leads);
	return outer;
}

static void frame_write(const struct flame_graph *g, size_t i, bool outer, struct json *j)
{
	const struct flame_node *n = &g->flame->nodes.at[i];
	char all[UNITS_TEXT], own[UNITS_TEXT], text[12];

	snprintf(text, sizeof text, "#%08x", node_colour(g, i));
	json_object(j, NULL);
	json_uint(j, "node", i);
	json_uint(j, "parent", n->parent);
	json_uint(j, "depth", g->depth[i]);
	json_real(j, "left", g->left[i]);
	json_real(j, "width", (double)total(g, i) * g->scale);
	json_string(j, "name", n->name);
	forms_write(n->name, j);
	if (n->origin)
		json_string(j, "origin", n->origin);
	json_string(j, "total", amount_text(g->flame, total(g, i), all));
	json_string(j, "self", amount_text(g->flame, self(g, i), own));
	json_string(j, "colour", text);
	if (outer)
		json_bool(j, "outer", true);
	json_close(j);
}

void flame_write(const struct flame *f, const struct flame_amounts *amounts,
		 const struct theme *theme, uint32_t root, double least, struct json *j)
{
	struct flame_graph g = graph_new(f, theme);
	bool *outer;

	g.amounts = amounts;
	g.root = root;
	places_find(&g, 0, 1, least);
	outer = outer_find(&g);
	json_int(j, "total", total(&g, 0));
	json_array(j, "frames");
	for (size_t i = 0; i < f->nodes.n; i++)
		if (g.left[i] >= 0 && g.depth[i] < MOST_ROWS)
			frame_write(&g, i, outer[i], j);
	json_close(j);
	free(outer);
	graph_free(&g);
}
