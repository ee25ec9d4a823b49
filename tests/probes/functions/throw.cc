// Exceptions: plain calls itself 4 times, then deep 4 times, whose last one throws; guards are destroyed on the way.
#include <cstdio>
#include <stdexcept>

#define OWN __attribute__((noinline))

volatile int sink;

struct Guard {
	int n;
	OWN explicit Guard(int from) : n(from) { sink = sink + 1; }
	OWN ~Guard()
	{
		volatile char room[400];

		room[n] = 1;
		sink = sink + room[n];
	}
};

OWN void after() { sink = sink + 1; }

OWN void deep(int n)
{
	Guard guard(n);

	if (n == 0)
		throw std::runtime_error("thrown");
	deep(n - 1);
	sink = sink + 1;
}

OWN void plain(int n)
{
	if (n == 0)
		deep(3);
	else
		plain(n - 1);
	sink = sink + 1;
}

OWN void round_trip()
{
	try {
		plain(3);
	} catch (const std::exception &) {
		after();
	}
	after();
}

int main()
{
	for (int i = 0; i < 100; i++)
		round_trip();
	std::puts("caught");
}
