/*
 * Barriers. The thread that arrives last lets the others go on; so that it is known which arrivals
 * are of one round, those of each barrier are counted here.
 */
#include "probes/threads/threads.h"

#define BARRIERS 1024 /* a power of 2; the rounds of others are not known */

struct barrier {
	const void *address; /* NULL: free; GONE: was used */
	uint32_t count;
	uint32_t arrived;
};

static struct barrier barriers[BARRIERS];
#define GONE ((const void *)1)

static struct barrier *barrier_from(const void *address)
{
	return &barriers[(uintptr_t)address / sizeof(pthread_barrier_t) % BARRIERS];
}

static struct barrier *barrier_next(struct barrier *b)
{
	return b + 1 == barriers + BARRIERS ? barriers : b + 1;
}

static struct barrier *barrier_find(const void *address)
{
	struct barrier *b = barrier_from(address);

	for (int i = 0; i < BARRIERS; i++, b = barrier_next(b)) {
		const void *at = __atomic_load_n(&b->address, __ATOMIC_ACQUIRE);

		if (at == address)
			return b;
		if (!at)
			break;
	}
	return NULL;
}

static void barrier_forget(const void *address)
{
	struct barrier *b = barrier_find(address);

	if (b)
		__atomic_store_n(&b->address, GONE, __ATOMIC_RELEASE);
}

/* Nobody uses the barrier before its pthread_barrier_init() returns. */
static void barrier_remember(const void *address, uint32_t count)
{
	struct barrier *b = barrier_from(address);

	barrier_forget(address);
	for (int i = 0; i < BARRIERS; i++, b = barrier_next(b)) {
		const void *at = __atomic_load_n(&b->address, __ATOMIC_RELAXED);

		if ((at && at != GONE) ||
		    !__atomic_compare_exchange_n(&b->address, &at, address, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_RELAXED))
			continue;
		b->count = count;
		b->arrived = 0;
		return;
	}
}

/* Counts an arrival, and returns its round, from 1 on. A thread arrives again after its round. */
static uint32_t barrier_arrive(const void *address)
{
	struct barrier *b = barrier_find(address);

	if (!b)
		return 0;
	return __atomic_fetch_add(&b->arrived, 1, __ATOMIC_RELAXED) / b->count + 1;
}

WRAP_EXPORT int pthread_barrier_init(pthread_barrier_t *restrict barrier,
				     const pthread_barrierattr_t *restrict attributes,
				     unsigned count)
{
	int result = REAL(pthread_barrier_init)(barrier, attributes, count);

	if (!QUIET() && !result) {
		barrier_remember(barrier, count);
		BarrierInit_Stamp(barrier, WRAP_SITE, count);
	}
	return result;
}

WRAP_EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	if (!QUIET()) {
		barrier_forget(barrier);
		BarrierDestroy_Stamp(barrier, WRAP_SITE);
	}
	return REAL(pthread_barrier_destroy)(barrier);
}

WRAP_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	uint32_t round;
	uint64_t now;
	int result;

	if (QUIET())
		return REAL(pthread_barrier_wait)(barrier);
	round = barrier_arrive(barrier);
	now = glimpse_now();
	BarrierBegin_StampAt(now, barrier, WRAP_SITE, process_id, round);
	wait_stack(now);
	result = REAL(pthread_barrier_wait)(barrier);
	BarrierEnd_StampAt(now_after(), barrier, process_id, result, round);
	return result;
}
