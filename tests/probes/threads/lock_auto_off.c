/*
 * lock_auto_off: takes locks so and so often, for drop.test, which knows how often. With an
 * argument: two locks only, one held for a short time and one for a long time.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t often = PTHREAD_MUTEX_INITIALIZER, seldom = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER, missed = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER, nested, again;
pthread_mutex_t waits = PTHREAD_MUTEX_INITIALIZER, forked = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t brief = PTHREAD_MUTEX_INITIALIZER, slow = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t many[40];
pthread_spinlock_t spins;
mtx_t plain;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;

static void pairs(pthread_mutex_t *lock, int n)
{
	while (n--) {
		pthread_mutex_lock(lock);
		pthread_mutex_unlock(lock);
	}
}

static pthread_t started(void *(*run)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL))
		abort();
	return thread;
}

static void *waits_once(void *unused)
{
	pairs(&wanted, 1);
	return unused;
}

/* The 20th release lets a thread have the lock that waits for it, and switches it off. */
static void is_wanted(void)
{
	pthread_t thread;

	pairs(&wanted, 19);
	pthread_mutex_lock(&wanted);
	thread = started(waits_once);
	while (__atomic_load_n(&wanted.__data.__lock, __ATOMIC_RELAXED) != 2)
		usleep(100);
	pthread_mutex_unlock(&wanted);
	pthread_join(thread, NULL);
}

static void *reads(void *unused)
{
	pthread_rwlock_rdlock(&readers);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	pthread_rwlock_unlock(&readers);
	return unused;
}

/* A reader has the lock while it is switched off. */
static void has_readers(void)
{
	pthread_t thread = started(reads);

	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 30; i++) {
		pthread_rwlock_rdlock(&readers);
		pthread_rwlock_unlock(&readers);
	}
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

static void *takes(void *unused)
{
	pairs(&contended, 5000);
	return unused;
}

static void is_contended(void)
{
	pthread_t one = started(takes), other = started(takes);

	pthread_join(one, NULL);
	pthread_join(other, NULL);
}

static void *tries(void *unused)
{
	for (int i = 0; i < 5; i++)
		if (pthread_mutex_trylock(&missed) != EBUSY)
			abort();
	return unused;
}

static void is_missed(void)
{
	for (int n = 18; n <= 20; n += 2) {     /* still on; off */
		pairs(&missed, n - 1);
		pthread_mutex_lock(&missed);
		pthread_join(started(tries), NULL);
		pthread_mutex_unlock(&missed);
	}
}

/* The 20th release is of a lock that the thread has twice, and has once more after it. */
static void is_nested(void)
{
	pthread_mutexattr_t recursive;

	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&nested, &recursive);
	pairs(&nested, 19);
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&nested);
		pairs(&nested, 1);
		pthread_mutex_unlock(&nested);
	}
}

/* Two locks, one after the other, at one address. */
static void is_again(void)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_init(&again, NULL);
		pairs(&again, 30);
		pthread_mutex_destroy(&again);
	}
}

/* A wait for a condition releases the lock and takes it again. */
static void waits_for_condition(void)
{
	const struct timespec past = { 1, 0 };

	for (int i = 0; i < 15; i++) {
		pthread_mutex_lock(&waits);
		pthread_cond_timedwait(&condition, &waits, &past);
		pthread_mutex_unlock(&waits);
	}
}

static void is_plain(void)
{
	pthread_spin_init(&spins, PTHREAD_PROCESS_PRIVATE);
	mtx_init(&plain, mtx_plain);
	for (int i = 0; i < 30; i++) {
		pthread_spin_lock(&spins);
		pthread_spin_unlock(&spins);
		mtx_lock(&plain);
		mtx_unlock(&plain);
	}
}

/* More at a time than the probe knows of a thread. */
static void are_many(void)
{
	for (int round = 0; round < 30; round++) {
		for (int i = 0; i < 40; i++)
			pthread_mutex_lock(&many[i]);
		for (int i = 0; i < 40; i++)
			pthread_mutex_unlock(&many[i]);
	}
}

static void is_forked(void)
{
	pid_t child;

	pairs(&forked, 30);
	child = fork();
	if (child == 0) {
		pairs(&forked, 10);
		exit(0);
	}
	waitpid(child, NULL, 0);
}

static int lengths(void)
{
	pairs(&brief, 50000);
	for (int i = 0; i < 1300; i++) {
		pthread_mutex_lock(&slow);
		usleep(50);
		pthread_mutex_unlock(&slow);
	}
	pairs(&brief, 10);
	return 0;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return lengths();
	pthread_barrier_init(&barrier, NULL, 2);
	pairs(&often, 50);
	pairs(&seldom, 19);
	is_wanted();
	has_readers();
	is_contended();
	is_missed();
	is_nested();
	is_again();
	waits_for_condition();
	is_plain();
	are_many();
	is_forked();
	return 0;
}
