/*
 * Appendix A of Charles' thesis, on which VEX's virtual time lost its liveness: two threads count up and sleep after each
 * step, a third one waits until the count is 12, and the main thread joins all.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { STEPS = 10, LIMIT = 12 };

/* No two steps end at the same time. */
static const struct timespec pauses[] = {{.tv_nsec = 20000000}, {.tv_nsec = 27000000}};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t reached = PTHREAD_COND_INITIALIZER;
static int count;

static void *inc_count(void *pause)
{
	for (int i = 0; i < STEPS; i++) {
		pthread_mutex_lock(&mutex);
		if (++count == LIMIT)
			pthread_cond_signal(&reached);
		pthread_mutex_unlock(&mutex);
		nanosleep(pause, NULL);
	}
	return NULL;
}

static void *watch_count(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (count < LIMIT)
		pthread_cond_wait(&reached, &mutex);
	count += 125;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[3];

	pthread_create(&threads[0], NULL, watch_count, NULL);
	pthread_create(&threads[1], NULL, inc_count, (void *)&pauses[0]);
	pthread_create(&threads[2], NULL, inc_count, (void *)&pauses[1]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", count);
	return 0;
}
