/*
 * depth SECONDS: two threads that compute at a depth of 20 calls, as an interpreter or a database does: the outer calls
 * last, the inner ones change. Each uses so much processor time.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { DEPTH = 20, LASTING = 14, ROUNDS = 200, CALLS = 256 };

typedef uint64_t call(uint64_t seed, int depth);

static uint64_t first(uint64_t seed, int depth);
static uint64_t second(uint64_t seed, int depth);
static uint64_t third(uint64_t seed, int depth);
static uint64_t fourth(uint64_t seed, int depth);
static call *const calls[] = {first, second, third, fourth};

static double seconds;

static uint64_t next(uint64_t seed)
{
	return seed * 6364136223846793005u + 1442695040888963407u;
}

static double used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t compute(uint64_t seed)
{
	for (int i = 0; i < ROUNDS; i++)
		seed = seed >> 60 & 1 ? next(seed ^ seed >> 7) : next(seed) + 1;
	return seed;
}

/* Goes one call deeper, the lasting ones until the time is over. */
static inline __attribute__((always_inline)) uint64_t deeper(uint64_t seed, int depth, int own)
{
	volatile uint64_t kept[8] = {seed, (uint64_t)own};
	int times = depth == LASTING ? CALLS : 1;

	if (depth == DEPTH)
		return compute(seed);
	do
		for (int i = 0; i < times; i++)
			kept[0] = next(calls[depth < LASTING ? (own + 1) & 3 : kept[0] >> 62](
			    kept[0], depth + 1));
	while (depth == LASTING && used() < seconds);
	return kept[0] + kept[1];
}

static __attribute__((noinline)) uint64_t first(uint64_t seed, int depth)
{
	return deeper(seed, depth, 0) + 1;
}

static __attribute__((noinline)) uint64_t second(uint64_t seed, int depth)
{
	return deeper(seed, depth, 1) + 2;
}

static __attribute__((noinline)) uint64_t third(uint64_t seed, int depth)
{
	return deeper(seed, depth, 2) + 3;
}

static __attribute__((noinline)) uint64_t fourth(uint64_t seed, int depth)
{
	return deeper(seed, depth, 3) + 4;
}

static void *run(void *seed)
{
	return (void *)(uintptr_t)first((uintptr_t)seed, 2);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	seconds = argc > 1 ? atof(argv[1]) : 1;
	if (pthread_create(&thread, NULL, run, (void *)(uintptr_t)1) != 0)
		return 1;
	run(NULL);
	return pthread_join(thread, NULL);
}
