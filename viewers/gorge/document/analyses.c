#include "viewers/gorge/document/analyses.h"
#include "analysis/flame/time_window_store.h"
#include "base/array.h"
#include "base/path.h"
#include "base/progress.h"
#include "base/task.h"
#include "trace/format/varint_put.h"
#include "viewers/gorge/index/stack_times.h"
#include "viewers/gorge/query/found_why.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* ---- findings ---- */

/* Nanoseconds between two looks at how far the search is. */
enum { LOOK = 100000000 };

/* The search counts its steps in its task; a thread of its own shows them. */
struct search_progress {
	struct task task;
	atomic_bool ended;
};

static void *progress_show(void *context)
{
	struct search_progress *p = context;

	while (!p->ended) {
		progress_step(p->task.done, p->task.all);
		nanosleep(&(struct timespec){.tv_nsec = LOOK}, NULL);
	}
	return NULL;
}

static struct found_why *slice_why(struct trace *t, const struct window *window,
				   const char *directory)
{
	struct search_progress p = {0};
	char *name = path_name(directory);
	struct found_why *found;
	pthread_t thread;
	bool shown;

	progress_begin("searching for what limits the run");
	shown = pthread_create(&thread, NULL, progress_show, &p) == 0;
	task_current = &p.task;
	found = found_why_new(t, window, name);
	task_current = NULL;
	p.ended = true;
	if (shown)
		pthread_join(thread, NULL);
	progress_end();
	free(name);
	return found;
}

static struct window slice_times(const struct trace_slice *x, const struct trace *t)
{
	struct window all = {0, t->duration};

	if (x->whole)
		return all;
	return (struct window){x->window.from > 0 ? x->window.from : 0,
			       x->window.to < t->duration ? x->window.to : t->duration};
}

/* Writes the pieces of a path in a window, which have no gap. */
static void path_put(const struct critical_path *path, const struct window *w, FILE *out)
{
	size_t first = 0, end;

	while (first < path->n && path->pieces[first].to <= w->from)
		first++;
	for (end = first; end < path->n && path->pieces[end].from < w->to;)
		end++;
	varint_put(out, end - first);
	varint_put_signed(out, first < end ? path->pieces[first].from : 0);
	for (size_t i = first; i < end; i++)
		varint_put(out, (uint64_t)(path->pieces[i].to - path->pieces[i].from));
	for (size_t i = first; i < end; i++)
		varint_put(out, (uint64_t)path->pieces[i].kind << 4 | path->pieces[i].activity);
	for (size_t i = first; i < end; i++)
		varint_put(out, path->pieces[i].thread + UINT32_C(1));
	for (size_t i = first; i < end; i++)
		varint_put(out, path->pieces[i].other + UINT32_C(1));
}

static void why_put(const struct trace_slice *x, struct trace *t, const char *directory, FILE *out)
{
	struct window window = slice_times(x, t);
	struct found_why *why = window.from < window.to ? slice_why(t, &window, directory) : NULL;

	varint_put(out, why && why->path);
	varint_put_text(out, why ? why->said : "the window of this document is outside the run");
	varint_put_text(out, why ? why->headline : "{\"ready\": true, \"lines\": []}");
	if (why && why->path)
		path_put(why->path, &window, out);
	found_why_free(why);
}

/* ---- stacks ---- */

static void depths_put(const struct trace *t, const struct time_window *times, FILE *out)
{
	struct stack_depth *depths = stack_depths_of(t, times);

	for (unsigned i = 0; i < t->nthreads; i++) {
		varint_put(out, depths[i].depth);
		varint_put(out, depths[i].usual);
		varint_put(out, depths[i].common);
		varint_put(out, depths[i].first);
		varint_put(out, depths[i].telling);
	}
	free(depths);
}

void analyses_write(const struct trace_slice *x, struct trace *t, const char *directory, FILE *out)
{
	struct flame_part part = {x->window.from, x->window.to, x->threads};
	struct time_window *times = time_window_of(t);

	depths_put(t, times, out);
	time_window_write(times, x->whole ? NULL : &part, out);
	time_window_free(times);
	why_put(x, t, directory, out);
}
