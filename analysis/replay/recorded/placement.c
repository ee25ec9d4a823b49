#include "analysis/replay/recorded/placement.h"
#include "base/search.h"
#include <stdlib.h>

/*
 * UNKNOWN_PULL: counts as one pull that was seen. The kernel looks for threads at busy processors
 * at each tick, of which a second has 250 as a rule. AT_ONCE: pulls that take less are as though
 * all processors had one queue. ns
 */
enum { UNKNOWN_PULL = 4000000, AT_ONCE = LONGEST_SWITCH };

/* A thread has a processor. */
struct placement_turn {
	int64_t start, end;
	uint32_t thread, number; /* number: of the thread's turns */
	int processor;
};

typedef VECTOR(struct placement_turn) turns;

/* At a time that many more threads wait, and have processors or will have them at once. */
struct load_change {
	int64_t time;
	int waiting, busy;
};

struct placement_search {
	const struct instance_set *set;
	struct readiness *result;
	const int64_t *ends; /* of threads */
	unsigned cores;
	turns turns; /* by processor, then start */
	turns *of;   /* the same of each thread, by start */
	VECTOR(struct load_change) changes;
	/* how long threads that were taken over waited for processors that were idle */
	int64_t pulling;
	uint64_t pulls; /* how many were */
	int64_t others; /* how long threads waited for processors that other programs had */
	int processors; /* the highest number, and one */
	/*
	 * Of threads that were woken while another one had the processor that they had last: how
	 * many waited for it though another one was idle, or got the idle one; how many took the
	 * place of who ran there, or waited.
	 */
	uint64_t stayed, left, preempted, queued;
};

static bool turns_find(struct placement_search *f, uint32_t t)
{
	const span_vector *states = instance_spans(f->set, SPANS_STATE, t);

	for (size_t i = 0; i < states->n; i++) {
		const struct instance_span *s = &states->at[i];
		int processor = f->set->classes.at[s->class].processor;

		if (span_role(f->set, s)->state != STATE_RUNNING)
			continue;
		if (processor < 0)
			return false;
		f->processors = processor < f->processors ? f->processors : processor + 1;
		*vector_add(&f->of[t]) = *vector_add(&f->turns) =
		    (struct placement_turn){s->start, s->end, t, (uint32_t)f->of[t].n, processor};
	}
	return true;
}

static int by_processor(const void *a, const void *b)
{
	const struct placement_turn *x = a, *y = b;

	if (x->processor != y->processor)
		return x->processor < y->processor ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Returns the turn of a thread that begins at a time; NULL: none does. */
static const struct placement_turn *turn_at(const struct placement_search *f, uint32_t thread,
					    int64_t time)
{
	const turns *all = &f->of[thread];
	size_t i = lower_bound(k, (size_t)0, all->n, all->at[k].start < time);

	return i < all->n && all->at[i].start == time ? &all->at[i] : NULL;
}

/* Returns the turn that another thread had before, on the same processor; NULL: none had. */
static const struct placement_turn *turn_before(const struct placement_search *f,
						const struct placement_turn *turn)
{
	size_t i = lower_bound(k, (size_t)0, f->turns.n, by_processor(&f->turns.at[k], turn) < 0);

	if (!i || f->turns.at[i - 1].processor != turn->processor ||
	    f->turns.at[i - 1].thread == turn->thread)
		return NULL;
	return &f->turns.at[i - 1];
}

/* Returns the first turn of a processor that begins after a time, in the turns. */
static size_t turn_after(const struct placement_search *f, int processor, int64_t time)
{
	struct placement_turn wanted = {
	    .start = time, .thread = UINT32_MAX, .processor = processor};

	return lower_bound(k, (size_t)0, f->turns.n, by_processor(&f->turns.at[k], &wanted) < 0);
}

/* Returns the turn that a processor is in at a time; NULL: the program has none. */
static const struct placement_turn *turn_during(const struct placement_search *f, int processor,
						int64_t time)
{
	size_t i = turn_after(f, processor, time);

	if (!i || f->turns.at[i - 1].processor != processor || f->turns.at[i - 1].end <= time)
		return NULL;
	return &f->turns.at[i - 1];
}

/* Whether a thread could go on after a turn, and had to leave its processor. */
static bool is_preempted(const struct placement_search *f, const struct placement_turn *turn)
{
	const ready_times *ready = &f->result->threads[turn->thread];
	size_t i = lower_bound(k, (size_t)0, ready->n, ready->at[k].from < turn->end);

	return i < ready->n && ready->at[i].from == turn->end && ready->at[i].turn >= 0;
}

/* Whether a processor is idle, and not for a thread that is on its way. */
static bool is_any_idle(const struct placement_search *f, int64_t time)
{
	unsigned busy = 0;

	for (int p = 0; p < f->processors; p++) {
		size_t next = turn_after(f, p, time);

		busy += turn_during(f, p, time) ||
			(next < f->turns.n && f->turns.at[next].processor == p &&
			 f->turns.at[next].start < time + AT_ONCE);
	}
	return busy < f->cores;
}

/* Where a woken thread went. turn: what it does next. */
static void placement_count(struct placement_search *f, const struct ready_time *r,
			    const struct placement_turn *turn)
{
	int last = f->of[turn->thread].at[turn->number - 1].processor;
	const struct placement_turn *there = turn_during(f, last, r->from);

	if (!there)
		return;
	if (turn->processor == last) {
		f->stayed += is_any_idle(f, r->from);
		if (r->to - r->from < AT_ONCE && is_preempted(f, there))
			f->preempted++;
		else
			f->queued++;
	} else if (r->to - r->from < AT_ONCE && r->served == r->from) {
		f->left++;
	}
}

static void change_add(struct placement_search *f, int64_t from, int64_t to, int waiting, int busy)
{
	if (from >= to)
		return;
	*vector_add(&f->changes) = (struct load_change){from, waiting, busy};
	*vector_add(&f->changes) = (struct load_change){to, -waiting, -busy};
}

/* Whether the program had a processor for at least half of a time. */
static bool is_had(const struct placement_search *f, int processor, int64_t from, int64_t to)
{
	const struct placement_turn *first = turn_during(f, processor, from);
	size_t i = first ? (size_t)(first - f->turns.at) : turn_after(f, processor, from);
	int64_t sum = 0;

	for (; i < f->turns.n && f->turns.at[i].processor == processor; i++) {
		const struct placement_turn *t = &f->turns.at[i];

		if (t->start >= to || 2 * sum >= to - from)
			break;
		sum += (t->end < to ? t->end : to) - (t->start > from ? t->start : from);
	}
	return 2 * sum >= to - from;
}

/*
 * Whether another processor took a thread over that waited for the one that it had last, and that
 * the program's threads had meanwhile: not other programs.
 */
static bool is_moved(const struct placement_search *f, const struct ready_time *r,
		     const struct placement_turn *turn)
{
	int last;

	if (!turn->number)
		return false;
	last = f->of[turn->thread].at[turn->number - 1].processor;
	if (last == turn->processor || (r->turn < 0 && !turn_during(f, last, r->from)))
		return false;
	return (r->served > r->from || r->to - r->from >= AT_ONCE) &&
	       is_had(f, last, r->from, r->to);
}

static void waited(struct placement_search *f, uint32_t thread, struct ready_time *r)
{
	const struct placement_turn *turn = turn_at(f, thread, r->to), *before;

	if (!turn)
		return;
	if (f->processors <= (int)f->cores && turn->processor < NO_CORE)
		r->core = (uint8_t)turn->processor;
	before = turn_before(f, turn);
	r->served = !before || before->end < r->from ? r->from
		    : before->end < r->to            ? before->end
						     : r->to;
	r->moved = is_moved(f, r, turn);
	if (turn->number && r->turn < 0)
		placement_count(f, r, turn);
	if (r->moved) {
		f->pulling += r->to - r->served;
		f->pulls++;
	} else if (ready_time_of_others(r)) {
		f->others += r->to - r->served;
	}
	change_add(f, r->from, r->served, 1, 0);
	change_add(f, r->served, r->to, 0, 1);
}

static int by_time(const void *a, const void *b)
{
	const struct load_change *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Returns how long threads waited while processors were idle. */
static int64_t left_idle(struct placement_search *f)
{
	int64_t sum = 0;
	int waiting = 0, busy = 0;

	if (f->changes.n)
		qsort(f->changes.at, f->changes.n, sizeof *f->changes.at, by_time);
	for (size_t i = 0; i < f->changes.n; i++) {
		const struct load_change *c = &f->changes.at[i];

		if (i && waiting > 0 && busy < (int)f->cores)
			sum += c->time - f->changes.at[i - 1].time;
		waiting += c->waiting;
		busy += c->busy;
	}
	return sum;
}

static void pull_find(struct placement_search *f)
{
	for (size_t i = 0; i < f->turns.n; i++)
		change_add(f, f->turns.at[i].start, f->turns.at[i].end, 0, 1);
	f->pulling += left_idle(f);
	f->result->stays = f->stayed > f->left;
	f->result->preempts = f->preempted > f->queued;
	f->result->pull = f->pulls                         ? f->pulling / (int64_t)f->pulls
			  : f->pulling || f->result->stays ? UNKNOWN_PULL
							   : 0;
	if (f->result->pull < AT_ONCE && !f->result->stays)
		f->result->pull = 0;
}

/* ---- other programs ---- */

/* Of how many ready or running threads there are more at a time. */
struct thread_change {
	int64_t time, *set; /* set: to be set to the sum at that time */
	int ready, running;
};

typedef VECTOR(struct thread_change) thread_changes;

static int by_change_time(const void *a, const void *b)
{
	const struct thread_change *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/*
 * Sets each change's sum: how long other programs had processors that a ready thread would have had
 * up to then. Ready threads have equal shares of each processor that the program has not.
 */
static void others_sum(thread_changes *changes, unsigned cores)
{
	int ready = 0, running = 0;
	double sum = 0;

	if (changes->n)
		qsort(changes->at, changes->n, sizeof *changes->at, by_change_time);
	for (size_t i = 0; i < changes->n; i++) {
		const struct thread_change *c = &changes->at[i];
		int left = (int)cores - running;

		if (i && ready > 0 && left > 0)
			sum += (double)(c->time - changes->at[i - 1].time) *
			       (left < ready ? (double)left / ready : 1);
		ready += c->ready;
		running += c->running;
		if (c->set)
			*c->set = (int64_t)(sum + 0.5);
	}
}

/* A thread that ended has no processor, also if its last state goes on. */
static int64_t turn_end(const struct placement_search *f, const struct placement_turn *turn)
{
	int64_t end = f->ends[turn->thread];

	return turn->end < end ? turn->end : end > turn->start ? end : turn->start;
}

/*
 * Other programs had the processors that seemed idle: which thread waited at which processor says
 * little, and any processor that the program has not is theirs.
 */
static void one_queue_set(struct placement_search *f)
{
	struct readiness *r = f->result;
	thread_changes changes = {0};
	size_t n = 0;
	struct sums {
		int64_t from, to;
	} * sums;

	for (uint32_t t = 0; t < r->nthreads; t++)
		n += r->threads[t].n;
	sums = array_zero(n, sizeof *sums);
	n = 0;
	for (uint32_t t = 0; t < r->nthreads; t++)
		for (size_t i = 0; i < r->threads[t].n; i++, n++) {
			const struct ready_time *a = &r->threads[t].at[i];

			*vector_add(&changes) =
			    (struct thread_change){a->from, &sums[n].from, 1, 0};
			*vector_add(&changes) = (struct thread_change){a->to, &sums[n].to, -1, 0};
		}
	for (size_t i = 0; i < f->turns.n; i++) {
		*vector_add(&changes) = (struct thread_change){f->turns.at[i].start, NULL, 0, 1};
		*vector_add(&changes) =
		    (struct thread_change){turn_end(f, &f->turns.at[i]), NULL, 0, -1};
	}
	others_sum(&changes, f->cores);
	n = 0;
	for (uint32_t t = 0; t < r->nthreads; t++)
		for (size_t i = 0; i < r->threads[t].n; i++, n++) {
			struct ready_time *a = &r->threads[t].at[i];

			a->served = a->to - (sums[n].to - sums[n].from);
			a->moved = false;
		}
	free(sums);
	free(changes.at);
	r->pull = 0;
	r->stays = r->preempts = false;
}

void placement_find(const struct instance_set *set, struct readiness *r, const int64_t *ends,
		    unsigned cores)
{
	struct placement_search f = {.set = set, .result = r, .ends = ends, .cores = cores};
	bool known = true;

	f.of = array_zero(r->nthreads, sizeof *f.of);
	for (uint32_t t = 0; known && t < r->nthreads; t++)
		known = turns_find(&f, t);
	if (known && f.turns.n) {
		qsort(f.turns.at, f.turns.n, sizeof *f.turns.at, by_processor);
		for (uint32_t t = 0; t < r->nthreads; t++)
			for (size_t i = 0; i < r->threads[t].n; i++)
				if (r->threads[t].at[i].runs)
					waited(&f, t, &r->threads[t].at[i]);
		pull_find(&f);
		if (f.others > f.pulling)
			one_queue_set(&f);
	}
	for (uint32_t t = 0; t < r->nthreads; t++)
		free(f.of[t].at);
	free(f.of);
	free(f.turns.at);
	free(f.changes.at);
}
