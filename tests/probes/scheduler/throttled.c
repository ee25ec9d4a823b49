/* throttled MILLISECONDS: two threads that compute until each has used so much processor time. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static long milliseconds;

static long used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *compute(void *unused)
{
	volatile unsigned long n = 0;

	while (used() < milliseconds)
		for (int i = 0; i < 100000; i++)
			n += (unsigned)i;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	milliseconds = argc > 1 ? atol(argv[1]) : 100;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, compute, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
