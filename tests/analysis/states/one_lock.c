/*
 * Five threads through one lock (table 7.1 of Zak's thesis on profiling of threads): each takes it 20
 * times, computes for 1 ms while it has it, and 0.5 ms without. All on the processor on which it starts.
 */
#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { THREADS = 5, TIMES = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((no_instrument_function, noinline)) static void spin(double us)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((double)(now.tv_sec - from.tv_sec) * 1e6 + (double)(now.tv_nsec - from.tv_nsec) / 1e3 < us);
}

__attribute__((noinline)) static void inside(void)
{
	spin(1000);
}

__attribute__((noinline)) static void outside(void)
{
	spin(500);
}

static void *work(void *unused)
{
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&lock);
		inside();
		pthread_mutex_unlock(&lock);
		outside();
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}
