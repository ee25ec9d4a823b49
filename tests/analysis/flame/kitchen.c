/*
 * Three cooks share one pot: what each does is known, and what it waits for. Times are in
 * milliseconds: each chops for 10, waits for the pot, has it for 5, and rests for 4, six times.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COOKS = 3, MEALS = 6 };

static pthread_mutex_t pot = PTHREAD_MUTEX_INITIALIZER;
static void *volatile keep;

__attribute__((no_instrument_function, noinline)) static void spin(double ms)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((double)(now.tv_sec - from.tv_sec) * 1e3 + (double)(now.tv_nsec - from.tv_nsec) / 1e6 < ms);
}

__attribute__((noinline)) static void chop(void)
{
	spin(10);
}

__attribute__((noinline)) static void stir(void)
{
	spin(5);
}

__attribute__((noinline)) static char *serve(size_t size)
{
	return memset(malloc(size), 'x', size);
}

__attribute__((noinline)) static void boil(void)
{
	pthread_mutex_lock(&pot);
	stir();
	pthread_mutex_unlock(&pot);
	free(serve(1000));
}

__attribute__((noinline)) static void rest(void)
{
	usleep(4000);
	keep = serve(200);              /* nobody eats these */
}

static void *cook(void *unused)
{
	for (int i = 0; i < MEALS; i++) {
		chop();
		boil();
		rest();
	}
	return unused;
}

int main(void)
{
	pthread_t cooks[COOKS];

	for (int i = 0; i < COOKS; i++)
		pthread_create(&cooks[i], NULL, cook, NULL);
	for (int i = 0; i < COOKS; i++)
		pthread_join(cooks[i], NULL);
	return 0;
}
