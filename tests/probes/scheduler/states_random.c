/*
 * The states of threads from random records of switches, some of which are lost, against what the
 * threads really did: two never have a processor at the same time, none is said to run where it did
 * not, and where nothing is lost each runs as long as its account says, and is ready as long as it
 * really was.
 */
#define GLIMPSE_scheduler_H
#define GLIMPSE_threads_H /* instead of the stubs: each event is kept */
#include "base/array.h"
#include "recorder/observed.h"
#include "recorder/scheduler/states.h"
#include "recorder/scheduler/throttle.h"
#include "tests/random.h"
#include <glimpse.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 12
#define MOST_PROCESSORS 4
#define FIRST 5000000 /* the number of the first thread: no process has it */
#define SWITCH_MOST 20000
#define RECORDINGS 300

/* From `from` to `to` the thread has the processor, as the log says or as it was. */
struct stay {
	int64_t from, to;
	uint32_t processor;
	const struct thread *thread;
};

struct thread {
	bool there, wants;    /* it was made; it can run, if it does not */
	int on;               /* the processor, or -1 */
	int64_t begun, ran;   /* charged since; the account */
	int64_t delay;        /* its run delay, as far as the kernel has counted it */
	int64_t queued;       /* ready since then, as far as it is not counted yet */
	int64_t counted;      /* of the run delay: of the wait that goes on */
	bool woken;           /* there is a record of the wake-up, or it could run all the time */
	int64_t in_record;    /* time of the record of its last switch to a processor */
	int64_t read;         /* of the wait that goes on or was last: was read before its end */
	int64_t early;        /* of all: was read early, and perhaps given to other waits */
	int64_t ready;        /* truth, of the waits that are over */
	int64_t last, logged; /* time of the last event in its log; ns of Running in it */
	int64_t in;           /* the log's Running that is open, or -1 */
	int64_t readied;      /* the log's Ready that is open, or -1 */
	int64_t logged_ready; /* ns of Ready in the log */
	uint32_t processor;
};

static struct thread threads[MOST_THREADS];
static VECTOR(struct stay) logged;
static VECTOR(struct stay) real;
static uint64_t told_lost;
static struct thread *current;
static const char *wrong;

/* ---- the log: the runtime's functions and the stubs ---- */

static char handles[MOST_THREADS];

glimpse_log *glimpse_log_open(uint32_t pid, uint64_t tid, const char *name)
{
	(void)pid, (void)name;
	return (glimpse_log *)&handles[tid - FIRST];
}

void glimpse_log_select(glimpse_log *log)
{
	current = log ? &threads[(char *)log - handles] : NULL;
}

void glimpse_log_close(glimpse_log *log)
{
	(void)log;
}

void glimpse_thread_name(const char *name)
{
	(void)name;
}

static void event_at(uint64_t time)
{
	if ((int64_t)time < current->last)
		wrong = "events of a thread are not in the order of time";
	current->last = (int64_t)time;
}

static void SwitchIn_StampAt(uint64_t time, unsigned processor)
{
	event_at(time);
	if (current->in >= 0)
		wrong = "a thread gets a processor while it has one";
	current->in = (int64_t)time;
	current->processor = processor;
	if (current->readied >= 0)
		current->logged_ready += (int64_t)time - current->readied;
	current->readied = -1;
}

static void SwitchOut_StampAt(uint64_t time, unsigned processor)
{
	event_at(time);
	if (current->in < 0 || current->processor != processor)
		wrong = "a thread leaves a processor that it does not have";
	*vector_add(&logged) = (struct stay){current->in, (int64_t)time, processor, current};
	current->logged += (int64_t)time - current->in;
	current->in = -1;
}

static void Readied_StampAt(uint64_t time, const char *basis)
{
	(void)basis;
	event_at(time);
	current->readied = (int64_t)time;
}

/* Others may follow that happened before. */
static void RecordsLost_StampAt(uint64_t time, unsigned records)
{
	(void)time;
	told_lost += records;
}

#define Started_StampAt(time, creator, usable) event_at(time)
#define FutexWait_StampAt(time, blocked) ((void)(blocked), event_at(time))
#define KernelWait_StampAt(time, function, call, site) \
	((void)(function), (void)(call), (void)(site), event_at(time))
#define InnerWait_StampAt(time, futex, site, stack) \
	((void)(futex), (void)(site), (void)(stack), event_at(time))
#define Executed_StampAt(time, program, usable) ((void)(program), event_at(time))
#define Blocks_StampAt(time) event_at(time)
#define Shared_StampAt(time, waits) event_at(time)
#define Migrated_StampAt(time, from, to) event_at(time)
#define Exited_StampAt(time) event_at(time)
#define StillBlocked_StampAt(time) event_at(time)
#define Wakes_StampAt(time, wakeup, target) event_at(time)
#define WokenUp_StampAt(time, wakeup) event_at(time)
#define WokenOutside_StampAt(time) event_at(time)
#define WokenByEnd_StampAt(time, wakeup) event_at(time)
#define Ends_StampAt(time, wakeup) event_at(time)
#define ProcessFork_StampAt(time, child) event_at(time)
#define ProcessStart_StampAt(time, process) event_at(time)
#define ProcessExec_StampAt(time, process) event_at(time)
#define ProcessImage_StampAt(time, process) event_at(time)
#define ProcessEnd_StampAt(time, process, parent) event_at(time)

/* The program of this test is in no control group. */
void throttle_end(struct observed *o)
{
	(void)o;
}

#include "recorder/scheduler/entries.c"

/* ---- what happens ---- */

/* A processor, and what becomes of its records. */
struct place {
	struct thread *by;
	int64_t until; /* when its last switch is over */
	bool losing;
	uint64_t lost;
};

static struct place units[MOST_PROCESSORS];
static unsigned nthreads, nunits, losses; /* losses: in a thousand records */
static uint64_t dropped, order;
static struct kernel_records pending;
static int64_t now;
static struct random r;

static uint32_t tid_of(const struct thread *t)
{
	return FIRST + (uint32_t)(t - threads);
}

static void record_push(struct kernel_record k)
{
	k.order = order++;
	*vector_add(&pending) = k;
}

/* Says how many records of a processor are missing. */
static void lost_write(unsigned unit, int64_t time)
{
	struct place *u = &units[unit];

	if (u->losing)
		record_push((struct kernel_record){
		    .time = time, .kind = SWITCH_LOST, .processor = unit, .count = u->lost});
	u->losing = false;
	u->lost = 0;
}

/* A record of a processor, if the kernel has room for it. */
static void record_write(unsigned unit, const struct thread *t, enum switch_kind kind, int64_t time)
{
	struct place *u = &units[unit];
	struct kernel_record k = {
	    .time = time, .kind = kind, .pid = FIRST, .tid = tid_of(t), .processor = unit};

	if (u->losing ? !random_chance(&r, 20) : random_below(&r, 1000) < losses) {
		u->losing = true;
		u->lost++;
		dropped++;
		return;
	}
	lost_write(unit, time);
	record_push(k);
}

/* A thread that can run and has no processor, or NULL. */
static struct thread *ready_thread(void)
{
	unsigned from = random_below(&r, nthreads);

	for (unsigned i = 0; i < nthreads; i++) {
		struct thread *t = &threads[(from + i) % nthreads];

		if (t->there && t->wants && t->on < 0)
			return t;
	}
	return NULL;
}

/* ---- run delays ---- */

/* The thread could run, and has no processor; known: records say so. */
static void wait_begin(struct thread *t, bool known)
{
	t->wants = true;
	t->woken = known;
	t->queued = now;
	t->counted = t->read = 0;
}

/* The kernel counts how long it has been ready. */
static void wait_count(struct thread *t)
{
	t->delay += now - t->queued;
	t->counted += now - t->queued;
	t->queued = now;
}

/* What was given to waits too early is taken from those that follow, as far as these are ready for so long. */
static void wait_end(struct thread *t)
{
	wait_count(t);
	t->ready += t->counted;
	if (!t->woken)
		t->early -= t->early < t->counted ? t->early : t->counted;
	t->early += t->read;
}

/* ---- switches ---- */

/* The processor goes from one thread to the next; the next is charged from now on. */
static void unit_switch(unsigned unit, bool blocks)
{
	struct place *u = &units[unit];
	struct thread *before = u->by, *next = ready_thread();
	int64_t at = now;

	if (before) {
		at += 50 + random_below(&r, 300);
		record_write(unit, before, blocks ? SWITCH_BLOCKED : SWITCH_PREEMPTED, at);
		*vector_add(&real) = (struct stay){before->begun, at, unit, before};
		before->ran += now - before->begun;
		before->wants = !blocks;
		before->on = -1;
		if (!blocks)
			wait_begin(before, true);
	}
	u->by = next;
	if (next) {
		at += 200 + random_below(&r, random_chance(&r, 5) ? 15000 : 2000);
		wait_end(next);
		record_write(unit, next, SWITCH_IN, at);
		next->in_record = at;
		next->on = (int)unit;
		next->begun = now;
	}
	u->until = at;
}

static void thread_make(struct thread *t)
{
	record_push((struct kernel_record){
	    .time = now, .kind = SWITCH_FORK, .pid = FIRST, .tid = tid_of(t), .other = FIRST});
	t->there = true;
	wait_begin(t, true);
}

static void thread_wake(struct thread *t)
{
	bool told = random_chance(&r, 30);

	if (told)
		record_push((struct kernel_record){
		    .time = now, .kind = SWITCH_WAKE, .pid = FIRST, .tid = tid_of(t)});
	wait_begin(t, told);
}

static void step(void)
{
	unsigned unit = random_below(&r, nunits);
	struct thread *t = &threads[random_below(&r, nthreads)];

	now += 100 + random_below(&r, random_chance(&r, 10) ? 3000000 : 20000);
	if (!t->there)
		thread_make(t);
	else if (!t->wants)
		thread_wake(t);
	else if (t->on < 0 && random_chance(&r, 30))
		wait_count(t); /* it moves to another processor */
	else if (units[unit].until < now && (units[unit].by || ready_thread()))
		unit_switch(unit, random_chance(&r, 40));
}

/* The account of a thread that runs is behind. */
static void figures_read(struct thread *t)
{
	record_push((struct kernel_record){.begun = now,
					   .time = now + 500,
					   .kind = SWITCH_FIGURES,
					   .tid = tid_of(t),
					   .count = (uint64_t)t->ran,
					   .delay = (uint64_t)t->delay});
	if (t->wants && t->on < 0)
		t->read = t->counted;
	else if (t->on >= 0 && t->in_record > now)
		t->early += t->counted - t->read;
}

static void records_take(bool all)
{
	size_t taken;

	for (unsigned i = 0; i < nthreads; i++)
		if (threads[i].there && (all || random_chance(&r, 70)))
			figures_read(&threads[i]);
	now += 1000;
	records_sort(pending.at, pending.n);
	taken = states_take(pending.at, pending.n, all ? INT64_MAX : now);
	pending.n -= taken;
	memmove(pending.at, pending.at + taken, pending.n * sizeof *pending.at);
}

/* ---- checks ---- */

static int stay_compare(const void *left, const void *right)
{
	const struct stay *a = left, *b = right;

	if (a->processor != b->processor)
		return a->processor < b->processor ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static void one_thread_each(void)
{
	for (size_t i = 1; i < logged.n; i++)
		if (logged.at[i].processor == logged.at[i - 1].processor &&
		    logged.at[i].from < logged.at[i - 1].to)
			wrong = "two threads have a processor at the same time";
}

/* But for the start of a switch from no thread, of which only the sum is known. */
static void none_elsewhere(void)
{
	size_t k = 0;

	for (size_t i = 0; i < logged.n; i++) {
		const struct stay *l = &logged.at[i];

		if (l->from == l->to)
			continue;
		while (k < real.n &&
		       (real.at[k].processor < l->processor ||
			(real.at[k].processor == l->processor && real.at[k].to < l->to)))
			k++;
		if (k == real.n || real.at[k].processor != l->processor ||
		    real.at[k].thread != l->thread || l->from < real.at[k].from - SWITCH_MOST)
			wrong = "a thread is said to run where it did not";
	}
}

static void accounts_met(void)
{
	for (unsigned i = 0; i < nthreads; i++) {
		int64_t error = threads[i].logged - threads[i].ran;

		if (error < 0)
			error = -error;
		if (error > threads[i].ran / 200 + 2000)
			wrong = "a thread runs longer or shorter than its account says";
	}
}

static void delays_met(void)
{
	for (unsigned i = 0; i < nthreads; i++) {
		const struct thread *t = &threads[i];
		int64_t off = t->ready / 100 + 100000, early = t->early + (t->on < 0 ? t->read : 0);

		if (t->logged_ready < t->ready - off || t->logged_ready > t->ready + early + off)
			wrong = "a thread is ready longer or shorter than its run delay says";
	}
}

static void losses_counted(void)
{
	if ((dropped > 0) != (states_lost > 0) || told_lost < states_lost)
		wrong = "what is lost is not counted";
}

/* ---- a run ---- */

static void run_open(uint64_t seed)
{
	static const struct recording recording = {.root = FIRST};

	r = (struct random){seed};
	memset(threads, 0, sizeof threads);
	memset(units, 0, sizeof units);
	nunits = 1 + random_below(&r, MOST_PROCESSORS);
	nthreads = 1 + random_below(&r, MOST_THREADS);
	losses = random_chance(&r, 50) ? 1 + random_below(&r, 30) : 0;
	for (unsigned i = 0; i < nthreads; i++)
		threads[i] = (struct thread){.on = -1, .in = -1, .readied = -1};
	logged.n = real.n = pending.n = 0;
	told_lost = dropped = order = 0;
	now = 1000000;
	threads[0] =
	    (struct thread){.there = true, .wants = true, .begun = now, .in = -1, .readied = -1};
	units[0].by = &threads[0];
	observed_open(&recording);
	/* The first thread is there before it is observed, and may wait for that. */
	if (random_chance(&r, 50)) {
		record_write(0, &threads[0], SWITCH_BLOCKED, now - 2000);
		record_write(0, &threads[0], SWITCH_IN, now - 1000);
	}
	states_open(&recording, now);
}

static const char *run(uint64_t seed)
{
	wrong = NULL;
	run_open(seed);
	for (unsigned i = 1; i < 4000; i++) {
		step();
		if (i % 100 == 0)
			records_take(false);
	}
	now += 100000;
	for (unsigned i = 0; i < nunits; i++) {
		for (unsigned k = 0; k < nthreads; k++)
			threads[k].there = false; /* none comes */
		if (units[i].by)
			unit_switch(i, true);
		lost_write(i, now + 50000);
	}
	now += 100000;
	for (unsigned k = 0; k < nthreads; k++)
		threads[k].there = true;
	records_take(true);
	states_close(now);
	observed_close();
	qsort(logged.at, logged.n, sizeof *logged.at, stay_compare);
	qsort(real.at, real.n, sizeof *real.at, stay_compare);
	one_thread_each();
	none_elsewhere();
	losses_counted();
	if (!losses)
		accounts_met();
	if (!losses && !wrong)
		delays_met();
	return wrong;
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, n = argc > 1 ? 1 : RECORDINGS;

	for (uint64_t seed = first; seed < first + n; seed++)
		if (run(seed)) {
			printf("seed %" PRIu64 ": %s\n", seed, wrong);
			return EXIT_FAILURE;
		}
	printf("%" PRIu64 " recordings, from seed %" PRIu64 "\n", n, first);
	free(logged.at);
	free(real.at);
	free(pending.at);
	return EXIT_SUCCESS;
}
