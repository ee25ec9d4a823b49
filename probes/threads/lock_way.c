#include "probes/threads/lock_way.h"
#include "probes/budget.h"
#include "probes/threads/threads.h"

/* What a taking with its release costs while it is logged, ns. */
#define LOCK_NS 50u

enum lock_way lock_way;
__thread uint32_t lock_budget __attribute__((tls_model("initial-exec"))) = BUDGET_LOCKS;
static __thread uint64_t budget_since __attribute__((tls_model("initial-exec"))); /* ns */
static bool full; /* all is logged, whatever it costs */

void lock_way_read(void)
{
	auto_off_read();
	if (auto_off_wanted())
		lock_way = LOCKS_DROPPED;
	full = budget_is_unlimited();
}

void lock_budget_look(void)
{
	bool spent = budget_is_spent(&budget_since, BUDGET_LOCKS, LOCK_NS);

	lock_budget = BUDGET_LOCKS;
	if (spent && !full && lock_way == LOCKS_LOGGED)
		__atomic_store_n(&lock_way, LOCKS_COUNTED, __ATOMIC_RELAXED);
}

void lock_way_take(uint64_t now, const void *lock, const void *site, uint64_t since)
{
	if (lock_way == LOCKS_COUNTED && lock_count_take(lock, site))
		return;
	if (!now)
		now = since = glimpse_now();
	if (lock_way == LOCKS_DROPPED)
		lock_auto_off_take(now, lock, site, since);
	else
		Lock_StampAt(now, lock, site);
}

struct lock_release lock_way_release(uint64_t now, const void *lock)
{
	struct lock_release r = {.logged = true};

	if (lock_way == LOCKS_DROPPED)
		return lock_auto_off_release(now, lock);
	r.logged = !lock_count_release(lock, &r.late);
	return r;
}

void lock_way_forgotten(uint64_t now, const void *lock)
{
	if (lock_way == LOCKS_COUNTED)
		lock_count_forget(now, lock);
	auto_off_forget((uintptr_t)lock);
}

void lock_way_forked(void)
{
	auto_off_forget_all();
	lock_count_forked();
}
