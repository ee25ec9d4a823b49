/*
 * Four threads look up ten names each in a cache; each name is new, and the name server needs 10 ms.
 * Argument: without the lock of the cache.
 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t names = PTHREAD_MUTEX_INITIALIZER;
static int unlocked;

__attribute__((noinline)) static int query(void)
{
	return usleep(10000);
}

__attribute__((noinline)) static int resolve(void)
{
	int failed;

	if (!unlocked)
		pthread_mutex_lock(&names);
	failed = query();
	if (!unlocked)
		pthread_mutex_unlock(&names);
	return failed;
}

static void *serve(void *failed)
{
	for (int i = 0; i < 10; i++) {
		if (resolve())
			return failed;
		usleep(1000);
	}
	return NULL;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	(void)words;
	unlocked = n > 1;
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, serve, &names);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
