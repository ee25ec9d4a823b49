/*
 * Cycles of one, two and three functions; recursion 100,000 calls deep, or as many as the argument says;
 * exceptions and longjmp() through five functions. How often each is called is known.
 */
#include <csetjmp>
#include <cstddef>
#include <cstdlib>

#define FUNCTION extern "C" __attribute__((noinline))

static std::jmp_buf back;
static volatile long work;

FUNCTION void self(int n)
{
	work = work + n;
	if (n > 1)
		self(n - 1);
}

FUNCTION void odd(int n);
FUNCTION void even(int n)
{
	work = work + n;
	if (n > 1)
		odd(n - 1);
}
FUNCTION void odd(int n)
{
	work = work + n;
	if (n > 1)
		even(n - 1);
}

FUNCTION void alpha(int n);
FUNCTION void gamma_(int n)
{
	work = work + n;
	if (n > 1)
		alpha(n - 1);
}
FUNCTION void beta(int n)
{
	work = work + n;
	if (n > 1)
		gamma_(n - 1);
}
FUNCTION void alpha(int n)
{
	work = work + n;
	if (n > 1)
		beta(n - 1);
}

FUNCTION long deep(int n)
{
	char here[16];

	here[n % 16] = 1;
	work = work + here[n % 16];
	return n > 1 ? deep(n - 1) + here[n % 16] : 0;
}

FUNCTION void leave(bool jump)
{
	if (jump)
		std::longjmp(back, 1);
	throw 1;
}
FUNCTION void four(bool jump) { leave(jump); work = work + 1; }
FUNCTION void three(bool jump) { four(jump); work = work + 1; }
FUNCTION void two(bool jump) { three(jump); work = work + 1; }
FUNCTION void one(bool jump) { two(jump); work = work + 1; }

FUNCTION void thrown()
{
	try {
		one(false);
	} catch (int) {
	}
}

FUNCTION void jumped()
{
	if (!setjmp(back))
		one(true);
}

FUNCTION void after() { work = work + 1; }

int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++)
		self(50);
	even(40);
	alpha(30);
	deep(argc > 1 ? std::atoi(argv[1]) : 100000);
	for (int i = 0; i < 100; i++) {
		thrown();
		after();
		jumped();
		after();
	}
	return 0;
}
