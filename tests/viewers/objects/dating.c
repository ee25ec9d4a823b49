/*
 * A dating service: people of two kinds come to a monitor. Who finds nobody of the other kind waits; who finds
 * somebody takes the number of the one that waits longest, leaves the own one, and wakes that one.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { PAIRS = 4 };

static pthread_mutex_t service = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t she_came = PTHREAD_COND_INITIALIZER;
/* The women come when all men wait, however late those are. */
static sem_t he_waits;
static int waiting[PAIRS], first, last, numbers[PAIRS], dates[PAIRS];

static void *he(void *argument)
{
	int me = *(int *)argument, place;
	char name[16];

	snprintf(name, sizeof name, "he %d", me);
	pthread_setname_np(pthread_self(), name);
	usleep((unsigned)(1000 + 1000 * me));
	pthread_mutex_lock(&service);
	place = last++;
	waiting[place] = me;
	sem_post(&he_waits);
	while (!numbers[place])
		pthread_cond_wait(&she_came, &service);
	dates[me] = numbers[place];
	pthread_mutex_unlock(&service);
	return NULL;
}

static void *she(void *argument)
{
	int me = *(int *)argument;
	char name[16];

	snprintf(name, sizeof name, "she %d", me);
	pthread_setname_np(pthread_self(), name);
	usleep((unsigned)(4000 * me));
	pthread_mutex_lock(&service);
	numbers[first++] = me + 1;
	pthread_cond_broadcast(&she_came);
	pthread_mutex_unlock(&service);
	return NULL;
}

int main(void)
{
	pthread_t threads[2 * PAIRS];
	int numbers_of[PAIRS];

	sem_init(&he_waits, 0, 0);
	for (int i = 0; i < PAIRS; i++) {
		numbers_of[i] = i;
		pthread_create(&threads[i], NULL, he, &numbers_of[i]);
	}
	for (int i = 0; i < PAIRS; i++)
		sem_wait(&he_waits);
	for (int i = 0; i < PAIRS; i++)
		pthread_create(&threads[PAIRS + i], NULL, she, &numbers_of[i]);
	for (int i = 0; i < 2 * PAIRS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < PAIRS; i++)
		if (!dates[waiting[i]])
			return 1;
	return 0;
}
