/* One thread fills two buffers in turn, another drains them. Argument: what drain() needs, us. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIMES = 50 };

static sem_t full, empty;
static useconds_t length = 8000;

__attribute__((noinline)) static int fill(void)
{
	return usleep(3000);
}

__attribute__((noinline)) static int drain(void)
{
	return usleep(length);
}

static void *capture(void *failed)
{
	for (int i = 0; i < TIMES; i++) {
		sem_wait(&empty);
		if (fill())
			return failed;
		sem_post(&full);
	}
	return NULL;
}

int main(int n, char **words)
{
	pthread_t thread;

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	sem_init(&full, 0, 0);
	sem_init(&empty, 0, 2);
	if (pthread_create(&thread, NULL, capture, &full))
		return 1;
	for (int i = 0; i < TIMES; i++) {
		sem_wait(&full);
		if (drain())
			return 1;
		sem_post(&empty);
	}
	return pthread_join(thread, NULL);
}
