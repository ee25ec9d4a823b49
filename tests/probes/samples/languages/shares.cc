/*
 * Five functions of known shares in three threads; each throws exceptions and catches them as it computes. Prints what
 * each took by the threads' own clocks, in ns. Arguments: how many rounds, and how many steps from one exception to the next.
 */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int THREADS = 3, FUNCTIONS = 5;

volatile unsigned long sink;
long rounds, between = 10000;
unsigned seed;
long took[THREADS][FUNCTIONS];

long now()
{
	timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

struct Result {
	unsigned long value;
	~Result() { sink = sink + value; }
};

/* The compiler takes functions that are equal for one. */
#define COMPUTES(name, shift) \
	[[gnu::noinline]] void name##_throws(long n, int depth) \
	{ \
		Result result{static_cast<unsigned long>(n)}; \
\
		if (depth) \
			name##_throws(n, depth - 1); \
		for (long i = 0; i < n; i++) \
			result.value = (result.value * 1664525 + 1013904223) ^ result.value >> (shift); \
		throw result.value; \
	} \
	[[gnu::noinline]] void name(long n) \
	{ \
		for (; n > 0; n -= between) { \
			try { \
				name##_throws(n < between ? n : between, 3); \
			} catch (unsigned long value) { \
				sink = sink + value; \
			} \
		} \
	}
COMPUTES(half, 13)
COMPUTES(quarter, 12)
COMPUTES(sixth, 11)
COMPUTES(twelfth, 10)
COMPUTES(hundredth, 9)

void work(int thread)
{
	unsigned random = seed + static_cast<unsigned>(thread);
	long times[FUNCTIONS + 1];

	for (long i = 0; i < rounds; i++) {
		long unit = 50 + (random = random * 1664525 + 1013904223) / (1u << 25) % 100;

		times[0] = now();
		half(5000 * unit);
		times[1] = now();
		quarter(2500 * unit);
		times[2] = now();
		sixth(1600 * unit);
		times[3] = now();
		twelfth(800 * unit);
		times[4] = now();
		hundredth(100 * unit);
		times[5] = now();
		for (int k = 0; k < FUNCTIONS; k++)
			took[thread][k] += times[k + 1] - times[k];
	}
}

} // namespace

int main(int argc, char **argv)
{
	static const char *const names[] = {"half", "quarter", "sixth", "twelfth", "hundredth"};
	std::vector<std::thread> threads;

	/* rounds of one sequence would be met at the same places in each run */
	seed = static_cast<unsigned>(getpid()) * 2654435761u;
	rounds = argc > 1 ? std::atol(argv[1]) : 100;
	between = argc > 2 ? std::atol(argv[2]) : between;
	for (int i = 0; i < THREADS; i++)
		threads.emplace_back(work, i);
	for (auto &thread : threads)
		thread.join();
	for (int k = 0; k < FUNCTIONS; k++)
		std::printf("%s %ld\n", names[k], took[0][k] + took[1][k] + took[2][k]);
	return 0;
}
