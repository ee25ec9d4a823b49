#include "probes/openmp/team.h"
#include "openmp_glimpse.h"
#include "runtime/system.h"

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
	uint64_t now = glimpse_now();

	if (place.chunk)
		ChunkEnd_StampAt(now);
	if (more)
		ChunkBegin_StampAt(now, first, last, site);
	place.chunk = more;
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
