/*
 * urgent: two threads share a lock and a semaphore; the urgent one waits for the lock that the other
 * has. Only by nice values, which need no privilege. `urgent same`: without.
 */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static sem_t tokens;

static void *polite(void *priorities)
{
	if (priorities)
		setpriority(PRIO_PROCESS, (id_t)gettid(), getpriority(PRIO_PROCESS, 0) + 5);
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&device);
		pthread_barrier_wait(&both);
		usleep(10000);
		pthread_mutex_unlock(&device);
		pthread_barrier_wait(&both);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	pthread_barrier_init(&both, NULL, 2);
	sem_init(&tokens, 0, 10);
	pthread_create(&thread, NULL, polite, argc > 1 ? NULL : &thread);
	for (int i = 0; i < 5; i++) {
		pthread_barrier_wait(&both);
		pthread_mutex_lock(&device);
		pthread_mutex_unlock(&device);
		sem_wait(&tokens);
		sem_wait(&tokens);
		pthread_barrier_wait(&both);
	}
	pthread_join(thread, NULL);
}
