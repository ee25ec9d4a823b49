#include "formats/logs_switches.h"
#include <stdlib.h>

enum switch_state { STATE_NEW, STATE_RUNNING, STATE_READY, STATE_BLOCKED, STATE_ENDED };

#define NO_PROCESSOR UINT32_MAX

struct switch_thread {
	struct logs_thread *thread; /* NULL: no record yet */
	uint32_t tid, pid;
	char *name;
	enum switch_state state;
	uint32_t processor; /* that it had last */
	bool woken;         /* while it was still running */
	bool exiting;       /* the same; since `exit` */
	int64_t exit;
	int64_t ready; /* since when */
};

void switches_begin(struct logs_switches *s, struct logs *l, uint32_t processors)
{
	logs_spec_ready(l, "scheduler");
	*s = (struct logs_switches){
	    .logs = l,
	    .processors = processors,
	    .started = logs_event(l, "Started"),
	    .executed = logs_event(l, "Executed"),
	    .in = logs_event(l, "SwitchIn"),
	    .out = logs_event(l, "SwitchOut"),
	    .blocks = logs_event(l, "Blocks"),
	    .readied = logs_event(l, "Readied"),
	    .migrated = logs_event(l, "Migrated"),
	    .exited = logs_event(l, "Exited"),
	    .wakes = logs_event(l, "Wakes"),
	    .woken = logs_event(l, "WokenUp"),
	    .lost = logs_event(l, "RecordsLost"),
	};
}

/* ---- logging ---- */

static void log_numbers(struct switch_thread *t, int64_t time, const struct logs_event *e,
			uint32_t first, uint32_t second)
{
	const struct logs_value values[] = {logs_natural(first), logs_natural(second)};

	logs_write(t->thread, time, e, values);
}

static void log_text(struct switch_thread *t, int64_t time, const struct logs_event *e,
		     const char *text, uint32_t second)
{
	const struct logs_value values[] = {logs_bytes(text, strlen(text)), logs_natural(second)};

	logs_write(t->thread, time, e, values);
}

/* ---- threads ---- */

static struct switch_thread *find(struct logs_switches *s, uint32_t tid)
{
	struct hash_slot *slot = hash_table_slot(&s->by_tid, hash_mix(tid), tid);
	struct switch_thread *t;

	if (slot->head != HASH_NOTHING)
		return s->threads.at[slot->head];
	slot->head = (uint32_t)s->threads.n;
	slot->tail = 0;
	t = array_zero(1, sizeof *t);
	t->tid = tid;
	t->processor = NO_PROCESSOR;
	*vector_add(&s->threads) = t;
	return t;
}

void switches_thread(struct logs_switches *s, uint32_t tid, uint32_t pid, const char *name)
{
	struct switch_thread *t;

	if (!tid)
		return;
	t = find(s, tid);
	if (pid && !t->thread)
		t->pid = pid;
	if (!name || (t->name && strcmp(t->name, name) == 0))
		return;
	free(t->name);
	t->name = text_format("%s", name);
	if (!t->thread)
		return;
	logs_thread_name(t->thread, name);
	if (t->tid == t->pid)
		logs_process_name(logs_thread_process(t->thread), name);
}

uint32_t switches_process(struct logs_switches *s, uint32_t tid)
{
	return tid ? find(s, tid)->pid : 0;
}

/* Gives a thread its log at its first record. */
static void thread_open(struct logs_switches *s, struct switch_thread *t)
{
	const struct switch_thread *leader;

	if (t->thread)
		return;
	if (!t->pid)
		t->pid = t->tid;
	leader = t->pid == t->tid ? t : find(s, t->pid);
	t->thread = logs_thread(
	    logs_process(s->logs, t->pid, leader->name ? leader->name : t->name), t->tid);
	if (t->name)
		logs_thread_name(t->thread, t->name);
}

struct logs_thread *switches_logs_thread(struct logs_switches *s, uint32_t tid)
{
	struct switch_thread *t = find(s, tid);

	thread_open(s, t);
	return t->thread;
}

/* Returns a thread that a record is of, begun. by: who made it; 0: it was there before. */
static struct switch_thread *thread_at(struct logs_switches *s, int64_t time, uint32_t tid,
				       uint32_t by)
{
	struct switch_thread *t = find(s, tid);

	s->last = time;
	if (t->thread && t->state != STATE_NEW && t->state != STATE_ENDED)
		return t;
	thread_open(s, t);
	log_numbers(t, time, s->started, by, s->processors);
	t->state = STATE_BLOCKED;
	t->woken = false;
	return t;
}

/* ---- states ---- */

static void ready_begin(struct logs_switches *s, struct switch_thread *t, int64_t time,
			const char *basis)
{
	log_text(t, time, s->readied, basis, 0);
	t->state = STATE_READY;
	t->ready = time;
}

static struct switch_thread **processor_of(struct logs_switches *s, uint32_t processor)
{
	enum { PROCESSORS_MOST = 1 << 16 };

	if (processor >= PROCESSORS_MOST)
		processor = PROCESSORS_MOST - 1;
	while (s->running.n <= processor)
		*vector_add(&s->running) = NULL;
	return &s->running.at[processor];
}

/* Returns the processor of a switch; where it is not known, one that is free. */
static uint32_t processor_chosen(struct logs_switches *s, uint32_t processor)
{
	if (processor != SWITCH_ANY_PROCESSOR)
		return processor;
	s->unnumbered = true;
	for (processor = 0; processor < s->running.n && s->running.at[processor];)
		processor++;
	return processor;
}

static void thread_ends(struct logs_switches *s, struct switch_thread *t, int64_t time)
{
	log_numbers(t, time, s->exited, 0, 0);
	t->state = STATE_ENDED;
	t->exiting = false;
}

/* The thread leaves its processor. */
static void running_end(struct logs_switches *s, struct switch_thread *t, int64_t time)
{
	struct switch_thread **by = processor_of(s, t->processor);

	log_numbers(t, time, s->out, t->processor, 0);
	if (*by == t)
		*by = NULL;
}

static void running_begin(struct logs_switches *s, struct switch_thread *t, int64_t time,
			  uint32_t processor)
{
	struct switch_thread **by;

	processor = processor_chosen(s, processor);
	by = processor_of(s, processor);
	/* the record of how that one left is missing */
	if (*by && *by != t) {
		struct switch_thread *other = *by;

		running_end(s, other, other->exiting ? other->exit : time);
		if (other->exiting) {
			thread_ends(s, other, other->exit);
		} else {
			log_numbers(other, time, s->blocks, 0, 0);
			other->state = STATE_BLOCKED;
		}
	}
	if (t->state == STATE_READY && time < t->ready)
		time = t->ready;
	*processor_of(s, processor) = t;
	if (t->processor != NO_PROCESSOR && t->processor != processor && !s->unnumbered)
		log_numbers(t, time, s->migrated, t->processor, processor);
	log_numbers(t, time, s->in, processor, 0);
	t->processor = processor;
	t->state = STATE_RUNNING;
	t->woken = false;
}

static void switch_out(struct logs_switches *s, struct switch_thread *t, int64_t time,
		       uint32_t processor, enum switch_why why)
{
	/* it ran, and nobody said so */
	if (t->state != STATE_RUNNING)
		running_begin(s, t, time, processor);
	running_end(s, t, time);
	if (why == SWITCH_EXITS || t->exiting) {
		thread_ends(s, t, time);
	} else if (why == SWITCH_PREEMPTED) {
		ready_begin(s, t, time, "preempted");
	} else {
		log_numbers(t, time, s->blocks, 0, 0);
		t->state = STATE_BLOCKED;
		if (t->woken)
			ready_begin(s, t, time, "waker");
	}
	t->woken = false;
}

void switches_switch(struct logs_switches *s, int64_t time, uint32_t processor, uint32_t from,
		     enum switch_why why, uint32_t to)
{
	struct switch_thread *t;

	if (from == to)
		return;
	if (from)
		switch_out(s, thread_at(s, time, from, 0), time, processor, why);
	if (!to)
		return;
	t = thread_at(s, time, to, 0);
	if (t->state == STATE_RUNNING)
		running_end(s, t, time);
	else if (t->state == STATE_BLOCKED)
		ready_begin(s, t, time, "unknown");
	running_begin(s, t, time, processor);
}

void switches_wake(struct logs_switches *s, int64_t time, uint32_t by, uint32_t tid)
{
	struct switch_thread *t, *waker;
	uint32_t number;

	if (!tid || by == tid)
		return;
	t = thread_at(s, time, tid, 0);
	if (t->state == STATE_RUNNING) {
		t->woken = true;
		return;
	}
	if (t->state != STATE_BLOCKED)
		return;
	if (by) {
		waker = thread_at(s, time, by, 0);
		number = ++s->wakeups;
		log_numbers(waker, time, s->wakes, number, tid);
		/*
		 * events of one time are in the order of their threads: the cause must be earlier
		 */
		time++;
		log_numbers(t, time, s->woken, number, 0);
	}
	ready_begin(s, t, time, "waker");
}

void switches_fork(struct logs_switches *s, int64_t time, uint32_t by, uint32_t tid)
{
	struct switch_thread *t;

	if (!tid)
		return;
	t = thread_at(s, time, tid, by);
	if (t->state == STATE_BLOCKED)
		ready_begin(s, t, time, "started");
}

void switches_exec(struct logs_switches *s, int64_t time, uint32_t tid, const char *program)
{
	if (!tid)
		return;
	log_text(thread_at(s, time, tid, 0), time, s->executed, program, s->processors);
	switches_thread(s, tid, 0, program);
}

void switches_exit(struct logs_switches *s, int64_t time, uint32_t tid)
{
	struct switch_thread *t = tid ? find(s, tid) : NULL;

	if (!t || !t->thread || t->state == STATE_ENDED)
		return;
	s->last = time;
	if (t->state != STATE_RUNNING) {
		thread_ends(s, t, time);
		return;
	}
	/* it runs until its last switch, whose record may be missing */
	t->exiting = true;
	t->exit = time;
}

void switches_lost(struct logs_switches *s, int64_t time, uint32_t processor, uint64_t records)
{
	struct switch_thread *t = *processor_of(s, processor);

	if (!t && s->threads.n)
		t = s->threads.at[0];
	if (t && t->thread)
		log_numbers(t, time, s->lost, records > UINT32_MAX ? UINT32_MAX : (uint32_t)records,
			    0);
}

static void last_state_end(struct logs_switches *s, struct switch_thread *t)
{
	int64_t time = t->exiting ? t->exit : s->last;

	if (t->state == STATE_RUNNING)
		log_numbers(t, time, s->out, t->processor, 0);
	else if (t->state == STATE_BLOCKED)
		log_text(t, time, s->readied, "end", 0);
	if (t->exiting)
		thread_ends(s, t, time);
}

void switches_end(struct logs_switches *s)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		struct switch_thread *t = s->threads.at[i];

		last_state_end(s, t);
		free(t->name);
		free(t);
	}
	free(s->threads.at);
	free(s->running.at);
	hash_table_free(&s->by_tid);
}
