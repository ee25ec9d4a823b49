#include "probes/threads/lock_count.h"
#include "probes/auto_off.h"
#include "probes/threads/held_locks.h"
#include "probes/threads/threads.h"
#include "runtime/system.h"

/* A lock is counted if the mean of so many holds is shorter, ns. */
#define LEARNED 8u
#define SHORT_NS 5000u
/* Once in so many takings the time of the hold is measured. */
#define TIMED 16u
/* The sum is logged after so many. */
#define SUM_MOST 1024u
#define PLACES 8192u /* a power of two */

struct counted_lock {
	const void *lock, *site;
	struct auto_off_site *shared; /* off: it is counted; chosen: somebody waited for it */
	uint64_t since;               /* of a hold that is measured; 0: of none */
	uint64_t ticks;               /* of those that were measured */
	uint32_t timed, calls;
};

struct counted_locks {
	struct counted_locks *next;
	uint32_t taken; /* by a thread */
	struct counted_lock at[PLACES];
};

static struct counted_locks *all; /* of all threads, also of those that have ended */
static __thread struct counted_locks *mine __attribute__((tls_model("initial-exec")));

/* ---- tables ---------------------------------------------------------------------------------- */

/* Returns a table that a thread has left, or a new one; NULL: there is no memory. */
static struct counted_locks *table_take(void)
{
	struct counted_locks *t = __atomic_load_n(&all, __ATOMIC_ACQUIRE);

	for (; t; t = t->next) {
		uint32_t none = 0;

		if (__atomic_compare_exchange_n(&t->taken, &none, 1, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return t;
	}
	t = glimpse_map(sizeof *t);
	if (!t)
		return NULL;
	t->taken = 1;
	t->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&all, &t->next, t, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return t;
}

/* Logs what was counted of a lock since it was logged last. */
static void sum_log(struct counted_lock *c)
{
	uint64_t held = 0;

	if (!c->calls)
		return;
	if (c->timed)
		held = (uint64_t)((double)c->ticks * auto_off_tick_ns() / c->timed * c->calls);
	LockCounted_Stamp(c->lock, c->calls, held);
	c->calls = c->timed = 0;
	c->ticks = 0;
}

static void sums_log(struct counted_locks *t)
{
	for (uint32_t i = 0; i < PLACES; i++)
		sum_log(&t->at[i]);
}

static uint32_t place_of(const void *lock)
{
	return (uint32_t)(((uintptr_t)lock * UINT64_C(0x9e3779b97f4a7c15)) >> 51);
}

static __attribute__((noinline)) struct counted_lock *place_take(const void *lock)
{
	struct counted_lock *c;

	if (!mine)
		mine = table_take();
	if (!mine)
		return NULL;
	c = &mine->at[place_of(lock)];
	sum_log(c);
	*c = (struct counted_lock){.lock = lock, .shared = auto_off_find((uintptr_t)lock)};
	return c;
}

/* Returns the place of a lock in the thread's table, or NULL. */
static inline struct counted_lock *count_of(const void *lock)
{
	struct counted_lock *c = mine ? &mine->at[place_of(lock)] : NULL;

	if (!c || c->lock != lock)
		c = place_take(lock);
	return c && c->shared ? c : NULL;
}

/* ---- counting -------------------------------------------------------------------------------- */

bool lock_count_take(const void *lock, const void *site)
{
	struct counted_lock *c = count_of(lock);

	if (!c || __atomic_load_n(&c->shared->chosen, __ATOMIC_RELAXED) || glimpse_paused() ||
	    glimpse_off(&threads_glimpse, LOCK_EVENT))
		return false;
	if (!site_is_auto_off(c->shared)) {
		held_lock_add(lock, glimpse_now());
		return false;
	}
	if (!held_lock_add(lock, HELD_COUNTED))
		return false;
	if (c->calls == SUM_MOST)
		sum_log(c);
	c->site = site;
	c->calls++;
	c->since = c->calls % TIMED == 1 ? glimpse_now() : 0;
	return true;
}

/* Learns from a hold how long the lock is held. */
static void hold_learn(struct counted_lock *c, uint64_t since)
{
	struct auto_off_site *s = c->shared;
	uint64_t ticks = __atomic_load_n(&s->ticks, __ATOMIC_RELAXED) + glimpse_now() - since;
	uint64_t calls = __atomic_load_n(&s->calls, __ATOMIC_RELAXED) + 1;
	double ns = calls % LEARNED ? 0 : auto_off_tick_ns();

	__atomic_store_n(&s->ticks, ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&s->calls, calls, __ATOMIC_RELAXED);
	if (ns > 0 && (double)ticks * ns < SHORT_NS * (double)calls)
		__atomic_store_n(&s->off, AUTO_OFF_SHORTER, __ATOMIC_RELAXED);
}

/* The hold is over; its time is measured, or not. */
static inline void hold_count(struct counted_lock *c)
{
	if (__builtin_expect(!c->since, 1))
		return;
	c->timed++;
	c->ticks += glimpse_now() - c->since;
	c->since = 0;
}

bool lock_count_releases(const void *lock)
{
	uint32_t n = held_locks_n;
	struct counted_lock *c = mine ? &mine->at[place_of(lock)] : NULL;

	if (!n || held_locks[n - 1].lock != lock || held_locks[n - 1].since != HELD_COUNTED || !c ||
	    c->lock != lock || __atomic_load_n(&c->shared->chosen, __ATOMIC_RELAXED))
		return false;
	held_locks_n = n - 1;
	hold_count(c);
	return true;
}

bool lock_count_release(const void *lock, const void **late)
{
	uint64_t since = held_lock_remove(lock);
	struct counted_lock *c = since ? count_of(lock) : NULL;

	*late = NULL;
	if (!c)
		return since == HELD_COUNTED;
	if (since != HELD_COUNTED) {
		hold_learn(c, since);
		return false;
	}
	if (__atomic_load_n(&c->shared->chosen, __ATOMIC_RELAXED) && c->calls) {
		c->calls--;
		*late = c->site;
		return false;
	}
	hold_count(c);
	return true;
}

void lock_count_contend(const void *lock)
{
	struct auto_off_site *s = auto_off_find((uintptr_t)lock);

	if (s)
		__atomic_store_n(&s->chosen, 1, __ATOMIC_RELAXED);
}

void lock_count_waits(uint64_t now)
{
	for (uint32_t i = 0; i < held_locks_n; i++) {
		struct counted_lock *c;

		if (held_locks[i].since != HELD_COUNTED)
			continue;
		held_locks[i].since = now;
		c = count_of(held_locks[i].lock);
		if (c && c->calls)
			c->calls--;
		Lock_StampAt(now, held_locks[i].lock, c ? c->site : NULL);
	}
}

/* ---- ends ------------------------------------------------------------------------------------ */

void lock_count_thread_end(void)
{
	struct counted_locks *t = mine;

	if (!t)
		return;
	sums_log(t);
	mine = NULL;
	__atomic_store_n(&t->taken, 0, __ATOMIC_RELEASE);
}

/* Also what threads counted that still run. */
void lock_count_process_end(void)
{
	for (struct counted_locks *t = __atomic_load_n(&all, __ATOMIC_ACQUIRE); t; t = t->next)
		sums_log(t);
}

void lock_count_forked(void)
{
	for (struct counted_locks *t = all; t; t = t->next) {
		t->taken = t == mine;
		for (uint32_t i = 0; i < PLACES; i++)
			t->at[i] = (struct counted_lock){.lock = NULL};
	}
}
