/*
 * Three threads load a part of the data each and wait at a std::latch for the others; one part is large, four times over.
 * Argument: how long that one takes, us.
 */
#include <cstdlib>
#include <latch>
#include <pthread.h>
#include <thread>
#include <unistd.h>

static constexpr int rounds = 4;
static std::latch loaded[rounds] = { std::latch(3), std::latch(3), std::latch(3), std::latch(3) };
static int length = 150000;

__attribute__((noinline)) static int load_large()
{
	return usleep(length);
}

__attribute__((noinline)) static int load_small()
{
	return usleep(20000);
}

__attribute__((noinline)) static int serve()
{
	return usleep(15000);
}

static void large(int *failed)
{
	pthread_setname_np(pthread_self(), "large");
	for (auto &latch : loaded) {
		*failed += load_large();
		latch.arrive_and_wait();
		*failed += serve();
	}
}

static void small(int *failed)
{
	pthread_setname_np(pthread_self(), "small");
	for (auto &latch : loaded) {
		*failed += load_small();
		latch.arrive_and_wait();
		*failed += serve();
	}
}

int main(int n, char **words)
{
	int failed[3] = { 0 };

	if (n > 1)
		length = atoi(words[1]);
	std::thread a(large, failed), b(small, failed + 1), c(small, failed + 2);
	a.join();
	b.join();
	c.join();
	return failed[0] + failed[1] + failed[2];
}
