/* Counts with four threads under a lock, and logs so by events of its own. */
#include "counted_glimpse.h"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counted;

static void *count(void *n)
{
	for (int i = 0; i < 100; i++) {
		CountBegin_Stamp(*(int *)n);
		pthread_mutex_lock(&lock);
		counted++;
		pthread_mutex_unlock(&lock);
		CountEnd_Stamp(*(int *)n);
	}
	return NULL;
}

int main(void)
{
	int numbers[4] = {0, 1, 2, 3};
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, count, &numbers[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", counted);
	return 0;
}
