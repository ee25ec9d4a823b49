#include "recorder/scheduler/states.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "recorder/observed.h"
#include "recorder/obstacles.h"
#include "recorder/scheduler/entries.h"
#include "recorder/scheduler/kernel_waits.h"
#include "recorder/scheduler/throttle.h"
#include "recorder/scheduler/usable.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_PROCESSOR UINT32_MAX
#define WOKEN_EARLY 20000 /* ns before it has left that a thread may be woken */
#define WOKEN_AFTER 50    /* ns from what a thread does to another one until that knows */
#define SWITCH_MOST 20000 /* ns that a switch between two threads may take */
#define SWITCH_USUAL 500
#define ENDED_NEAR 20000000       /* ns after its end in which one may run that waited for it */
#define BLOCKED_LONG 200000000    /* ns, from which on it is looked what a thread waits for */
#define CALLS_PERIOD 100000000    /* ns between two looks */
#define BLOCKED_IN_KERNEL 5000000 /* the same of where in the kernel it waits */
enum { CALLS_MOST = 64 };         /* threads in one look: it takes some 10 us for each */
enum { PLACES_MOST = 8 };         /* the same, at each reading */
enum { INNER_MOST = 8 };          /* the same of locks inside the C library: 20 us for each */

enum observed_state {
	STATE_NEW,  /* nothing is known before its first record */
	STATE_HERE, /* it is there already, ready or running */
	STATE_RUNNING,
	STATE_READY,
	STATE_BLOCKED,
	STATE_UNKNOWN /* the record of what it did last is lost */
};

/* As in schedstat, in ns. */
struct figures {
	uint64_t ran, delay;
};

struct observed_states {
	struct observed *thread;
	enum observed_state state;
	int64_t since;  /* when it began */
	int64_t looked; /* `since` of the last wait of which it was looked what it is for */
	int64_t placed; /* the same of where in the kernel it is */
	int64_t asked;  /* the same of the futex that it waits for */
	int64_t begun;  /* what switches before then led to is known otherwise */
	int64_t seen;   /* when a record last said that it has its processor */
	int64_t woken;  /* by a record; while it was still running */
	uint32_t processor;
	uint32_t maker,
	    parent; /* the thread and the process that made its process; 0: not observed */
	/* what may have let it go on while it was blocked, and that wake-up's number */
	int64_t caused;
	uint32_t wakeup;
	char program[THREAD_NAME]; /* that it executed */
	struct entries entries;    /* to be logged */
	bool touched, due;         /* in these lists */
	/* What the kernel counts, as it was read last, and what of it is known since. */
	struct proc_file figures; /* schedstat; no name: not looked for yet */
	struct figures counted;
	int64_t ran, ready;
	/* ns that waits were given too much, at most: of those after them */
	int64_t early;
	int64_t lengthened; /* of `ran`: to what switches to it were lengthened */
	size_t ins;         /* how many switches to it there were since */
	int64_t usual;      /* ns that a switch to it takes */
};

/* A processor: the thread that has it, and when a thread left it last. */
struct processor_use {
	struct observed_states *by;
	int64_t left;
};

uint64_t states_switches, states_lost;
int64_t states_ran;

static VECTOR(struct processor_use) processors;
static VECTOR(struct observed *) touched;
static VECTOR(uint32_t) due;
static VECTOR(uint32_t) headless; /* processes whose first thread ended before others */
/* The unexplained time per switch, as a mean over all threads; a new thread begins with it. ns */
static int64_t switch_usual;
static uint32_t root, wakeups;
/* The thread that ended last, and the number of what that may have woken. */
static struct ended_thread {
	int64_t time;
	uint32_t pid, wakeup;
} last_end;
static bool root_executed;
static blocked_call_reader *call_read; /* NULL: nobody reads them */
static size_t inner_next;              /* the thread with which the next look for locks begins */
static int64_t calls_next;             /* when it is looked again what threads wait for */
static bool processes;                 /* their creation and end are logged */

/* ---- threads ---- */

static struct processor_use *processor_of(uint32_t number)
{
	while (processors.n <= number)
		*vector_add(&processors) = (struct processor_use){.left = INT64_MIN};
	return &processors.at[number];
}

static void touch(struct observed_states *s)
{
	if (!s->touched)
		*vector_add(&touched) = s->thread;
	s->touched = true;
}

static struct observed_states *states_new(struct observed *o, enum observed_state state,
					  int64_t since)
{
	struct observed_states *s = array_zero(1, sizeof *s);

	*s = (struct observed_states){.thread = o,
				      .state = state,
				      .since = since,
				      .begun = INT64_MIN,
				      .looked = INT64_MIN,
				      .placed = INT64_MIN,
				      .asked = INT64_MIN,
				      .processor = NO_PROCESSOR,
				      .figures = {.fd = -1},
				      .usual = switch_usual};
	o->states = s;
	return s;
}

/* Returns false if a thread's figures cannot be read, as when it is gone. */
static bool figures_read(struct observed_states *s, struct figures *f)
{
	uint64_t fields[2];
	bool good;
	int fd;

	if (!s->figures.name)
		s->figures =
		    proc_file_keep((pid_t)s->thread->pid, (pid_t)s->thread->tid, "schedstat");
	fd = proc_file_get(&s->figures);
	good = fd >= 0 && process_numbers(fd, 0, fields, 2) == 2;
	proc_file_release(&s->figures, fd);
	if (good)
		*f = (struct figures){fields[0], fields[1]};
	return good;
}

/* Lets the switches to the thread that are held begin earlier, each by so much if it can. */
static void switches_lengthen(struct observed_states *s, int64_t each)
{
	int64_t ready = 0, by;

	by = entries_lengthen(&s->entries, each < SWITCH_MOST ? each : SWITCH_MOST, &ready);

	s->ran += by;
	s->lengthened += by;
	s->ready -= ready;
}

/* Logs what is held, whatever is known of it. */
static void states_log(struct observed_states *s)
{
	switches_lengthen(s, s->usual);
	if (s->entries.n) {
		observed_select(s->thread);
		entries_log(&s->entries, s->program);
		observed_select(NULL);
	}
	s->entries.n = s->entries.waits = s->entries.ins = 0;
}

static void states_end(struct observed *o)
{
	struct observed_states *s = o->states;

	if (!s)
		return;
	throttle_end(o);
	switches_lengthen(s, s->usual);
	entries_resolve_unknown(&s->entries);
	states_log(s);
	for (size_t i = 0; s->touched && i < touched.n; i++)
		if (touched.at[i] == o)
			touched.at[i] = NULL;
	proc_file_close(&s->figures);
	if (s->processor != NO_PROCESSOR && processor_of(s->processor)->by == s)
		processor_of(s->processor)->by = NULL;
	entries_free(&s->entries);
	free(s);
	o->states = NULL;
}

/* A thread that was there before: what it does is read from /proc. */
static void thread_attach(pid_t pid, pid_t tid)
{
	struct observed *o = observed_new((uint32_t)pid, (uint32_t)tid, NULL);
	bool runs = thread_state((pid_t)o->pid, (pid_t)o->tid) == 'R';
	int64_t now = monotonic_now();
	struct observed_states *s = states_new(o, STATE_HERE, now);

	s->begun = now;
	figures_read(s, &s->counted);
	entry_add(&s->entries, ENTRY_STARTED, now, 0, processors_usable(pid));
	if (!runs) {
		entry_add(&s->entries, ENTRY_BLOCKS, now, 0, 0);
		s->state = STATE_BLOCKED;
	}
}

void states_open(const struct recording *r, int64_t now)
{
	pid_t *tids;
	size_t n;

	root = (uint32_t)r->root;
	root_executed = r->attach;
	processes = r->processes;
	wakeups = 0;
	last_end = (struct ended_thread){.time = INT64_MIN / 2};
	switch_usual = SWITCH_USUAL;
	states_switches = states_lost = 0;
	states_ran = 0;
	calls_next = now;
	observed_at_end(states_end);
	if (!r->attach) {
		struct observed_states *s =
		    states_new(observed_new(root, root, NULL), STATE_NEW, now);

		s->begun = now;
		figures_read(s, &s->counted);
		return;
	}
	n = process_threads(r->root, &tids);
	for (size_t i = 0; i < n; i++)
		thread_attach(r->root, tids[i]);
	free(tids);
}

/* ---- states ---- */

static void running_end(struct observed_states *s, int64_t time)
{
	struct processor_use *p = processor_of(s->processor);

	entry_add(&s->entries, ENTRY_OUT, time, s->processor, 0);
	s->ran += time - s->since;
	states_ran += time - s->since;
	s->since = time;
	if (p->by == s)
		p->by = NULL;
	p->left = time > p->left ? time : p->left;
}

/*
 * Records were lost, as of how the thread left its processor: since it was seen there all is
 * unknown.
 */
static void running_lost(struct observed_states *s, uint32_t records)
{
	running_end(s, s->seen);
	if (records)
		entry_add(&s->entries, ENTRY_LOST, s->since, records, 0);
	s->state = STATE_UNKNOWN;
	states_lost += records;
	touch(s);
}

/* It begins after the thread before has left the processor. */
static void running_begin(struct observed_states *s, int64_t time, uint32_t processor)
{
	struct processor_use *p = processor_of(processor);
	int64_t from = s->since;

	if (p->by && p->by != s)
		running_lost(p->by, 1);
	if (p->left > from)
		from = p->left;
	if (s->processor != NO_PROCESSOR && s->processor != processor)
		entry_add(&s->entries, ENTRY_MIGRATED, time, s->processor, processor);
	entry_add_in(&s->entries, from < time && s->state != STATE_UNKNOWN ? from : time, time,
		     processor, s->state == STATE_READY);
	p->by = s;
	s->processor = processor;
	s->state = STATE_RUNNING;
	s->since = s->seen = time;
	s->woken = 0;
	s->ins++;
}

static void ready_begin(struct observed_states *s, int64_t time, enum basis basis)
{
	entry_add(&s->entries, ENTRY_READIED, time, basis, 0);
	s->state = STATE_READY;
	s->since = time;
}

/* Brings a thread to the state that it must have had; records may be missing. */
static void settle(struct observed_states *s, int64_t time, uint32_t processor, bool running)
{
	switch (s->state) {
	case STATE_NEW:
		if (!running)
			s->since = time;
		entry_add(&s->entries, ENTRY_STARTED, s->since, 0,
			  processors_usable((pid_t)s->thread->pid));
		if (running)
			running_begin(s, s->since, processor);
		break;
	case STATE_HERE:
		if (running)
			running_begin(s, s->since, processor);
		else
			ready_begin(s, s->since, BASIS_UNKNOWN);
		break;
	case STATE_RUNNING:
		if (!running)
			running_lost(s, 1);
		break;
	case STATE_UNKNOWN:
		if (running)
			running_begin(s, time, processor);
		break;
	case STATE_BLOCKED:
		if (running)
			ready_begin(s, time, BASIS_LOST);
		/* fall through */
	case STATE_READY:
		if (running)
			running_begin(s, time, processor);
		break;
	}
}

/*
 * No record says who ended the wait that ends: no thread of the program did, but perhaps one that
 * ended itself. What that wakes is not recorded.
 */
static void blocked_end_unseen(struct observed_states *s, int64_t time)
{
	if (last_end.time < s->since || time - last_end.time > ENDED_NEAR)
		entry_outside(&s->entries);
	else if (last_end.pid == s->thread->pid)
		entry_cause_end(&s->entries, last_end.time, last_end.wakeup);
}

static void blocked_end(struct observed_states *s, int64_t time)
{
	entry_add_wait(&s->entries, s->since, time);
	if (s->wakeup && s->caused >= s->since)
		entry_cause(&s->entries, s->caused, s->wakeup);
	else if (records_have_wakeups())
		blocked_end_unseen(s, time);
	s->wakeup = 0;
}

static void switch_in(struct observed_states *s, const struct kernel_record *r)
{
	settle(s, r->time, r->processor, false);
	if (s->state == STATE_READY)
		s->ready += r->time - s->since;
	if (s->state == STATE_BLOCKED)
		blocked_end(s, r->time);
	running_begin(s, r->time, r->processor);
}

static void switch_out(struct observed_states *s, const struct kernel_record *r)
{
	if (s->state == STATE_RUNNING && s->processor != r->processor)
		running_lost(s, 1);
	settle(s, r->time, r->processor, true);
	running_end(s, r->time);
	states_switches++;
	if (r->kind == SWITCH_PREEMPTED) {
		ready_begin(s, r->time, BASIS_PREEMPTED);
		return;
	}
	entry_add(&s->entries, ENTRY_BLOCKS, r->time, 0, 0);
	s->state = STATE_BLOCKED;
	if (s->woken && r->time - s->woken < WOKEN_EARLY)
		ready_begin(s, r->time, BASIS_WAKER);
}

/*
 * Returns whether the record of a thread's begin says nothing new, or is of a thread that is not
 * observed.
 */
static bool begin_is_ignored(const struct kernel_record *r)
{
	const struct observed *o = observed_find(r->tid);

	/* it began while the recorder attached to its process */
	if (o && o->states && r->time < o->states->begun)
		return true;
	return records_have_strangers() && !observed_find(r->other);
}

/* A cause has to be earlier than what it leads to. */
#define CAUSE_BEFORE 1

static void process_begin(struct observed_states *s, struct observed_states *maker, int64_t time)
{
	s->maker = maker->thread->tid;
	s->parent = maker->thread->pid;
	if (!processes)
		return;
	entry_add(&maker->entries, ENTRY_FORKS, time - CAUSE_BEFORE, s->thread->pid, 0);
	touch(maker);
	entry_add(&s->entries, ENTRY_BEGINS, time, s->thread->pid, 0);
}

/* Returns whether no other thread of its process is left. */
static bool is_last(const struct observed *o)
{
	size_t n;
	struct observed *const *list = observed_list(&n);

	/* most threads end before the first one */
	if (o->pid != o->tid && observed_find(o->pid))
		return false;
	for (size_t i = 0; i < n; i++)
		if (list[i] != o && list[i]->pid == o->pid)
			return false;
	return true;
}

/* The thread may be there already: its own records are from another processor's buffer. */
static struct observed_states *thread_begin(const struct kernel_record *r)
{
	struct observed *maker = observed_find(r->other);
	struct observed *o = observed_new(r->pid, r->tid, maker ? maker->name : NULL);
	struct observed_states *s = states_new(o, STATE_NEW, r->time);

	entry_add(&s->entries, ENTRY_STARTED, r->time, r->other, processors_usable((pid_t)r->pid));
	if (r->pid == r->tid)
		obstacles_look(r->pid, false);
	if (maker && maker->states && r->pid == r->tid)
		process_begin(s, maker->states, r->time);
	if (maker && maker->states && r->pid == maker->pid) {
		s->maker = maker->states->maker;
		s->parent = maker->states->parent;
	}
	ready_begin(s, r->time, BASIS_STARTED);
	return s;
}

static void thread_leaves(struct observed_states *s, int64_t time)
{
	if (s->state == STATE_HERE || s->state == STATE_NEW)
		settle(s, time, s->processor == NO_PROCESSOR ? 0 : s->processor, true);
	if (s->state == STATE_RUNNING)
		running_end(s, time);
	else if (s->state == STATE_BLOCKED)
		ready_begin(s, time, BASIS_END);
}

/* The recording ends: what the thread is blocked in has no end. */
static void thread_remains(struct observed_states *s, int64_t time)
{
	if (s->state == STATE_BLOCKED)
		entry_add(&s->entries, ENTRY_STILL_BLOCKED, time, 0, 0);
	else
		thread_leaves(s, time);
}

/*
 * A child process executes a program, or ends: that lets the thread go on which waits for it in
 * vfork() or wait(), or for its signal. Whether it did, the time says since when that is ready.
 */
static void process_wakes(struct observed_states *s, const struct observed *waiter, int64_t time)
{
	struct observed_states *w = waiter ? waiter->states : NULL;

	if (!w || w->state != STATE_BLOCKED)
		return;
	wakeups++;
	entry_add(&s->entries, ENTRY_WAKES, time, wakeups, waiter->tid);
	w->caused = time;
	w->wakeup = wakeups;
}

/* Returns the only thread of a process, or NULL. */
static const struct observed *only_thread(uint32_t pid)
{
	size_t n;
	struct observed *const *list = observed_list(&n);
	const struct observed *only = NULL;

	for (size_t i = 0; i < n; i++) {
		if (list[i]->pid != pid)
			continue;
		if (only)
			return NULL;
		only = list[i];
	}
	return only;
}

static void thread_end(struct observed_states *s, int64_t time)
{
	thread_leaves(s, time);
	if (records_have_wakeups()) {
		last_end = (struct ended_thread){time, s->thread->pid, ++wakeups};
		entry_add(&s->entries, ENTRY_THREAD_ENDS, time, wakeups, 0);
	}
	if (processes && s->parent && is_last(s->thread)) {
		entry_add(&s->entries, ENTRY_ENDS, time, s->thread->pid, s->parent);
		process_wakes(s, only_thread(s->parent), time);
	}
	entry_add(&s->entries, ENTRY_EXITED, time, 0, 0);
	if (s->thread->pid == s->thread->tid && !is_last(s->thread))
		*vector_add(&headless) = s->thread->pid;
	observed_end(s->thread);
}

/* A thread that executes a program ends all others, and takes the number of the first one. */
static void others_end(uint32_t pid, uint32_t tid, int64_t time)
{
	size_t n;
	struct observed *const *list = observed_list(&n);

	for (size_t i = n; i-- > 0;)
		if (list[i]->pid == pid && list[i]->tid != tid && list[i]->states)
			thread_end(list[i]->states, time);
}

/*
 * A thread that executes a program and is not the first one of its process gets the number of that
 * as soon as that has ended: the kernel's records have it before they say that it executes. Returns
 * the thread that they mean by a number that nobody has; NULL: none.
 */
static struct observed *thread_renamed(uint32_t pid, uint32_t tid)
{
	for (size_t i = 0; pid == tid && i < headless.n; i++)
		if (headless.at[i] == pid) {
			const struct observed *only = only_thread(pid);

			if (!only)
				headless.at[i] = headless.at[--headless.n];
			return only ? observed_find(only->tid) : NULL;
		}
	return NULL;
}

/* From another program on the thread has another log, but for the one that was to be recorded. */
static void thread_executes(struct observed_states *s, const struct kernel_record *r)
{
	uint32_t pid = s->thread->pid, tid = s->thread->tid;
	uint32_t processor = s->processor == NO_PROCESSOR ? r->processor : s->processor;
	struct observed_states before = *s;

	others_end(pid, tid, r->time);
	obstacles_look(pid, true);
	memcpy(s->program, r->name, sizeof s->program);
	if (tid == root && !root_executed) {
		root_executed = true;
		memcpy(s->thread->name, r->name, sizeof s->thread->name);
		entry_add(&s->entries, ENTRY_EXECUTED, r->time, 0, processors_usable((pid_t)pid));
		return;
	}
	if (processes) {
		entry_add(&s->entries, ENTRY_EXECS, r->time - CAUSE_BEFORE, pid, 0);
		process_wakes(s, observed_find(s->maker), r->time - CAUSE_BEFORE);
	}
	thread_leaves(s, r->time);
	entry_add(&s->entries, ENTRY_EXECUTED, r->time, 0, processors_usable((pid_t)pid));
	observed_end(s->thread);
	s = states_new(observed_new(pid, pid, r->name), STATE_NEW, r->time);
	s->counted = before.counted;
	s->ran = before.ran;
	s->lengthened = before.lengthened;
	s->ins = before.ins;
	s->ready = before.ready;
	s->maker = before.maker;
	s->parent = before.parent;
	entry_add(&s->entries, ENTRY_STARTED, r->time, pid, processors_usable((pid_t)pid));
	if (processes)
		entry_add(&s->entries, ENTRY_IMAGE, r->time, pid, 0);
	running_begin(s, r->time, processor);
}

/* The thread is woken; of what the kernel says twice, the second is left out. */
static void thread_woken(struct observed_states *s, const struct kernel_record *r)
{
	struct observed *by = r->other && r->other != r->tid ? observed_find(r->other) : NULL;

	if (s->state == STATE_RUNNING)
		s->woken = r->time;
	if (s->state != STATE_BLOCKED)
		return;
	ready_begin(s, r->time, BASIS_WAKER);
	wakeups++;
	if (!by || !by->states) {
		if (r->other != r->tid)
			entry_outside(&s->entries);
		return;
	}
	entry_add(&s->entries, ENTRY_WOKEN, r->time + WOKEN_AFTER, wakeups, 0);
	entry_add(&by->states->entries, ENTRY_WAKES, r->time, wakeups, r->tid);
	by->states->seen = r->time;
	touch(by->states);
}

/* ---- records ---- */

/*
 * The kernel's record says when a switch was over; its account gives the time of the switch to the
 * thread that comes. Lets the thread run from when it is charged. The account of a thread that runs
 * is behind.
 */
static void ran_take(struct observed_states *s, uint64_t ran)
{
	int64_t unexplained = (int64_t)(ran - s->counted.ran) - s->ran, each;

	if (!s->ins)
		return;
	each = (unexplained + s->lengthened) / (int64_t)s->ins;
	if (each >= 0 && each < SWITCH_MOST) {
		s->usual += (each - s->usual) / 4;
		switch_usual += (each - switch_usual) / 8;
	}
	/* Of switches that are logged nothing can be changed. */
	switches_lengthen(s, s->entries.ins == s->ins
				 ? entries_share(&s->entries, ENTRY_IN, unexplained)
				 : s->usual);
	s->counted.ran = ran;
	s->ran = s->lengthened = 0;
	s->ins = 0;
}

/*
 * What the kernel has counted may be of the wait that goes on: if the thread is moved to another
 * processor while it is ready, it counts what was so far. Returns what of the ns that the waits
 * before do not explain is left to that wait, or (negative) was given to those before.
 */
static int64_t delay_left(struct observed_states *s, int64_t unexplained, int64_t time)
{
	int64_t left = entries_resolve(&s->entries, unexplained), given = unexplained - left;
	int64_t most = s->state == STATE_BLOCKED || s->state == STATE_READY ? time - s->since : 0;

	if (left > most)
		left = most;
	if (left < -s->early)
		left = -s->early;
	/* It stays until waits have made up for it, also while another wait goes on. */
	s->early += given;
	if (s->early > most - left)
		s->early = most - left;
	return left;
}

/*
 * Parts the waits that are held into blocked and ready by the delay that was read, from `begun` on.
 */
static void figures_take(struct observed_states *s, struct figures f, const struct kernel_record *r)
{
	int64_t unexplained;

	if (s->state != STATE_RUNNING && s->since < r->begun)
		ran_take(s, f.ran);
	/* what ran_take() left: before waits are parted at their ends */
	switches_lengthen(s, s->usual);
	unexplained = (int64_t)(f.delay - s->counted.delay) - s->ready;
	s->counted.delay = f.delay - (uint64_t)delay_left(s, unexplained, r->time);
	s->ready = 0;
	states_log(s);
}

/* Whether what was read is of the wait that goes on: the thread has not waited again meanwhile. */
static bool is_of_wait(const struct observed_states *s, const struct kernel_record *r)
{
	return s->state == STATE_BLOCKED && s->since < r->begun;
}

static void futex_take(struct observed_states *s, const struct kernel_record *r)
{
	if (is_of_wait(s, r))
		entry_add_futex(&s->entries, s->since, r->time);
}

/*
 * It has been there since the wait began. That may be a later one than the wait which was known
 * when it was looked.
 */
static void kernel_take(struct observed_states *s, const struct kernel_record *r)
{
	if (!is_of_wait(s, r))
		return;
	s->placed = s->since;
	entry_add(&s->entries, ENTRY_KERNEL, s->since, (uint32_t)r->count, 0);
}

/* The same of a lock that no probe sees. */
static void inner_take(struct observed_states *s, const struct kernel_record *r)
{
	if (!is_of_wait(s, r))
		return;
	s->asked = s->since;
	entry_add_inner(&s->entries, s->since, r->count, r->delay, r->other);
}

static void lost_take(const struct kernel_record *r)
{
	struct observed_states *by = processor_of(r->processor)->by;
	size_t n;
	struct observed *const *list = observed_list(&n);

	states_lost += r->count;
	if (by)
		running_lost(by, 0);
	for (size_t i = 0; i < n; i++)
		if (list[i]->states) {
			struct observed_states *s = list[i]->states;

			if (s->state == STATE_NEW || s->state == STATE_HERE)
				s->since = r->time;
			entry_add(&s->entries, ENTRY_LOST, r->time, (uint32_t)r->count, 0);
			touch(s);
		}
}

static bool record_is_of_switch(const struct kernel_record *r)
{
	return r->kind == SWITCH_IN || r->kind == SWITCH_BLOCKED || r->kind == SWITCH_PREEMPTED;
}

static void thread_record_take(struct observed_states *s, const struct kernel_record *r)
{
	if (r->time < s->begun && record_is_of_switch(r))
		return;
	touch(s);
	switch (r->kind) {
	case SWITCH_IN:
		switch_in(s, r);
		break;
	case SWITCH_BLOCKED:
	case SWITCH_PREEMPTED:
		switch_out(s, r);
		break;
	case SWITCH_EXIT:
		thread_end(s, r->time);
		break;
	case SWITCH_NAME:
		memcpy(s->thread->name, r->name, sizeof s->thread->name);
		break;
	case SWITCH_EXEC:
		thread_executes(s, r);
		break;
	case SWITCH_WAKE:
		thread_woken(s, r);
		break;
	case SWITCH_FIGURES:
		figures_take(s, (struct figures){r->count, r->delay}, r);
		break;
	case SWITCH_FUTEX:
		futex_take(s, r);
		break;
	case SWITCH_KERNEL:
		kernel_take(s, r);
		break;
	case SWITCH_INNER:
		inner_take(s, r);
		break;
	case SWITCH_FORK:
	case SWITCH_LOST:
		break;
	}
}

static void record_take(const struct kernel_record *r)
{
	struct observed *o;

	if (r->kind == SWITCH_FORK) {
		if (!begin_is_ignored(r))
			touch(thread_begin(r));
		return;
	}
	if (r->kind == SWITCH_LOST) {
		lost_take(r);
		return;
	}
	o = observed_find(r->tid);
	if (!o)
		o = thread_renamed(r->pid, r->tid);
	if (!o && !records_have_strangers() && (record_is_of_switch(r) || r->kind == SWITCH_EXEC))
		o = observed_new(r->pid, r->tid, NULL);
	if (o && !o->states)
		states_new(o, STATE_NEW, r->time);
	if (o)
		thread_record_take(o->states, r);
}

static void due_add(uint32_t tid)
{
	struct observed *o = observed_find(tid);

	if (!o || !o->states || o->states->due)
		return;
	o->states->due = true;
	*vector_add(&due) = tid;
}

size_t states_take(const struct kernel_record *records, size_t n, int64_t bound)
{
	size_t i;

	for (i = 0; i < n && records[i].time <= bound; i++) {
		observed_found_until(records[i].time);
		record_take(&records[i]);
	}
	observed_found_until(bound);
	/* What needs no reading is logged at once. */
	for (size_t k = 0; k < touched.n; k++) {
		struct observed_states *s = touched.at[k] ? touched.at[k]->states : NULL;

		if (!s)
			continue;
		s->touched = false;
		if (s->entries.waits)
			due_add(s->thread->tid);
		else
			states_log(s);
	}
	touched.n = 0;
	return i;
}

/* ---- run delays ---- */

/* A wait begins, or one that is known of is over. */
static bool record_is_of_wait(const struct kernel_record *r)
{
	struct observed *o;

	if (r->kind != SWITCH_IN)
		return r->kind == SWITCH_BLOCKED;
	o = observed_find(r->tid);
	return o && o->states && o->states->state == STATE_BLOCKED;
}

bool states_read_figures(struct kernel_records *records, size_t from)
{
	struct observed *o;
	struct figures f;
	int64_t begun;
	bool waited = due.n > 0;

	for (size_t i = from; i < records->n; i++) {
		waited |= record_is_of_wait(&records->at[i]);
		if (records->at[i].kind == SWITCH_IN || records->at[i].kind == SWITCH_BLOCKED)
			due_add(records->at[i].tid);
	}
	for (size_t i = 0; i < due.n; i++) {
		o = observed_find(due.at[i]);
		if (!o || !o->states)
			continue;
		o->states->due = false;
		begun = monotonic_now();
		if (!figures_read(o->states, &f))
			continue;
		*vector_add(records) = (struct kernel_record){.time = monotonic_now(),
							      .begun = begun,
							      .kind = SWITCH_FIGURES,
							      .tid = o->tid,
							      .count = f.ran,
							      .delay = f.delay};
	}
	due.n = 0;
	return waited;
}

/* ---- what threads wait for ---- */

/* Looks where in the kernel threads are that are blocked for some time. */
static void places_read(struct kernel_records *records)
{
	int64_t now = monotonic_now();
	unsigned looked = 0;
	size_t n;
	struct observed *const *list = observed_list(&n);
	struct kernel_place place;

	for (size_t i = 0; i < n && looked < PLACES_MOST; i++) {
		struct observed_states *s = list[i]->states;

		if (!s || s->state != STATE_BLOCKED || s->placed == s->since ||
		    s->looked == s->since || now - s->since < BLOCKED_IN_KERNEL)
			continue;
		s->placed = s->since;
		looked++;
		if (thread_waits_in_kernel((pid_t)list[i]->pid, (pid_t)list[i]->tid, &place))
			*vector_add(records) =
			    (struct kernel_record){.time = monotonic_now(),
						   .begun = now,
						   .kind = SWITCH_KERNEL,
						   .tid = list[i]->tid,
						   .count = kernel_wait_number(&place)};
	}
}

void states_calls_by(blocked_call_reader *read)
{
	call_read = read;
}

/* Looks which locks inside the C library threads wait for: at some, each time at others. */
static void inner_read(struct kernel_records *records)
{
	unsigned looked = 0;
	size_t n;
	struct observed *const *list = observed_list(&n);
	struct blocked_call call;

	for (size_t i = 0; call_read && i < n && looked < INNER_MOST; i++) {
		const struct observed *o = list[(inner_next + i) % n];
		struct observed_states *s = o->states;
		int64_t begun = monotonic_now();

		if (!s || s->state != STATE_BLOCKED || s->asked == s->since)
			continue;
		s->asked = s->since;
		if (++looked == INNER_MOST)
			inner_next = (inner_next + i + 1) % n;
		if (call_read(o->pid, o->tid, &call))
			*vector_add(records) = (struct kernel_record){.time = monotonic_now(),
								      .begun = begun,
								      .kind = SWITCH_INNER,
								      .tid = o->tid,
								      .other = call.stack,
								      .count = call.word,
								      .delay = call.code};
	}
}

void states_read_calls(struct kernel_records *records)
{
	int64_t now = monotonic_now();
	unsigned looked = 0;
	size_t n;
	struct observed *const *list = observed_list(&n);

	for (size_t i = 0; now >= calls_next && i < n && looked < CALLS_MOST; i++) {
		struct observed_states *s = list[i]->states;

		if (!s || s->state != STATE_BLOCKED || s->looked == s->since ||
		    now - s->since < BLOCKED_LONG)
			continue;
		s->looked = s->since;
		looked++;
		if (thread_waits_on_futex((pid_t)list[i]->pid, (pid_t)list[i]->tid))
			*vector_add(records) = (struct kernel_record){.time = monotonic_now(),
								      .begun = now,
								      .kind = SWITCH_FUTEX,
								      .tid = list[i]->tid};
	}
	if (now >= calls_next)
		calls_next = now + CALLS_PERIOD;
	places_read(records);
	inner_read(records);
}

void states_close(int64_t now)
{
	size_t n;
	struct observed *const *list = observed_list(&n);

	for (size_t i = 0; i < n; i++)
		if (list[i]->states && (list[i]->tid != root || root_executed))
			thread_remains(list[i]->states, now);
	free(processors.at);
	free(touched.at);
	free(due.at);
	free(headless.at);
	memset(&processors, 0, sizeof processors);
	memset(&touched, 0, sizeof touched);
	memset(&due, 0, sizeof due);
	memset(&headless, 0, sizeof headless);
}
