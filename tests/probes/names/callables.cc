// Threads of the C++ library: a function, a lambda expression, and an object that can be called.
#include <thread>

volatile unsigned long sink;

static inline __attribute__((always_inline)) void work(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink = sink + i;
}

__attribute__((noinline)) void worker(unsigned long n)
{
	work(n);
}

struct Task {
	unsigned long n;
	void operator()() const { work(n); }
};

int main()
{
	const unsigned long n = 30000000;
	std::thread function(worker, n), lambda([n] { work(n); }), object(Task{n});

	function.join();
	lambda.join();
	object.join();
}
