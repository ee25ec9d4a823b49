/* One lock is taken often, by several threads and around a wait; others rarely, or for a while. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t often = PTHREAD_MUTEX_INITIALIZER, rare = PTHREAD_MUTEX_INITIALIZER, made;
static pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int n;

static void *works(void *unused)
{
	for (int i = 0; i < 300; i++) {
		pthread_mutex_lock(&often);
		if (i % 20 == 0)
			usleep(100);
		n++;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&often);
		pthread_rwlock_rdlock(&both);
		pthread_rwlock_unlock(&both);
	}
	pthread_mutex_lock(&rare);
	pthread_mutex_unlock(&rare);
	return unused;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, works, NULL);
	pthread_mutex_lock(&often);
	while (n < 900)
		pthread_cond_wait(&c, &often);
	pthread_mutex_unlock(&often);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	for (int round = 0; round < 2; round++) {
		pthread_mutex_init(&made, NULL);
		for (int i = 0; i < 60; i++) {
			pthread_mutex_lock(&made);
			pthread_mutex_unlock(&made);
		}
		pthread_mutex_destroy(&made);
	}
	printf("%d\n", n);
	return 0;
}
