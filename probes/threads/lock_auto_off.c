#include "probes/threads/lock_auto_off.h"
#include "probes/threads/threads.h"

bool lock_auto_off;

/* ---- Locks that the thread has --------------------------------------------------------------- */

#define HELD 32u

struct held_lock {
	const void *lock;
	uint64_t since; /* ticks */
};

static __thread struct held_lock held[HELD] __attribute__((tls_model("initial-exec")));
static __thread uint32_t helds __attribute__((tls_model("initial-exec")));

/* Handlers of signals, which leave as many as there were, come in between anywhere. */
#define HANDLERS_SEE() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Returns false if the thread has too many locks. */
static bool held_add(const void *lock, uint64_t since)
{
	uint32_t i = helds;

	if (i == HELD)
		return false;
	helds = i + 1;
	HANDLERS_SEE();
	held[i] = (struct held_lock){lock, since};
	return true;
}

/* Returns since when the thread has the lock, which is released; 0: its taking was not logged. */
static uint64_t held_remove(const void *lock)
{
	uint32_t i = helds;
	uint64_t since;

	while (i && held[i - 1].lock != lock)
		i--;
	if (!i)
		return 0;
	since = held[i - 1].since;
	for (; i < helds; i++)
		held[i - 1] = held[i];
	HANDLERS_SEE();
	helds--;
	return since;
}

/* ---- Counting -------------------------------------------------------------------------------- */

void lock_auto_off_read(void)
{
	auto_off_read();
	lock_auto_off = auto_off_wanted();
}

bool lock_is_auto_off(const void *lock)
{
	const struct auto_off_site *site = auto_off_find((uintptr_t)lock);

	return site && site_is_auto_off(site);
}

/* A lock that is one too many for a thread to know is never switched off: `chosen` says so. */
void lock_auto_off_take(uint64_t now, const void *lock, const void *site, uint64_t since)
{
	struct auto_off_site *count = auto_off_find((uintptr_t)lock);

	if (count && site_is_auto_off(count))
		return;
	if (count && !glimpse_paused() && !glimpse_off(&threads_glimpse, LOCK_EVENT) &&
	    !held_add(lock, since))
		__atomic_store_n(&count->chosen, 1, __ATOMIC_RELAXED);
	Lock_StampAt(now, lock, site);
}

/* Counts before the release: a mutex is counted by its owner, and is another's right after it. */
struct lock_release lock_auto_off_release(uint64_t now, const void *lock)
{
	struct lock_release r = {.logged = true};
	uint64_t since = held_remove(lock);
	struct auto_off_site *count = auto_off_find((uintptr_t)lock);

	if (!count)
		return r;
	if (!since) {
		r.logged = !site_is_auto_off(count);
		return r;
	}
	if (__atomic_load_n(&count->chosen, __ATOMIC_RELAXED) || glimpse_paused())
		return r;
	r.why = auto_off_count(count, now > since ? now - since : 0);
	if (r.why) {
		r.calls = count->calls;
		r.mean = auto_off_mean(count);
	}
	return r;
}

void lock_auto_off_forget(const void *lock)
{
	auto_off_forget((uintptr_t)lock);
}

void lock_auto_off_forked(void)
{
	if (lock_auto_off)
		auto_off_forget_all();
}
