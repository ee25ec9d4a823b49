/* Four threads that take turns: each sleeps while it has the lock. With an argument: before it has it. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t hot_lock = PTHREAD_MUTEX_INITIALIZER;

static void nap(void)
{
	nanosleep(&(struct timespec){0, 2000000}, NULL);
}

static void *turns(void *outside)
{
	for (int i = 0; i < 30; i++) {
		if (outside)
			nap();
		pthread_mutex_lock(&hot_lock);
		if (!outside)
			nap();
		pthread_mutex_unlock(&hot_lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, turns, argc > 1 ? argv : NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
