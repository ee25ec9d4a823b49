/* A thread and a monitor for each Fibonacci number: it waits for the two numbers before its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { NUMBERS = 6 };

static pthread_mutex_t lock0 = PTHREAD_MUTEX_INITIALIZER, lock1 = PTHREAD_MUTEX_INITIALIZER,
		       lock2 = PTHREAD_MUTEX_INITIALIZER, lock3 = PTHREAD_MUTEX_INITIALIZER,
		       lock4 = PTHREAD_MUTEX_INITIALIZER, lock5 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fib0 = PTHREAD_COND_INITIALIZER, fib1 = PTHREAD_COND_INITIALIZER,
		      fib2 = PTHREAD_COND_INITIALIZER, fib3 = PTHREAD_COND_INITIALIZER,
		      fib4 = PTHREAD_COND_INITIALIZER, fib5 = PTHREAD_COND_INITIALIZER;
static struct monitor {
	pthread_mutex_t *lock;
	pthread_cond_t *known;
	long value;             /* 0: not known yet */
} monitors[NUMBERS] = {{&lock0, &fib0, 0}, {&lock1, &fib1, 0}, {&lock2, &fib2, 0},
		       {&lock3, &fib3, 0}, {&lock4, &fib4, 0}, {&lock5, &fib5, 0}};

static long get(struct monitor *m)
{
	long value;

	pthread_mutex_lock(m->lock);
	while (!m->value)
		pthread_cond_wait(m->known, m->lock);
	value = m->value;
	pthread_mutex_unlock(m->lock);
	return value;
}

static void put(struct monitor *m, long value)
{
	pthread_mutex_lock(m->lock);
	m->value = value;
	pthread_cond_broadcast(m->known);
	pthread_mutex_unlock(m->lock);
}

static void *compute(void *argument)
{
	struct monitor *m = argument;
	int n = (int)(m - monitors);
	char name[16];

	snprintf(name, sizeof name, "number %d", n);
	pthread_setname_np(pthread_self(), name);
	usleep((unsigned)(n < 2 ? 20000 + 5000 * n : 1000));
	put(m, n < 2 ? 1 : get(m - 1) + get(m - 2));
	return NULL;
}

int main(void)
{
	pthread_t threads[NUMBERS];

	for (int i = 0; i < NUMBERS; i++)
		pthread_create(&threads[i], NULL, compute, &monitors[i]);
	for (int i = 0; i < NUMBERS; i++)
		pthread_join(threads[i], NULL);
	return monitors[NUMBERS - 1].value == 8 ? 0 : 1;
}
