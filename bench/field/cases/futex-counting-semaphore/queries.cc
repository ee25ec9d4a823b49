/* Four threads need one of two connections (std::counting_semaphore) for each query. Argument: how long a query takes, us. */
#include <cstdlib>
#include <pthread.h>
#include <semaphore>
#include <thread>
#include <unistd.h>
#include <vector>

static std::counting_semaphore<2> connections(2);
static int length = 8000;

__attribute__((noinline)) static int query()
{
	return usleep(length);
}

__attribute__((noinline)) static int render()
{
	return usleep(500);
}

static void serve(int *failed)
{
	pthread_setname_np(pthread_self(), "server");
	for (int i = 0; i < 35; i++) {
		connections.acquire();
		*failed += query();
		connections.release();
		*failed += render();
	}
}

int main(int n, char **words)
{
	std::vector<std::thread> threads;
	int failed[4] = { 0 };

	if (n > 1)
		length = atoi(words[1]);
	for (int i = 0; i < 4; i++)
		threads.emplace_back(serve, failed + i);
	for (auto &thread : threads)
		thread.join();
	return failed[0] + failed[1] + failed[2] + failed[3];
}
