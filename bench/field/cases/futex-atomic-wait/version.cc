/* Two threads wait by std::atomic::wait() for each version that a third one prepares. Argument: how long that takes, us. */
#include <atomic>
#include <cstdlib>
#include <pthread.h>
#include <thread>
#include <unistd.h>

static constexpr int versions = 60;
static std::atomic<int> published(0);
static int length = 10000;

__attribute__((noinline)) static int prepare_version()
{
	return usleep(length);
}

__attribute__((noinline)) static int apply_version()
{
	return usleep(1000);
}

static void publish()
{
	pthread_setname_np(pthread_self(), "publisher");
	for (int i = 1; i <= versions; i++) {
		published += prepare_version() + 1;
		published.notify_all();
	}
}

static void follow()
{
	pthread_setname_np(pthread_self(), "follower");
	for (int seen = 0; seen < versions; seen = published + apply_version())
		published.wait(seen);
}

int main(int n, char **words)
{
	if (n > 1)
		length = atoi(words[1]);
	std::thread a(publish), b(follow), c(follow);
	a.join();
	b.join();
	c.join();
}
