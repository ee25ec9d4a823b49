/*
 * Five functions of known shares in three threads: one is in a library, one is reached by a tail call at the end of a
 * recursion, the work of one is inlined. Prints what each took by the threads' own clocks, in ns. The argument: how many rounds.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, FUNCTIONS = 5 };

/* In the library. */
void quarter(long n);

static volatile unsigned long sink;
static long rounds;
static unsigned seed;
static long took[THREADS][FUNCTIONS];

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The compiler takes functions that are equal for one. */
#define COMPUTES(name, shift) \
	__attribute__((always_inline)) static inline void name##_inlined(long n) \
	{ \
		unsigned long x = n; \
\
		for (long i = 0; i < n; i++) \
			x = (x * 1664525 + 1013904223) ^ x >> (shift); \
		sink += x; \
	} \
	__attribute__((noinline)) static void name(long n) \
	{ \
		name##_inlined(n); \
	}
COMPUTES(half, 13)
COMPUTES(sixth, 11)
COMPUTES(twelfth, 10)
COMPUTES(hundredth, 9)

__attribute__((noinline)) static void deep(int n, long work)
{
	if (!n) {
		sixth(work); /* the compiler jumps there */
		return;
	}
	deep(n - 1, work);
	sink++;
}

static void *worker(void *argument)
{
	long *mine = argument, times[FUNCTIONS + 1];
	/* rounds of one length would be met at the same few places each time, and so would those of one sequence in each run */
	unsigned random = seed + (unsigned)(mine - took[0]);

	for (long i = 0; i < rounds; i++) {
		long unit = 50 + (random = random * 1664525 + 1013904223) / (1u << 25) % 100;

		times[0] = now();
		half(5000 * unit);
		times[1] = now();
		quarter(2500 * unit);
		times[2] = now();
		deep(50, 1600 * unit);
		times[3] = now();
		twelfth(800 * unit);
		times[4] = now();
		hundredth(100 * unit);
		times[5] = now();
		for (int k = 0; k < FUNCTIONS; k++)
			mine[k] += times[k + 1] - times[k];
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"half", "quarter", "sixth", "twelfth", "hundredth"};
	pthread_t threads[THREADS];

	seed = (unsigned)getpid() * 2654435761u;
	rounds = argc > 1 ? atol(argv[1]) : 100;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, took[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int k = 0; k < FUNCTIONS; k++)
		printf("%s %ld\n", names[k], took[0][k] + took[1][k] + took[2][k]);
	return 0;
}
