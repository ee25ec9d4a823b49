/* Flame graphs of what is in the picture, and where in it a path of one has its time. */
#include "analysis/calls/calls.h"
#include "analysis/flame/memory_window.h"
#include "analysis/flame/time_window.h"
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/draw/flame_graph.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a frame takes at least of the width. */
static const double LEAST_SHARE = 0.001;

/* Makes the window, unless that is done. Nothing changes the index while a slow request is answered. */
static const struct time_window *known_time_window(struct session *s)
{
	struct session *common = s->common;
	struct time_window *made;
	struct task *task;

	if (common->time_window)
		return common->time_window;
	task = analysis_begin(s);
	made = time_window_of(s->index->trace);
	analysis_end(s, task);
	pthread_mutex_lock(&common->lock);
	common->time_window = made;
	pthread_mutex_unlock(&common->lock);
	return made;
}

/* The graph of the whole run, with what the part has. */
static void write_time(struct session *s, const struct scene *scene, enum flame_kind kind,
		       const struct flame_part *part, size_t root, struct json *j)
{
	const struct time_window *l = known_time_window(s);
	const struct flame *f = time_window_flame(l, kind);
	struct flame_amounts *amounts = time_window_amounts(l, kind, part);

	json_string(j, "of", flame_kind_name(kind));
	flame_write(f, amounts, scene->theme, root < f->nodes.n ? (uint32_t)root : 0, LEAST_SHARE, j);
	free(amounts);
}

static const struct memory_window *known_memory_window(struct session *s)
{
	struct session *common = s->common;
	struct memory_window *made;
	struct task *task;

	if (common->memory_window)
		return common->memory_window;
	task = analysis_begin(s);
	made = memory_window_of(s->index->trace);
	analysis_end(s, task);
	pthread_mutex_lock(&common->lock);
	common->memory_window = made;
	pthread_mutex_unlock(&common->lock);
	return made;
}

static void write_memory(struct session *s, const struct scene *scene, enum flame_kind kind,
			 const struct flame_part *part, size_t root, struct json *j)
{
	const struct memory_window *l = known_memory_window(s);
	const struct flame *f = l ? memory_window_flame(l, kind) : NULL;
	struct flame_amounts *amounts;

	if (!f) {
		json_string(j, "missing", FLAME_MEMORY_MISSING);
		return;
	}
	amounts = memory_window_amounts(l, kind, part);
	json_string(j, "of", flame_kind_name(kind));
	flame_write(f, amounts, scene->theme, root < f->nodes.n ? (uint32_t)root : 0, LEAST_SHARE, j);
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
		return reply_text(400, "A flame graph is of cpu, off, bytes, count, peak or left.");
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

/* Returns the graph of the whole run; NULL if the trace has nothing of the kind. */
static const struct flame *known_flame(struct session *s, enum flame_kind kind)
{
	const struct memory_window *memory;

	if (kind <= FLAME_OFF)
		return time_window_flame(known_time_window(s), kind);
	memory = known_memory_window(s);
	return memory ? memory_window_flame(memory, kind) : NULL;
}

static void thread_stretches(struct session *s, enum flame_kind kind, size_t thread, const struct window *w,
			     const bool *marked, struct stretching *x)
{
	if (kind <= FLAME_OFF)
		time_window_stretches(known_time_window(s), kind, thread, w->from, w->to, marked, stretch, x);
	else
		memory_window_moments(known_memory_window(s), thread, w->from, w->to, marked, stretch, x);
	stretch_end(x);
}

static void write_stretches(struct session *s, const struct scene *scene, enum flame_kind kind,
			    size_t node, struct json *j)
{
	const struct trace *t = s->index->trace;
	bool *marked = path_marked(known_flame(s, kind), node);
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
		thread_stretches(s, kind, i, w, marked, &(struct stretching){j, 0, 0, pixel});
		json_close(j);
		json_close(j);
	}
	json_close(j);
	free(threads);
	free(marked);
}

struct reply answer_stretches(struct session *s, const struct http_request *request)
{
	const char *of = http_value(request, "of");
	int kind = of ? flame_kind_find(of) : -1;
	struct reply failure;
	const struct flame *f = kind < 0 ? NULL : known_flame(s, (enum flame_kind)kind);
	const struct picture *p;
	struct reply_stream w;
	struct json json;
	size_t node;

	if (!f || !request_index(request, "node", f->nodes.n, &node))
		return reply_text(400, "There is no such frame.");
	p = session_picture(s, request, &failure);
	if (!p)
		return failure;
	json = reply_begin_json(&w);
	write_stretches(s, p->scene, (enum flame_kind)kind, node, &json);
	return reply_end_json(&w, &json);
}
