/*
 * Three readers hold a readers-writer lock nearly always; a writer updates what they read. Argument:
 * the lock prefers the writer.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_rwlock_t config;

__attribute__((noinline)) static int look_up(void)
{
	pthread_rwlock_rdlock(&config);
	usleep(2000);
	return pthread_rwlock_unlock(&config);
}

__attribute__((noinline)) static int update(void)
{
	pthread_rwlock_wrlock(&config);
	usleep(200);
	return pthread_rwlock_unlock(&config);
}

static void *read_all(void *failed)
{
	for (int i = 0; i < 120; i++)
		if (look_up())
			return failed;
	return NULL;
}

static void *write_all(void *failed)
{
	for (int i = 0; i < 20; i++) {
		if (update())
			return failed;
		usleep(10000);
	}
	return NULL;
}

int main(int n, char **words)
{
	pthread_t threads[4];
	pthread_rwlockattr_t preference;

	(void)words;
	pthread_rwlockattr_init(&preference);
	if (n > 1)
		pthread_rwlockattr_setkind_np(&preference,
					      PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&config, &preference);
	for (int i = 0; i < 4; i++) {
		pthread_create(threads + i, NULL, i < 3 ? read_all : write_all, &config);
		usleep(700);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
