/* Two threads meet at a std::barrier after each step; one of them computes more. Argument: % of its work. */
#include <barrier>
#include <cstdlib>
#include <pthread.h>
#include <thread>

static std::barrier<> meet(2);
static long percent = 100;

__attribute__((noinline)) static unsigned long spin(unsigned long x, long n)
{
	while (n-- > 0) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

__attribute__((noinline)) static unsigned long big_half(unsigned long x)
{
	return spin(x, 20000 * percent) | 1;
}

__attribute__((noinline)) static unsigned long small_half(unsigned long x)
{
	return spin(x, 400000) | 1;
}

static void big(unsigned long *x)
{
	pthread_setname_np(pthread_self(), "big");
	for (int i = 0; i < 60; i++) {
		*x = big_half(*x);
		meet.arrive_and_wait();
	}
}

static void small(unsigned long *x)
{
	pthread_setname_np(pthread_self(), "small");
	for (int i = 0; i < 60; i++) {
		*x = small_half(*x);
		meet.arrive_and_wait();
	}
}

int main(int n, char **words)
{
	unsigned long x = 1, y = 2;

	if (n > 1)
		percent = atol(words[1]);
	std::thread a(big, &x), b(small, &y);
	a.join();
	b.join();
	return x == y;
}
