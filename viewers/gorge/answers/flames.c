/* Flame graphs of what is in the picture, and where in it a path of one has its time. */
#include "analysis/calls/calls.h"
#include "analysis/flame/memory_window.h"
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/draw/flame_graph.h"
#include "viewers/gorge/scene/stack_scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a frame takes at least of the width. */
static const double LEAST_SHARE = 0.001;

/* The graph of the whole run, with what the part has. */
static void write_time(struct session *s, const struct scene *scene, enum flame_kind kind,
		       const struct flame_part *part, size_t root, struct json *j)
{
	struct stack_times *times = trace_index_stacks(s->index, -1, NULL);
	const struct flame *f = times ? time_window_flame(times->window, kind) : NULL;
	struct flame_amounts *amounts;

	if (!f) {
		json_string(j, "missing", OTHER_DEFINITIONS);
		return;
	}
	amounts = time_window_amounts(times->window, kind, part);
	json_string(j, "of", flame_kind_name(kind));
	flame_write(f, amounts, scene->theme, root < f->nodes.n ? (uint32_t)root : 0, LEAST_SHARE,
		    j);
	free(amounts);
	stack_times_release(times);
}

static void write_memory(struct session *s, const struct scene *scene, enum flame_kind kind,
			 const struct flame_part *part, size_t root, struct json *j)
{
	const char *missing;
	const struct memory_window *l = session_memory(s, &missing);
	const struct flame *f = l ? memory_window_flame(l, kind) : NULL;
	struct flame_amounts *amounts;

	if (!f) {
		json_string(j, "missing", missing);
		return;
	}
	amounts = memory_window_amounts(l, kind, part);
	json_string(j, "of", flame_kind_name(kind));
	flame_write(f, amounts, scene->theme, root < f->nodes.n ? (uint32_t)root : 0, LEAST_SHARE,
		    j);
	free(amounts);
}

struct reply answer_flame(struct session *s, const struct http_request *request)
{
	const char *of = http_value(request, "of");
	int kind = of ? flame_kind_find(of) : FLAME_CPU;
	struct reply failure;
	const struct picture *p = kind < 0 ? NULL : session_picture(s, request, &failure);
	struct reply_stream w;
	struct flame_part part;
	struct json json;
	size_t root = 0;
	bool *threads;

	if (kind < 0)
		return reply_text(
		    400, "Unknown flame graph (expected cpu, off, bytes, count, peak or left).");
	if (!p)
		return failure;
	threads = answers_threads(p->scene, s->index->trace);
	part = (struct flame_part){p->scene->window.from, p->scene->window.to, threads};
	request_index(request, "node", UINT32_MAX, &root);
	json = reply_begin_json(&w);
	if (kind == FLAME_CPU && !trace_has_calls(s->index->trace))
		json_string(&json, "missing", CALLS_MISSING);
	else if (kind <= FLAME_OFF)
		write_time(s, p->scene, (enum flame_kind)kind, &part, root, &json);
	else
		write_memory(s, p->scene, (enum flame_kind)kind, &part, root, &json);
	free(threads);
	return reply_end_json(&w, &json);
}

/* ---- where a path has its time ---- */

/* Stretches of a thread that are nearer to each other than a pixel are one. */
struct stretching {
	struct json *json;
	int64_t from, to, pixel;
};

static void stretch_end(struct stretching *s)
{
	if (s->from == s->to)
		return;
	json_int(s->json, NULL, s->from);
	json_int(s->json, NULL, s->to);
}

static void stretch(void *context, int64_t from, int64_t to)
{
	struct stretching *s = context;

	if (s->from == s->to || from - s->to >= s->pixel) {
		stretch_end(s);
		s->from = from;
	}
	s->to = to;
}

static bool *path_marked(const struct flame *f, size_t node)
{
	bool *marked = array_zero(f->nodes.n, sizeof *marked);

	for (size_t i = node; i < f->nodes.n; i++)
		marked[i] = i == node || (i && marked[f->nodes.at[i].parent]);
	return marked;
}

/* What stretches are of: the graph of the whole run, and what it is of. */
struct graphed {
	enum flame_kind kind;
	struct stack_times *times;
	const struct memory_window *memory;
	const struct flame *flame; /* NULL: the trace has nothing of the kind */
};

static struct graphed graphed_of(struct session *s, enum flame_kind kind)
{
	struct graphed g = {.kind = kind};
	const char *missing;

	if (kind <= FLAME_OFF) {
		g.times = trace_index_stacks(s->index, -1, NULL);
		g.flame = g.times ? time_window_flame(g.times->window, kind) : NULL;
	} else {
		g.memory = session_memory(s, &missing);
		g.flame = g.memory ? memory_window_flame(g.memory, kind) : NULL;
	}
	return g;
}

static void thread_stretches(const struct graphed *g, size_t thread, const struct window *w,
			     const bool *marked, struct stretching *x)
{
	if (g->times)
		time_window_stretches(g->times->window, g->kind, thread, w->from, w->to, marked,
				      stretch, x);
	else
		memory_window_moments(g->memory, thread, w->from, w->to, marked, stretch, x);
	stretch_end(x);
}

static void write_stretches(const struct trace *t, const struct scene *scene,
			    const struct graphed *g, size_t node, struct json *j)
{
	bool *marked = path_marked(g->flame, node);
	bool *threads = answers_threads(scene, t);
	const struct window *w = &scene->window;
	int64_t pixel = (w->to - w->from) / (scene->columns ? scene->columns : 1);

	json_array(j, "threads");
	for (unsigned i = 0; i < t->nthreads; i++) {
		if (!threads[i])
			continue;
		json_object(j, NULL);
		json_uint(j, "number", t->threads[i].number);
		json_array(j, "stretches");
		thread_stretches(g, i, w, marked, &(struct stretching){j, 0, 0, pixel});
		json_close(j);
		json_close(j);
	}
	json_close(j);
	free(threads);
	free(marked);
}

static struct reply graphed_answer(struct session *s, const struct http_request *request,
				   const struct graphed *g)
{
	struct reply failure;
	const struct picture *p;
	struct reply_stream w;
	struct json json;
	size_t node;

	if (!g->flame || !request_index(request, "node", g->flame->nodes.n, &node))
		return reply_text(400, "Unknown frame.");
	p = session_picture(s, request, &failure);
	if (!p)
		return failure;
	json = reply_begin_json(&w);
	write_stretches(s->index->trace, p->scene, g, node, &json);
	return reply_end_json(&w, &json);
}

struct reply answer_stretches(struct session *s, const struct http_request *request)
{
	const char *of = http_value(request, "of");
	int kind = of ? flame_kind_find(of) : -1;
	struct graphed g;
	struct reply r;

	if (kind < 0)
		return reply_text(400, "Unknown frame.");
	g = graphed_of(s, (enum flame_kind)kind);
	r = graphed_answer(s, request, &g);
	stack_times_release(g.times);
	return r;
}

/* ---- a bar of the stacks in the lanes ---- */

/* Writes what a node has of the running time of the thread in the window. */
static void write_share(const struct stack_times *times, const struct scene *scene, unsigned thread,
			uint32_t node, struct json *j)
{
	unsigned n = generation_trace(times->generation)->nthreads;
	bool *one = array_zero(n, sizeof *one);
	struct flame_part part = {scene->window.from, scene->window.to, one};
	struct flame_amounts *amounts;

	one[thread] = true;
	amounts = time_window_amounts(times->window, FLAME_CPU, &part);
	json_int(j, "total", amounts[node].total);
	json_int(j, "self", amounts[node].self);
	json_int(j, "ran", amounts[0].total);
	free(amounts);
	free(one);
}

void write_stack(struct session *s, const struct scene *scene, size_t bar, struct json *j)
{
	const struct stack_scene *stacks = scene->stacks;
	const struct bar *b = &stacks->bars->bars.at[bar];
	const struct flame *f = time_window_flame(stacks->times->window, FLAME_CPU);
	const struct flame_node *n = &f->nodes.at[b->anchor];
	unsigned thread = stacks->rows[b->lane].thread;
	double pixel = ((double)scene->window.to - (double)scene->window.from) / scene->columns;

	(void)s;
	json_object(j, "stack");
	json_string(j, "function", n->name);
	if (n->origin)
		json_string(j, "origin", n->origin);
	json_string(j, "label", scene->lanes[b->lane].name);
	json_int(j, "start", scene->window.from + (int64_t)(b->x0 * pixel));
	json_int(j, "end", scene->window.from + (int64_t)(b->x1 * pixel));
	json_bool(j, "partial", b->level > 0);
	json_uint(j, "node", b->anchor);
	json_array(j, "callers");
	for (uint32_t caller = n->parent; caller; caller = f->nodes.at[caller].parent)
		json_string(j, NULL, f->nodes.at[caller].name);
	json_close(j);
	write_share(stacks->times, scene, thread, (uint32_t)b->anchor, j);
	json_close(j);
}
