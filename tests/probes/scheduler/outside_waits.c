/*
 * Linked statically, so that only the kernel's records say why its threads wait: the first one for a condition that the other
 * one signals, and for its end; that one sleeps.
 */
#include <pthread.h>
#include <time.h>

enum { TIMES = 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void *sleeper(void *unused)
{
	static const struct timespec time = {0, 20000000};

	(void)unused;
	for (int i = 0; i < TIMES; i++) {
		nanosleep(&time, NULL);
		pthread_mutex_lock(&mutex);
		done++;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
	}
	nanosleep(&time, NULL);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleeper, NULL);
	pthread_mutex_lock(&mutex);
	while (done < TIMES)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
