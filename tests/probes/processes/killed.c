/*
 * killed ROUNDS: two threads lock a mutex 100 times in each of so many rounds of some 5 ms. Prints
 * its process number at the beginning, and "end" and how often it was locked at the end; exits with
 * 3.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long rounds, locked;

static void *rounds_do(void *unused)
{
	for (long i = 0; i < rounds; i++) {
		for (int k = 0; k < 100; k++) {
			pthread_mutex_lock(&mutex);
			locked++;
			pthread_mutex_unlock(&mutex);
		}
		usleep(5000);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	rounds = argc > 1 ? atol(argv[1]) : 100;
	printf("%ld\n", (long)getpid());
	fflush(stdout);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, rounds_do, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("end %ld\n", locked);
	return 3;
}
