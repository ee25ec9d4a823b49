/*
 * A consumer polls a flag, without sleeping, until the producer has set it. Arguments: "yields": it
 * calls sched_yield() between; "works": each computes alone.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static atomic_int full;
static int yields, works;

static void compute(long n)
{
	volatile double result;
	double x = 1;

	for (long i = 0; i < n; i++)
		x *= 1.0000001;
	result = x;
	(void)result;
}

__attribute__((noinline)) static void take(void)
{
	if (works) {
		compute(1000000);
		return;
	}
	while (yields && !atomic_load(&full))
		sched_yield();
	while (!atomic_load(&full)) {
	}
	atomic_store(&full, 0);
}

static void *consumer(void *unused)
{
	for (int i = 0; i < 100; i++)
		take();
	return unused;
}

int main(int n, char **words)
{
	struct timespec pause = {.tv_nsec = 3000000};
	pthread_t thread;

	yields = n > 1 && !strcmp(words[1], "yields");
	works = n > 1 && !strcmp(words[1], "works");
	pthread_create(&thread, NULL, consumer, NULL);
	for (int i = 0; i < 100 && !works; i++) {
		do
			nanosleep(&pause, NULL);
		while (atomic_load(&full));
		atomic_store(&full, 1);
	}
	return pthread_join(thread, NULL);
}
