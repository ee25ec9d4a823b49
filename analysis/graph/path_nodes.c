#include "analysis/graph/path_nodes.h"
#include "base/parallel.h"
#include "base/search.h"
#include "base/sort.h"
#include <stdlib.h>

/*
 * A level is the node whose value holds at a moment. UNKNOWN: nobody has asked for it. ASKED: a
 * visit is looking for it; who asks again is in a circle of one moment, and gets no answer.
 */
#define UNKNOWN UINT32_MAX
#define ASKED (UINT32_MAX - 1)
#define MOST_NODES ((size_t)1 << 30)

/* What a node is of, for its points. */
enum origin_kind { OF_NOTHING, OF_WAIT, OF_NEED, OF_CREATION, OF_CUT, OF_END };

struct origin {
	enum origin_kind kind;
	uint32_t thread;
	size_t i; /* stretch; or need */
};

/* A question for a level, and its progress. Visits are on a stack of their own, as it gets deep. */
enum level_question { QUESTION_END, QUESTION_MOMENT, QUESTION_CREATION };
enum level_step { STEP_FIRST, STEP_BEGIN, STEP_CAUSE, STEP_NEED, STEP_SAME };

struct visit {
	enum level_question question;
	enum level_step step;
	uint32_t thread;
	uint32_t level;
	bool dirty;  /* the level depends on who asks, and when */
	bool shared; /* the level is that of any moment here: not one behind a cause */
	size_t stretch;
	int64_t time;
	size_t need, last_need; /* to be met: need..last_need - 1 */
};

struct path_nodes_context {
	const struct graph *graph;
	struct path_nodes *nodes;
	VECTOR(struct origin) origins; /* of each node but the constant ones */
	size_t *first;                 /* stretch of each thread */
	uint32_t *ends;                /* level at the end of each stretch */
	uint32_t *begins;              /* of each thread */
	uint32_t *met;                 /* level after each need, if it is not dirty */
	size_t *now;                   /* of each thread: the stretch that ends next */
	VECTOR(struct visit) visits;
	uint32_t answer; /* to the last question; ASKED: there is none */
	bool dirty;
};

/* ---- nodes ---- */

static uint32_t node_add(struct path_nodes_context *r, struct path_node node, struct origin origin)
{
	size_t n = r->nodes->all.n;

	if (n == MOST_NODES)
		array_fail("more than 2^30 causes");
	*vector_add(&r->nodes->all) = node;
	*vector_add(&r->origins) = origin;
	return (uint32_t)n;
}

static uint32_t node_of_wait(struct path_nodes_context *r, const struct visit *v, uint32_t cause)
{
	const struct timeline *line = &r->graph->threads[v->thread];

	return node_add(
	    r,
	    (struct path_node){v->level, cause,
			       line->stretches[v->stretch].from - stretch_end(line, v->stretch)},
	    (struct origin){OF_WAIT, v->thread, v->stretch});
}

static uint32_t node_of_need(struct path_nodes_context *r, const struct visit *v, uint32_t needed)
{
	const struct need *n = &r->graph->needs.at[v->need];

	return node_add(r, (struct path_node){needed, v->level, n->moment - n->time},
			(struct origin){OF_NEED, v->thread, v->need});
}

/* A stretch whose beginning is not known: a path begins there. */
static uint32_t node_of_cut(struct path_nodes_context *r, const struct visit *v)
{
	return node_add(r, (struct path_node){NODE_START, NODE_NEVER, 0},
			(struct origin){OF_CUT, v->thread, v->stretch});
}

/* A moment at which the thread has not begun yet counts as that of its beginning. */
static uint32_t node_of_early(struct path_nodes_context *r, uint32_t level, int64_t length)
{
	return length == 0 ? level
			   : node_add(r, (struct path_node){level, NODE_NEVER, length},
				      (struct origin){OF_NOTHING, 0, 0});
}

/* ---- questions: each is answered at once, or becomes a visit ---- */

static void answer(struct path_nodes_context *r, uint32_t level, bool dirty)
{
	r->answer = level;
	r->dirty = dirty || level == ASKED;
}

static void visit_end(struct path_nodes_context *r, uint32_t thread, size_t stretch)
{
	uint32_t known = r->ends[r->first[thread] + stretch];

	if (known != UNKNOWN)
		answer(r, known, false);
	else
		*vector_add(&r->visits) =
		    (struct visit){.question = QUESTION_END,
				   .thread = thread,
				   .stretch = stretch,
				   .time = stretch_end(&r->graph->threads[thread], stretch)};
}

static void visit_thread_begin(struct path_nodes_context *r, uint32_t thread)
{
	const struct timeline *line = &r->graph->threads[thread];

	if (line->creator == NO_THREAD || line->created > line->begin)
		answer(r, NODE_START, false);
	else if (r->begins[thread] == ASKED)
		answer(r, NODE_START, true);
	else if (r->begins[thread] != UNKNOWN)
		answer(r, r->begins[thread], false);
	else
		*vector_add(&r->visits) =
		    (struct visit){.question = QUESTION_CREATION, .thread = thread};
}

static void visit_begin(struct path_nodes_context *r, uint32_t thread, size_t stretch)
{
	if (stretch == 0)
		visit_thread_begin(r, thread);
	else
		visit_end(r, thread, stretch - 1);
}

/* As stretch_before(), mostly near the stretch that ends next. */
static size_t stretch_at(const struct path_nodes_context *r, uint32_t thread, int64_t time)
{
	const struct timeline *line = &r->graph->threads[thread];
	size_t i = r->now[thread];

	for (unsigned steps = 0; i < line->n && steps < 8; steps++, i--) {
		if (line->stretches[i].from < time) {
			if (i + 1 < line->n && line->stretches[i + 1].from < time)
				break;
			return i;
		}
		if (i == 0)
			return line->n;
	}
	return stretch_before(line, time);
}

static bool has_needs(const struct path_nodes_context *r, uint32_t thread)
{
	return r->graph->first_need &&
	       r->graph->first_need[thread] < r->graph->first_need[thread + 1];
}

/* Whether a moment is the end of a wait that another thread ended. */
static bool is_caused_end(const struct timeline *line, size_t stretch, int64_t time)
{
	return line->stretches[stretch].cause_thread != NO_THREAD &&
	       time == stretch_end(line, stretch);
}

static void visit_moment(struct path_nodes_context *r, uint32_t thread, int64_t time)
{
	const struct timeline *line = &r->graph->threads[thread];
	size_t i = stretch_at(r, thread, time);

	if (i < line->n && i > 0 && r->ends[r->first[thread] + i - 1] < ASKED &&
	    !has_needs(r, thread) && !is_caused_end(line, i, time))
		answer(r, r->ends[r->first[thread] + i - 1], false);
	else
		*vector_add(&r->visits) = (struct visit){
		    .question = QUESTION_MOMENT, .thread = thread, .stretch = i, .time = time};
}

/* ---- visits ---- */

/* Ends the visit, with its level. */
static void visit_leave(struct path_nodes_context *r)
{
	const struct visit *v = &r->visits.at[--r->visits.n];

	if (v->question == QUESTION_END)
		r->ends[r->first[v->thread] + v->stretch] = v->level;
	answer(r, v->level, v->question != QUESTION_END && v->dirty);
}

/* Asks for the next need, or ends the visit. A need that asks for itself is left out. */
static void need_next(struct path_nodes_context *r, struct visit *v)
{
	const struct need *n;

	for (; v->need < v->last_need && r->met[v->need] == ASKED; v->need++)
		v->dirty = true;
	if (v->need == v->last_need) {
		visit_leave(r);
		return;
	}
	n = &r->graph->needs.at[v->need];
	v->step = STEP_NEED;
	if (r->met[v->need] == UNKNOWN)
		r->met[v->need] = ASKED;
	visit_moment(r, n->of, n->moment);
}

/* Begins with the needs of the stretch until the visit's time. Those met already are skipped. */
static void needs_begin(struct path_nodes_context *r, struct visit *v)
{
	const struct graph *g = r->graph;
	int64_t from = g->threads[v->thread].stretches[v->stretch].from;
	size_t first, last;

	v->shared &= !v->dirty;
	if (has_needs(r, v->thread)) {
		first = g->first_need[v->thread];
		last = g->first_need[v->thread + 1];
		first = lower_bound(i, first, last, g->needs.at[i].time <= from);
		last = lower_bound(i, first, last, g->needs.at[i].time <= v->time);
		v->need = v->shared ? lower_bound(i, first, last, r->met[i] < ASKED) : first;
		v->last_need = last;
		if (v->need > first)
			v->level = r->met[v->need - 1];
	}
	need_next(r, v);
}

static void need_met(struct path_nodes_context *r, struct visit *v)
{
	v->dirty |= r->dirty;
	if (r->answer != ASKED)
		v->level = node_of_need(r, v, r->answer);
	if (v->shared && !v->dirty)
		r->met[v->need] = v->level;
	else if (r->met[v->need] == ASKED)
		r->met[v->need] = UNKNOWN;
	v->need++;
	need_next(r, v);
}

static void creation_go_on(struct path_nodes_context *r, struct visit *v)
{
	const struct timeline *line = &r->graph->threads[v->thread];

	if (v->step == STEP_FIRST) {
		v->step = STEP_CAUSE;
		r->begins[v->thread] = ASKED;
		visit_moment(r, line->creator, line->created);
		return;
	}
	v->dirty = r->dirty;
	v->level = NODE_START;
	if (r->answer != ASKED)
		v->level = node_add(r, (struct path_node){r->answer, NODE_NEVER, 0},
				    (struct origin){OF_CREATION, v->thread, 0});
	r->begins[v->thread] = v->dirty ? UNKNOWN : v->level;
	visit_leave(r);
}

static void moment_begun(struct path_nodes_context *r, struct visit *v)
{
	const struct timeline *line = &r->graph->threads[v->thread];

	v->dirty = r->dirty;
	v->level = r->answer;
	v->shared = true;
	if (v->stretch == line->n) {
		v->level = node_of_early(r, v->level, line->begin - v->time);
		visit_leave(r);
	} else if (v->level == ASKED) {
		visit_leave(r);
	} else if (is_caused_end(line, v->stretch, v->time)) {
		v->step = STEP_SAME;
		visit_end(r, v->thread, v->stretch);
	} else {
		needs_begin(r, v);
	}
}

static void moment_go_on(struct path_nodes_context *r, struct visit *v)
{
	switch (v->step) {
	case STEP_FIRST:
		v->step = STEP_BEGIN;
		visit_begin(r, v->thread,
			    v->stretch == r->graph->threads[v->thread].n ? 0 : v->stretch);
		break;
	case STEP_BEGIN:
		moment_begun(r, v);
		break;
	case STEP_NEED:
		need_met(r, v);
		break;
	default:
		v->level = r->answer;
		v->dirty = r->dirty;
		visit_leave(r);
	}
}

static void end_begun(struct path_nodes_context *r, struct visit *v)
{
	const struct stretch *s = &r->graph->threads[v->thread].stretches[v->stretch];

	v->dirty = r->dirty;
	v->level = r->answer == ASKED ? node_of_cut(r, v) : r->answer;
	v->shared = true;
	if (s->cause_thread != NO_THREAD) {
		v->step = STEP_CAUSE;
		visit_moment(r, s->cause_thread, s->cause_time);
	} else {
		needs_begin(r, v);
	}
}

static void end_go_on(struct path_nodes_context *r, struct visit *v)
{
	switch (v->step) {
	case STEP_FIRST:
		v->step = STEP_BEGIN;
		r->ends[r->first[v->thread] + v->stretch] = ASKED;
		visit_begin(r, v->thread, v->stretch);
		break;
	case STEP_BEGIN:
		end_begun(r, v);
		break;
	case STEP_CAUSE:
		v->shared = r->answer == ASKED;
		if (r->answer != ASKED)
			v->level = node_of_wait(r, v, r->answer);
		needs_begin(r, v);
		break;
	default:
		need_met(r, v);
	}
}

static void visits_make(struct path_nodes_context *r)
{
	while (r->visits.n) {
		struct visit *v = &r->visits.at[r->visits.n - 1];

		if (v->question == QUESTION_END)
			end_go_on(r, v);
		else if (v->question == QUESTION_MOMENT)
			moment_go_on(r, v);
		else
			creation_go_on(r, v);
	}
}

static void stretch_take(struct path_nodes_context *r, uint32_t thread, size_t i)
{
	size_t place = r->first[thread] + i;

	if (r->ends[place] != UNKNOWN)
		return;
	if (i > 0 && r->ends[place - 1] < ASKED && !has_needs(r, thread) &&
	    r->graph->threads[thread].stretches[i].cause_thread == NO_THREAD) {
		r->ends[place] = r->ends[place - 1];
		return;
	}
	visit_end(r, thread, i);
	visits_make(r);
}

/* ---- all stretches by their ends: a heap of threads ---- */

struct next_end {
	int64_t end;
	uint32_t thread;
};

/* At one time the last thread is first: circles of one moment are cut where that leads. */
static bool comes_before(struct next_end a, struct next_end b)
{
	return a.end != b.end ? a.end < b.end : a.thread > b.thread;
}

static void heap_sink(struct next_end *heap, size_t n, size_t at)
{
	struct next_end one = heap[at];

	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && comes_before(heap[child + 1], heap[child]))
			child++;
		if (!comes_before(heap[child], one))
			break;
		heap[at] = heap[child];
	}
	heap[at] = one;
}

static void stretches_take(struct path_nodes_context *r)
{
	const struct graph *g = r->graph;
	struct next_end *heap = array_new(g->trace->nthreads, sizeof *heap);
	size_t n = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (g->threads[t].n)
			heap[n++] = (struct next_end){stretch_end(&g->threads[t], 0), t};
	for (size_t i = n / 2; i-- > 0;)
		heap_sink(heap, n, i);
	while (n) {
		uint32_t t = heap[0].thread;
		const struct timeline *line = &g->threads[t];

		stretch_take(r, t, r->now[t]);
		if (r->now[t] + 1 < line->n)
			heap[0].end = stretch_end(line, ++r->now[t]);
		else
			heap[0] = heap[--n];
		heap_sink(heap, n, 0);
	}
	free(heap);
}

static void ends_take(struct path_nodes_context *r)
{
	const struct graph *g = r->graph;

	r->nodes->first_end = r->nodes->all.n;
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (g->threads[t].n && !g->threads[t].ended)
			node_add(r,
				 (struct path_node){r->ends[r->first[t] + g->threads[t].n - 1],
						    NODE_NEVER, g->threads[t].end},
				 (struct origin){OF_END, t, 0});
}

/* ---- points ---- */

typedef void point_visit(void *context, uint32_t thread, int64_t time, point_target target);

/* Calls visit for each point of a node. */
static void points_each(const struct path_nodes_context *r, size_t node, point_visit *visit,
			void *context)
{
	const struct graph *g = r->graph;
	struct origin o = r->origins.at[node - NCONSTANT_NODES];
	const struct timeline *line = &g->threads[o.thread];
	point_target target = (point_target)node << 2;
	const struct stretch *s;
	const struct need *n;

	switch (o.kind) {
	case OF_WAIT:
		s = &line->stretches[o.i];
		visit(context, o.thread, s->from, target | POINT_SUBTRACTS_A);
		visit(context, o.thread, stretch_end(line, o.i), target | POINT_ADDS_BOTH);
		visit(context, s->cause_thread, s->cause_time, target | POINT_SUBTRACTS_B);
		break;
	case OF_NEED:
		n = &g->needs.at[o.i];
		visit(context, o.thread, n->time, target | POINT_ADDS_A);
		visit(context, n->of, n->moment, target | POINT_SUBTRACTS_A);
		break;
	case OF_CREATION:
		visit(context, line->creator, line->created, target | POINT_SUBTRACTS_A);
		break;
	case OF_CUT:
		visit(context, o.thread, line->stretches[o.i].from, target | POINT_ADDS_A);
		break;
	case OF_END:
		visit(context, o.thread, line->end, target | POINT_SUBTRACTS_A);
		break;
	case OF_NOTHING:
		break;
	}
}

static void point_count(void *context, uint32_t thread, int64_t time, point_target target)
{
	size_t *first = context;

	(void)time;
	(void)target;
	first[thread + 1]++;
}

/* Until all are placed, first_point[i + 1] is where the next one of thread i goes. */
static void point_place(void *context, uint32_t thread, int64_t time, point_target target)
{
	struct path_nodes *n = context;
	size_t at = n->first_point[thread + 1]++;

	n->times[at] = time;
	n->targets[at] = target;
}

static void thread_sort(void *context, size_t thread, unsigned worker)
{
	struct path_nodes *n = context;
	size_t first = n->first_point[thread], count = n->first_point[thread + 1] - first;
	struct keyed *list;
	size_t sorted = 1;

	(void)worker;
	while (sorted < count && n->times[first + sorted - 1] <= n->times[first + sorted])
		sorted++;
	if (sorted >= count)
		return;
	list = array_new(count, sizeof *list);
	for (size_t i = 0; i < count; i++)
		list[i] = (struct keyed){(uint64_t)n->times[first + i] ^ (uint64_t)1 << 63,
					 n->targets[first + i]};
	sort_keyed(list, count);
	for (size_t i = 0; i < count; i++) {
		n->times[first + i] = (int64_t)(list[count - 1 - i].key ^ (uint64_t)1 << 63);
		n->targets[first + i] = (point_target)list[count - 1 - i].i;
	}
	free(list);
}

static void points_make(struct path_nodes_context *r)
{
	struct path_nodes *n = r->nodes;
	size_t sum = 0;

	n->first_point = array_zero((size_t)n->nthreads + 1, sizeof *n->first_point);
	for (size_t i = NCONSTANT_NODES; i < n->all.n; i++)
		points_each(r, i, point_count, n->first_point);
	for (uint32_t t = 0; t <= n->nthreads; t++) {
		size_t count = n->first_point[t];

		n->first_point[t] = sum;
		sum += count;
	}
	n->npoints = sum;
	n->times = array_new(n->npoints, sizeof *n->times);
	n->targets = array_new(n->npoints, sizeof *n->targets);
	for (size_t i = NCONSTANT_NODES; i < n->all.n; i++)
		points_each(r, i, point_place, n);
	parallel_for(n->nthreads, thread_sort, n);
}

/* ---- all ---- */

void path_nodes_make(struct path_nodes *n, const struct graph *g)
{
	struct path_nodes_context r = {.graph = g, .nodes = n};
	size_t stretches = 0;

	*n = (struct path_nodes){.nthreads = g->trace->nthreads};
	r.first = array_new(n->nthreads, sizeof *r.first);
	for (uint32_t t = 0; t < n->nthreads; t++) {
		r.first[t] = stretches;
		stretches += g->threads[t].n;
	}
	r.ends = array_new(stretches, sizeof *r.ends);
	r.begins = array_new(n->nthreads, sizeof *r.begins);
	r.met = array_new(g->needs.n, sizeof *r.met);
	r.now = array_zero(n->nthreads, sizeof *r.now);
	memset(r.ends, 0xff, stretches * sizeof *r.ends);
	memset(r.begins, 0xff, n->nthreads * sizeof *r.begins);
	memset(r.met, 0xff, g->needs.n * sizeof *r.met);
	*vector_add(&n->all) = (struct path_node){NODE_START, NODE_START, 0};
	*vector_add(&n->all) = (struct path_node){NODE_NEVER, NODE_NEVER, 0};
	stretches_take(&r);
	ends_take(&r);
	free(r.first);
	free(r.ends);
	free(r.begins);
	free(r.met);
	free(r.now);
	free(r.visits.at);
	points_make(&r);
	free(r.origins.at);
}

void path_nodes_free(struct path_nodes *n)
{
	free(n->all.at);
	free(n->first_point);
	free(n->times);
	free(n->targets);
}
