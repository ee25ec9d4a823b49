/*
 * waits MODE: threads that compute, and wait in one way: lock, condition, barrier, join, sleep, yield, semaphore.
 * Each computes for some ms of processor time, whatever others do.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 20 };

static const char *mode;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t tokens;
static int turn;

static void compute(int us)
{
	struct timespec now;
	int64_t end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	end = now.tv_sec * 1000000000L + now.tv_nsec + us * 1000L;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while (now.tv_sec * 1000000000L + now.tv_nsec < end);
}

static int is(const char *name)
{
	return strcmp(mode, name) == 0;
}

static void in_turn(int number)
{
	pthread_mutex_lock(&lock);
	while (turn != number)
		pthread_cond_wait(&turned, &lock);
	compute(500);
	turn = (turn + 1) % THREADS;
	pthread_cond_broadcast(&turned);
	pthread_mutex_unlock(&lock);
}

static void once(int number)
{
	compute(300 * (number + 1));
	if (is("lock")) {
		pthread_mutex_lock(&lock);
		compute(1000);
		pthread_mutex_unlock(&lock);
	} else if (is("semaphore")) {
		sem_wait(&tokens);
		compute(500);
		sem_post(&tokens);
	} else if (is("condition")) {
		in_turn(number);
	} else if (is("barrier")) {
		pthread_barrier_wait(&barrier);
	} else if (is("sleep")) {
		usleep(2000);
	} else if (is("yield")) {
		sched_yield();
	}
}

static void *work(void *argument)
{
	static const char *const names[] = {"first", "second", "third"};
	int number = (int)(intptr_t)argument;

	pthread_setname_np(pthread_self(), names[number]);
	for (int i = 0; i < ROUNDS * (is("join") ? number + 1 : 1); i++)
		once(number);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	mode = argc > 1 ? argv[1] : "lock";
	pthread_barrier_init(&barrier, NULL, THREADS);
	sem_init(&tokens, 0, 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
