// A program whose threads begin in the C++ library: main() waits for two threads that run work().
#include <thread>

static volatile long sum;

static void __attribute__((noinline)) add(long n)
{
	for (long i = 0; i < n; i++)
		sum += i;
}

static void __attribute__((noinline)) work(long n)
{
	add(n);
	add(2 * n);
}

int main()
{
	std::thread a(work, 20000000), b(work, 20000000);

	a.join();
	b.join();
	return 0;
}
