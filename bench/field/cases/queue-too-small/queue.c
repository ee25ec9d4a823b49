/*
 * Main reads blocks of eight items; two workers handle the items. Argument: how many items the queue
 * between them has room for.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCKS = 7, OF_BLOCK = 8 };

static pthread_mutex_t items = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int room = 1, queued, left = BLOCKS * OF_BLOCK;

__attribute__((noinline)) static int read_block(void)
{
	return usleep(24000);
}

__attribute__((noinline)) static int handle(void)
{
	return usleep(6000);
}

static void put(void)
{
	pthread_mutex_lock(&items);
	while (queued == room)
		pthread_cond_wait(&emptied, &items);
	queued++;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&items);
}

static int get(void)
{
	int got = 0;

	pthread_mutex_lock(&items);
	while (!queued && left)
		pthread_cond_wait(&filled, &items);
	if (queued) {
		got = 1;
		queued--;
		if (!--left)
			pthread_cond_broadcast(&filled);
		pthread_cond_signal(&emptied);
	}
	pthread_mutex_unlock(&items);
	return got;
}

static void *work(void *failed)
{
	while (get())
		if (handle())
			return failed;
	return NULL;
}

int main(int n, char **words)
{
	pthread_t workers[2];

	if (n > 1)
		room = atoi(words[1]);
	for (int i = 0; i < 2; i++)
		pthread_create(workers + i, NULL, work, &items);
	for (int i = 0; i < BLOCKS; i++) {
		if (read_block())
			return 1;
		for (int k = 0; k < OF_BLOCK; k++)
			put();
	}
	for (int i = 0; i < 2; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
