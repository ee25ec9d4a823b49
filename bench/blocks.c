/*
 * Logs what the memory probe would of two threads that take and give back blocks: so many million
 * events in all, a thousand blocks alive at a time, a thousand stacks of 8 calls. Every thousandth
 * block is never given back.
 */
#include "memory_glimpse.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 2, ALIVE = 1024, STACKS = 1024, DEPTH = 8 };

static long events;

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Stacks share their outer half. */
static void frames_log(void)
{
	for (uint32_t depth = 0; depth < DEPTH; depth++)
		for (uint32_t i = 0; i < STACKS; i++)
			Frame_Stamp(1 + depth * STACKS + i,
				    depth ? 1 + (depth - 1) * STACKS + (i & ~7u) : 0,
				    (const void *)(uintptr_t)(0x400000 + 16 * i + depth));
}

static void *run(void *argument)
{
	uint32_t seed = 1 + (uint32_t)(uintptr_t)argument;
	uintptr_t next = (uintptr_t)argument << 44, alive[ALIVE] = {0};

	for (long i = 0; i < events / THREADS / 2; i++) {
		uint32_t place = random_next(&seed) % ALIVE;

		if (alive[place] && random_next(&seed) % 1000)
			Free_Stamp((const void *)alive[place]);
		alive[place] = next += 64;
		Alloc_Stamp((const void *)next, 16 + random_next(&seed) % 500, 520,
			    1 + (DEPTH - 1) * STACKS + random_next(&seed) % STACKS);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	events = (argc > 1 ? atol(argv[1]) : 100) * 1000000;
	frames_log();
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)(i + 1));
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
