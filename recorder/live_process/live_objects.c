#include "recorder/live_process/live_objects.h"
#include "recorder/live_process/live_memory.h"
#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

static const char *const kind_names[LIVE_KINDS] = {
    [LIVE_UNKNOWN] = "unknown",
    [LIVE_NOTHING] = "nothing",
    [LIVE_MUTEX] = "mutex",
    [LIVE_RWLOCK] = "rwlock",
    [LIVE_CONDITION] = "condition",
    [LIVE_SEMAPHORE] = "semaphore",
    [LIVE_BARRIER] = "barrier",
    [LIVE_JOIN] = "join",
    [LIVE_ONCE] = "once",
    [LIVE_FUTEX] = "futex",
    [LIVE_DESCRIPTOR] = "descriptor",
    [LIVE_POLL] = "poll",
    [LIVE_SLEEP] = "sleep",
    [LIVE_CHILD] = "child",
    [LIVE_SIGNAL] = "signal",
    [LIVE_CALL] = "call",
};

const char *live_object_word(const struct live_object *o)
{
	return o->words ? o->words->name : kind_names[o->kind];
}

/* ---- which object: by the function that waits ---- */

struct waiting_function {
	const char *name; /* without underscores at its beginning */
	enum live_kind kind;
	bool writes; /* it waits to hold an rwlock alone */
};

static const struct waiting_function functions[] = {
    {"pthread_mutex_lock", LIVE_MUTEX, false},
    {"pthread_mutex_lock_full", LIVE_MUTEX, false},
    {"pthread_mutex_timedlock", LIVE_MUTEX, false},
    {"pthread_mutex_clocklock", LIVE_MUTEX, false},
    {"pthread_mutex_clocklock_common", LIVE_MUTEX, false},
    {"pthread_mutex_cond_lock", LIVE_MUTEX, false},
    {"pthread_mutex_cond_lock_full", LIVE_MUTEX, false},
    {"pthread_rwlock_rdlock", LIVE_RWLOCK, false},
    {"pthread_rwlock_timedrdlock", LIVE_RWLOCK, false},
    {"pthread_rwlock_clockrdlock", LIVE_RWLOCK, false},
    {"pthread_rwlock_wrlock", LIVE_RWLOCK, true},
    {"pthread_rwlock_timedwrlock", LIVE_RWLOCK, true},
    {"pthread_rwlock_clockwrlock", LIVE_RWLOCK, true},
    {"pthread_cond_wait", LIVE_CONDITION, false},
    {"pthread_cond_timedwait", LIVE_CONDITION, false},
    {"pthread_cond_clockwait", LIVE_CONDITION, false},
    {"sem_wait", LIVE_SEMAPHORE, false},
    {"new_sem_wait", LIVE_SEMAPHORE, false},
    {"new_sem_wait_slow64", LIVE_SEMAPHORE, false},
    {"sem_timedwait", LIVE_SEMAPHORE, false},
    {"sem_clockwait", LIVE_SEMAPHORE, false},
    {"pthread_barrier_wait", LIVE_BARRIER, false},
    {"pthread_join", LIVE_JOIN, false},
    {"pthread_timedjoin_np", LIVE_JOIN, false},
    {"pthread_clockjoin_np", LIVE_JOIN, false},
    {"pthread_clockjoin_ex", LIVE_JOIN, false},
    {"pthread_once", LIVE_ONCE, false},
    {"pthread_once_slow", LIVE_ONCE, false},
};

/* The frames of a stack from `first` on. */
struct outer_frames {
	const struct live_stack *stack;
	size_t first;
};

/* Whether a name is that of a function, but for underscores and ".part.0". */
static bool is_called(const char *name, const char *function)
{
	size_t n = strlen(function);

	name += strspn(name, "_");
	return strncmp(name, function, n) == 0 && (!name[n] || name[n] == '.' || name[n] == '@');
}

static bool is_of_threads(const struct live_frame *f)
{
	return strncmp(f->module, "libc.so", 7) == 0 || strncmp(f->module, "libc-2.", 7) == 0 ||
	       strncmp(f->module, "libpthread", 10) == 0;
}

/*
 * Returns the innermost function of the table, within the frames of the C library; NULL: none. A
 * static program has that library in its own file. *outside: the first frame outside of it.
 */
static const struct waiting_function *function_find(const struct live_stack *s, size_t *outside)
{
	enum { LOOKED_AT = 8 };

	for (size_t i = 0; i < s->frames.n && i < LOOKED_AT; i++) {
		const struct live_frame *f = s->frames.at[i];

		for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
			if (is_called(f->function, functions[k].name)) {
				*outside = i + 1;
				return &functions[k];
			}
		if (strncmp(f->module, "lib", 3) == 0 && !is_of_threads(f))
			break;
	}
	return NULL;
}

/* A frame without a symbol has the name of its file: "[libjvm.so]". */
static bool frame_next(void *context, unsigned i, const char **function)
{
	const struct outer_frames *o = context;

	if (o->first + i >= o->stack->frames.n)
		return false;
	*function = o->stack->frames.at[o->first + i]->function;
	if (**function == '[')
		*function = NULL;
	return true;
}

/* Returns the declaration of what waits outside of the first frames; NULL: none. */
static const struct object_words *words_find(const struct spec *spec, const struct live_stack *s,
					     size_t first)
{
	struct outer_frames outer = {s, first};

	return spec ? wait_object_find(spec, frame_next, &outer).words : NULL;
}

/* ---- the objects in memory ---- */

/* pthread_mutex_t */
struct mutex_memory {
	uint32_t lock, count;
	int32_t owner;
	uint32_t users, kind;
};

/* pthread_rwlock_t */
struct rwlock_memory {
	uint32_t readers, writers, phase_futex, writers_futex, pad[2];
	int32_t writer;
};
enum { RWLOCK_WRITER_PHASE = 1, RWLOCK_WRITER = 2, RWLOCK_READER_WAITS = 4, RWLOCK_READER = 8 };
enum { RWLOCK_IN_USE = 2 }; /* in the futex words: somebody may wait */

/* pthread_cond_t */
struct condition_memory {
	uint64_t sequence, first_group;
	uint32_t references[2], sizes[2], first_size, waiters, signals[2];
};
enum { CONDITION_WAITER = 8 };

/* sem_t */
struct semaphore_memory {
	uint32_t value, waiters;
};

/* pthread_barrier_t */
struct barrier_memory {
	uint32_t in, round, count, shared, out;
};

static const char *mutex_type(uint32_t kind)
{
	static const char *const types[] = {"", "recursive", "error-checking", "adaptive"};

	return types[kind & 3];
}

static void mutex_read(const struct live_threads *t, struct live_object *o, uint64_t word)
{
	enum { OWNER_DIED = 0x7ffffffe };
	struct mutex_memory m;

	o->address = word;
	if (!live_memory_get(t->pid, word, &m, sizeof m))
		return;
	snprintf(o->text, sizeof o->text, "%s", mutex_type(m.kind));
	/* unlocked by now: the thread that waits has not seen it yet */
	if (m.lock == 0)
		snprintf(o->text, sizeof o->text, "free");
	else if (m.owner > 0 && m.owner < OWNER_DIED)
		o->owner = m.owner;
}

/* Which word a thread waits for: the readers' count, the phase, or the turn of writers. */
static uint64_t rwlock_address(const struct live_call *c, bool writes)
{
	uint32_t value = (uint32_t)c->arguments[2];
	uint64_t word = c->arguments[0];

	if (!writes && value >= RWLOCK_READER)
		return word;
	if (writes && value == (1 | RWLOCK_IN_USE))
		return word - offsetof(struct rwlock_memory, writers_futex);
	return word - offsetof(struct rwlock_memory, phase_futex);
}

static void rwlock_read(const struct live_threads *t, struct live_object *o, uint64_t address)
{
	struct rwlock_memory m;

	o->address = address;
	if (!live_memory_get(t->pid, address, &m, sizeof m))
		return;
	/* in the phase of readers a writer waits, too, whose number is there already */
	if (m.readers & RWLOCK_WRITER_PHASE && m.readers & RWLOCK_WRITER && m.writer > 0) {
		o->owner = m.writer;
		snprintf(o->text, sizeof o->text, "held for writing");
	} else if (m.readers / RWLOCK_READER) {
		snprintf(o->text, sizeof o->text, "held by %" PRIu32 " reader%s",
			 m.readers / RWLOCK_READER, m.readers / RWLOCK_READER == 1 ? "" : "s");
	}
}

static void condition_read(const struct live_threads *t, struct live_object *o, uint64_t word)
{
	struct condition_memory m;

	/* two words, and the object is aligned to 8 bytes */
	o->address = word - offsetof(struct condition_memory, signals) - word % 8;
	if (live_memory_get(t->pid, o->address, &m, sizeof m))
		snprintf(o->text, sizeof o->text, "%" PRIu32 " waiter%s",
			 m.waiters / CONDITION_WAITER,
			 m.waiters / CONDITION_WAITER == 1 ? "" : "s");
}

static void semaphore_read(const struct live_threads *t, struct live_object *o, uint64_t word)
{
	struct semaphore_memory m;

	o->address = word;
	if (live_memory_get(t->pid, word, &m, sizeof m))
		snprintf(o->text, sizeof o->text, "value %" PRIu32 ", %" PRIu32 " waiter%s",
			 m.value, m.waiters, m.waiters == 1 ? "" : "s");
}

static void barrier_read(const struct live_threads *t, struct live_object *o, uint64_t word)
{
	struct barrier_memory m;

	o->address = word - offsetof(struct barrier_memory, round);
	if (live_memory_get(t->pid, o->address, &m, sizeof m) && m.count)
		snprintf(o->text, sizeof o->text, "%" PRIu32 " of %" PRIu32 " arrived",
			 (m.in - m.round), m.count);
}

/* The word is the number of the joined thread, which the kernel clears when it ends. */
static void join_read(const struct live_threads *t, struct live_object *o, uint64_t word)
{
	int32_t tid;

	if (live_memory_get(t->pid, word, &tid, sizeof tid) && tid > 0)
		o->owner = tid;
}

/* A priority-inheriting lock: the kernel defines the word. */
static void word_owner_read(const struct live_threads *t, struct live_object *o, uint64_t word)
{
	uint32_t value;

	if (live_memory_get(t->pid, word, &value, sizeof value))
		o->owner = (pid_t)(value & FUTEX_TID_MASK);
}

/* ---- CPython's global lock ---- */

/* The memory before the condition variable for which threads wait, since CPython 3.2. */
struct gil_memory {
	uint64_t interval;    /* us */
	uint64_t last_holder; /* its PyThreadState */
	int32_t locked;
	uint32_t pad;
	uint64_t switches;
};

/* Behind the C library's functions there may be one that is inlined. */
static bool is_in_take_gil(const struct live_stack *s, size_t outside)
{
	for (size_t i = outside; i < s->frames.n && i < outside + 2; i++)
		if (is_called(s->frames.at[i]->function, "take_gil"))
			return true;
	return false;
}

/*
 * Returns the thread with a PyThreadState: the only one whose number is in it, as CPython 3.11 and
 * later write it. 0: not known.
 */
static pid_t python_thread(const struct live_threads *t, uint64_t state)
{
	uint64_t memory[32];
	size_t n = live_memory_read(t->pid, state, memory, sizeof memory) / sizeof *memory;
	pid_t found = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < t->list.n; k++)
			if (memory[i] == (uint64_t)t->list.at[k].own) {
				if (found && found != t->list.at[k].own)
					return 0;
				found = t->list.at[k].own;
			}
	return found;
}

static void gil_read(const struct live_threads *t, struct live_object *o)
{
	enum { LONGEST = 1000000000 };
	struct gil_memory m;

	if (live_memory_get(t->pid, o->address - sizeof m, &m, sizeof m) && m.locked == 1 &&
	    m.interval && m.interval <= LONGEST)
		o->owner = python_thread(t, m.last_holder);
}

/* ---- the wait ---- */

static bool command_is_timed(int command, const struct live_call *c)
{
	return c->arguments[3] != 0 &&
	       (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI);
}

/*
 * A thread that was signalled acquires the mutex again within pthread_cond_wait(). Locks of glibc
 * wait with another command, and for this value.
 */
static bool is_low_level_lock(int command, const struct live_call *c)
{
	return command == FUTEX_WAIT && (uint32_t)c->arguments[2] == 2;
}

struct live_object live_futex(const struct live_threads *t, const struct live_thread *thread,
			      const struct live_stack *stack, const struct spec *spec)
{
	const struct live_call *c = &thread->call;
	size_t outside = 0;
	const struct waiting_function *f = function_find(stack, &outside);
	int command = (int)c->arguments[1] & FUTEX_CMD_MASK;
	uint64_t word = c->arguments[0];
	struct live_object o = {.kind = f ? f->kind : LIVE_FUTEX, .address = word};

	o.words = words_find(spec, stack, outside);
	o.timed = command_is_timed(command, c);
	if (!f) {
		if (command == FUTEX_LOCK_PI)
			word_owner_read(t, &o, word);
		return o;
	}
	if (o.kind == LIVE_CONDITION && is_low_level_lock(command, c))
		o.kind = LIVE_MUTEX;
	if (o.kind == LIVE_MUTEX)
		mutex_read(t, &o, word);
	else if (o.kind == LIVE_RWLOCK)
		rwlock_read(t, &o, rwlock_address(c, f->writes));
	else if (o.kind == LIVE_CONDITION)
		condition_read(t, &o, word);
	else if (o.kind == LIVE_SEMAPHORE)
		semaphore_read(t, &o, word);
	else if (o.kind == LIVE_BARRIER)
		barrier_read(t, &o, word);
	else if (o.kind == LIVE_JOIN)
		join_read(t, &o, word);
	if (o.kind == LIVE_CONDITION && o.words)
		o.text[0] = '\0'; /* of a condition within another object */
	if (o.kind == LIVE_CONDITION && is_in_take_gil(stack, outside))
		gil_read(t, &o);
	return o;
}
