/*
 * turns YIELDS: eight threads take turns on the processors, and now and then on a lock: a program that the scheduler and
 * the threads probe have much to say of. So many yields of each thread make some four times as many events.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 8, TURNS = 50, REST = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sum;
static long yields;

static void compute(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sum += i;
}

static void *take_turns(void *unused)
{
	for (long i = 0; i < yields; i++) {
		compute(300);
		if (i % TURNS == 0) {
			pthread_mutex_lock(&lock);
			compute(30000);
			pthread_mutex_unlock(&lock);
		}
		sched_yield();
		if (i % REST == 0)
			usleep(300);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	yields = argc > 1 ? atol(argv[1]) : REST;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_turns, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
