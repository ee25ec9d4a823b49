/* Three threads append to a journal; an absl::Mutex is held while one writes. Argument: how long that takes, us. */
#include "absl/synchronization/mutex.h"
#include <cstdlib>
#include <pthread.h>
#include <thread>
#include <unistd.h>

static absl::Mutex journal;
static int length = 6000, written;

__attribute__((noinline)) static int write_entry()
{
	return usleep(length);
}

__attribute__((noinline)) static int make_entry()
{
	return usleep(1000);
}

static void append(int *failed)
{
	pthread_setname_np(pthread_self(), "appender");
	for (int i = 0; i < 40; i++) {
		*failed += make_entry();
		absl::MutexLock held(&journal);
		*failed += write_entry();
		written++;
	}
}

int main(int n, char **words)
{
	int failed[3] = { 0 };

	if (n > 1)
		length = atoi(words[1]);
	std::thread a(append, failed), b(append, failed + 1), c(append, failed + 2);
	a.join();
	b.join();
	c.join();
	return failed[0] + failed[1] + failed[2] + (written != 120);
}
