#include "analysis/replay/answer/next_bottleneck.h"
#include "analysis/rank/subjects.h"
#include "analysis/replay/answer/plan.h"
#include "base/search.h"
#include <stdlib.h>
#include <string.h>

/* A function or interval with less of what its threads have on the path does not stand for them. */
static const double least_share = 0.25;
/* A removed lock that gains less brings nothing. */
static const double little_gain = 0.02;
/* Locks are held as long as each other if their hold times differ by less. */
static const double as_long = 0.25;

struct search_state {
	const struct prediction *prediction;
	struct further_run *run;
	const bool *threads; /* by index: those that the path is looked at in */
	double *path;        /* by operation: what its thread has on the path before it, ns */
	/*
	 * Operations by thread of the trace, as recorded; pieces in their places. NULL: as they
	 * are.
	 */
	size_t *order;
	size_t *first; /* in the order: of each thread, and one more */
	double *sums;  /* by subject: its time on the path */
};

const char *bottleneck_kind_name(enum bottleneck_kind kind)
{
	static const char *const names[] = {
	    [BOTTLENECK_UNKNOWN] = "unknown",
	    [BOTTLENECK_FUNCTION] = "function",
	    [BOTTLENECK_INTERVAL] = "interval",
	    [BOTTLENECK_THREAD] = "thread",
	    [BOTTLENECK_LOCK] = "lock",
	    [BOTTLENECK_PROCESSORS] = "processors",
	    [BOTTLENECK_IO] = "io",
	    [BOTTLENECK_WAITING] = "waiting",
	};

	return names[kind];
}

/* The threads that have the name of one. */
static bool *threads_like(const struct trace *t, uint32_t thread)
{
	bool *like = array_zero(t->nthreads, sizeof *like);

	for (uint32_t i = 0; i < t->nthreads; i++)
		like[i] = strcmp(t->threads[i].name, t->threads[thread].name) == 0;
	return like;
}

/* ---- what computes on the path ---- */

static void path_add(void *context, size_t operation, int64_t computed, int64_t waited)
{
	(void)waited;
	((double *)context)[operation] += (double)computed;
}

static int by_began(const void *a, const void *b, void *times)
{
	const struct operation_times *t = times;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	if (t[x].began != t[y].began)
		return t[x].began < t[y].began ? -1 : 1;
	return (x > y) - (x < y);
}

/* Sorts the operations as their threads did them in the recorded run. */
static void order_find(struct search_state *s, uint32_t nthreads)
{
	const struct operations *o = s->run->operations;
	size_t *place;

	s->first = array_zero(nthreads + 1, sizeof *s->first);
	if (!o->pieces.n) {
		memcpy(s->first, o->first, (nthreads + 1) * sizeof *s->first);
		return;
	}
	place = array_zero(nthreads + 1, sizeof *place);
	s->order = array_new(o->all.n, sizeof *s->order);
	for (size_t i = 0; i < o->all.n; i++)
		s->first[operations_recorder(o, i) + 1]++;
	for (uint32_t t = 0; t < nthreads; t++)
		place[t + 1] = s->first[t + 1] += s->first[t];
	for (size_t i = 0; i < o->all.n; i++)
		s->order[place[operations_recorder(o, i)]++] = i;
	for (uint32_t t = 0; t < nthreads; t++)
		qsort_r(s->order + s->first[t], s->first[t + 1] - s->first[t], sizeof *s->order,
			by_began, o->times.at);
	free(place);
}

static size_t ordered(const struct search_state *s, size_t place)
{
	return s->order ? s->order[place] : place;
}

/*
 * In the recorded run the thread computed before an operation from the end of the one before it
 * on.
 */
static void subject_add(void *context, size_t subject, uint32_t thread, int64_t from, int64_t to)
{
	struct search_state *s = context;
	const struct operation_times *times = s->run->operations->times.at;
	size_t first = s->first[thread], end = s->first[thread + 1], i;

	if (!s->threads[thread])
		return;
	i = lower_bound(k, first, end, times[ordered(s, k)].began <= from);
	for (; i < end; i++) {
		int64_t begin = i > first ? times[ordered(s, i - 1)].done : 0;
		int64_t until = times[ordered(s, i)].began;
		int64_t a = from > begin ? from : begin, b = to < until ? to : until;

		if (begin >= to)
			break;
		if (a < b)
			s->sums[subject] +=
			    s->path[ordered(s, i)] * (double)(b - a) / (double)(until - begin);
	}
}

/* Whether the intervals of a name are work, or of no kind. */
static bool is_work(const struct instance_set *set, const char *name)
{
	for (unsigned i = 0; i < set->nroles; i++) {
		const struct role *r = &set->roles[i];

		if (strcmp(r->interval->name, name) == 0)
			return r->kind == KIND_WORK || r->kind == KIND_NONE;
	}
	return false;
}

/* Sets what of one kind has most of the path. */
static void most_offer(struct bottleneck *found, const struct search_state *s,
		       const struct subjects *subjects, enum subject_kind kind)
{
	double whole = (double)s->run->replay->duration;

	for (size_t i = 0; i < subjects->all.n; i++) {
		const struct subject *subject = &subjects->all.at[i];

		if (subject->kind != kind || s->sums[i] / whole <= found->share ||
		    (kind == SUBJECT_INTERVAL && !is_work(subjects->set, subject->name)))
			continue;
		found->kind = kind == SUBJECT_FUNCTION ? BOTTLENECK_FUNCTION : BOTTLENECK_INTERVAL;
		found->subject = *subject;
		found->share = s->sums[i] / whole;
	}
}

/* A function says more than an interval, and that more than a thread. */
static void computing_name(struct bottleneck *b, const struct prediction *p,
			   struct further_run *run, const bool *threads)
{
	const struct model *m = p->model;
	struct subjects *subjects;
	struct search_state s = {.prediction = p, .run = run, .threads = threads};
	double least = least_share * b->share;

	if (!run->operations->times.n)
		return;
	subjects = subjects_of(m->set, m->graph, 1u << SUBJECT_FUNCTION | 1u << SUBJECT_INTERVAL);
	s.path = array_zero(run->operations->all.n, sizeof *s.path);
	s.sums = array_zero(subjects->all.n, sizeof *s.sums);
	limit_path(m, run->operations, run->replay, path_add, s.path);
	further_times_forget(run);
	order_find(&s, m->trace->nthreads);
	subjects_each(subjects, NULL, subject_add, &s);
	for (enum subject_kind kind = SUBJECT_FUNCTION; kind <= SUBJECT_INTERVAL; kind++) {
		struct bottleneck found = {.share = 0};

		most_offer(&found, &s, subjects, kind);
		if (!found.subject.name || found.share < least)
			continue;
		b->kind = found.kind;
		b->subject = found.subject;
		b->share = found.share;
		break;
	}
	subjects_free(subjects);
	free(s.path);
	free(s.sums);
	free(s.order);
	free(s.first);
}

/* ---- what is waited for on the path ---- */

struct wait_totals {
	const struct graph *graph;
	const struct operations *operations;
	/* by role of waits of the graph; then unknown ones, and those of ready threads */
	int64_t *of_role;
};

static void waiting_add(void *context, size_t operation, int64_t computed, int64_t waited)
{
	struct wait_totals *w = context;
	const struct operations *o = w->operations;
	const struct graph *g = w->graph;
	const struct timeline *l = &g->threads[operations_recorder(o, operation)];
	unsigned role = g->nwaits;
	size_t stretch;

	(void)computed;
	if (!waited || !l->n)
		return;
	stretch = o->times.n ? stretch_before(l, o->times.at[operation].done) : l->n;
	if (stretch < l->n && l->stretches[stretch].role != NO_ROLE)
		role = l->stretches[stretch].role;
	else if (stretch < l->n && l->stretches[stretch].activity == ACTIVITY_READY)
		role = g->nwaits + 1;
	if (o->all.at[operation].others) {
		int64_t others = o->all.at[operation].latency;

		others = others < waited ? others : waited;
		w->of_role[g->nwaits + 1] += others;
		waited -= others;
	}
	w->of_role[role] += waited;
}

static void waiting_name(struct bottleneck *b, const struct prediction *p,
			 const struct further_run *run)
{
	const struct graph *g = p->model->graph;
	struct wait_totals w = {g, run->operations,
				array_zero((size_t)g->nwaits + 2, sizeof *w.of_role)};
	unsigned most = g->nwaits;

	b->kind = BOTTLENECK_WAITING;
	limit_path(p->model, run->operations, run->replay, waiting_add, &w);
	for (unsigned i = 0; i < g->nwaits + 2; i++)
		if (w.of_role[i] > w.of_role[most])
			most = i;
	if (most < g->nwaits) {
		b->subject =
		    subject_named(g->trace, SUBJECT_INTERVAL, g->waits[most].interval->name);
		if (g->waits[most].kind == KIND_IO)
			b->kind = BOTTLENECK_IO;
	}
	b->others = most == g->nwaits + 1;
	free(w.of_role);
}

/* ---- locks that were removed for nothing ---- */

static int64_t held(const struct model *m, uint32_t lock)
{
	int64_t sum = 0;

	for (size_t i = 0; i < m->holds.n; i++)
		if (m->holds.at[i].lock == lock && m->holds.at[i].end != INT64_MAX)
			sum += m->holds.at[i].end - m->holds.at[i].start;
	return sum;
}

static bool is_removed(const struct changes *c, const struct trace *t, const struct lock *lock)
{
	for (unsigned i = 0; i < c->nlocks; i++)
		if (c->locks[i].discipline == DISCIPLINE_NONE && !c->locks[i].readers &&
		    !c->locks[i].parts && lock_change_is_about(&c->locks[i], t, lock))
			return true;
	return false;
}

static void removed_name(struct bottleneck *b, const struct prediction *p, const struct changes *c,
			 uint32_t lock)
{
	const struct model *m = p->model;
	double before = (double)p->base->duration, gained = before - (double)p->changed->duration;
	int64_t most = 0, own = held(m, lock);

	if (!c->nlocks || gained > little_gain * before)
		return;
	for (uint32_t i = 0; i < m->locks->locks.n; i++) {
		int64_t time = is_removed(c, m->trace, &m->locks->locks.at[i]) ? held(m, i) : 0;

		if (time <= most)
			continue;
		most = time;
		b->instead_of = m->locks->locks.at[i].label;
	}
	b->held_as_long = b->instead_of && (double)llabs(most - own) <= as_long * (double)most;
}

/* ---- one step ---- */

/* Replays with what limits the run better as well. threads: see bottleneck_of(). */
static void bottleneck_try(struct bottleneck *b, struct further_run *run, struct prediction *p,
			   const struct changes *c, const bool *threads, bool last)
{
	struct span_change span = {.kind = b->kind == BOTTLENECK_IO ? SPAN_IO : SPAN_SPEED,
				   .subject = &b->subject,
				   .own = b->kind == BOTTLENECK_FUNCTION,
				   .factor = 2,
				   .threads = b->kind == BOTTLENECK_THREAD ? threads : NULL};
	struct lock_change lock = {.subject = &b->subject, .discipline = DISCIPLINE_NONE};
	struct further_change further = {0};

	switch (b->kind) {
	case BOTTLENECK_FUNCTION:
	case BOTTLENECK_INTERVAL:
	case BOTTLENECK_THREAD:
	case BOTTLENECK_IO:
		further.span = &span;
		break;
	case BOTTLENECK_LOCK:
		further.lock = &lock;
		break;
	case BOTTLENECK_PROCESSORS:
		further.unlimited = true;
		break;
	case BOTTLENECK_WAITING:
	case BOTTLENECK_UNKNOWN:
		return;
	}
	b->before = run->replay->duration;
	b->tried = further_add(run, p, c, &further, last);
	b->duration = run->replay->duration;
	b->low = run->low;
	b->high = run->high;
}

/* Returns what limits the run. threads: of the limit's name, if it is in one; else NULL. */
static struct bottleneck bottleneck_of(const struct limit *l, struct further_run *run,
				       const struct prediction *p, const struct changes *c,
				       const bool *threads)
{
	const struct trace *t = p->model->trace;
	struct bottleneck b = {
	    .limit = *l, .share = l->share, .thread = threads ? t->threads[l->number].name : NULL};

	switch (l->kind) {
	case LIMIT_THREAD:
		b.kind = BOTTLENECK_THREAD;
		computing_name(&b, p, run, threads);
		break;
	case LIMIT_LOCK:
		b.kind = BOTTLENECK_LOCK;
		b.subject =
		    subject_named(t, SUBJECT_LOCK, p->model->locks->locks.at[l->number].label);
		if (!run->added)
			removed_name(&b, p, c, l->number);
		break;
	case LIMIT_PROCESSORS:
		b.kind = BOTTLENECK_PROCESSORS;
		break;
	case LIMIT_WAITING:
		waiting_name(&b, p, run);
		break;
	case LIMIT_NOTHING:
		break;
	}
	return b;
}

/* ---- all ---- */

static bool is_same(const struct bottleneck *a, const struct bottleneck *b)
{
	return a->kind == b->kind && a->subject.key == b->subject.key &&
	       (a->kind != BOTTLENECK_THREAD || strcmp(a->thread, b->thread) == 0);
}

static unsigned factor_of(const struct next_steps *s, const struct bottleneck *b)
{
	unsigned factor = 2;

	for (unsigned i = 0; i < s->n; i++)
		factor *= is_same(&s->at[i], b) ? 2 : 1;
	return factor;
}

bool next_gains_little(const struct bottleneck *b)
{
	return (double)(b->before - b->duration) < little_gain * (double)b->before;
}

/* A lock whose removal gains little may hide another one. Sets *limit to the new run's. */
static bool goes_on(struct bottleneck *b, const struct further_run *run, const struct prediction *p,
		    struct limit *limit)
{
	bool little = b->tried && next_gains_little(b);

	if (!b->tried || (little && b->kind != BOTTLENECK_LOCK) || !run->replay->begun)
		return false;
	*limit = limit_of(p->model, run->operations, run->replay, run->gone);
	if (little && limit->kind == LIMIT_LOCK)
		b->after = p->model->locks->locks.at[limit->number].label;
	return !little || b->after;
}

/* The first step is told in any case. */
static void little_drop(struct next_steps *s)
{
	while (s->n > 1 && s->at[s->n - 1].tried && next_gains_little(&s->at[s->n - 1]))
		s->n--;
}

/* Whether what was made better limits the run still. Notes that. */
static bool is_still(struct next_steps *s, const struct bottleneck *b)
{
	struct bottleneck *before = s->n ? &s->at[s->n - 1] : NULL;

	if (!before || !is_same(before, b))
		return false;
	before->after = b->subject.name ? b->subject.name : b->thread;
	return true;
}

/* Adds what limits the run, and tries it. Returns whether another step follows. */
static bool step_add(struct next_steps *s, struct further_run *run, struct prediction *p,
		     const struct changes *c, struct limit *l, size_t most)
{
	bool in_thread = l->kind == LIMIT_THREAD || l->kind == LIMIT_WAITING, more = false;
	bool *threads = in_thread ? threads_like(p->model->trace, l->number) : NULL;
	struct bottleneck *b = &s->at[s->n];

	*b = bottleneck_of(l, run, p, c, threads);
	if (!is_still(s, b)) {
		b->factor = factor_of(s, b);
		bottleneck_try(b, run, p, c, threads, ++s->n == most);
		more = s->n < most && goes_on(b, run, p, l);
	}
	free(threads);
	return more;
}

struct next_steps next_steps_of(struct prediction *p, const struct changes *c)
{
	size_t most = replays_within(REPLAYS_OF_STEPS, prediction_steps(p), NEXT_STEPS);
	struct further_run run = further_begin(p);
	struct limit l = limit_of(p->model, p->changed_operations, p->changed, p->gone);
	struct next_steps steps = {.n = 0};

	while (step_add(&steps, &run, p, c, &l, most))
		;
	little_drop(&steps);
	further_free(&run);
	return steps;
}
