#include "analysis/replay/recorded/placement.h"
#include "base/search.h"
#include "base/sort.h"
#include <stdlib.h>

/*
 * At one time a processor goes to a thread that starts without having been ready, then to those
 * that are ready.
 */
enum change_kind { CHANGE_STARTS, CHANGE_STOPS, CHANGE_IS_READY, CHANGE_RUNS, CHANGE_GIVES_UP };

struct ready_change {
	int64_t time;
	enum change_kind kind;
	uint32_t thread;
	size_t ready; /* of the thread's ready times */
	/*
	 * the end of that time: of threads that are ready at once, the first that runs came first
	 */
	int64_t until;
};

struct readiness_search {
	const struct instance_set *set;
	struct readiness *result;
	unsigned cores;
	VECTOR(struct ready_change) changes;
	unsigned running,
	    reserved;         /* processors; reserved: a thread that was woken will run there */
	unsigned waiting;     /* threads for which no processor is reserved */
	VECTOR(int64_t) left; /* when processors were left to waiting threads, from `first` on */
	size_t first;
};

/* ---- the changes of all threads ---- */

static void thread_changes(struct readiness_search *f, uint32_t t, int64_t last)
{
	const span_vector *states = instance_spans(f->set, SPANS_STATE, t);
	ready_times *ready = &f->result->threads[t];
	int64_t ran_from = -1, ran_to = -1;

	for (size_t i = 0; i < states->n; i++) {
		const struct instance_span *s = &states->at[i];
		enum thread_state state = span_role(f->set, s)->state;
		int64_t end = s->end < last ? s->end : last;
		bool was_ready = ready->n && ready->at[ready->n - 1].to == s->start &&
				 !ready->at[ready->n - 1].runs;

		if (state == STATE_RUNNING) {
			if (was_ready)
				ready->at[ready->n - 1].runs = true;
			else
				*vector_add(&f->changes) =
				    (struct ready_change){s->start, CHANGE_STARTS, t, 0, 0};
			*vector_add(&f->changes) =
			    (struct ready_change){end, CHANGE_STOPS, t, 0, 0};
			ran_from = s->start;
			ran_to = end;
		} else if (state == STATE_READY && s->start < end) {
			*vector_add(ready) = (struct ready_time){
			    s->start, s->start, end,  ran_to == s->start ? ran_to - ran_from : -1,
			    false,    NO_CORE,  false};
		}
	}
	for (size_t i = 0; i < ready->n; i++) {
		const struct ready_time *r = &ready->at[i];

		*vector_add(&f->changes) =
		    (struct ready_change){r->from, CHANGE_IS_READY, t, i, r->to};
		*vector_add(&f->changes) =
		    (struct ready_change){r->to, r->runs ? CHANGE_RUNS : CHANGE_GIVES_UP, t, i, 0};
	}
}

static int by_time(const void *a, const void *b)
{
	const struct ready_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->until != y->until)
		return x->until < y->until ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* ---- which of them wait for a processor ---- */

/* A processor is left to the thread that waits longest, if there is one. */
static void processor_left(struct readiness_search *f, int64_t time)
{
	if (!f->waiting || f->running + f->reserved >= f->cores)
		return;
	f->waiting--;
	f->reserved++;
	*vector_add(&f->left) = time;
}

/* A thread that waited for a processor has one, or waits no more. */
static void waited(struct readiness_search *f, struct ready_time *r)
{
	if (f->first == f->left.n) {
		f->waiting--;
		r->served = r->to;
		return;
	}
	f->reserved--;
	r->served = f->left.at[f->first++];
	if (r->served < r->from)
		r->served = r->from;
}

static void change_do(struct readiness_search *f, const struct ready_change *c)
{
	struct ready_time *r = &f->result->threads[c->thread].at[c->ready];

	switch (c->kind) {
	case CHANGE_STOPS:
		f->running--;
		processor_left(f, c->time);
		break;
	case CHANGE_IS_READY:
		if (f->running + f->reserved < f->cores) {
			f->reserved++;
		} else {
			r->served = INT64_MAX;
			f->waiting++;
		}
		break;
	case CHANGE_RUNS:
	case CHANGE_GIVES_UP:
		if (r->served == INT64_MAX)
			waited(f, r);
		else
			f->reserved--;
		if (c->kind == CHANGE_RUNS)
			f->running++;
		else
			processor_left(f, c->time);
		break;
	case CHANGE_STARTS:
		f->running++;
		break;
	}
}

/* ---- what is usual ---- */

typedef VECTOR(int64_t) times;

static void usual_find(struct readiness *r)
{
	times idle = {0}, busy = {0};

	for (uint32_t t = 0; t < r->nthreads; t++)
		for (size_t i = 0; i < r->threads[t].n; i++) {
			const struct ready_time *a = &r->threads[t].at[i];

			if (!a->runs || a->moved)
				continue;
			if (a->served > a->from && !ready_time_of_others(a))
				*vector_add(&busy) = a->to - a->served;
			else if (a->served > a->from)
				continue;
			else if (a->turn < 0 && !ready_time_of_others(a))
				*vector_add(&idle) = a->to - a->from;
		}
	r->wake_up = median_word(idle.at, idle.n, 0);
	r->switching = median_word(busy.at, busy.n, 0);
	free(idle.at);
	free(busy.at);
}

/* A thread that another processor took over waited until then. */
static void pulled_set(struct readiness *r)
{
	for (uint32_t t = 0; t < r->nthreads; t++)
		for (size_t i = 0; i < r->threads[t].n; i++) {
			struct ready_time *a = &r->threads[t].at[i];

			if (a->moved && a->served < a->to - r->switching)
				a->served = a->to - r->switching;
		}
}

/* ---- all ---- */

struct readiness *readiness_of(const struct instance_set *set, const int64_t *ends, unsigned cores)
{
	struct readiness *r = array_zero(1, sizeof *r);
	struct readiness_search f = {.set = set, .result = r, .cores = cores};

	r->nthreads = set->trace->nthreads;
	r->threads = array_zero(r->nthreads, sizeof *r->threads);
	for (uint32_t t = 0; t < r->nthreads; t++)
		thread_changes(&f, t, ends[t]);
	if (f.changes.n)
		qsort(f.changes.at, f.changes.n, sizeof *f.changes.at, by_time);
	for (size_t i = 0; cores && i < f.changes.n; i++)
		change_do(&f, &f.changes.at[i]);
	if (cores)
		placement_find(set, r, ends, cores);
	usual_find(r);
	if (r->pull)
		pulled_set(r);
	free(f.changes.at);
	free(f.left.at);
	return r;
}

void readiness_free(struct readiness *r)
{
	for (uint32_t t = 0; t < r->nthreads; t++)
		free(r->threads[t].at);
	free(r->threads);
	free(r);
}

struct readiness *readiness_apart(const struct readiness *r)
{
	struct readiness *apart = array_zero(1, sizeof *apart);

	*apart = *r;
	apart->threads = array_zero(r->nthreads, sizeof *apart->threads);
	for (uint32_t t = 0; t < r->nthreads; t++)
		for (size_t i = 0; i < r->threads[t].n; i++) {
			struct ready_time *a = vector_add(&apart->threads[t]);

			*a = r->threads[t].at[i];
			a->served = a->from;
			a->moved = false;
		}
	apart->pull = 0;
	apart->stays = apart->preempts = false;
	return apart;
}

double readiness_own(const struct readiness *r)
{
	double own = 0, all = 0;

	for (uint32_t t = 0; t < r->nthreads; t++)
		for (size_t i = 0; i < r->threads[t].n; i++) {
			const struct ready_time *a = &r->threads[t].at[i];

			own += (double)(a->served - a->from);
			all += (double)(a->to - a->from);
		}
	return all > 0 ? own / all : 0;
}

int64_t readiness_waited(const struct readiness *r, uint32_t thread, int64_t from, int64_t to)
{
	const ready_times *all = &r->threads[thread];
	size_t i = lower_bound(k, (size_t)0, all->n, all->at[k].to <= from);
	int64_t sum = 0;

	for (; i < all->n && all->at[i].from < to; i++) {
		int64_t a = all->at[i].from > from ? all->at[i].from : from;
		int64_t b = all->at[i].served < to ? all->at[i].served : to;

		sum += a < b ? b - a : 0;
	}
	return sum;
}

const struct ready_time *readiness_last(const struct readiness *r, uint32_t thread, int64_t from,
					int64_t to)
{
	const ready_times *all = &r->threads[thread];
	size_t i = lower_bound(k, (size_t)0, all->n, all->at[k].to <= to);

	return i && all->at[i - 1].to > from && all->at[i - 1].runs ? &all->at[i - 1] : NULL;
}
