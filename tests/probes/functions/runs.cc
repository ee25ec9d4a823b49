// For each line that it gets, calls alpha(), beta() and ns::gamma() in turns, and says when that is done.
#include <cstdio>

#define OWN __attribute__((noinline))

volatile int sink;

extern "C" OWN void alpha() { sink = sink + 1; }
extern "C" OWN void beta() { sink = sink + 2; }

namespace ns {
template <typename T> OWN T gamma(T value)
{
	sink = sink + 3;
	return value;
}
}

int main()
{
	for (int c; (c = getchar()) != EOF;) {
		for (int i = 0; i < 50; i++) {
			alpha();
			beta();
			ns::gamma(1);
		}
		puts("done");
		fflush(stdout);
	}
}
