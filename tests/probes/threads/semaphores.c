/* Two places wait for a semaphore by one function of the program. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t requests, replies;

/* as PostgreSQL has it */
__attribute__((noinline)) static void PGSemaphoreLock(sem_t *s)
{
	while (sem_wait(s) != 0)
		;
	__asm__ volatile("");
}

__attribute__((noinline)) static void *serves(void *unused)
{
	for (int i = 0; i < 5; i++) {
		PGSemaphoreLock(&requests); /* serves */
		usleep(5000);
		sem_post(&replies);
	}
	return unused;
}

__attribute__((noinline)) static void asks(void)
{
	for (int i = 0; i < 5; i++) {
		usleep(5000);
		sem_post(&requests);
		PGSemaphoreLock(&replies); /* asks */
	}
}

int main(void)
{
	pthread_t thread;

	sem_init(&requests, 0, 0);
	sem_init(&replies, 0, 0);
	if (pthread_create(&thread, NULL, serves, NULL) != 0)
		return 1;
	asks();
	return pthread_join(thread, NULL);
}
