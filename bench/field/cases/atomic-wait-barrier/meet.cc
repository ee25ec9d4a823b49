/* Two threads meet at a std::barrier after each step. Arguments: how long each sleeps, us. */
#include <barrier>
#include <cstdlib>
#include <thread>
#include <unistd.h>

static std::barrier<> meet(2);
static int small = 2000, big = 6000;

__attribute__((noinline)) static int small_half()
{
	usleep(small);
	return 1;
}

__attribute__((noinline)) static int big_half()
{
	usleep(big);
	return 1;
}

static void one()
{
	for (int i = 0; i < 60; i++) {
		small = small_half() * small;
		meet.arrive_and_wait();
	}
}

static void other()
{
	for (int i = 0; i < 60; i++) {
		big = big_half() * big;
		meet.arrive_and_wait();
	}
}

int main(int n, char **words)
{
	if (n > 2) {
		small = atoi(words[1]);
		big = atoi(words[2]);
	}
	std::thread a(one), b(other);
	a.join();
	b.join();
}
