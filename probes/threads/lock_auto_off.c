#include "probes/threads/lock_auto_off.h"
#include "probes/threads/held_locks.h"
#include "probes/threads/threads.h"

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
	    !held_lock_add(lock, since))
		__atomic_store_n(&count->chosen, 1, __ATOMIC_RELAXED);
	Lock_StampAt(now, lock, site);
}

/* Counts before the release: a mutex is counted by its owner, and is another's right after it. */
struct lock_release lock_auto_off_release(uint64_t now, const void *lock)
{
	struct lock_release r = {.logged = true};
	uint64_t since = held_lock_remove(lock);
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
