/* Two threads look up in a cache under a readers-writer lock. Argument: without the lock. */
#include <pthread.h>

static pthread_rwlock_t cache = PTHREAD_RWLOCK_INITIALIZER;
static int table[64], copies;

__attribute__((noinline)) static int look_up(int key)
{
	int value;

	if (!copies)
		pthread_rwlock_rdlock(&cache);
	value = table[key % 64];
	if (!copies)
		pthread_rwlock_unlock(&cache);
	return value;
}

static void *work(void *failed)
{
	volatile int sum = 0;

	for (int i = 0; i < 2000000; i++)
		sum += look_up(i);
	return sum ? failed : NULL;
}

int main(int n, char **words)
{
	pthread_t thread;

	(void)words;
	copies = n > 1;
	if (pthread_create(&thread, NULL, work, &thread))
		return 1;
	work(&thread);
	return pthread_join(thread, NULL);
}
