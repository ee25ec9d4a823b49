/* Four threads that take two locks, one after the other, and wake each other: for exports of what record logs. */
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 50 };

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&first);
		for (volatile int k = 0; k < 10000; k++)
			;
		pthread_mutex_lock(&second);
		pthread_mutex_unlock(&first);
		if (i % 10 == 0)
			usleep(100);
		done++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&second);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	pthread_mutex_lock(&second);
	while (done < THREADS * ROUNDS)
		pthread_cond_wait(&changed, &second);
	pthread_mutex_unlock(&second);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
