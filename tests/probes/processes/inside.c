/*
 * Three threads share a lock for a while; then short threads follow one another. Run in a namespace of process ids of its
 * own, by `unshare`.
 */
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { LONG = 3, SHORT = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void compute(long ns)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < ns);
}

static void *shares(void *unused)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&lock);
		compute(500000);
		usleep(1000);
		pthread_mutex_unlock(&lock);
		usleep(100);
	}
	return unused;
}

static void *is_short(void *unused)
{
	pthread_mutex_lock(&lock);
	compute(200000);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[LONG];

	for (int i = 0; i < LONG; i++)
		pthread_create(&threads[i], NULL, shares, NULL);
	for (int i = 0; i < LONG; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < SHORT; i++) {
		pthread_create(&threads[0], NULL, is_short, NULL);
		pthread_join(threads[0], NULL);
	}
	return 0;
}
