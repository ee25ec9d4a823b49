/*
 * Ten programs, of functions that can be left out, for the true gain of doing without one:
 *	zeroing SHAPE [FUNCTION]
 * SHAPE is one of those below; FUNCTION, a to f, takes no time. Prints how long it took, ns.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char without;

/*
 * Each multiplication waits for the one before: what another thread does on the same core takes no time from it. Runs take
 * some 40 ms: the kernel moves threads between processors every few milliseconds, and shorter runs are a matter of luck.
 */
static void __attribute__((no_instrument_function, noinline)) turn(char name, unsigned long thousands)
{
	unsigned long x = 3;

	for (unsigned long i = 0; name != without && i < 10000 * thousands; i++) {
		x *= x;
		__asm__ volatile("" : "+r"(x));
	}
}

#define FUNCTION(name) \
	static void __attribute__((noinline)) name(unsigned long thousands) { turn(#name[0], thousands); }
FUNCTION(a)
FUNCTION(b)
FUNCTION(c)
FUNCTION(d)
FUNCTION(e)
FUNCTION(f)

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static sem_t items, more;
static int state;

static void two(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, other, &state);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

/* ---- a serial part, and two threads with unequal parts ---- */

static void *left(void *unused) { b(4000); c(2000); return unused; }
static void *right(void *unused) { d(3000); e(1000); return unused; }
static void fork_join(void) { a(3000); two(left, right); f(1000); }

/* ---- one lock ---- */

static void *locked(void *unused)
{
	for (int i = 0; i < 20; i++) {
		a(50);
		pthread_mutex_lock(&first);
		b(100);
		c(30);
		pthread_mutex_unlock(&first);
		d(20);
	}
	return unused;
}
static void hot_lock(void) { e(500); two(locked, locked); f(1500); }

/* ---- two locks, one after the other ---- */

static void *twice(void *unused)
{
	for (int i = 0; i < 20; i++) {
		a(20);
		pthread_mutex_lock(&first);
		b(80);
		pthread_mutex_unlock(&first);
		c(40);
		pthread_mutex_lock(&second);
		d(60);
		pthread_mutex_unlock(&second);
	}
	return unused;
}
static void two_locks(void) { e(1000); two(twice, twice); f(300); }

/* ---- a pipeline of two stages ---- */

static void *makes(void *unused)
{
	for (int i = 0; i < 20; i++) {
		a(60);
		b(40);
		sem_post(&items);
	}
	return unused;
}
static void *takes(void *unused)
{
	for (int i = 0; i < 20; i++) {
		sem_wait(&items);
		c(150);
		d(50);
	}
	return unused;
}
static void pipeline(void) { e(400); two(makes, takes); f(800); }

/* ---- turn and turn about: all is on the path ---- */

static void *pings(void *other)
{
	int mine = other != NULL;

	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&first);
		while (state != mine)
			pthread_cond_wait(&changed, &first);
		pthread_mutex_unlock(&first);
		if (mine)
			a(50);
		else
			b(120);
		pthread_mutex_lock(&first);
		state = !mine;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&first);
		c(20);
	}
	return NULL;
}
static void ping_pong(void) { d(700); two(pings, pings); e(300); f(100); }

/* ---- barriers, with unequal work that changes sides ---- */

static void *steps(void *other)
{
	for (int i = 0; i < 20; i++) {
		if ((i % 2 == 0) == (other != NULL))
			a(120), b(30);
		else
			c(60);
		pthread_barrier_wait(&both);
		d(50);
		pthread_barrier_wait(&both);
	}
	return NULL;
}
static void barriers(void) { e(200); two(steps, steps); f(900); }

/* ---- much that is done beside, by who is not waited for ---- */

static void *long_one(void *unused) { a(2500); b(2500); return unused; }
static void *short_one(void *unused) { c(2000); d(2000); return unused; }
static void beside(void) { two(long_one, short_one); e(500); f(1500); }

/* ---- a bounded buffer of one ---- */

static void *fills(void *unused)
{
	for (int i = 0; i < 20; i++) {
		a(100);
		sem_wait(&more);
		b(40);
		sem_post(&items);
	}
	return unused;
}
static void *empties(void *unused)
{
	for (int i = 0; i < 20; i++) {
		sem_wait(&items);
		c(30);
		sem_post(&more);
		d(80);
	}
	return unused;
}
static void bounded(void) { sem_post(&more); e(600); two(fills, empties); f(200); }

/* ---- a lock that one of two takes for long ---- */

static void *greedy(void *unused)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&first);
		a(150);
		pthread_mutex_unlock(&first);
		b(30);
	}
	return unused;
}
static void *modest(void *unused)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&first);
		c(20);
		pthread_mutex_unlock(&first);
		d(90);
	}
	return unused;
}
static void unequal(void) { e(100); two(greedy, modest); f(400); }

/* ---- one after the other ---- */

static void serial(void) { a(500); b(1000); c(2000); d(300); e(1500); f(100); }

static const struct { const char *name; void (*run)(void); } shapes[] = {
	{"fork_join", fork_join}, {"hot_lock", hot_lock}, {"two_locks", two_locks}, {"pipeline", pipeline},
	{"ping_pong", ping_pong}, {"barriers", barriers}, {"beside", beside}, {"bounded", bounded},
	{"unequal", unequal}, {"serial", serial},
};

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int n, char **arguments)
{
	long long began = now();

	without = n > 2 ? arguments[2][0] : 0;
	pthread_barrier_init(&both, NULL, 2);
	sem_init(&items, 0, 0);
	sem_init(&more, 0, 0);
	for (size_t i = 0; n > 1 && i < sizeof shapes / sizeof *shapes; i++)
		if (strcmp(shapes[i].name, arguments[1]) == 0) {
			shapes[i].run();
			printf("%lld\n", now() - began);
			return 0;
		}
	return 2;
}
