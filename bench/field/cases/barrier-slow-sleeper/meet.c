/* Two threads sleep and meet at a barrier, 40 times. Argument: how long slow() sleeps, us. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static useconds_t length = 10000;

static void *quick(void *unused)
{
	for (int i = 0; i < 40; i++) {
		usleep(2500);
		pthread_barrier_wait(&barrier);
	}
	return unused;
}

static void *slow(void *unused)
{
	for (int i = 0; i < 40; i++) {
		usleep(length);
		pthread_barrier_wait(&barrier);
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t a, b;

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&a, NULL, quick, NULL);
	pthread_create(&b, NULL, slow, NULL);
	pthread_join(a, NULL);
	return pthread_join(b, NULL);
}
