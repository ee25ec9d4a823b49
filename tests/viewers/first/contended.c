/*
 * Four threads share one lock and work only while they hold it: three of them always wait.
 */
#include <pthread.h>

enum { WORKERS = 4, ROUNDS = 20 };

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long balance;

static void *pay(void *argument)
{
	for (int round = 0; round < ROUNDS; round++) {
		pthread_mutex_lock(&account);
		for (unsigned long i = 0; i < 500000; i++)
			balance = balance * 31 + i;
		pthread_mutex_unlock(&account);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, pay, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
