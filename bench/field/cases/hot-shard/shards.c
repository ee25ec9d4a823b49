/*
 * Four threads store keys in a map with a lock for each of its 16 parts. Argument: "even" hashes the
 * keys, which are multiples of 16.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { SHARDS = 16 };

static pthread_mutex_t shards[SHARDS];
static int even;

__attribute__((noinline)) static unsigned hash(unsigned key)
{
	return even ? key * 2654435761U >> 20 : key;
}

__attribute__((noinline)) static int store(unsigned key)
{
	pthread_mutex_t *shard = shards + hash(key) % SHARDS;
	int failed;

	pthread_mutex_lock(shard);
	failed = usleep(1500); /* the part is on a disk */
	pthread_mutex_unlock(shard);
	return failed;
}

static void *work(void *key)
{
	for (unsigned i = 0; i < 60; i++)
		if (store(*(unsigned *)key + i * 64))
			return key;
	return NULL;
}

int main(int n, char **words)
{
	pthread_t threads[4];
	unsigned keys[4] = {0, 16, 32, 48};

	even = n > 1 && !strcmp(words[1], "even");
	for (int i = 0; i < SHARDS; i++)
		pthread_mutex_init(shards + i, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, work, keys + i);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
