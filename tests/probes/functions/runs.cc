// Calls alpha(), beta() and ns::gamma() in turns until there is a file "stop", for a minute at most.
#include <unistd.h>

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
	for (int i = 0; i < 100000 && access("stop", F_OK) != 0; i++) {
		alpha();
		beta();
		ns::gamma(1);
		usleep(500);
	}
}
