/*
 * Dining philosophers. philosophers ORDER MEALS: ORDER is "left" (each takes the left fork first),
 * "ordered" (the fork with the lower number first), "guarded" (left first, under a common lock) or
 * "deadlock" (left first, and all have one before any takes the second).
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEATS = 5 };

static pthread_mutex_t forks[SEATS], table = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all;
static const char *order;
static int meals;

static int is(const char *name)
{
	return strcmp(order, name) == 0;
}

static void eat(pthread_mutex_t *first, pthread_mutex_t *second)
{
	if (is("guarded"))
		pthread_mutex_lock(&table);
	pthread_mutex_lock(first);
	if (is("deadlock"))
		pthread_barrier_wait(&all);
	pthread_mutex_lock(second);
	nanosleep(&(struct timespec){0, 100000}, NULL);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	if (is("guarded"))
		pthread_mutex_unlock(&table);
}

static void *philosopher(void *seat)
{
	long left = (long)seat, right = (left + 1) % SEATS;
	int swap = is("ordered") && right < left;
	char name[16] = "philosopher 0";

	name[12] = (char)('0' + left);
	pthread_setname_np(pthread_self(), name);
	for (int i = 0; i < meals; i++) {
		eat(&forks[swap ? right : left], &forks[swap ? left : right]);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[SEATS];

	order = argc > 1 ? argv[1] : "left";
	meals = argc > 2 ? atoi(argv[2]) : 10;
	pthread_barrier_init(&all, NULL, SEATS);
	for (int i = 0; i < SEATS; i++)
		pthread_mutex_init(&forks[i], NULL);
	for (long i = 0; i < SEATS; i++) {
		pthread_create(&threads[i], NULL, philosopher, (void *)i);
		if (is("left")) /* one after the other: no run deadlocks */
			pthread_join(threads[i], NULL);
	}
	for (int i = 0; i < SEATS && !is("left"); i++)
		pthread_join(threads[i], NULL);
	return 0;
}
