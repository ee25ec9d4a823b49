#include "probes/threads/lock_count.h"
#include "probes/threads/held_locks.h"
#include "probes/threads/threads.h"

/* A lock is counted if the mean of so many holds is shorter, ns. */
#define LEARNED 8u
#define SHORT_NS 5000u
/* Once in so many takings the time of the hold is measured. */
#define TIMED 16u
/* The sum is logged after so many. */
#define SUM_MOST 1024u

uint32_t lock_count_changes = 1;
__thread struct counted_locks *counted_locks __attribute__((tls_model("initial-exec")));

static struct counted_locks *all; /* of all threads, also of those that have ended */
static __thread bool ended __attribute__((tls_model("initial-exec")));

/* ---- tables ---------------------------------------------------------------------------------- */

/*
 * Returns a table that a thread has left, or a new one; NULL: there is no memory, or nobody would
 * give it back.
 */
static struct counted_locks *table_take(void)
{
	struct counted_locks *t = __atomic_load_n(&all, __ATOMIC_ACQUIRE);

	if (ended)
		return NULL;
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

/*
 * Logs what was counted of a lock since it was logged last. The table may be another thread's that
 * does so, too, but counts no more: one of them has the number.
 */
static void sum_log(uint64_t now, struct counted_lock *c)
{
	uint32_t calls = c->calls ? __atomic_exchange_n(&c->calls, 0, __ATOMIC_RELAXED) : 0;
	uint64_t held = 0;

	if (!calls)
		return;
	if (c->timed)
		held = (uint64_t)((double)c->ticks * auto_off_tick_ns() / c->timed * calls);
	LockCounted_StampAt(now, c->lock, calls, held);
	c->timed = 0;
	c->ticks = 0;
}

static void sums_log(struct counted_locks *t)
{
	for (uint32_t i = 0; i < LOCK_PLACES; i++)
		if (t->at[i].calls)
			sum_log(glimpse_now(), &t->at[i]);
}

/* Returns the place of a lock, or NULL if another lock that the thread has is there. */
static struct counted_lock *place_take(const void *lock)
{
	struct counted_lock *c;

	if (!counted_locks)
		counted_locks = table_take();
	if (!counted_locks)
		return NULL;
	c = lock_count_place(counted_locks, lock);
	if (c->lock == lock)
		return c;
	if (c->held)
		return NULL;
	if (c->calls)
		sum_log(glimpse_now(), c);
	*c = (struct counted_lock){.lock = lock, .shared = auto_off_find((uintptr_t)lock)};
	return c;
}

/* ---- counting -------------------------------------------------------------------------------- */

static bool is_chosen(const struct auto_off_site *s)
{
	return __atomic_load_n(&s->chosen, __ATOMIC_RELAXED);
}

struct counted_lock *lock_counting_looked(const void *lock)
{
	uint32_t changes = __atomic_load_n(&lock_count_changes, __ATOMIC_ACQUIRE);
	struct counted_lock *c = place_take(lock);

	if (!c)
		return NULL;
	c->changes = 0;
	if (!c->shared || is_chosen(c->shared) || !site_is_auto_off(c->shared) ||
	    glimpse_paused() || glimpse_off(&threads_glimpse, LOCK_EVENT))
		return NULL;
	c->changes = changes;
	return c;
}

void lock_counted(struct counted_lock *c, const void *site)
{
	if (c->calls == SUM_MOST)
		sum_log(glimpse_now(), c);
	c->site = site;
	c->held++;
	counted_locks->held++;
	if (++c->calls % TIMED == 1)
		c->since = glimpse_now();
}

void lock_hold_measured(struct counted_lock *c)
{
	c->timed++;
	c->ticks += glimpse_now() - c->since;
	c->since = 0;
}

bool lock_count_take(const void *lock, const void *site)
{
	struct counted_lock *c = lock_counting(lock);
	struct auto_off_site *s;

	if (c) {
		lock_counted(c, site);
		return true;
	}
	s = auto_off_find((uintptr_t)lock);
	if (s && !is_chosen(s) && !site_is_auto_off(s) && !glimpse_paused())
		held_lock_add(lock, glimpse_now());
	return false;
}

/* Learns from a hold how long the lock is held. */
static void hold_learn(struct auto_off_site *s, uint64_t since)
{
	uint64_t ticks = __atomic_load_n(&s->ticks, __ATOMIC_RELAXED) + glimpse_now() - since;
	uint64_t calls = __atomic_load_n(&s->calls, __ATOMIC_RELAXED) + 1;
	double ns = calls % LEARNED ? 0 : auto_off_tick_ns();

	__atomic_store_n(&s->ticks, ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&s->calls, calls, __ATOMIC_RELAXED);
	if (ns > 0 && (double)ticks * ns < SHORT_NS * (double)calls)
		__atomic_store_n(&s->off, AUTO_OFF_SHORTER, __ATOMIC_RELAXED);
}

bool lock_count_release(const void *lock, const void **late)
{
	struct counted_lock *c = lock_count_known(counted_locks, lock);
	struct auto_off_site *s;
	uint64_t since;

	*late = NULL;
	if (c && c->held) {
		c->held--;
		counted_locks->held--;
		if (is_chosen(c->shared) && c->calls) {
			c->calls--;
			c->since = 0;
			*late = c->site;
			return false;
		}
		if (c->since)
			lock_hold_measured(c);
		return true;
	}
	since = held_lock_remove(lock);
	s = since ? auto_off_find((uintptr_t)lock) : NULL;
	if (s)
		hold_learn(s, since);
	return false;
}

/* All threads look anew whether locks are counted. */
static void changes_add(void)
{
	/* 0 says that a place is not counted */
	if (!__atomic_add_fetch(&lock_count_changes, 1, __ATOMIC_RELEASE))
		__atomic_add_fetch(&lock_count_changes, 1, __ATOMIC_RELEASE);
}

void lock_count_contend(const void *lock)
{
	struct auto_off_site *s = auto_off_find((uintptr_t)lock);

	if (!s || is_chosen(s))
		return;
	__atomic_store_n(&s->chosen, 1, __ATOMIC_RELAXED);
	changes_add();
}

void lock_count_forget(uint64_t now, const void *lock)
{
	const struct auto_off_site *s = auto_off_known((uintptr_t)lock);

	if (!s || !site_is_auto_off(s))
		return;
	for (struct counted_locks *t = __atomic_load_n(&all, __ATOMIC_ACQUIRE); t; t = t->next) {
		struct counted_lock *c = lock_count_known(t, lock);

		if (c)
			sum_log(now, c);
	}
	changes_add();
}

void lock_count_waits(uint64_t now)
{
	struct counted_locks *t = counted_locks;

	for (uint32_t i = 0; t && t->held && i < LOCK_PLACES; i++)
		for (struct counted_lock *c = &t->at[i]; c->held; c->held--) {
			lock_count_contend(c->lock);
			c->calls -= c->calls > 0;
			c->since = 0;
			t->held--;
			Lock_StampAt(now, c->lock, c->site);
		}
}

/* ---- ends ------------------------------------------------------------------------------------ */

void lock_count_thread_end(void)
{
	struct counted_locks *t = counted_locks;

	ended = true;
	if (!t)
		return;
	sums_log(t);
	for (uint32_t i = 0; i < LOCK_PLACES; i++)
		if (t->at[i].held)
			t->at[i].held = 0;
	t->held = 0;
	counted_locks = NULL;
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
		t->taken = t == counted_locks;
		t->held = 0;
		for (uint32_t i = 0; i < LOCK_PLACES; i++)
			t->at[i] = (struct counted_lock){.lock = NULL};
	}
}
