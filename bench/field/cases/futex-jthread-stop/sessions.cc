/*
 * A std::jthread waits on a std::condition_variable_any until it is stopped, then flushes, while who stopped it waits; twelve
 * sessions. Argument: how long it takes to flush, us.
 */
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <stop_token>
#include <thread>
#include <unistd.h>

static std::mutex lock;
static std::condition_variable_any work;
static int length = 50000;

__attribute__((noinline)) static int flush_log()
{
	return usleep(length);
}

__attribute__((noinline)) static int talk()
{
	return usleep(10000);
}

static void keep_log(std::stop_token stopped, int *failed)
{
	pthread_setname_np(pthread_self(), "logger");
	{
		std::unique_lock<std::mutex> held(lock);
		*failed += work.wait(held, stopped, [] { return false; });
	}
	*failed += flush_log();
}

int main(int n, char **words)
{
	int failed = 0;

	if (n > 1)
		length = atoi(words[1]);
	for (int i = 0; i < 12; i++) {
		std::jthread logger(keep_log, &failed);
		failed += talk();
	}
	return failed;
}
