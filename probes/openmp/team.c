#include "probes/openmp/team.h"
#include "openmp_glimpse.h"
#include "probes/budget.h"

/*
 * The end of a region is not told to those of its threads that wait for it: they find it here when
 * they next run one, unless RECENT later regions are over by then.
 */
#define RECENT 1024u

struct region_end {
	uint64_t ticks;
	uint32_t region;
};

static struct region_end endings[RECENT];
static uint32_t regions;
static uint64_t tasks;

static __thread struct team_place place __attribute__((tls_model("initial-exec")));
static __thread struct team_place waiting __attribute__((tls_model("initial-exec")));

/* ---- details, and their cost ---- */

/* The cost of a detail with its end, ns; so many are counted together. */
enum { DETAIL_NS = 100, BUDGET_DETAILS = 1024, HELD_MOST = 16 };

static bool details_off, full;
static __thread uint32_t budget __attribute__((tls_model("initial-exec"))) = BUDGET_DETAILS;
static __thread uint64_t budget_since __attribute__((tls_model("initial-exec"))); /* ns */
/* The locks that the thread has, or waits for, and that were logged; the first ones. */
static __thread const void *held[HELD_MOST] __attribute__((tls_model("initial-exec")));
static __thread uint32_t nheld __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void full_read(void)
{
	full = budget_is_unlimited();
}

static void budget_look(const void *site)
{
	bool spent = budget_is_spent(&budget_since, BUDGET_DETAILS, DETAIL_NS), off = false;

	budget = BUDGET_DETAILS;
	if (spent && !full &&
	    __atomic_compare_exchange_n(&details_off, &off, true, false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
		DetailsOff_Stamp(site);
}

bool team_detail(const void *site)
{
	if (__atomic_load_n(&details_off, __ATOMIC_RELAXED))
		return false;
	if (!--budget)
		budget_look(site);
	return true;
}

bool team_critical_begin(const void *lock, const void *site)
{
	bool logged = team_detail(site);

	if (logged && nheld < HELD_MOST)
		held[nheld++] = lock;
	return logged;
}

/* Returns the place of a lock in held, the latest one; nheld: it is not there. */
static uint32_t held_find(const void *lock)
{
	for (uint32_t i = nheld; i-- > 0;)
		if (held[i] == lock)
			return i;
	return nheld;
}

/* The thread logs the end of each construct whose beginning it logged. */
bool team_critical_has(const void *lock)
{
	return held_find(lock) < nheld || !__atomic_load_n(&details_off, __ATOMIC_RELAXED);
}

bool team_critical_end(const void *lock)
{
	bool logged = team_critical_has(lock);
	uint32_t i = held_find(lock);

	if (i < nheld)
		held[i] = held[--nheld];
	return logged;
}

uint32_t team_fork(const void *function, const void *site)
{
	uint32_t region = __atomic_add_fetch(&regions, 1, __ATOMIC_RELAXED);

	Fork_Stamp(region, function, site);
	return region;
}

void team_join(uint32_t region)
{
	struct region_end *e = &endings[region % RECENT];
	uint64_t now = glimpse_now();

	__atomic_store_n(&e->region, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&e->ticks, now, __ATOMIC_RELEASE);
	__atomic_store_n(&e->region, region, __ATOMIC_RELEASE);
	if (waiting.region == region) {
		BarrierEnd_StampAt(now, waiting.region, waiting.round);
		waiting.region = 0;
	}
	Join_StampAt(now, region);
}

/* Logs the end of the barrier that the thread last waited at, if it was the end of a region. */
static void waiting_finish(void)
{
	const struct region_end *e = &endings[waiting.region % RECENT];
	uint64_t ticks;

	if (!waiting.region)
		return;
	if (__atomic_load_n(&e->region, __ATOMIC_ACQUIRE) == waiting.region) {
		ticks = __atomic_load_n(&e->ticks, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&e->region, __ATOMIC_ACQUIRE) == waiting.region)
			BarrierEnd_StampAt(ticks, waiting.region, waiting.round);
	}
	waiting.region = 0;
}

/*
 * The log of a thread may have begun before it was known to be one of a team. A thread that opens a
 * team keeps its name, unless it is the program's first one: that has none of its own.
 */
static void member_name(uint32_t number)
{
	static __thread bool named __attribute__((tls_model("initial-exec")));

	if (number && !named)
		glimpse_thread_name(NULL);
	else if (!named && system_gettid() == system_getpid())
		glimpse_thread_name("omp 0");
	named = true;
}

void team_enter(struct team_place *outer, uint32_t region, uint32_t number, const void *function)
{
	*outer = place;
	waiting_finish();
	place = (struct team_place){.region = region};
	member_name(number);
	RegionBegin_Stamp(region, number, function);
}

void team_leave(const struct team_place *outer)
{
	team_chunk(false, 0, 0, NULL);
	RegionEnd_Stamp(place.region);
	BarrierBegin_Stamp(place.region, place.round, 1, NULL);
	waiting = place;
	place = *outer;
}

void team_chunk(bool more, int64_t first, int64_t last, const void *site)
{
	uint64_t now;

	if (!place.chunk && (!more || __atomic_load_n(&details_off, __ATOMIC_RELAXED)))
		return;
	now = glimpse_now();
	if (place.chunk)
		ChunkEnd_StampAt(now);
	place.chunk = more && team_detail(site);
	if (place.chunk)
		ChunkBegin_StampAt(now, first, last, site);
}

void team_barrier_begin(const void *site)
{
	if (place.chunk)
		team_chunk(false, 0, 0, NULL);
	BarrierBegin_Stamp(place.region, place.round, 0, site);
}

void team_barrier_end(void)
{
	BarrierEnd_Stamp(place.region, place.round);
	place.round++;
}

uint64_t team_task(void)
{
	return __atomic_add_fetch(&tasks, 1, __ATOMIC_RELAXED);
}
