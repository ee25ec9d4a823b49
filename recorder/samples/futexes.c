#include "recorder/samples/futexes.h"
#include "base/hash.h"
#include "base/monotonic.h"
#include "probes/threads/futex_operations.h"
#include "recorder/live_process/live_memory.h"
#include "recorder/live_process/live_threads.h"
#include "recorder/observed.h"
#include "recorder/refusals.h"
#include "recorder/rings.h"
#include "recorder/samples/stack_log.h"
#include "recorder/trace_events.h"
#include "threads_glimpse.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define ENTER "syscalls/sys_enter_futex"
#define LEAVE "syscalls/sys_exit_futex"
#define BUFFER_MOST (UINT64_C(2) << 20)
#define BUFFER_LEAST (UINT64_C(64) << 10)
#define RESTARTS_FIRST \
	512 /* errors with which the kernel continues a call that a signal interrupted */
#define RESTARTS_LAST 516

/* Of the stack at a call so many bytes are copied: each call is recorded. */
enum { STACK = 2048 };
enum { WOKEN_MOST = 10000 }; /* threads by one call */
enum { WORDS_MOST = 1 << 16 };
/* More calls in a second would slow the program down by more than 5 %: each costs some 3 us. */
enum { CALLS_MOST = 20000 };
#define WINDOW 100000000 /* ns in which calls are counted */

/* ---- records ---- */

enum record_kind { RECORD_ENTER, RECORD_BLOCKED, RECORD_LEAVE, RECORD_LOST };

struct futex_record {
	int64_t time;
	uint64_t order; /* of reading */
	enum record_kind kind;
	uint32_t pid, tid;
	/* RECORD_ENTER, RECORD_BLOCKED */
	uint64_t word, code;
	uint32_t operation, count, stack;
	/* RECORD_LEAVE */
	int64_t result;
};

/* Where the fields of the trace events are. */
static struct {
	uint64_t enter, leave; /* numbers of the events */
	unsigned type, word, operation, count, result;
} fields;

static struct rings rings;
static VECTOR(struct futex_record) pending;
static uint64_t order, lost;
static uint64_t calls; /* since `counted` */
static int64_t counted;
static bool full;       /* there is no limit */
static int64_t stopped; /* when there were too many calls; 0: that was not yet */

static bool fields_find(void)
{
	fields.enter = trace_event_id(ENTER);
	fields.leave = trace_event_id(LEAVE);
	return fields.enter && fields.leave &&
	       trace_event_field(ENTER, "common_type", &fields.type) &&
	       trace_event_field(ENTER, "uaddr", &fields.word) &&
	       trace_event_field(ENTER, "op", &fields.operation) &&
	       trace_event_field(ENTER, "val", &fields.count) &&
	       trace_event_field(LEAVE, "ret", &fields.result);
}

static void call_read(const unsigned char *raw, uint32_t size, struct futex_record *r)
{
	struct stack_copy copy;

	memcpy(&r->word, raw + fields.word, sizeof r->word);
	memcpy(&r->operation, raw + fields.operation, sizeof r->operation);
	memcpy(&r->count, raw + fields.count, sizeof r->count);
	if (!stack_copy_read(&copy, raw + size))
		return;
	r->code = copy.pc;
	r->stack = stack_log(r->pid, r->tid, r->time, &copy);
}

static void sample_take(const union ring_record *record)
{
	struct {
		struct perf_event_header header;
		struct ring_record_end end;
		uint32_t size; /* of the trace event's record, which follows */
	} s;
	const unsigned char *raw = record->bytes + offsetof(__typeof__(s), size) + sizeof s.size;
	struct futex_record r = {0};
	uint16_t type;

	memcpy(&s, record, sizeof s);
	r = (struct futex_record){
	    .time = (int64_t)s.end.time, .order = order++, .pid = s.end.pid, .tid = s.end.tid};
	/* where records are of all threads of the system */
	if (!observed_find(r.tid) && !observed_find(r.pid))
		return;
	memcpy(&type, raw + fields.type, sizeof type);
	r.kind = type == fields.enter ? RECORD_ENTER : RECORD_LEAVE;
	calls += r.kind == RECORD_ENTER;
	if (r.kind == RECORD_ENTER)
		call_read(raw, s.size, &r);
	else
		memcpy(&r.result, raw + fields.result, sizeof r.result);
	*vector_add(&pending) = r;
}

static void record_take(void *context, const union ring_record *record)
{
	struct ring_lost l;

	(void)context;
	if (record->header.type == PERF_RECORD_SAMPLE)
		sample_take(record);
	if (record->header.type != PERF_RECORD_LOST)
		return;
	memcpy(&l, record, sizeof l);
	lost += l.lost;
	*vector_add(&pending) = (struct futex_record){
	    .time = (int64_t)ring_record_end(record).time, .order = order++, .kind = RECORD_LOST};
}

static int record_compare(const void *left, const void *right)
{
	const struct futex_record *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* ---- words, and since when a lock that a word stands for is held ---- */

struct waited_word {
	uint32_t pid;
	uint64_t word;
	int64_t taken;   /* since then at least; 0: not known */
	uint32_t stack;  /* of the thread that waits since then */
	uint32_t waiter; /* the only thread that has ever waited; SEVERAL_WAIT */
};
#define SEVERAL_WAIT UINT32_MAX

static struct hash_table words; /* by word and process: the index of the next */
static VECTOR(struct waited_word) word_list;

static struct waited_word *word_of(uint32_t pid, uint64_t word)
{
	uint32_t at;

	if (word_list.n >= WORDS_MOST) {
		hash_table_reset(&words);
		word_list.n = 0;
	}
	at = hash_table_number(&words, word, pid, word_list.n);
	if (at == word_list.n)
		*vector_add(&word_list) = (struct waited_word){.pid = pid, .word = word};
	return &word_list.at[at];
}

/* The same for all processes that share it only if it is in memory of one process. */
static uint64_t word_key(uint32_t pid, uint64_t word)
{
	return (hash_mix(word) ^ pid) >> 1;
}

/* ---- threads ---- */

enum { GOT = 4 };

struct futex_thread {
	/* The call in which it is. */
	enum { CALL_OTHER, CALL_WAIT, CALL_WAKE } call;
	bool one; /* the result is 0 if a thread may have been woken, not how many */
	struct futex_record enter;
	/* The lock that it lets go. */
	int64_t held;    /* since then; 0: not known */
	uint32_t waiter; /* the stack of the first other thread that waits; 0: not known */
	/* The last waits that ended as it was woken: if the word is a lock, it may have it. */
	struct {
		uint64_t word;
		int64_t since;
	} got[GOT];
	unsigned got_next;
	int64_t got_last;
};

static struct hash_table threads; /* by number: the index of the next */
static VECTOR(struct futex_thread) thread_list;

static struct futex_thread *thread_of(uint32_t tid)
{
	uint32_t at = hash_table_number(&threads, tid, 0, thread_list.n);

	return at == thread_list.n ? vector_add(&thread_list) : &thread_list.at[at];
}

static int64_t got_take(struct futex_thread *t, uint64_t word)
{
	int64_t since = 0;

	for (int i = 0; i < GOT; i++)
		if (t->got[i].word == word) {
			since = t->got[i].since;
			t->got[i].word = 0;
		}
	return since;
}

/* Nothing is known any more of who waits and who has what: records are missing. */
static void all_forget(void)
{
	hash_table_reset(&words);
	hash_table_reset(&threads);
	word_list.n = thread_list.n = 0;
}

/* ---- calls ---- */

static void wait_begins(struct futex_thread *t, const struct futex_record *r)
{
	struct waited_word *w = word_of(r->pid, r->word);

	got_take(t, r->word);
	if (w->waiter != r->tid)
		w->waiter = w->waiter ? SEVERAL_WAIT : r->tid;
	if (!w->taken) {
		w->taken = r->time;
		w->stack = r->stack;
	}
	FutexBegin_StampAt((uint64_t)r->time, (const void *)(uintptr_t)r->word,
			   (const void *)(uintptr_t)r->code, r->stack);
}

static void wake_begins(struct futex_thread *t, const struct futex_record *r)
{
	struct waited_word *w = word_of(r->pid, r->word);
	int64_t own = got_take(t, r->word);

	t->held = (int64_t)futex_held_since((uint64_t)own, (uint64_t)w->taken,
					    (uint64_t)t->got_last, w->waiter != SEVERAL_WAIT);
	t->waiter = w->stack;
	w->taken = 0;
}

static void call_begins(const struct futex_record *r)
{
	struct futex_thread *t = thread_of(r->tid);
	int operation;

	if (r->kind == RECORD_BLOCKED && t->call != CALL_OTHER)
		return;
	t->enter = *r;
	operation = (int)r->operation & FUTEX_CMD_MASK;
	t->one = operation == FUTEX_UNLOCK_PI;
	if (futex_operation_waits(operation)) {
		t->call = CALL_WAIT;
		wait_begins(t, r);
	} else if (futex_operation_wakes(operation) && operation != FUTEX_WAKE_OP) {
		t->call = CALL_WAKE;
		wake_begins(t, r);
	} else { /* FUTEX_WAKE_OP has two words, and one result: whom it woke is not known */
		t->call = CALL_OTHER;
	}
}

static void wait_ends(struct futex_thread *t, const struct futex_record *r)
{
	const struct futex_record *e = &t->enter;
	int error = r->result < 0 ? (int)-r->result : 0;

	if (error >= RESTARTS_FIRST && error <= RESTARTS_LAST)
		error = EINTR;
	FutexEnd_StampAt((uint64_t)r->time, (const void *)(uintptr_t)e->word,
			 word_key(e->pid, e->word), error, (uint64_t)e->time);
	if (error)
		return;
	t->got[t->got_next % GOT].word = e->word;
	t->got[t->got_next++ % GOT].since = t->got_last = r->time;
}

/* Some of these calls count also those that wait for another word from now on. */
static uint32_t woken_count(const struct futex_thread *t, int64_t result)
{
	uint32_t most = t->enter.count < WOKEN_MOST ? t->enter.count : WOKEN_MOST;

	if (t->one)
		return !result;
	return result > most ? most : result < 0 ? 0 : (uint32_t)result;
}

static void wake_ends(const struct futex_thread *t, const struct futex_record *r)
{
	const struct futex_record *e = &t->enter;
	const void *word = (const void *)(uintptr_t)e->word,
		   *code = (const void *)(uintptr_t)e->code;
	uint32_t n = woken_count(t, r->result);

	if (n && t->held)
		FutexHeld_StampAt((uint64_t)t->held, word, code, e->stack, t->waiter);
	for (uint32_t i = 0; i < n; i++)
		FutexWake_StampAt((uint64_t)e->time, word, code, e->stack, t->waiter,
				  word_key(e->pid, e->word), (uint64_t)r->time);
}

static void call_ends(const struct futex_record *r)
{
	struct futex_thread *t = thread_of(r->tid);

	if (t->call == CALL_WAIT)
		wait_ends(t, r);
	if (t->call == CALL_WAKE)
		wake_ends(t, r);
	t->call = CALL_OTHER;
}

/* Logs the calls up to a time, in the order of time. */
static void pending_log(int64_t bound)
{
	size_t i = 0;

	if (pending.n)
		qsort(pending.at, pending.n, sizeof *pending.at, record_compare);
	for (; i < pending.n && pending.at[i].time <= bound; i++) {
		const struct futex_record *r = &pending.at[i];
		struct observed *o = observed_find(r->tid);

		if (r->kind == RECORD_LOST)
			all_forget();
		if (r->kind == RECORD_LOST || !o)
			continue;
		observed_select(o);
		if (r->kind == RECORD_LEAVE)
			call_ends(r);
		else
			call_begins(r);
	}
	observed_select(NULL);
	pending.n -= i;
	if (pending.n)
		memmove(pending.at, pending.at + i, pending.n * sizeof *pending.at);
}

/* ---- too many calls ---- */

static void calls_stop(int64_t now)
{
	rings_stop(&rings);
	stopped = now;
	refusal_note("futex-rate", "--full records all");
}

static void calls_look(int64_t now)
{
	int64_t time = now - counted;

	if (stopped || full || time < WINDOW)
		return;
	if ((double)calls > CALLS_MOST * ((double)time / 1e9))
		calls_stop(now);
	calls = 0;
	counted = now;
}

/* How the waits end that go on is not known: the result says that they count no longer. */
static void waits_end(void)
{
	for (size_t i = 0; i < thread_list.n; i++) {
		struct futex_thread *t = &thread_list.at[i];
		struct observed *o = t->call == CALL_WAIT ? observed_find(t->enter.tid) : NULL;

		if (o) {
			observed_select(o);
			wait_ends(t, &(struct futex_record){.time = stopped, .result = -EAGAIN});
		}
		t->call = CALL_OTHER;
	}
	observed_select(NULL);
}

/* ---- threads that wait already ---- */

/* Adds the call in which a thread is blocked, from /proc, with its stack. It may have a record. */
static void blocked_add(const struct live_threads *all, const struct live_thread *thread)
{
	struct live_thread now = {.tid = thread->tid};
	const struct live_call *c = &thread->call;
	unsigned char stack[2 * STACK];
	/* a function that needs its frame pointer ends the stack */
	struct stack_copy copy = {.pc = c->pc, .sp = c->sp, .stack = stack};
	struct futex_record r = {.time = monotonic_now(),
				 .order = order++,
				 .kind = RECORD_BLOCKED,
				 .pid = (uint32_t)all->pid,
				 .tid = (uint32_t)thread->tid,
				 .word = c->arguments[0],
				 .code = c->pc,
				 .operation = (uint32_t)c->arguments[1]};

	if (c->state != CALL_KNOWN || c->number != SYS_futex)
		return;
	copy.size = live_memory_read(all->pid, c->sp, stack, sizeof stack);
	/* it may have gone on meanwhile */
	if (!live_thread_read(all, &now) || !live_thread_stayed(thread, &now))
		return;
	r.stack = stack_log(r.pid, r.tid, r.time, &copy);
	*vector_add(&pending) = r;
}

static void blocked_add_all(pid_t pid)
{
	struct live_threads all;

	observed_scan();
	if (live_threads_read(&all, pid) == LIVE_FINE)
		for (size_t i = 0; i < all.list.n; i++)
			blocked_add(&all, &all.list.at[i]);
	live_threads_free(&all);
}

/* ---- the events ---- */

static struct perf_event_attr call_attributes(const struct recording *r, uint64_t id,
					      uint32_t stack)
{
	struct perf_event_attr a = rings_attributes(r);

	a.type = PERF_TYPE_TRACEPOINT;
	a.config = id;
	a.sample_period = 1;
	a.sample_type |= PERF_SAMPLE_RAW;
	a.task = a.comm = a.comm_exec = 0;
	stack_copy_ask(&a, stack);
	return a;
}

bool futexes_open(const struct recording *r)
{
	const char *what;

	order = lost = calls = 0;
	counted = monotonic_now();
	full = r->full;
	stopped = 0;
	if (!r->attach)
		return false;
	if (!fields_find() || !rings_open(&rings, call_attributes(r, fields.enter, STACK), r,
					  BUFFER_MOST, BUFFER_LEAST, false, &what)) {
		refusal_note("futexes", trace_events_remedy());
		return false;
	}
	if (!rings_add(&rings, call_attributes(r, fields.leave, 0), r)) {
		rings_close(&rings);
		refusal_note("futexes", trace_events_remedy());
		return false;
	}
	blocked_add_all(r->root);
	return true;
}

int futexes_fds(struct pollfd *fds, int room)
{
	return rings_fds(&rings, fds, room);
}

void futexes_step(void)
{
	int64_t bound = monotonic_now(), known = observed_known_until();

	rings_read(&rings, NULL, record_take, NULL);
	pending_log(known < bound ? known : bound);
	calls_look(bound);
	if (stopped && known >= stopped)
		waits_end();
}

void futexes_forget(uint32_t tid)
{
	*thread_of(tid) = (struct futex_thread){.call = CALL_OTHER};
}

uint64_t futexes_lost(void)
{
	return lost;
}

void futexes_close(void)
{
	rings_close(&rings);
	hash_table_free(&words);
	hash_table_free(&threads);
	free(word_list.at);
	free(thread_list.at);
	free(pending.at);
	memset(&words, 0, sizeof words);
	memset(&threads, 0, sizeof threads);
	memset(&word_list, 0, sizeof word_list);
	memset(&thread_list, 0, sizeof thread_list);
	memset(&pending, 0, sizeof pending);
}
