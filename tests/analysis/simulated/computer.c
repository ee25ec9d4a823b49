#include "tests/analysis/simulated/computer.h"
#include <stdlib.h>

#define NOBODY UINT32_MAX

/* What it costs to do something, ns. */
enum {
	COST_CALL = 100,    /* a call that needs no kernel */
	COST_WAKE = 1000,   /* to wake a thread */
	COST_BLOCK = 500,   /* from the start of a wait until the processor is free */
	COST_RETURN = 500,  /* from the processor to the end of a wait */
	COST_SWITCH = 1500, /* from one thread to the next */
	COST_START = 10000, /* of a thread, on its processor */
	COST_EXIT = 20000,
	TIMER_SLACK = 50000,
};

enum phase {
	PHASE_NEW,
	PHASE_READY,    /* in the queue */
	PHASE_STARTING, /* has a processor, and runs at `due` */
	PHASE_RUNNING,  /* up to `due` */
	PHASE_LEAVING,  /* blocks at `due` */
	PHASE_BLOCKED,  /* a sleep ends at `due` */
	PHASE_ENDED,
};

struct thread {
	enum phase phase;
	size_t next; /* step */
	int64_t due;
	int64_t work; /* left, of a thread that does not run */
	int64_t slice_end;
	int64_t since;            /* when its state began */
	int64_t wait_begin;       /* of the step that waits */
	uint32_t processor, last; /* last: NOBODY: it had none yet */
	bool waits;               /* it waited for the step already */
	bool woken;               /* before it blocked */
	bool gone;
	int64_t item; /* what its item takes, ns; -1: it has none */
};

enum { MOST_ALL = MOST_THREADS + MOST_FOREIGN };

/* Threads in an order: first in, first out. */
struct line {
	uint32_t threads[MOST_ALL];
	unsigned n;
};

struct simulation {
	const struct computer *computer;
	const struct workload *program;
	struct simulated_log *log;
	struct truth *truth;
	struct random random;
	struct thread threads[MOST_ALL]; /* those of other programs come last */
	uint32_t nthreads;
	bool busy[MOST_PROCESSORS];
	struct line ready[MOST_PROCESSORS]; /* with one queue: the first */
	int64_t pull_due;                   /* INT64_MAX: nobody waits, or no processor is idle */
	struct {
		uint32_t holder;
		struct line waiting;
	} locks[MOST_LOCKS];
	struct {
		unsigned items;
		bool closed;
		struct line items_awaited, room_awaited;
	} queues[MOST_QUEUES];
	struct {
		unsigned value;
		struct line waiting;
	} semaphores[SEMAPHORES];
	struct {
		unsigned arrived;
		struct line waiting;
	} barriers[BARRIERS];
	struct line joining[MOST_THREADS]; /* by whom they wait for */
	size_t handed;                     /* items of the pool */
};

static void line_add(struct line *l, uint32_t thread)
{
	l->threads[l->n++] = thread;
}

static uint32_t line_take(struct line *l)
{
	uint32_t thread = l->n ? l->threads[0] : NOBODY;

	if (l->n)
		memmove(l->threads, l->threads + 1, --l->n * sizeof *l->threads);
	return thread;
}

/* ---- what is logged ---- */

static bool is_foreign(const struct simulation *s, uint32_t t)
{
	return t >= s->program->nthreads;
}

static void event_log(struct simulation *s, uint32_t t, int64_t now, enum log_event event,
		      const uint64_t *values, const char *text)
{
	if (!is_foreign(s, t))
		recording_add(s->log, t, now, event, values, text);
}

#define LOG(s, thread, time, event, ...) \
	event_log(s, thread, time, event, (const uint64_t[]){__VA_ARGS__ __VA_OPT__(, ) 0}, NULL)

static void readied_log(struct simulation *s, uint32_t t, int64_t now, const char *basis)
{
	event_log(s, t, now, EVENT_READIED, NULL, basis);
}

/* Objects and code have addresses that are nowhere else. */
enum {
	LOCKS_AT = 0x10000,
	CONDITIONS_AT = 0x20000,
	SEMAPHORES_AT = 0x30000,
	BARRIERS_AT = 0x40000,
	THREADS_AT = 0x50000,
	CODE_AT = 0x400000
};

uint64_t computer_lock_address(uint32_t lock)
{
	return LOCKS_AT + 64 * (uint64_t)lock;
}

static uint64_t condition_at(uint32_t queue, bool room)
{
	return CONDITIONS_AT + 64 * (2 * (uint64_t)queue + room);
}

static uint64_t semaphore_at(uint32_t semaphore)
{
	return SEMAPHORES_AT + 64 * (uint64_t)semaphore;
}

static uint64_t barrier_at(uint32_t barrier)
{
	return BARRIERS_AT + 64 * (uint64_t)barrier;
}

static uint64_t thread_at(uint32_t thread)
{
	return THREADS_AT + 64 * (uint64_t)thread;
}

static uint64_t site_of(const struct step *step)
{
	return CODE_AT + 0x1000 * (uint64_t)step->kind + 0x10 * step->what + 0x100 * step->site;
}

static const uint64_t mode = SIMULATED_PROCESS * 2;

/* ---- states and processors ---- */

static void state_end(struct simulation *s, uint32_t t, enum truth_state state, int64_t now)
{
	struct thread *thread = &s->threads[t];

	if (!is_foreign(s, t)) {
		s->truth->states[t][state] += now - thread->since;
		s->truth->lives[t] += now - thread->since;
	}
	thread->since = now;
}

static void start_at(struct simulation *s, uint32_t t, uint32_t processor, int64_t time)
{
	struct thread *thread = &s->threads[t];

	s->busy[processor] = true;
	thread->processor = processor;
	thread->phase = PHASE_STARTING;
	thread->due = time;
}

/* Returns an idle processor, best the one that a thread had last; NOBODY: there is none. */
static uint32_t processor_idle(const struct simulation *s, uint32_t t)
{
	uint32_t last = s->threads[t].last;

	if (last != NOBODY && !s->busy[last])
		return last;
	for (uint32_t i = 0; i < s->computer->processors; i++)
		if (!s->busy[i])
			return i;
	return NOBODY;
}

/* Returns the queue of a processor. */
static struct line *queue_of(struct simulation *s, uint32_t processor)
{
	return &s->ready[s->computer->pull ? processor : 0];
}

/* An idle processor takes a thread over some time after there are both. Called after each change. */
static void pull_plan(struct simulation *s, int64_t now)
{
	bool idle = false, waits = false;

	for (uint32_t i = 0; i < s->computer->processors; i++) {
		idle |= !s->busy[i];
		waits |= s->ready[i].n != 0;
	}
	if (!s->computer->pull || !idle || !waits)
		s->pull_due = INT64_MAX;
	else if (s->pull_due == INT64_MAX)
		s->pull_due = now + s->computer->pull;
}

/* The thread waits for a processor: for the one that it had last, else for the one with the fewest. */
static void queue(struct simulation *s, uint32_t t, int64_t now)
{
	uint32_t processor = s->threads[t].last;

	if (processor == NOBODY) {
		processor = 0;
		for (uint32_t i = 1; i < s->computer->processors; i++)
			if (s->ready[i].n < s->ready[processor].n)
				processor = i;
	}
	s->threads[t].phase = PHASE_READY;
	line_add(queue_of(s, processor), t);
	pull_plan(s, now);
}

static void preempt(struct simulation *s, uint32_t t, int64_t now);

/* A thread that was woken for a busy processor may take the place of the one that runs there. */
static void conquer(struct simulation *s, uint32_t processor, int64_t now)
{
	if (!s->computer->pull || !s->computer->preempts || queue_of(s, processor)->n != 1)
		return;
	for (uint32_t t = 0; t < s->nthreads; t++)
		if (s->threads[t].phase == PHASE_RUNNING && s->threads[t].processor == processor &&
		    s->threads[t].since < now && s->threads[t].due > now) {
			preempt(s, t, now);
			return;
		}
}

static void make_ready(struct simulation *s, uint32_t t, int64_t now)
{
	uint32_t processor = processor_idle(s, t), last = s->threads[t].last;

	if (s->computer->pull && last != NOBODY && s->busy[last])
		processor = NOBODY;
	if (processor == NOBODY) {
		queue(s, t, now);
		if (last != NOBODY)
			conquer(s, last, now);
	} else {
		start_at(s, t, processor,
			 now + s->computer->latency +
			     random_below(&s->random, (unsigned)s->computer->latency + 1));
		pull_plan(s, now);
	}
}

/* An idle processor takes over the thread that waits longest. */
static void pull(struct simulation *s, int64_t now)
{
	uint32_t from = NOBODY;

	for (uint32_t i = 0; i < s->computer->processors; i++)
		if (s->ready[i].n &&
		    (from == NOBODY || s->threads[s->ready[i].threads[0]].since <
					   s->threads[s->ready[from].threads[0]].since))
			from = i;
	for (uint32_t i = 0; i < s->computer->processors; i++)
		if (!s->busy[i]) {
			start_at(s, line_take(&s->ready[from]), i, now + COST_SWITCH);
			break;
		}
	s->pull_due = INT64_MAX;
	pull_plan(s, now);
}

static void processor_free(struct simulation *s, uint32_t processor, int64_t now)
{
	uint32_t next = line_take(queue_of(s, processor));

	s->busy[processor] = false;
	if (next != NOBODY)
		start_at(s, next, processor, now + COST_SWITCH);
	pull_plan(s, now);
}

/* The thread has its processor. */
static void run(struct simulation *s, uint32_t t, int64_t now)
{
	struct thread *thread = &s->threads[t];

	state_end(s, t, TRUTH_READY, now);
	if (thread->last != NOBODY && thread->last != thread->processor)
		LOG(s, t, now, EVENT_MIGRATED, thread->last, thread->processor);
	LOG(s, t, now, EVENT_SWITCH_IN, thread->processor);
	thread->last = thread->processor;
	thread->phase = PHASE_RUNNING;
	thread->due = now + thread->work;
	thread->slice_end = now + s->computer->slice;
}

static void leave(struct simulation *s, uint32_t t, int64_t now)
{
	state_end(s, t, TRUTH_RUNNING, now);
	LOG(s, t, now, EVENT_SWITCH_OUT, s->threads[t].processor);
}

/* Others get the processor of a thread that could go on. */
static void preempt(struct simulation *s, uint32_t t, int64_t now)
{
	struct thread *thread = &s->threads[t];

	thread->work = thread->due - now;
	leave(s, t, now);
	readied_log(s, t, now, "preempted");
	processor_free(s, thread->processor, now);
	queue(s, t, now);
}

/* The thread will block, unless it is woken before. */
static void wait(struct simulation *s, uint32_t t, int64_t now)
{
	s->threads[t].phase = PHASE_LEAVING;
	s->threads[t].due = now + COST_BLOCK;
	s->threads[t].waits = true;
	s->threads[t].woken = false;
}

static void go_on(struct simulation *s, uint32_t t, int64_t now)
{
	state_end(s, t, TRUTH_BLOCKED, now);
	readied_log(s, t, now, "waker");
	s->threads[t].work = COST_RETURN;
	make_ready(s, t, now);
}

/* Wakes a thread; returns what that costs. */
static int64_t wake(struct simulation *s, uint32_t t, int64_t now)
{
	if (t == NOBODY)
		return 0;
	if (s->threads[t].phase == PHASE_LEAVING)
		s->threads[t].woken = true;
	else
		go_on(s, t, now);
	return COST_WAKE;
}

static const struct step *step_of(const struct simulation *s, uint32_t t)
{
	return &s->program->threads[t].at[s->threads[t].next];
}

static void block(struct simulation *s, uint32_t t, int64_t now)
{
	struct thread *thread = &s->threads[t];
	const struct step *step = step_of(s, t);

	if (thread->woken) {
		thread->phase = PHASE_RUNNING;
		thread->due = now + COST_RETURN;
		return;
	}
	leave(s, t, now);
	LOG(s, t, now, EVENT_BLOCKS);
	processor_free(s, thread->processor, now);
	thread->phase = PHASE_BLOCKED;
	thread->due =
	    step->kind == STEP_SLEEP ? thread->wait_begin + step->length + TIMER_SLACK : INT64_MAX;
}

/*
 * Steps: each returns whether it is done; else the thread waits, or comes back to it when `due`. *cost: what the
 * thread runs after it beside the next step, ns.
 */

static void lock_acquire(struct simulation *s, uint32_t t, int64_t now, uint32_t lock,
			 uint64_t site)
{
	s->locks[lock].holder = t;
	LOG(s, t, now, EVENT_LOCK, computer_lock_address(lock), site);
}

static void lock_release(struct simulation *s, uint32_t t, int64_t now, uint32_t lock,
			 uint64_t site, int64_t *cost)
{
	s->locks[lock].holder = NOBODY;
	LOG(s, t, now, EVENT_UNLOCK, computer_lock_address(lock), site, mode);
	*cost += wake(s, line_take(&s->locks[lock].waiting), now);
}

static bool step_lock(struct simulation *s, uint32_t t, int64_t now, const struct step *step)
{
	if (s->locks[step->what].holder == NOBODY) {
		if (s->threads[t].waits)
			LOG(s, t, now, EVENT_LOCK_END, computer_lock_address(step->what), mode, 0);
		lock_acquire(s, t, now, step->what, site_of(step));
		return true;
	}
	if (!s->threads[t].waits)
		LOG(s, t, now, EVENT_LOCK_BUSY, computer_lock_address(step->what), site_of(step));
	line_add(&s->locks[step->what].waiting, t);
	wait(s, t, now);
	return false;
}

static bool step_await(struct simulation *s, uint32_t t, int64_t now, const struct step *step,
		       int64_t *cost)
{
	const struct workload_queue *queue = &s->program->queues[step->what];
	struct thread *thread = &s->threads[t];
	bool room = step->kind == STEP_AWAIT_ROOM;
	uint64_t condition = condition_at(step->what, room);

	if (thread->waits && s->locks[queue->lock].holder != NOBODY) {
		line_add(&s->locks[queue->lock].waiting, t);
		wait(s, t, now);
		return false;
	}
	if (thread->waits) {
		lock_acquire(s, t, now, queue->lock, site_of(step));
		LOG(s, t, now, EVENT_COND_END, condition, computer_lock_address(queue->lock),
		    SIMULATED_PROCESS, 0, (uint64_t)thread->wait_begin);
		thread->waits = false;
		thread->due = now + COST_CALL;
		return false;
	}
	if (room ? s->queues[step->what].items < queue->room
		 : s->queues[step->what].items > 0 || s->queues[step->what].closed)
		return true;
	thread->wait_begin = now;
	lock_release(s, t, now, queue->lock, site_of(step), cost);
	LOG(s, t, now, EVENT_COND_BEGIN, condition, computer_lock_address(queue->lock),
	    site_of(step));
	line_add(room ? &s->queues[step->what].room_awaited : &s->queues[step->what].items_awaited,
		 t);
	wait(s, t, now);
	return false;
}

static void step_change(struct simulation *s, uint32_t t, int64_t now, const struct step *step,
			int64_t *cost)
{
	bool put = step->kind == STEP_PUT;
	struct line *waiting =
	    put ? &s->queues[step->what].items_awaited : &s->queues[step->what].room_awaited;
	uint64_t condition = condition_at(step->what, !put);

	s->queues[step->what].items += put ? 1u : -1u;
	if (waiting->n)
		LOG(s, t, now, EVENT_COND_SIGNAL, condition, site_of(step), SIMULATED_PROCESS,
		    waiting->n, 0, (uint64_t)now + 1);
	else
		LOG(s, t, now, EVENT_COND_UNHEARD, condition, site_of(step), 0);
	*cost += wake(s, line_take(waiting), now);
}

static void step_close(struct simulation *s, uint32_t t, int64_t now, const struct step *step,
		       int64_t *cost)
{
	struct line *waiting = &s->queues[step->what].items_awaited;

	s->queues[step->what].closed = true;
	while (waiting->n) {
		LOG(s, t, now, EVENT_COND_SIGNAL, condition_at(step->what, false), site_of(step),
		    SIMULATED_PROCESS, waiting->n, 1, (uint64_t)now + 1);
		*cost += wake(s, line_take(waiting), now);
	}
}

/* The thread has the next item, if there is one. */
static void step_ask(struct simulation *s, uint32_t t, int64_t now, const struct step *step,
		     int64_t *cost)
{
	const struct workload_pool *pool = &s->program->pool;
	bool there = pool->queued ? s->queues[step->what].items > 0 : s->handed < pool->lengths.n;

	s->threads[t].item =
	    there ? (int64_t)((double)pool->lengths.at[s->handed++] / pool->paces[t]) : -1;
	if (there && pool->queued)
		step_change(s, t, now, step, cost);
}

/* Returns which step comes after one. */
static size_t step_after(const struct simulation *s, uint32_t t, const struct step *step)
{
	const struct step *steps = s->program->threads[t].at;
	size_t i = s->threads[t].next;

	if (step->kind == STEP_REPEAT)
		while (steps[i].kind != STEP_AGAIN)
			i--;
	else if (step->kind == STEP_WORK && s->threads[t].item < 0)
		while (steps[i].kind != STEP_REPEAT)
			i++;
	return i + 1;
}

static bool step_semaphore_wait(struct simulation *s, uint32_t t, int64_t now,
				const struct step *step)
{
	struct thread *thread = &s->threads[t];
	uint64_t semaphore = semaphore_at(step->what);

	if (s->semaphores[step->what].value) {
		s->semaphores[step->what].value--;
		if (thread->waits)
			LOG(s, t, now, EVENT_SEM_END, semaphore, SIMULATED_PROCESS, 0,
			    (uint64_t)thread->wait_begin);
		else
			LOG(s, t, now, EVENT_SEM_TAKE, semaphore, site_of(step));
		return true;
	}
	if (!thread->waits) {
		thread->wait_begin = now;
		LOG(s, t, now, EVENT_SEM_BUSY, semaphore, site_of(step));
	}
	line_add(&s->semaphores[step->what].waiting, t);
	wait(s, t, now);
	return false;
}

static void step_semaphore_post(struct simulation *s, uint32_t t, int64_t now,
				const struct step *step, int64_t *cost)
{
	s->semaphores[step->what].value++;
	LOG(s, t, now, EVENT_SEM_POST, semaphore_at(step->what), site_of(step), SIMULATED_PROCESS,
	    (uint64_t)now + 1);
	*cost += wake(s, line_take(&s->semaphores[step->what].waiting), now);
}

/* The last thread to arrive returns after it has woken the others. */
static bool step_barrier(struct simulation *s, uint32_t t, int64_t now, const struct step *step)
{
	unsigned members = s->program->members[step->what],
		 *arrived = &s->barriers[step->what].arrived;
	struct line *waiting = &s->barriers[step->what].waiting;
	struct thread *thread = &s->threads[t];

	if (thread->waits) {
		LOG(s, t, now, EVENT_BARRIER_END, barrier_at(step->what), SIMULATED_PROCESS, 0,
		    (uint64_t)thread->wait_begin);
		return true;
	}
	thread->wait_begin = (*arrived)++ / members + 1;
	LOG(s, t, now, EVENT_BARRIER_BEGIN, barrier_at(step->what), site_of(step),
	    SIMULATED_PROCESS, (uint64_t)thread->wait_begin);
	if (*arrived % members) {
		line_add(waiting, t);
		wait(s, t, now);
		return false;
	}
	thread->waits = true;
	thread->due = now + COST_CALL;
	while (waiting->n)
		thread->due += wake(s, line_take(waiting), now);
	return false;
}

static bool step_sleep(struct simulation *s, uint32_t t, int64_t now, const struct step *step)
{
	if (s->threads[t].waits) {
		LOG(s, t, now, EVENT_SLEEP_END, 0);
		return true;
	}
	s->threads[t].wait_begin = now;
	LOG(s, t, now, EVENT_SLEEP_BEGIN, site_of(step));
	wait(s, t, now);
	return false;
}

static void create(struct simulation *s, uint32_t t, int64_t now, uint32_t creator)
{
	s->threads[t].since = now;
	s->threads[t].work = COST_START;
	LOG(s, t, now, EVENT_STARTED, creator == NOBODY ? 0 : SIMULATED_PROCESS + creator,
	    s->computer->processors);
	readied_log(s, t, now, "started");
	make_ready(s, t, now);
}

static bool step_join(struct simulation *s, uint32_t t, int64_t now, const struct step *step)
{
	struct thread *thread = &s->threads[t];

	if (thread->waits) {
		LOG(s, t, now, EVENT_JOIN_END, thread_at(step->what), SIMULATED_PROCESS, 0);
		return true;
	}
	LOG(s, t, now, EVENT_JOIN_BEGIN, thread_at(step->what), site_of(step));
	if (s->threads[step->what].gone) {
		thread->waits = true;
		thread->due = now + COST_CALL;
		return false;
	}
	line_add(&s->joining[step->what], t);
	wait(s, t, now);
	return false;
}

static void step_gone(struct simulation *s, uint32_t t, int64_t now)
{
	struct thread *thread = &s->threads[t];

	thread->gone = true;
	wake(s, line_take(&s->joining[t]), now);
	leave(s, t, now);
	LOG(s, t, now, EVENT_EXITED);
	thread->phase = PHASE_ENDED;
	processor_free(s, thread->processor, now);
	s->truth->duration = now;
}

static bool step_do(struct simulation *s, uint32_t t, int64_t now, const struct step *step,
		    int64_t *cost)
{
	switch (step->kind) {
	case STEP_START:
		LOG(s, t, now, EVENT_THREAD_START, thread_at(t), SIMULATED_PROCESS, t, CODE_AT);
		return true;
	case STEP_COMPUTE:
	case STEP_AGAIN:
	case STEP_WORK:
	case STEP_REPEAT:
		return true;
	case STEP_ASK:
		step_ask(s, t, now, step, cost);
		return true;
	case STEP_CLOSE:
		step_close(s, t, now, step, cost);
		return true;
	case STEP_LOCK:
		return step_lock(s, t, now, step);
	case STEP_UNLOCK:
		lock_release(s, t, now, step->what, site_of(step), cost);
		return true;
	case STEP_AWAIT_ITEM:
	case STEP_AWAIT_ROOM:
		return step_await(s, t, now, step, cost);
	case STEP_PUT:
	case STEP_TAKE:
		step_change(s, t, now, step, cost);
		return true;
	case STEP_SEMAPHORE_WAIT:
		return step_semaphore_wait(s, t, now, step);
	case STEP_SEMAPHORE_POST:
		step_semaphore_post(s, t, now, step, cost);
		return true;
	case STEP_BARRIER:
		return step_barrier(s, t, now, step);
	case STEP_SLEEP:
		return step_sleep(s, t, now, step);
	case STEP_YIELD:
		LOG(s, t, now, EVENT_YIELD, site_of(step));
		return true;
	case STEP_CREATE:
		LOG(s, t, now, EVENT_THREAD_CREATE, SIMULATED_PROCESS, step->what, site_of(step));
		create(s, step->what, now, t);
		*cost += COST_START;
		return true;
	case STEP_JOIN:
		return step_join(s, t, now, step);
	case STEP_EXIT:
		LOG(s, t, now, EVENT_THREAD_EXIT, thread_at(t), SIMULATED_PROCESS);
		return true;
	case STEP_GONE:
		step_gone(s, t, now);
		return false;
	}
	return true;
}

/* Returns what a thread runs before a step is done. */
static int64_t step_cost(const struct simulation *s, uint32_t t)
{
	const struct step *step = step_of(s, t);

	if (step->kind == STEP_WORK)
		return s->threads[t].item < 0 ? 0 : s->threads[t].item;
	return step->kind == STEP_COMPUTE ? step->length
	       : step->kind == STEP_GONE  ? COST_EXIT
					  : COST_CALL;
}

/* A thread has run up to its next step. */
static void step_next(struct simulation *s, uint32_t t, int64_t now)
{
	struct thread *thread = &s->threads[t];
	const struct step *step = step_of(s, t);
	int64_t cost = 0;

	if (!step_do(s, t, now, step, &cost)) {
		thread->due += thread->phase == PHASE_LEAVING ? cost : 0;
		return;
	}
	thread->waits = false;
	thread->next = step_after(s, t, step);
	thread->due = now + cost + step_cost(s, t);
	if (step->kind == STEP_YIELD && queue_of(s, thread->processor)->n)
		preempt(s, t, now);
}

/* ---- time ---- */

static int64_t due_of(const struct simulation *s, uint32_t t)
{
	const struct thread *thread = &s->threads[t];

	switch (thread->phase) {
	case PHASE_NEW:
	case PHASE_READY:
	case PHASE_ENDED:
		return INT64_MAX;
	case PHASE_RUNNING:
		return thread->slice_end < thread->due ? thread->slice_end : thread->due;
	case PHASE_STARTING:
	case PHASE_LEAVING:
	case PHASE_BLOCKED:
		break;
	}
	return thread->due;
}

static void happen(struct simulation *s, uint32_t t, int64_t now)
{
	struct thread *thread = &s->threads[t];

	switch (thread->phase) {
	case PHASE_STARTING:
		run(s, t, now);
		break;
	case PHASE_LEAVING:
		block(s, t, now);
		break;
	case PHASE_BLOCKED:
		go_on(s, t, now);
		break;
	case PHASE_RUNNING:
		if (thread->due == now)
			step_next(s, t, now);
		else if (queue_of(s, thread->processor)->n)
			preempt(s, t, now);
		else
			thread->slice_end = now + s->computer->slice;
		break;
	case PHASE_NEW:
	case PHASE_READY:
	case PHASE_ENDED:
		break;
	}
}

static void begin(struct simulation *s)
{
	s->pull_due = INT64_MAX;
	for (unsigned i = 0; i < MOST_LOCKS; i++)
		s->locks[i].holder = NOBODY;
	for (unsigned i = 0; i < SEMAPHORES; i++)
		s->semaphores[i].value = s->program->semaphores[i];
	s->nthreads = s->program->nthreads + s->computer->foreign;
	for (uint32_t t = 0; t < s->nthreads; t++)
		s->threads[t].last = NOBODY;
	for (uint32_t t = s->program->nthreads; t < s->nthreads; t++) {
		s->threads[t].work = INT64_MAX / 2;
		make_ready(s, t, 0);
	}
	create(s, 0, 0, NOBODY);
}

/* Whether the threads of the program have ended, or wait for what never comes. */
static bool is_over(const struct simulation *s)
{
	for (uint32_t t = 0; t < s->program->nthreads; t++)
		if (s->threads[t].phase == PHASE_READY || due_of(s, t) != INT64_MAX)
			return false;
	return true;
}

struct truth computer_run(const struct computer *c, const struct workload *p,
			  struct simulated_log *log)
{
	struct truth truth = {.ended = true};
	struct simulation s = {
	    .computer = c, .program = p, .log = log, .truth = &truth, .random = {c->seed}};

	begin(&s);
	while (!is_over(&s)) {
		uint32_t next = 0;

		for (uint32_t t = 1; t < s.nthreads; t++)
			if (due_of(&s, t) < due_of(&s, next))
				next = t;
		if (s.pull_due < due_of(&s, next)) {
			pull(&s, s.pull_due);
			continue;
		}
		happen(&s, next, due_of(&s, next));
	}
	for (uint32_t t = 0; t < p->nthreads; t++)
		truth.ended &= s.threads[t].phase == PHASE_ENDED;
	return truth;
}
