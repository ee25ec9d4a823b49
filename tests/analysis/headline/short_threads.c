/* Two threads at a time, each far shorter than the distance of samples, one pair after the other. */
#include <pthread.h>

static volatile long sum;

__attribute__((noinline)) static void *work(void *unused)
{
	for (long i = 0; i < 400000; i++)
		sum += i;
	return unused;
}

int main(void)
{
	for (int i = 0; i < 150; i++) {
		pthread_t threads[2];

		for (int k = 0; k < 2; k++)
			pthread_create(&threads[k], NULL, work, NULL);
		for (int k = 0; k < 2; k++)
			pthread_join(threads[k], NULL);
	}
	return 0;
}
