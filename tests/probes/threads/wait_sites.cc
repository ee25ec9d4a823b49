/* Waits that begin in the C++ library, in a function of the program that is called by it, or not. */
#include <future>
#include <thread>
#include <unistd.h>

static void pause_briefly()
{
	std::this_thread::sleep_for(std::chrono::milliseconds(20)); /* sleeps */
	asm volatile("");
}

__attribute__((noinline)) static void joins(std::thread &t)
{
	t.join(); /* joins */
	asm volatile("");
}

int main()
{
	std::thread t(pause_briefly);

	joins(t);
	std::async(std::launch::async, pause_briefly); /* drops */
}
