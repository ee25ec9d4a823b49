/* Two hundred threads that live for a moment, ten at a time. */
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 200, AT_A_TIME = 10 };

static void *serve(void *argument)
{
	volatile unsigned long sum = 0;

	(void)argument;
	for (unsigned long i = 0; i < 200000; i++)
		sum += i;
	return NULL;
}

int main(void)
{
	pthread_t threads[AT_A_TIME];

	for (int i = 0; i < THREADS; i += AT_A_TIME) {
		for (int k = 0; k < AT_A_TIME; k++)
			pthread_create(&threads[k], NULL, serve, NULL);
		for (int k = 0; k < AT_A_TIME; k++)
			pthread_join(threads[k], NULL);
	}
	return 0;
}
