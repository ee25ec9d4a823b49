#include "analysis/replay/machine/replay.h"
#include "base/array.h"
#include "base/progress.h"
#include "base/task.h"
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* A list of threads, by links in them: first in, first out. */
struct queue {
	uint32_t head, tail;
	bool processors; /* it is for them */
};

/*
 * PHASE_LEAVING: it has to wait, and runs until it leaves its processor. PHASE_SPINNING: it waits
 * for a lock, and keeps its processor.
 */
enum thread_phase {
	PHASE_READY,
	PHASE_RUNNING,
	PHASE_LEAVING,
	PHASE_SPINNING,
	PHASE_BLOCKED,
	PHASE_ENDED
};

struct thread {
	size_t next;   /* operation */
	size_t back;   /* where it goes on after a piece of a pool */
	int64_t work;  /* left before the next one */
	int64_t began; /* its turn */
	int64_t slice_end;
	int64_t ready; /* since when it is */
	/* while it waits for a processor: from when one is left to it until it runs */
	int64_t switching;
	int64_t blocked; /* since when it is, or was when it became ready; -1: it was not */
	int64_t leaving; /* since when it is */
	int64_t wakes;   /* if it is woken: when it goes on */
	/* of the next operation, when it ends at the latest; INT64_MAX: at no time */
	int64_t limit;
	int64_t until;      /* so far it has worked already */
	uint64_t happening; /* the order of the one that is to come; others are void */
	uint32_t unsliced;  /* its place in the list of those; NOBODY: not in it */
	enum thread_phase phase;
	int64_t looped;   /* when it went back in a loop; -1: it has not, or the loop is over */
	uint32_t loops;   /* how often it did */
	bool woken;       /* what it was blocked by is over */
	bool busy_waits;  /* it has to wait, and keeps its processor for that when it has one */
	uint32_t link[2]; /* the next in a queue: who spins and waits for a processor is in two */
	uint32_t core;    /* that it has, or had last; NOBODY: none yet. Only if each has a queue */
	/*
	 * It is in the queue of a lock for which threads spin, also without a processor; and the
	 * next one there.
	 */
	bool spins;
	uint32_t behind;
	int64_t unknown; /* on the path that led to where it is, ns */
};

/* A processor with a queue of its own. */
struct core {
	struct queue ready;
	uint32_t length; /* of the queue */
	uint32_t thread; /* that has it */
	bool busy;
};

/*
 * At that time a thread goes on: on its processor, or for one. NOBODY: an idle processor takes one
 * over.
 */
struct happening {
	int64_t time;
	uint64_t order;
	uint32_t thread;
};

struct lock_state {
	uint32_t holder; /* NOBODY; of readers any */
	uint32_t readers;
	uint32_t again; /* how often its holder took it once more */
	bool handed;    /* the holder has not gone on yet */
	struct queue waiting;
	/* The operation since which who asks for it has it; and what was unknown up to it. */
	size_t opened;
	int64_t unknown;
};

struct meeting_state {
	uint32_t come;
	struct queue waiting;
};

struct post_state {
	bool posted;
	int64_t expired; /* when the first wait for it ended at its limit; INT64_MAX: none did */
	struct queue waiting;
};

struct device_state {
	unsigned served;
	struct queue waiting;
};

struct simulation {
	const struct operations *o;
	const struct machine *machine;
	struct replay *result;
	struct thread *threads;
	struct lock_state *locks;
	struct post_state *posts;
	struct meeting_state *meetings;
	struct happening *heap;
	size_t nheap, room;
	uint64_t order;
	size_t current; /* the operation that is done */
	uint32_t doer;  /* the thread that does it */
	unsigned free_cores;
	uint32_t spinning; /* threads that spin on a processor */
	/*
	 * Threads that run on, or wait busily, beyond the ends of their slices, as nobody waits
	 * for their processors: a slice is no step then.
	 */
	VECTOR(uint32_t) unsliced;
	uint32_t patient; /* those of them that wait busily */
	uint32_t going;   /* the thread that any_goes_on() found last */
	size_t *handed;    /* by pool: the piece that is handed out next */
	int64_t now;       /* of the last happening */
	int64_t reached;   /* up to when its thread ran */
	uint32_t *posters; /* by post: the thread that does it. NULL: not asked for */
	struct queue ready;
	struct device_state *devices;
	struct core *cores; /* NULL: all have the one queue */
	uint32_t waiting;   /* threads in the queues of the cores */
	uint64_t pulling;   /* the order of the pull that is to come; 0: none is */
	bool yield;         /* threads have spun that leave their processors to others */
	uint32_t running;   /* threads left without which the run does not end */
	uint64_t steps, next_look, most_steps;
	bool shows;   /* its progress */
	bool stopped; /* before its end */
};

/* ---- how far it is ---- */

/* From one look to the next: less than 10 ms. */
enum { STEPS_UNLOOKED = 1 << 16 };

static void look(struct simulation *s)
{
	s->next_look = s->steps + STEPS_UNLOOKED;
	if (s->next_look > s->most_steps)
		s->next_look = s->most_steps;
	if (s->shows)
		progress_step((uint64_t)s->now, (uint64_t)s->o->duration);
	if (task_cancelled())
		s->result->stop = STOP_CANCELLED;
	else if (s->steps >= s->most_steps)
		s->result->stop = STOP_STEPS;
	s->stopped = s->result->stop != STOP_NONE;
}

static void steps_add(struct simulation *s, uint64_t n)
{
	s->steps += n;
	if (s->steps >= s->next_look)
		look(s);
}

static void steps_begin(struct simulation *s)
{
	uint64_t all = (uint64_t)REPLAY_STEPS_EACH * s->o->all.n;

	s->most_steps = s->machine->most_steps    ? s->machine->most_steps
			: all > MOST_REPLAY_STEPS ? all
						  : MOST_REPLAY_STEPS;
	s->shows = s->machine->shows && !task_current; /* whose steps are shown, too */
	if (s->shows)
		progress_begin("replaying");
	look(s);
}

static void steps_end(struct simulation *s)
{
	if (s->shows)
		progress_end();
	s->result->steps = s->steps;
	s->result->reached = s->now;
}

/* ---- queues and the heap ---- */

static void queue_add(struct simulation *s, struct queue *q, uint32_t thread)
{
	s->threads[thread].link[q->processors] = NOBODY;
	if (q->head == NOBODY)
		q->head = thread;
	else
		s->threads[q->tail].link[q->processors] = thread;
	q->tail = thread;
}

static void queue_add_first(struct simulation *s, struct queue *q, uint32_t thread)
{
	s->threads[thread].link[q->processors] = q->head;
	if (q->head == NOBODY)
		q->tail = thread;
	q->head = thread;
}

static uint32_t queue_take(struct simulation *s, struct queue *q)
{
	uint32_t thread = q->head;

	if (thread != NOBODY)
		q->head = s->threads[thread].link[q->processors];
	return thread;
}

/*
 * The same of the queue of a lock for which threads spin: they may also be in one for a processor.
 */
static void line_add(struct simulation *s, struct queue *q, uint32_t thread)
{
	s->threads[thread].behind = NOBODY;
	if (q->head == NOBODY)
		q->head = thread;
	else
		s->threads[q->tail].behind = thread;
	q->tail = thread;
}

static void line_remove(struct simulation *s, struct queue *q, uint32_t thread)
{
	uint32_t before = NOBODY, behind = s->threads[thread].behind;

	for (uint32_t t = q->head; t != thread; t = s->threads[t].behind)
		before = t;
	if (before == NOBODY)
		q->head = behind;
	else
		s->threads[before].behind = behind;
	if (q->tail == thread)
		q->tail = before;
}

static bool is_before(const struct happening *a, const struct happening *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void happening_push(struct simulation *s, uint32_t thread, int64_t time)
{
	struct happening new = {time, s->order++, thread};
	size_t i = s->nheap++;

	s->heap = vector_reserve(s->heap, s->nheap, &s->room, sizeof *s->heap);
	for (; i && is_before(&new, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = new;
}

/* Takes the place of the one that was to come. */
static void happening_add(struct simulation *s, uint32_t thread, int64_t time)
{
	s->threads[thread].happening = s->order;
	happening_push(s, thread, time);
}

static struct happening happening_take(struct simulation *s)
{
	struct happening first = s->heap[0], last = s->heap[--s->nheap];
	size_t i = 0, child;

	for (; (child = 2 * i + 1) < s->nheap; i = child) {
		if (child + 1 < s->nheap && is_before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!is_before(&s->heap[child], &last))
			break;
		s->heap[i] = s->heap[child];
	}
	s->heap[i] = last;
	return first;
}

/* ---- processors ---- */

static void state_add(struct simulation *s, uint32_t thread, enum thread_state state, int64_t now)
{
	replay_states *all;

	if (!s->result->states)
		return;
	all = &s->result->states[thread];
	if (all->n && all->at[all->n - 1].from == now)
		all->n--;
	if (!all->n || all->at[all->n - 1].state != state)
		*vector_add(all) = (struct replay_state){now, state};
}

/* The thread has a processor, and runs on it from a time on. */
static void dispatch(struct simulation *s, uint32_t thread, int64_t start)
{
	struct thread *t = &s->threads[thread];

	s->result->ready += start - t->ready;
	state_add(s, thread, STATE_RUNNING, start);
	if (s->cores)
		s->cores[t->core].thread = thread;
	t->phase = PHASE_RUNNING;
	t->began = t->until = start;
	t->slice_end = start + s->machine->slice;
	happening_add(s, thread, start);
}

/*
 * While a processor is idle and threads are in the queues of others, one of them is taken over
 * after some time. Called after each change of either.
 */
static void pull_expect(struct simulation *s, int64_t now)
{
	if (!s->free_cores || !s->waiting) {
		s->pulling = 0;
	} else if (!s->pulling) {
		s->pulling = s->order;
		happening_push(s, NOBODY, now + s->machine->pull);
	}
}

/*
 * Returns where a thread waits for a processor: at the one that it had last, else at the one with
 * the fewest.
 */
static struct queue *queue_choose(struct simulation *s, struct thread *t)
{
	if (!s->cores)
		return &s->ready;
	if (t->core == NOBODY) {
		t->core = 0;
		for (uint32_t i = 1; i < s->machine->cores; i++)
			if (s->cores[i].length < s->cores[t->core].length)
				t->core = i;
	}
	s->cores[t->core].length++;
	s->waiting++;
	return &s->cores[t->core].ready;
}

/* Takes the next thread off the queue of a processor. */
static uint32_t core_take(struct simulation *s, uint32_t core)
{
	uint32_t thread = queue_take(s, &s->cores[core].ready);

	if (thread != NOBODY) {
		s->cores[core].length--;
		s->waiting--;
	}
	return thread;
}

/* Gives a thread an idle processor, if it can the one that it had last. */
static void core_choose(struct simulation *s, struct thread *t)
{
	uint32_t i = 0;

	s->free_cores--;
	if (!s->cores)
		return;
	if (t->core == NOBODY || s->cores[t->core].busy) {
		while (s->cores[i].busy)
			i++;
		t->core = i;
	}
	s->cores[t->core].busy = true;
}

/* Whether others wait for the processor that a thread has. */
static bool is_wanted(const struct simulation *s, const struct thread *t)
{
	return (s->cores ? &s->cores[t->core].ready : &s->ready)->head != NOBODY;
}

/* The slices of a thread follow each other while nobody waits for its processor. */
static void slices_pass(const struct simulation *s, struct thread *t, int64_t now)
{
	int64_t slice = s->machine->slice;

	if (t->slice_end < now)
		t->slice_end += (now - t->slice_end + slice - 1) / slice * slice;
}

/* While others wait for the processor of a thread that spins, its slice ends. */
static void turn_expect(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	if (t->phase != PHASE_SPINNING || t->happening || !s->machine->cores || !is_wanted(s, t))
		return;
	slices_pass(s, t, now);
	happening_add(s, thread, t->slice_end);
}

static void unsliced_add(struct simulation *s, uint32_t thread)
{
	s->patient += s->threads[thread].busy_waits;
	s->threads[thread].unsliced = (uint32_t)s->unsliced.n;
	*vector_add(&s->unsliced) = thread;
}

static void unsliced_remove(struct simulation *s, struct thread *t)
{
	uint32_t last = s->unsliced.at[s->unsliced.n - 1];

	s->patient -= t->busy_waits;
	s->unsliced.at[t->unsliced] = last;
	s->threads[last].unsliced = t->unsliced;
	t->unsliced = NOBODY;
	s->unsliced.n--;
}

/* A thread has run on for longer than its slice, up to a time. */
static void unsliced_end(struct simulation *s, struct thread *t, int64_t now)
{
	if (t->unsliced == NOBODY)
		return;
	unsliced_remove(s, t);
	slices_pass(s, t, now);
}

/*
 * Once others wait for the processor of a thread, it runs up to the end of its slice. A thread that
 * waits busily is looked at then.
 */
static void unsliced_cut(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	unsliced_end(s, t, now);
	if (t->busy_waits) {
		happening_add(s, thread, t->slice_end);
		return;
	}
	if (t->slice_end >= t->until)
		return;
	t->work += t->until - t->slice_end;
	s->result->running -= t->until - t->slice_end;
	t->until = t->slice_end;
	happening_add(s, thread, t->until);
}

/* Called after a thread has come to a queue for processors. */
static void turns_expect(struct simulation *s, int64_t now)
{
	for (uint32_t t = 0; s->spinning && t < s->o->nthreads; t++)
		turn_expect(s, t, now);
	for (size_t i = s->unsliced.n; i--;)
		if (is_wanted(s, &s->threads[s->unsliced.at[i]]))
			unsliced_cut(s, s->unsliced.at[i], now);
}

static void spin_begin(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	if (t->blocked < 0)
		t->blocked = now;
	if (now >= t->slice_end)
		t->slice_end = is_wanted(s, t) ? now : now + s->machine->slice;
	t->phase = PHASE_SPINNING;
	t->until = now;
	t->happening = 0;
	s->spinning++;
	turn_expect(s, thread, now);
}

/* The thread has the lock, or leaves its processor to others. */
static void spin_end(struct simulation *s, struct thread *t, int64_t now)
{
	s->spinning--;
	slices_pass(s, t, now);
	s->result->running += now - t->until;
	t->phase = PHASE_RUNNING;
}

/* The thread waits for a processor that another one leaves. */
static void ready_add(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	t->phase = PHASE_READY;
	t->ready = now;
	t->switching = s->o->switching;
	state_add(s, thread, STATE_READY, now);
	queue_add(s, queue_choose(s, t), thread);
	turns_expect(s, now);
	pull_expect(s, now);
}

/* Hands a processor to the next ready thread. */
static void leave(struct simulation *s, uint32_t core, int64_t now)
{
	uint32_t next = s->cores ? core_take(s, core) : queue_take(s, &s->ready);

	if (next != NOBODY) {
		dispatch(s, next, now + s->threads[next].switching);
	} else {
		s->free_cores++;
		if (s->cores)
			s->cores[core].busy = false;
	}
	pull_expect(s, now);
}

/*
 * A thread goes on at the processor that it had in the recorded run. After a delay, in which other
 * programs may have had its processor, it stays there if the recorded one is busy now, and its own
 * is idle.
 */
static void core_follow(const struct simulation *s, struct thread *t, const struct operation *o)
{
	bool stays = o->kind == OPERATION_DELAY && t->core != NOBODY && !s->cores[t->core].busy;

	if (!stays || !s->cores[o->core].busy)
		t->core = o->core;
}

/* Whether a woken thread waits for a processor. */
static bool has_to_queue(const struct simulation *s, const struct thread *t)
{
	if (!s->machine->cores)
		return false;
	return !s->free_cores ||
	       (s->cores && s->machine->stays && t->core != NOBODY && s->cores[t->core].busy);
}

/* A woken thread takes the place of the one that runs on its processor. */
static void core_conquer(struct simulation *s, uint32_t core, int64_t now)
{
	uint32_t thread = s->cores[core].thread;
	struct thread *t = &s->threads[thread];

	if ((t->phase != PHASE_RUNNING && t->phase != PHASE_SPINNING) || t->began >= now)
		return;
	if (t->phase == PHASE_SPINNING) {
		spin_end(s, t, now);
	} else {
		unsliced_end(s, t, now);
		t->work += t->until - now;
		s->result->running -= t->until - now;
	}
	ready_add(s, thread, now);
	t->happening = 0;
	leave(s, core, now);
}

static void yielder_displace(struct simulation *s, const struct thread *by, int64_t now);

/*
 * A thread goes on after a wait: an idle processor is its own from now on, also until it runs
 * there.
 */
static void make_ready(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];
	bool known = o->latency != NO_LATENCY;

	if (s->cores && s->machine->placed && o->core < s->machine->cores)
		core_follow(s, t, o);
	if (has_to_queue(s, t)) {
		bool first = s->cores && s->machine->preempts && t->core != NOBODY &&
			     s->cores[t->core].ready.head == NOBODY;

		ready_add(s, thread, now);
		if (known && (o->switched || o->others))
			t->switching = o->latency;
		if (s->yield)
			yielder_displace(s, t, now);
		if (first)
			core_conquer(s, t->core, now);
		return;
	}
	if (s->machine->cores)
		core_choose(s, t);
	t->ready = now;
	state_add(s, thread, STATE_READY, now);
	pull_expect(s, now);
	dispatch(s, thread,
		 now + (known && (!o->switched || o->others) ? o->latency : s->o->wake_up));
}

/* An idle processor takes over the thread that waits longest. */
static void pull(struct simulation *s, int64_t now)
{
	uint32_t from = NOBODY, thread;

	for (uint32_t i = 0; i < s->machine->cores; i++) {
		uint32_t head = s->cores[i].ready.head;

		if (head != NOBODY &&
		    (from == NOBODY ||
		     s->threads[head].ready < s->threads[s->cores[from].ready.head].ready))
			from = i;
	}
	thread = core_take(s, from);
	core_choose(s, &s->threads[thread]);
	s->pulling = 0;
	pull_expect(s, now);
	dispatch(s, thread, now + s->threads[thread].switching);
}

/*
 * Whether a thread waits for a post until a time at most. One that keeps its processor while it
 * waits has no limit.
 */
static bool is_limited(const struct simulation *s, const struct thread *t)
{
	const struct operation *o = &s->o->all.at[t->next];

	return t->limit != INT64_MAX && o->kind == OPERATION_WAIT && o->before != OPERATION_SPINS;
}

static void block(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	t->phase = PHASE_BLOCKED;
	state_add(s, thread, STATE_BLOCKED, now);
	if (t->woken)
		happening_add(s, thread, t->wakes);
	else if (is_limited(s, t))
		happening_add(s, thread, t->limit > now ? t->limit : now);
	leave(s, t->core, now);
}

/* A thread that spins, and yields, leaves its processor to one that is ready, and waits. */
static void yielder_displace(struct simulation *s, const struct thread *by, int64_t now)
{
	for (uint32_t i = 0; i < s->o->nthreads; i++) {
		struct thread *t = &s->threads[i];

		if (t->busy_waits && t->phase == PHASE_LEAVING && !t->woken &&
		    s->o->all.at[t->next].yields && (!s->cores || t->core == by->core)) {
			t->busy_waits = false;
			s->result->running += now - t->leaving;
			t->happening = 0;
			block(s, i, now);
			return;
		}
	}
}

/*
 * A thread that has polled so often does not count on those that wait for a lock or a processor: it
 * may be who always gets it first.
 */
enum { MOST_LOOPS = 1000 };

/* Whether a thread has a lock if it asks for it now. */
static bool can_take(const struct simulation *s, uint32_t thread, const struct operation *o)
{
	const struct lock_state *l = &s->locks[o->what];

	return l->holder == NOBODY || l->holder == thread || (o->shared && l->readers);
}

/* Whether a thread may still do what others poll for: it waits for nobody, and does not poll. */
static bool goes_on(const struct simulation *s, const struct thread *t, bool wins)
{
	bool waits = (t->phase == PHASE_BLOCKED || t->phase == PHASE_LEAVING || t->busy_waits) &&
		     !t->woken && !is_limited(s, t);

	waits |= t->spins && !can_take(s, (uint32_t)(t - s->threads), &s->o->all.at[t->next]);
	waits |= wins && (t->phase == PHASE_READY ||
			  (t->blocked >= 0 && s->o->all.at[t->next].kind == OPERATION_TAKE));
	return t->phase != PHASE_ENDED && t->looped < 0 && !waits;
}

static bool any_goes_on(struct simulation *s, bool wins)
{
	if (goes_on(s, &s->threads[s->going], wins))
		return true;
	for (uint32_t i = 0; i < s->o->nthreads; i++)
		if (goes_on(s, &s->threads[i], wins)) {
			s->going = i;
			return true;
		}
	return false;
}

/* If no thread goes on any more, busy waiters leave their processors after their slices. */
static void patience_end(struct simulation *s)
{
	if (!s->patient || any_goes_on(s, false))
		return;
	for (size_t i = s->unsliced.n; i--;)
		if (s->threads[s->unsliced.at[i]].busy_waits)
			unsliced_cut(s, s->unsliced.at[i], s->reached);
}

static void preempt(struct simulation *s, uint32_t thread, int64_t now);

/*
 * A thread that is woken goes on; one that keeps its processor for the first time leaves it if it
 * is wanted.
 */
static void spin(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	bool yields = s->o->all.at[t->next].yields;

	t->busy_waits = true;
	t->phase = PHASE_LEAVING;
	t->leaving = now;
	t->happening = 0;
	s->yield |= yields;
	if (t->woken) {
		happening_add(s, thread, t->wakes);
	} else if (s->machine->cores && (yields ? is_wanted(s, t) : !any_goes_on(s, false))) {
		t->busy_waits = false;
		block(s, thread, now);
	} else if (s->machine->cores && !yields) {
		if (t->slice_end <= now && is_wanted(s, t)) {
			preempt(s, thread, now);
			return;
		}
		if (t->slice_end <= now)
			t->slice_end = now + s->machine->slice;
		if (is_wanted(s, t))
			happening_add(s, thread, t->slice_end);
		else
			unsliced_add(s, thread);
	}
}

/* A thread has to wait: it leaves its processor, or goes on before. */
static void wait_begin(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	int64_t leaves = now + s->o->all.at[t->next].before;

	if (t->blocked < 0)
		t->blocked = now;
	if (s->o->all.at[t->next].before == OPERATION_SPINS) {
		spin(s, thread, now);
		return;
	}
	if (leaves == now) {
		block(s, thread, now);
		return;
	}
	t->phase = PHASE_LEAVING;
	t->leaving = now;
	happening_add(s, thread, t->woken && t->wakes < leaves ? t->wakes : leaves);
}

/* Returns when a thread goes on that is let go on at an operation. */
static int64_t wake_time(const struct operation *o, int64_t now)
{
	if (o->kind == OPERATION_LOOP)
		return now;
	return o->kind == OPERATION_UNTIL ? o->time : now + o->time;
}

/* A thread that has to wait, or is about to, goes on, after what it takes. */
static void wake(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];

	if (t->busy_waits)
		unsliced_end(s, t, now);
	t->woken = true;
	t->wakes = wake_time(o, now);
	if (s->current != t->next)
		t->unknown = s->threads[s->doer].unknown;
	if (s->result->wakers)
		s->result->wakers[t->next] =
		    s->current == t->next ? NO_NUMBER : (uint32_t)s->current;
	if (t->phase == PHASE_BLOCKED ||
	    (t->phase == PHASE_LEAVING && (t->busy_waits || t->wakes < t->leaving + o->before)))
		happening_add(s, thread, t->wakes);
}

static void wake_all(struct simulation *s, struct queue *q, int64_t now)
{
	uint32_t thread;

	while ((thread = queue_take(s, q)) != NOBODY)
		wake(s, thread, now);
}

/* ---- operations: each returns whether the thread goes on ---- */

static enum discipline discipline_of(const struct simulation *s, uint32_t lock)
{
	return s->machine->locks ? s->machine->locks[lock] : DISCIPLINE_FREE;
}

/* Whether threads keep their processors while they wait for a lock. */
static bool is_spun_for(const struct simulation *s, uint32_t lock)
{
	return discipline_of(s, lock) == DISCIPLINE_TICKET ||
	       discipline_of(s, lock) == DISCIPLINE_SPIN;
}

/* Returns the first in a queue that spins on a processor. */
static uint32_t spinner_first(const struct simulation *s, const struct queue *q)
{
	uint32_t thread = q->head;

	while (thread != NOBODY && s->threads[thread].phase != PHASE_SPINNING)
		thread = s->threads[thread].behind;
	return thread;
}

/*
 * A thread that spins on a processor sees at once that it may have the lock, another one once it
 * runs.
 */
static void spinner_go_on(struct simulation *s, struct queue *q, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	line_remove(s, q, thread);
	t->spins = false;
	t->unknown = s->threads[s->doer].unknown;
	if (s->result->wakers)
		s->result->wakers[t->next] = (uint32_t)s->current;
	if (t->phase == PHASE_SPINNING)
		happening_add(s, thread, now);
}

/* Readers that come one after the other in the queue go on together. */
static void readers_wake(struct simulation *s, uint32_t lock, int64_t now)
{
	struct queue *q = &s->locks[lock].waiting;
	uint32_t next = is_spun_for(s, lock) ? spinner_first(s, q) : q->head;

	if (next == NOBODY || !s->o->all.at[s->threads[next].next].shared)
		return;
	if (is_spun_for(s, lock))
		spinner_go_on(s, q, next, now);
	else
		wake(s, queue_take(s, q), now);
}

/* A thread that spun has the lock as soon as it runs. */
static void spinner_take(struct simulation *s, uint32_t thread, struct lock_state *l)
{
	struct thread *t = &s->threads[thread];

	line_remove(s, &l->waiting, thread);
	t->spins = false;
	t->unknown = l->unknown;
	if (s->result->wakers)
		s->result->wakers[t->next] = (uint32_t)l->opened;
}

static void lock_opened(const struct simulation *s, struct lock_state *l)
{
	l->opened = s->current;
	l->unknown = s->threads[s->doer].unknown;
}

static bool take(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct lock_state *l = &s->locks[o->what];
	struct thread *t = &s->threads[thread];

	if (discipline_of(s, o->what) == DISCIPLINE_NONE)
		return true;
	if (can_take(s, thread, o)) {
		if (t->spins)
			spinner_take(s, thread, l);
		l->again += !o->shared && l->holder == thread && !l->handed;
		l->handed = false;
		l->holder = thread;
		if (o->shared && !l->readers++)
			lock_opened(s, l);
		if (o->shared)
			readers_wake(s, o->what, now);
		return true;
	}
	if (discipline_of(s, o->what) == DISCIPLINE_LIFO)
		queue_add_first(s, &l->waiting, thread);
	else if (!is_spun_for(s, o->what))
		queue_add(s, &l->waiting, thread);
	else if (!t->spins)
		line_add(s, &l->waiting, thread);
	t->spins = is_spun_for(s, o->what);
	t->woken = false;
	return false;
}

static void release(struct simulation *s, const struct operation *o, int64_t now)
{
	struct lock_state *l = &s->locks[o->what];
	uint32_t next;

	if (discipline_of(s, o->what) == DISCIPLINE_NONE)
		return;
	if ((o->shared && l->readers && --l->readers) || l->again) {
		l->again -= !o->shared && l->again;
		return;
	}
	l->holder = NOBODY;
	lock_opened(s, l);
	next = discipline_of(s, o->what) == DISCIPLINE_SPIN ? spinner_first(s, &l->waiting)
							    : l->waiting.head;
	if (next == NOBODY)
		return;
	if (discipline_of(s, o->what) != DISCIPLINE_FREE)
		l->holder = next, l->handed = true;
	if (is_spun_for(s, o->what))
		spinner_go_on(s, &l->waiting, next, now);
	else
		wake(s, queue_take(s, &l->waiting), now);
}

static bool meet(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct meeting_state *m = &s->meetings[o->what];

	if (++m->come == s->o->members[o->what]) {
		wake_all(s, &m->waiting, now);
		return true;
	}
	queue_add(s, &m->waiting, thread);
	return false;
}

static bool wait_for(struct simulation *s, uint32_t thread, const struct operation *o)
{
	if (s->posts[o->what].posted)
		return true;
	queue_add(s, &s->posts[o->what].waiting, thread);
	return false;
}

static void post(struct simulation *s, const struct operation *o, int64_t now)
{
	struct post_state *p = &s->posts[o->what];

	p->posted = true;
	if (p->expired < now)
		s->result->overdue += now - p->expired;
	wake_all(s, &p->waiting, now);
}

static void queue_remove(struct simulation *s, struct queue *q, uint32_t thread)
{
	struct queue rest = {NOBODY, NOBODY, q->processors};
	uint32_t next;

	while ((next = queue_take(s, q)) != NOBODY)
		if (next != thread)
			queue_add(s, &rest, next);
	*q = rest;
}

/*
 * A wait ends at its limit. If it is in a loop the thread waits again, else nobody knows what the
 * program does.
 */
static void wait_expire(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];
	struct post_state *p = &s->posts[o->what];

	s->current = t->next;
	s->doer = thread;
	queue_remove(s, &p->waiting, thread);
	wake(s, thread, now);
	if (o[1].kind == OPERATION_LOOP)
		return;
	s->result->expired++;
	p->expired = p->expired < now ? p->expired : now;
}

static bool delay(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	if (!o->time && !o->after && (o->latency == NO_LATENCY || !o->latency))
		return true;
	if (o->kind == OPERATION_DELAY)
		s->threads[thread].unknown += operation_unknown(o, operation_waited(o));
	wake(s, thread, now);
	return false;
}

static bool sleep_until(struct simulation *s, uint32_t thread, const struct operation *o,
			int64_t now)
{
	if (o->time <= now)
		return true;
	wake(s, thread, now);
	return false;
}

/*
 * A thread that polls for what no thread is going to do waits for it instead, and so does one that
 * would poll without end at one time.
 */
static bool loop(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct thread *t = &s->threads[thread];
	bool first = t->looped < now;

	if (s->posts[o->what].posted || o->time >= 0)
		return true;
	t->looped = now;
	t->loops++;
	if (first && any_goes_on(s, t->loops > MOST_LOOPS))
		return true;
	return wait_for(s, thread, o);
}

/* Returns how many at once are served by the device of an operation; 0: as many as want. */
static unsigned served_at_once(const struct simulation *s, const struct operation *o)
{
	return o->what < s->o->ndevices ? s->machine->served : 1;
}

static bool serve(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct device_state *d = &s->devices[o->what];
	unsigned most = served_at_once(s, o);

	if (!most)
		return delay(s, thread, o, now);
	if (d->served == most) {
		queue_add(s, &d->waiting, thread);
		return false;
	}
	d->served++;
	wake(s, thread, now);
	return false;
}

/* A device is done with one, and goes on with the next. */
static void served(struct simulation *s, struct device_state *d, int64_t now)
{
	uint32_t next = queue_take(s, &d->waiting);

	if (next == NOBODY)
		d->served--;
	else
		wake(s, next, now);
}

/* Whether others run first, if there are any. */
static bool yields(const struct simulation *s, uint32_t thread, const struct operation *o,
		   int64_t now)
{
	if (!is_wanted(s, &s->threads[thread]))
		return false;
	return !o->time || (s->machine->slice <= o->time &&
			    now - s->threads[thread].began >= s->machine->slice / 2);
}

static bool operate(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct thread *t = &s->threads[thread];

	if (t->woken && o->kind != OPERATION_TAKE) {
		t->woken = false;
		return true;
	}
	switch ((enum operation_kind)o->kind) {
	case OPERATION_TAKE:
		return take(s, thread, o, now);
	case OPERATION_RELEASE:
		release(s, o, now);
		return true;
	case OPERATION_POST:
		post(s, o, now);
		return true;
	case OPERATION_WAIT:
		return wait_for(s, thread, o);
	case OPERATION_MEET:
		return meet(s, thread, o, now);
	case OPERATION_DELAY:
		return delay(s, thread, o, now);
	case OPERATION_POLL:
		return s->posts[o->what].posted || delay(s, thread, o, now);
	case OPERATION_UNTIL:
		return sleep_until(s, thread, o, now);
	case OPERATION_LOOP:
		return loop(s, thread, o, now);
	case OPERATION_SERVE:
		return serve(s, thread, o, now);
	case OPERATION_YIELD:
		return !yields(s, thread, o, now);
	case OPERATION_LIMIT:
	case OPERATION_NEXT:
	case OPERATION_BACK:
	case OPERATION_END:
		break;
	}
	return true;
}

/* ---- threads ---- */

/* Others that are ready run before a thread goes on. */
static void preempt(struct simulation *s, uint32_t thread, int64_t now)
{
	ready_add(s, thread, now);
	leave(s, s->threads[thread].core, now);
}

static void yield(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	t->woken = true;
	t->blocked = now;
	preempt(s, thread, now);
	t->switching = s->o->all.at[t->next].latency;
}

/* Whether the end of its process ends a thread, whatever it does then. */
static bool is_ended(const struct operations *o, uint32_t thread)
{
	return o->ended && o->ended[operations_thread(o, thread)];
}

static void end_thread(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	t->phase = PHASE_ENDED;
	s->result->ends[thread] = now;
	state_add(s, thread, STATE_OTHER, now);
	if (!is_ended(s->o, thread)) {
		s->running--;
		if (now > s->result->duration) {
			s->result->duration = now;
			s->result->unknown = t->unknown;
		}
	}
	leave(s, t->core, now);
}

/*
 * Lets a thread run up to a time; returns false if it has to leave its processor or something else
 * happens before it is done.
 */
static bool work(struct simulation *s, uint32_t thread, int64_t *now)
{
	struct thread *t = &s->threads[thread];
	bool wanted = s->machine->cores && is_wanted(s, t);

	unsliced_end(s, t, *now);
	while (t->work) {
		int64_t end = *now + t->work;

		if (s->machine->cores && *now >= t->slice_end) {
			if (wanted) {
				preempt(s, thread, *now);
				return false;
			}
			t->slice_end = *now + s->machine->slice;
		}
		if (wanted && end > t->slice_end)
			end = t->slice_end;
		t->work -= end - *now;
		t->until = end;
		s->result->running += end - *now;
		if (s->nheap && s->heap[0].time < end) {
			happening_add(s, thread, end);
			if (s->machine->cores && end > t->slice_end)
				unsliced_add(s, thread);
			return false;
		}
		*now = end;
		if (s->machine->cores)
			slices_pass(s, t, end);
	}
	return true;
}

static void piece_posters_find(struct simulation *s, size_t piece)
{
	const struct operation *o = s->o->all.at + s->o->pieces.at[piece].first;

	for (; o->kind != OPERATION_BACK; o++)
		if (o->kind == OPERATION_POST)
			s->posters[o->what] = s->result->runners[piece];
}

/* Returns where the next piece of a pool begins, which a thread runs from now on. */
static size_t piece_begin(struct simulation *s, struct thread *t, uint32_t pool)
{
	size_t piece = s->handed[pool]++;

	t->back = t->next;
	s->result->runners[piece] = (uint32_t)(t - s->threads);
	if (s->posters)
		piece_posters_find(s, piece);
	return s->o->pieces.at[piece].first;
}

/* Returns where a thread goes on after one in a loop. What is left out is done at that time. */
static size_t loop_after(struct simulation *s, struct thread *t, const struct operation *o,
			 int64_t now)
{
	size_t after = t->next + 1;

	if (!s->posts[o->what].posted)
		return o->time < 0 ? t->next - (size_t)-o->time : after;
	t->looped = -1;
	t->loops = 0;
	for (int64_t left = o->time; left > 0; left--, after++)
		if (s->result->done)
			s->result->begun[after] = s->result->done[after] = now;
	return after;
}

/* Returns which operation of a thread comes after one. */
static size_t operation_after(struct simulation *s, struct thread *t, const struct operation *o,
			      int64_t now)
{
	if (o->kind == OPERATION_LOOP)
		return loop_after(s, t, o, now);
	if (o->kind == OPERATION_BACK)
		return t->back;
	if (o->kind == OPERATION_NEXT && s->handed[o->what] < s->o->pools.at[o->what].end)
		return piece_begin(s, t, o->what);
	return t->next + 1;
}

/* Returns what a thread runs before its next operation: of a piece at its own pace. */
static int64_t work_before(const struct simulation *s, const struct thread *t)
{
	int64_t work = s->o->all.at[t->next].work;

	if (!s->o->pace || t->next < s->o->first[s->o->nthreads])
		return work;
	return (int64_t)((double)work * s->o->pace[t - s->threads] + 0.5);
}

static void operation_end(struct simulation *s, struct thread *t, int64_t now)
{
	const struct operation *o = &s->o->all.at[t->next];
	bool last = o->kind == OPERATION_MEET && t->blocked < 0;

	if (t->blocked >= 0 && o->kind == OPERATION_TAKE)
		s->result->lock_waits[o->what] += now - t->blocked;
	if (s->result->done)
		s->result->done[t->next] = now;
	t->next = operation_after(s, t, o, now);
	t->woken = false;
	t->blocked = -1;
	t->limit = o->kind == OPERATION_LIMIT ? now + o->time : INT64_MAX;
	if (o->kind != OPERATION_END)
		t->work = work_before(s, t) + (last ? o->after : 0); /* it lets the others go on */
}

static void begin(struct simulation *s, const struct thread *t, int64_t now)
{
	if (s->result->begun)
		s->result->begun[t->next] = now;
}

/* What a thread waited for is over. */
static void wait_end(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];

	if (o->kind == OPERATION_SERVE && served_at_once(s, o))
		s->current = t->next, s->doer = thread, served(s, &s->devices[o->what], now);
	t->work = o->after;
}

static void run(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	while (!s->stopped && work(s, thread, &now)) {
		const struct operation *o = &s->o->all.at[t->next];

		s->reached = now;
		steps_add(s, 1);
		if (t->busy_waits) {
			if (!t->woken || t->wakes > now) {
				spin(s, thread, now);
				return;
			}
			t->busy_waits = false;
			wait_end(s, thread, now);
			continue;
		}
		if (o->kind == OPERATION_END) {
			begin(s, t, now);
			operation_end(s, t, now);
			end_thread(s, thread, now);
			return;
		}
		if (t->blocked < 0)
			begin(s, t, now);
		s->current = t->next;
		s->doer = thread;
		if (!operate(s, thread, o, now)) {
			if (o->kind == OPERATION_YIELD)
				yield(s, thread, now);
			else if (t->spins)
				spin_begin(s, thread, now);
			else
				wait_begin(s, thread, now);
			return;
		}
		operation_end(s, t, now);
	}
}

/* ---- all ---- */

static const struct queue nobody = {NOBODY, NOBODY, false}, ready_nobody = {NOBODY, NOBODY, true};

/*
 * A thread is not there before its first operation, a wait, is over: it needs no processor for
 * that.
 */
static void begin_thread(struct simulation *s, uint32_t thread)
{
	struct thread *t = &s->threads[thread];

	t->phase = PHASE_BLOCKED;
	t->blocked = 0;
	begin(s, t, 0);
	s->current = t->next;
	s->doer = thread;
	if (operate(s, thread, &s->o->all.at[t->next], 0))
		wake(s, thread, 0);
}

static void simulation_begin(struct simulation *s)
{
	const struct operations *o = s->o;

	s->threads = array_zero(o->nthreads, sizeof *s->threads);
	s->locks = array_zero(o->nlocks, sizeof *s->locks);
	s->posts = array_zero(o->nposts, sizeof *s->posts);
	s->meetings = array_zero(o->nmeetings, sizeof *s->meetings);
	s->devices = array_zero(o->ndevices + o->nobjects, sizeof *s->devices);
	for (uint32_t i = 0; i < o->ndevices + o->nobjects; i++)
		s->devices[i].waiting = nobody;
	s->ready = ready_nobody;
	s->handed = array_new(o->pools.n, sizeof *s->handed);
	for (size_t i = 0; i < o->pools.n; i++)
		s->handed[i] = o->pools.at[i].first;
	s->free_cores = s->machine->cores;
	s->order = 1;
	if (s->machine->cores && s->machine->pull) {
		s->cores = array_zero(s->machine->cores, sizeof *s->cores);
		for (unsigned i = 0; i < s->machine->cores; i++)
			s->cores[i].ready = ready_nobody;
	}
	for (uint32_t i = 0; i < o->nlocks; i++)
		s->locks[i] = (struct lock_state){.holder = NOBODY, .waiting = nobody};
	for (uint32_t i = 0; i < o->nposts; i++)
		s->posts[i] = (struct post_state){.expired = INT64_MAX, .waiting = nobody};
	for (uint32_t i = 0; i < o->nmeetings; i++)
		s->meetings[i].waiting = nobody;
	for (uint32_t t = 0; t < o->nthreads; t++) {
		s->threads[t] = (struct thread){.next = o->first[t],
						.blocked = -1,
						.looped = -1,
						.core = NOBODY,
						.limit = INT64_MAX,
						.unsliced = NOBODY};
		s->threads[t].work = o->all.at[o->first[t]].work;
		s->running += !is_ended(o, t);
		begin_thread(s, t);
	}
}

/* ---- standstills ---- */

static void posters_find(struct simulation *s)
{
	const struct operations *o = s->o;

	s->posters = array_new(o->nposts, sizeof *s->posters);
	memset(s->posters, 0xff, o->nposts * sizeof *s->posters);
	for (uint32_t t = 0; t < o->nthreads; t++)
		for (size_t i = o->first[t]; i < o->first[t + 1]; i++)
			if (o->all.at[i].kind == OPERATION_POST)
				s->posters[o->all.at[i].what] = t;
	for (size_t i = 0; i < o->pieces.n; i++)
		if (s->result->runners[i] != NOBODY)
			piece_posters_find(s, i);
}

static bool waits_for_post(const struct operation *o)
{
	return o->kind == OPERATION_WAIT || o->kind == OPERATION_LOOP;
}

static bool waits_for_lock(const struct simulation *s, uint32_t thread)
{
	return s->o->all.at[s->threads[thread].next].kind == OPERATION_TAKE;
}

/* Returns the thread that a blocked one waits for; NOBODY: not one, or not known. */
static uint32_t waited_for(const struct simulation *s, uint32_t thread)
{
	const struct operation *o = &s->o->all.at[s->threads[thread].next];

	if (s->threads[thread].phase == PHASE_ENDED)
		return NOBODY;
	if (o->kind == OPERATION_TAKE)
		return s->locks[o->what].holder;
	return waits_for_post(o) ? s->posters[o->what] : NOBODY;
}

/*
 * Returns a thread of a circle in which threads wait for each other, found from one; NOBODY: there
 * is none.
 */
static uint32_t circle_find(const struct simulation *s, uint32_t thread)
{
	for (uint32_t i = 0; i < s->o->nthreads && thread != NOBODY; i++)
		thread = waited_for(s, thread);
	return thread;
}

/* A wait ends without its post; for who polls it has come. */
static void wait_untie(struct simulation *s, uint32_t thread)
{
	const struct operation *o = &s->o->all.at[s->threads[thread].next];

	s->current = s->threads[thread].next;
	s->doer = thread;
	s->posts[o->what].posted |= o->kind == OPERATION_LOOP;
	queue_remove(s, &s->posts[o->what].waiting, thread);
	wake(s, thread, s->now);
	turns_expect(s, s->now);
	s->result->untied++;
}

/*
 * Ends one wait of a circle, for a post of a thread that waits for a lock of the waiter. Returns
 * whether there is one.
 */
static bool circle_untie(struct simulation *s, uint32_t first)
{
	uint32_t thread = first, next;

	do {
		next = waited_for(s, thread);
		if (waits_for_lock(s, thread) && !waits_for_lock(s, next)) {
			wait_untie(s, next);
			return true;
		}
		thread = next;
	} while (thread != first);
	return false;
}

/* Whether a thread waits for a post of one that is not there, or has ended. */
static bool waits_for_nobody(const struct simulation *s, uint32_t thread)
{
	const struct operation *o = &s->o->all.at[s->threads[thread].next];
	uint32_t poster;

	if (s->threads[thread].phase == PHASE_ENDED || !waits_for_post(o))
		return false;
	poster = s->posters[o->what];
	return poster == NOBODY || s->threads[poster].phase == PHASE_ENDED;
}

/* A lock is free, whoever held it. */
static void lock_untie(struct simulation *s, uint32_t lock)
{
	s->locks[lock].readers = s->locks[lock].again = 0;
	release(s, &(struct operation){.kind = OPERATION_RELEASE, .what = lock}, s->now);
	turns_expect(s, s->now);
	s->result->untied++;
}

static void meeting_untie(struct simulation *s, uint32_t meeting)
{
	wake_all(s, &s->meetings[meeting].waiting, s->now);
	turns_expect(s, s->now);
	s->result->untied++;
}

/*
 * Ends the first wait of all, of a thread that stands still for more than one other, such as
 * several readers. Returns whether there is one.
 */
static bool any_untie(struct simulation *s)
{
	for (uint32_t t = 0; t < s->o->nthreads; t++) {
		const struct operation *o = &s->o->all.at[s->threads[t].next];

		if (s->threads[t].phase == PHASE_ENDED)
			continue;
		if (waits_for_post(o))
			wait_untie(s, t);
		else if (o->kind == OPERATION_TAKE && s->locks[o->what].waiting.head != NOBODY)
			lock_untie(s, o->what);
		else if (o->kind == OPERATION_MEET)
			meeting_untie(s, o->what);
		else
			continue;
		return true;
	}
	return false;
}

/* At a standstill: ends one wait that cannot end. Returns whether there is one. */
static bool untie(struct simulation *s)
{
	steps_add(s, s->o->nthreads);
	if (!s->posters)
		posters_find(s);
	for (uint32_t t = 0; t < s->o->nthreads; t++) {
		uint32_t first = s->threads[t].phase == PHASE_ENDED ? NOBODY : circle_find(s, t);

		if (first != NOBODY && circle_untie(s, first))
			return true;
		if (waits_for_nobody(s, t)) {
			wait_untie(s, t);
			return true;
		}
	}
	return any_untie(s);
}

/* Whether a thread waits for one other thread. */
static bool waits_for_one(const struct simulation *s, uint32_t thread)
{
	const struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];

	if ((t->phase != PHASE_BLOCKED && t->phase != PHASE_LEAVING) || t->woken ||
	    is_limited(s, t))
		return false;
	return o->kind == OPERATION_WAIT ||
	       (o->kind == OPERATION_TAKE && !s->locks[o->what].readers);
}

/*
 * Unties a circle that a thread has just closed. Others may run on for long before all stand still,
 * and what the circle holds up would come that much later.
 */
static void circle_end(struct simulation *s, uint32_t first)
{
	uint32_t thread = first;

	for (uint32_t i = 0; i < s->o->nthreads && waits_for_one(s, thread); i++) {
		if (!s->posters)
			posters_find(s);
		thread = waited_for(s, thread);
		if (thread == NOBODY)
			return;
		if (thread == first) {
			if (s->threads[first].blocked > s->now)
				s->now = s->threads[first].blocked;
			circle_untie(s, first);
			return;
		}
	}
}

/* Counts the running time of a thread up to the end of the run: work is counted when it begins. */
static void running_cut(struct replay *r, const struct thread *t)
{
	int64_t ran_from = t->began > r->duration ? t->began : r->duration;

	if (t->phase == PHASE_RUNNING && t->until > ran_from)
		r->running -= t->until - ran_from;
	else if (t->phase == PHASE_SPINNING && t->until < r->duration)
		r->running += r->duration - t->until;
	else if (t->phase == PHASE_LEAVING && t->leaving < r->duration)
		r->running += r->duration - t->leaving;
}

/* The end of the run ends a thread: what it has not done yet is over then. */
static void thread_cut(struct simulation *s, uint32_t thread)
{
	struct replay *r = s->result;
	size_t i = s->o->first[thread + 1];

	running_cut(r, &s->threads[thread]);
	while (r->done && i-- > s->o->first[thread] && !r->done[i]) {
		if (!r->begun[i])
			r->begun[i] = r->duration;
		r->done[i] = r->duration;
	}
	while (r->states && r->states[thread].n &&
	       r->states[thread].at[r->states[thread].n - 1].from >= r->duration)
		r->states[thread].n--;
	r->ends[thread] = r->duration;
	state_add(s, thread, STATE_OTHER, r->duration);
	s->threads[thread].phase = PHASE_ENDED;
}

/* What threads do at the end of the run, they do not finish. */
static void run_cut(struct simulation *s)
{
	for (uint32_t t = 0; t < s->o->nthreads && !s->running; t++)
		if (s->threads[t].phase != PHASE_ENDED)
			thread_cut(s, t);
}

static void stuck_find(struct simulation *s)
{
	struct replay *r = s->result;

	r->stuck_threads = array_new(s->o->nthreads, sizeof *r->stuck_threads);
	for (uint32_t t = 0; t < s->o->nthreads; t++)
		if (s->threads[t].phase != PHASE_ENDED)
			r->stuck_threads[r->nstuck++] = operations_thread(s->o, t);
	r->stuck = r->nstuck != 0 || s->stopped;
}

static void simulation_end(struct simulation *s)
{
	free(s->threads);
	free(s->locks);
	free(s->posts);
	free(s->posters);
	free(s->meetings);
	free(s->devices);
	free(s->heap);
	free(s->handed);
	free(s->cores);
	free(s->unsliced.at);
}

/* Called when its time to leave the processor comes: it blocks, or continues if woken. */
static void left(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	s->result->running += now - t->leaving;
	if (t->busy_waits && !t->woken) {
		if (is_wanted(s, t))
			preempt(s, thread, now);
		else
			spin(s, thread, now);
		return;
	}
	if (!t->woken || t->wakes > now) {
		block(s, thread, now);
		return;
	}
	t->busy_waits = false;
	t->phase = PHASE_RUNNING;
	wait_end(s, thread, now);
	run(s, thread, now);
}

/*
 * Whether a thread can still do something without another one: one that spins for a lock that is
 * held cannot.
 */
static bool is_live(const struct simulation *s, uint32_t thread)
{
	const struct thread *t = &s->threads[thread];

	if (t->phase == PHASE_ENDED)
		return false;
	if (t->phase == PHASE_BLOCKED || t->busy_waits)
		return t->woken || is_limited(s, t);
	return !t->spins || can_take(s, thread, &s->o->all.at[t->next]);
}

/*
 * A thread that spins may go on, or its slice of time is over: at a standstill it would be for
 * ever.
 */
static void spin_happen(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	bool live = false;

	if (!t->spins) {
		spin_end(s, t, now);
		run(s, thread, now);
		return;
	}
	t->happening = 0;
	for (uint32_t i = 0; i < s->o->nthreads && !live; i++)
		live = is_live(s, i);
	if (!live || !is_wanted(s, t))
		return;
	spin_end(s, t, now);
	preempt(s, thread, now);
}

static void happen(struct simulation *s, const struct happening *h)
{
	switch (s->threads[h->thread].phase) {
	case PHASE_BLOCKED:
		if (!s->threads[h->thread].woken) {
			wait_expire(s, h->thread, h->time);
			break;
		}
		wait_end(s, h->thread, h->time);
		make_ready(s, h->thread, h->time);
		break;
	case PHASE_LEAVING:
		left(s, h->thread, h->time);
		break;
	case PHASE_SPINNING:
		spin_happen(s, h->thread, h->time);
		break;
	case PHASE_READY:
	case PHASE_RUNNING:
	case PHASE_ENDED:
		run(s, h->thread, h->time);
	}
}

static void next_happen(struct simulation *s)
{
	struct happening h = happening_take(s);

	s->now = s->reached = h.time;
	steps_add(s, 1);
	if (h.thread == NOBODY) {
		if (h.order == s->pulling)
			pull(s, h.time);
	} else if (h.order == s->threads[h.thread].happening) {
		happen(s, &h);
		patience_end(s);
		if (s->machine->unties)
			circle_end(s, h.thread);
	}
}

/* Returns a replay of which nothing has happened yet. */
static struct replay *replay_new(const struct operations *o, const struct machine *m)
{
	struct replay *r = array_zero(1, sizeof *r);

	r->ends = array_zero(o->nthreads, sizeof *r->ends);
	if (!m->forgets) {
		r->begun = array_zero(o->all.n, sizeof *r->begun);
		r->done = array_zero(o->all.n, sizeof *r->done);
		r->wakers = array_new(o->all.n, sizeof *r->wakers);
		memset(r->wakers, 0xff, o->all.n * sizeof *r->wakers);
	}
	r->lock_waits = array_zero(o->nlocks, sizeof *r->lock_waits);
	r->nthreads = o->nthreads;
	r->runners = array_new(o->pieces.n, sizeof *r->runners);
	memset(r->runners, 0xff, o->pieces.n * sizeof *r->runners);
	if (m->states)
		r->states = array_zero(o->nthreads, sizeof *r->states);
	return r;
}

struct replay *replay_run(const struct operations *o, const struct machine *m)
{
	struct replay *r = replay_new(o, m);
	struct simulation s = {.o = o, .machine = m, .result = r};

	steps_begin(&s);
	simulation_begin(&s);
	while (!s.stopped && s.running && (s.nheap || (m->unties && untie(&s))))
		next_happen(&s);
	run_cut(&s);
	stuck_find(&s);
	steps_end(&s);
	simulation_end(&s);
	return r;
}

void replay_free(struct replay *r)
{
	free(r->begun);
	free(r->done);
	free(r->wakers);
	free(r->runners);
	free(r->ends);
	free(r->lock_waits);
	free(r->stuck_threads);
	for (uint32_t t = 0; r->states && t < r->nthreads; t++)
		free(r->states[t].at);
	free(r->states);
	free(r);
}
