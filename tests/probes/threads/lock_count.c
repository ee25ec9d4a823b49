/*
 * Programs that take free locks so often that the probe counts them. Each prints how often each lock
 * was taken, by the name that Glimpse gives it: "locks[3] 1234".
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, EACH = 12, SHARED = 3, MANY = 200000 };

/* Those of a thread, then some that all take. */
static pthread_mutex_t locks[THREADS * EACH + SHARED];
static pthread_rwlock_t rwlocks[THREADS * EACH + SHARED];
static pthread_spinlock_t spins[THREADS * EACH + SHARED];
static long taken[3][THREADS * EACH + SHARED];
static unsigned seed;

static int kind_lock(int kind, int i, unsigned way)
{
	switch (kind) {
	case 0:
		return way & 1 ? pthread_mutex_trylock(&locks[i]) : pthread_mutex_lock(&locks[i]);
	case 1:
		return way & 1   ? pthread_rwlock_tryrdlock(&rwlocks[i])
		       : way & 2 ? pthread_rwlock_rdlock(&rwlocks[i])
				 : pthread_rwlock_wrlock(&rwlocks[i]);
	default:
		return way & 1 ? pthread_spin_trylock(&spins[i]) : pthread_spin_lock(&spins[i]);
	}
}

static void kind_unlock(int kind, int i)
{
	if (kind == 0)
		pthread_mutex_unlock(&locks[i]);
	else if (kind == 1)
		pthread_rwlock_unlock(&rwlocks[i]);
	else
		pthread_spin_unlock(&spins[i]);
}

static unsigned next_random(unsigned *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 8;
}

/* Takes a lock of a thread's own, or a shared one, and sometimes another one within. */
static void random_take(int thread, unsigned *state, int depth)
{
	unsigned r = next_random(state);
	int kind = (int)(r % 3), i;

	/* the order of what is nested: own ones of greater numbers, then at most one that is shared */
	if (r / 4 % 64 == 0)
		i = THREADS * EACH + (int)(next_random(state) % SHARED);
	else
		i = thread * EACH + depth * 4 + (int)(next_random(state) % 4);
	if (kind_lock(kind, i, r / 256))
		return;
	__atomic_fetch_add(&taken[kind][i], 1, __ATOMIC_RELAXED);
	if (depth < 2 && i < THREADS * EACH && r % 5 == 0)
		random_take(thread, state, depth + 1);
	kind_unlock(kind, i);
}

static void *random_run(void *argument)
{
	int thread = (int)(intptr_t)argument;
	unsigned state = seed + (unsigned)thread * 7919;

	for (int i = 0; i < MANY; i++)
		random_take(thread, &state, 0);
	return NULL;
}

static void *often_run(void *argument)
{
	int i = (int)(intptr_t)argument;

	for (int k = 0; k < MANY; k++) {
		kind_lock(0, i, 0);
		taken[0][i]++;
		kind_unlock(0, i);
	}
	return NULL;
}

/* The same, and then it sleeps until the process ends. */
static void *stays_run(void *argument)
{
	often_run(argument);
	__atomic_fetch_add(&taken[2][0], 1, __ATOMIC_RELEASE);
	pause();
	return NULL;
}

static void threads_run(void *(*run)(void *))
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void taken_print(void)
{
	for (int i = 0; i < THREADS * EACH + SHARED; i++) {
		if (taken[0][i])
			printf("locks[%d] %ld\n", i, taken[0][i]);
		if (taken[1][i])
			printf("rwlocks[%d] %ld\n", i, taken[1][i]);
		if (taken[2][i])
			printf(i ? "spins+%d %ld\n" : "spins%.0d %ld\n", 4 * i, taken[2][i]);
	}
	fflush(stdout);
}

/* Both threads have a lock that is counted, and then want the other one's. */
static void *deadlock_run(void *argument)
{
	int mine = (int)(intptr_t)argument;
	static int arrived;

	often_run(argument);
	kind_lock(0, mine, 0);
	__atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&arrived, __ATOMIC_RELAXED) < 2)
		usleep(1000);
	kind_lock(0, 1 - mine, 0);
	return NULL;
}

static bool has_it;

/* Has a lock that is counted while another thread begins to wait for it. */
static void *holder_run(void *argument)
{
	often_run(argument);
	kind_lock(0, 0, 0);
	__atomic_store_n(&has_it, true, __ATOMIC_RELEASE);
	usleep(50000);
	kind_unlock(0, 0);
	return NULL;
}

static void *waiter_run(void *argument)
{
	(void)argument;
	while (!__atomic_load_n(&has_it, __ATOMIC_ACQUIRE))
		usleep(1000);
	kind_lock(0, 0, 0);
	kind_unlock(0, 0);
	often_run((void *)0);
	return NULL;
}

static void pair_run(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, one, (void *)0);
	pthread_create(&threads[1], NULL, other, (void *)1);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

/* Two threads that take turns: nobody waits for the lock, but for the condition. */
static void *turns_run(void *argument)
{
	int mine = (int)(intptr_t)argument;

	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&locks[0]);
		while (turn != mine)
			pthread_cond_wait(&changed, &locks[0]);
		turn = 1 - mine;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&locks[0]);
	}
	return NULL;
}

/* Ends the process while a thread still runs that has taken a lock which is another one now. */
static void again_run(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, stays_run, (void *)0);
	while (!__atomic_load_n(&taken[2][0], __ATOMIC_ACQUIRE))
		usleep(1000);
	pthread_mutex_destroy(&locks[0]);
	pthread_mutex_init(&locks[0], NULL);
	often_run((void *)0);
	exit(0);
}

/* ---- threads that take locks once more as they end ---- */

enum { SHORT = 3000, GROWN_MOST = 100000 }; /* kB */

static pthread_key_t key;

static void last_take(void *unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++) {
		kind_lock(0, 5, 0);
		taken[0][5]++;
		kind_unlock(0, 5);
	}
}

static void *short_run(void *unused)
{
	pthread_setspecific(key, &key);
	last_take(NULL);
	return unused;
}

static long address_space(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (!f || fscanf(f, "%ld", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Returns whether the tables of ended threads are used again. */
static bool threads_come_and_go(void)
{
	pthread_t thread;
	long before;

	pthread_key_create(&key, last_take);
	often_run((void *)0);
	before = address_space();
	for (int i = 0; i < SHORT; i++) {
		pthread_create(&thread, NULL, short_run, NULL);
		pthread_join(thread, NULL);
	}
	return address_space() - before < GROWN_MOST;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	seed = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	for (int i = 0; i < THREADS * EACH + SHARED; i++) {
		pthread_rwlock_init(&rwlocks[i], NULL);
		pthread_spin_init(&spins[i], 0);
	}
	if (!strcmp(what, "random")) {
		threads_run(random_run);
	} else if (!strcmp(what, "often")) {
		threads_run(often_run);
	} else if (!strcmp(what, "exit")) {
		pthread_t thread;

		for (int i = 0; i < THREADS; i++)
			pthread_create(&thread, NULL, stays_run, (void *)(intptr_t)i);
		while (__atomic_load_n(&taken[2][0], __ATOMIC_ACQUIRE) < THREADS)
			usleep(1000);
		taken[2][0] = 0;
		taken_print();
		exit(0);
	} else if (!strcmp(what, "fork")) {
		often_run((void *)0);
		if (fork() == 0) {
			often_run((void *)1);
			exit(0);
		}
		wait(NULL);
		taken[0][1] = MANY;
	} else if (!strcmp(what, "again")) {
		again_run();
	} else if (!strcmp(what, "short")) {
		if (!threads_come_and_go())
			return 1;
	} else if (!strcmp(what, "deadlock")) {
		pair_run(deadlock_run, deadlock_run);
	} else if (!strcmp(what, "waits")) {
		pair_run(holder_run, waiter_run);
		return 0;
	} else if (!strcmp(what, "turns")) {
		often_run((void *)0);
		pair_run(turns_run, turns_run);
		return 0;
	}
	taken_print();
	return 0;
}
