#include "analysis/graph/critical_path.h"
#include "analysis/activity/instance_set.h"
#include "analysis/graph/run_end.h"
#include "analysis/graph/span_subset.h"
#include "base/array.h"
#include <stdlib.h>

/* A step back in time; at one moment as many as there are threads can let each other go on. */
struct path_walk {
	const struct graph *graph;
	VECTOR(struct path_piece) pieces; /* from the last to the first */
	uint32_t thread;
	int64_t time;
	unsigned standing; /* steps since the time last changed */
};

static void piece_add(struct path_walk *w, struct path_piece p)
{
	p.to = w->time;
	if (p.from < p.to)
		*vector_add(&w->pieces) = p;
	w->standing = p.from < p.to ? 0 : w->standing + 1;
	w->time = p.from;
}

/* Goes on in the thread that let this one go on. */
static void walk_over(struct path_walk *w, enum path_kind kind, uint32_t role, uint32_t other,
		      int64_t from)
{
	piece_add(w, (struct path_piece){
			 .from = from,
			 .thread = w->thread,
			 .other = other,
			 .kind = kind,
			 .activity = ACTIVITY_WAITING,
			 .role = role,
		     });
	w->thread = other;
}

static void walk_within(struct path_walk *w, const struct stretch *s)
{
	piece_add(w, (struct path_piece){
			 .from = s->from,
			 .thread = w->thread,
			 .other = NO_THREAD,
			 .kind = PATH_STRETCH,
			 .activity = s->activity,
			 .role = s->role,
			 .timed_out = s->timed_out,
		     });
}

/* Before the thread began. Returns false at the beginning of all. */
static bool walk_before(struct path_walk *w)
{
	const struct timeline *l = &w->graph->threads[w->thread];

	if (l->creator != NO_THREAD && l->created <= w->time &&
	    w->standing <= w->graph->trace->nthreads) {
		walk_over(w, PATH_START, NO_ROLE, l->creator, l->created);
		return true;
	}
	piece_add(w, (struct path_piece){
			 .thread = w->thread,
			 .other = NO_THREAD,
			 .kind = PATH_NOBODY,
			 .activity = ACTIVITY_WAITING,
			 .role = NO_ROLE,
		     });
	return false;
}

static bool walk_step(struct path_walk *w)
{
	const struct timeline *l = &w->graph->threads[w->thread];
	size_t i = stretch_before(l, w->time);
	const struct stretch *s;

	if (i == l->n)
		return walk_before(w);
	s = &l->stretches[i];
	if (s->cause_thread != NO_THREAD && s->cause_time <= w->time &&
	    w->standing <= w->graph->trace->nthreads)
		walk_over(w, PATH_HANDOVER, s->role, s->cause_thread, s->cause_time);
	else
		walk_within(w, s);
	return true;
}

static void pieces_reverse(struct critical_path *p)
{
	for (size_t i = 0; i < p->n / 2; i++) {
		struct path_piece piece = p->pieces[i];

		p->pieces[i] = p->pieces[p->n - 1 - i];
		p->pieces[p->n - 1 - i] = piece;
	}
}

/* The path that ends in a thread (index) at a time, and begins where the trace does. */
static struct critical_path *critical_path_to(const struct graph *g, uint32_t thread, int64_t time)
{
	struct path_walk w = {.graph = g, .thread = thread, .time = time};
	struct critical_path *p = array_new(1, sizeof *p);

	while (walk_step(&w))
		;
	*p = (struct critical_path){array_resize(w.pieces.at, w.pieces.n, sizeof *w.pieces.at),
				    w.pieces.n};
	pieces_reverse(p);
	return p;
}

struct critical_path *critical_path_of(const struct graph *g)
{
	uint32_t last = run_end_thread(g);

	return critical_path_to(g, last, g->threads[last].end);
}

/* The pieces are in the order of time: thread by thread, they stay so. */
struct span_subset *critical_path_part(const struct critical_path *path, uint32_t nthreads)
{
	struct span_subset *p = span_subset_new(nthreads);
	size_t *next = array_new(path->n + 1, sizeof *next);
	size_t *first = array_new(nthreads, sizeof *first);

	for (uint32_t t = 0; t < nthreads; t++)
		first[t] = SIZE_MAX;
	for (size_t i = path->n; i-- > 0;) {
		next[i] = first[path->pieces[i].thread];
		first[path->pieces[i].thread] = i;
	}
	for (uint32_t t = 0; t < nthreads; t++)
		for (size_t i = first[t]; i != SIZE_MAX; i = next[i])
			if (path->pieces[i].kind == PATH_STRETCH)
				span_subset_add(p, t, path->pieces[i].from, path->pieces[i].to);
	span_subset_close(p);
	free(next);
	free(first);
	return p;
}

struct span_subset *critical_path_part_of(const struct instance_set *set)
{
	struct graph *g = graph_from(set);
	struct critical_path *path = critical_path_of(g);
	struct span_subset *p = critical_path_part(path, set->trace->nthreads);

	critical_path_free(path);
	graph_free(g);
	return p;
}

void critical_path_free(struct critical_path *p)
{
	free(p->pieces);
	free(p);
}
