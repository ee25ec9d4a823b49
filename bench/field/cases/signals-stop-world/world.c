/*
 * Two threads compute; main stops them with a signal 20 times, and computes meanwhile. Argument: what
 * a collection costs, thousands of rounds.
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t stopped;
static atomic_int ended;
static long length = 8000;

/* Computes for about 2 us for each thousand. */
__attribute__((noinline)) static void compute(long thousands)
{
	unsigned long x = 1;
	volatile unsigned long result;

	for (long i = 0; i < thousands * 1000; i++) {
		x = x * 6364136223846793005u + 1;
		x ^= x >> 29;
	}
	result = x;
	(void)result;
}

__attribute__((noinline)) static void collect(void)
{
	compute(length);
}

static void stop(int sig)
{
	sigset_t none;

	(void)sig;
	sem_post(&stopped);
	sigfillset(&none);
	sigdelset(&none, SIGUSR2);
	sigsuspend(&none);
}

static void go(int sig)
{
	(void)sig;
}

static void *mutate(void *unused)
{
	while (!atomic_load(&ended))
		compute(10);
	return unused;
}

int main(int n, char **words)
{
	struct sigaction on_stop = {.sa_handler = stop}, on_go = {.sa_handler = go};
	pthread_t threads[2];

	if (n > 1)
		length = atol(words[1]);
	sigfillset(&on_stop.sa_mask);
	sigaction(SIGUSR1, &on_stop, NULL);
	sigaction(SIGUSR2, &on_go, NULL);
	sem_init(&stopped, 0, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(threads + i, NULL, mutate, NULL);
	for (int k = 0; k < 20; k++) {
		usleep(4000);
		for (int i = 0; i < 2; i++)
			pthread_kill(threads[i], SIGUSR1);
		for (int i = 0; i < 2; i++)
			sem_wait(&stopped);
		collect();
		for (int i = 0; i < 2; i++)
			pthread_kill(threads[i], SIGUSR2);
	}
	atomic_store(&ended, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
