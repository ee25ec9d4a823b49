/*
 * causes: threads that wait for known others. Prints a line "INTERVAL WAITS FOR" for each wait: the
 * names of the thread that waits and of the one that lets it go on. `causes twice`: a
 * forked process does the same at the same time, with everything at the same addresses.
 */
#include "../blocked.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t c11;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int go;

/* ---- Threads that are known to wait ------------------------------------------------------------ */

struct waiter {
	pthread_t thread;
	const char *name;
	void (*run)(void);
	volatile int tid;
};

static void *waiter_run(void *argument)
{
	struct waiter *w = argument;

	pthread_setname_np(pthread_self(), w->name);
	w->tid = (int)syscall(SYS_gettid);
	w->run();
	return NULL;
}

/* Starts a thread that waits, and returns once it does. */
static struct waiter *waiter_start(struct waiter *w, const char *name, void (*run)(void))
{
	*w = (struct waiter){ .name = name, .run = run };
	pthread_create(&w->thread, NULL, waiter_run, w);
	blocked_wait(&w->tid);
	return w;
}

static void waiter_end(struct waiter *w)
{
	pthread_join(w->thread, NULL);
}

/* ---- Locks ------------------------------------------------------------------------------------- */

static void takes_mutex(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void takes_c11(void)
{
	mtx_lock(&c11);
	mtx_unlock(&c11);
}

static void writes(void)
{
	pthread_rwlock_wrlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
}

static void reads(void)
{
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
}

static void locks(void)
{
	struct waiter a, b;

	pthread_mutex_lock(&mutex);
	waiter_start(&a, "mutex", takes_mutex);
	pthread_mutex_unlock(&mutex);
	waiter_end(&a);
	puts("LockWait mutex\nHandover mutex main");

	mtx_init(&c11, mtx_plain);
	mtx_lock(&c11);
	waiter_start(&a, "c11", takes_c11);
	mtx_unlock(&c11);
	waiter_end(&a);
	puts("LockWait c11\nHandover c11 main");

	/* Two readers after a writer: none of them waits for the other. */
	pthread_rwlock_wrlock(&rwlock);
	waiter_start(&a, "reader1", reads);
	waiter_start(&b, "reader2", reads);
	pthread_rwlock_unlock(&rwlock);
	waiter_end(&a);
	waiter_end(&b);
	puts("LockWait reader1\nHandover reader1 main\nLockWait reader2\nHandover reader2 main");

	pthread_rwlock_rdlock(&rwlock);
	waiter_start(&a, "writer", writes);
	pthread_rwlock_unlock(&rwlock);
	waiter_end(&a);
	puts("LockWait writer\nHandover writer main");
}

static void takes_spin(void)
{
	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
}

static void spins(void)
{
	struct waiter a = { .name = "spin", .run = takes_spin };

	pthread_spin_init(&spin, 0);
	pthread_spin_lock(&spin);
	pthread_create(&a.thread, NULL, waiter_run, &a);
	while (!a.tid)
		pause_ms(1);
	pause_ms(50);
	pthread_spin_unlock(&spin);
	waiter_end(&a);
	puts("LockWait spin\nHandover spin main");
}

/* ---- Conditions -------------------------------------------------------------------------------- */

static void waits(void)
{
	pthread_mutex_lock(&mutex);
	while (!go)
		pthread_cond_wait(&condition, &mutex);
	go--;
	pthread_mutex_unlock(&mutex);
}

static void signals(void)
{
	pthread_mutex_lock(&mutex);
	go = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
}

static void signals_elsewhere(const char *name)
{
	struct waiter s = { .name = name, .run = signals };

	pthread_create(&s.thread, NULL, waiter_run, &s);
	waiter_end(&s);
}

/* Signals that nobody waits for, single ones each by a thread of its own, and one for all. */
static void conditions(void)
{
	struct waiter w[3];
	char text[8];

	pthread_cond_signal(&condition);
	pthread_cond_broadcast(&condition);
	for (int i = 0; i < 3; i++) {
		waiter_start(&w[i], "waiter", waits);
		snprintf(text, sizeof text, "signal%d", i);
		signals_elsewhere(text);
		waiter_end(&w[i]);
		printf("CondWait waiter\nWakeup waiter %s\nRegain waiter %s\n", text, text);
	}
	for (int i = 0; i < 3; i++)
		waiter_start(&w[i], "all", waits);
	pthread_mutex_lock(&mutex);
	go = 3;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 3; i++) {
		waiter_end(&w[i]);
		puts("CondWait all\nWakeup all main");
	}
}

/* ---- Semaphores, barriers, once, join ---------------------------------------------------------- */

static void takes_semaphore(void)
{
	sem_wait(&semaphore);
}

static void semaphores(void)
{
	struct waiter a;

	sem_init(&semaphore, 0, 0);
	sem_post(&semaphore);
	sem_wait(&semaphore);
	for (int i = 0; i < 3; i++) {
		waiter_start(&a, "post", takes_semaphore);
		sem_post(&semaphore);
		waiter_end(&a);
		puts("SemWait post\nPost post main");
	}
}

static void arrives(void)
{
	pthread_barrier_wait(&barrier);
}

static void barriers(void)
{
	struct waiter a, b;

	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 3; i++) {
		waiter_start(&a, "first", arrives);
		waiter_start(&b, "second", arrives);
		pthread_barrier_wait(&barrier);
		waiter_end(&a);
		waiter_end(&b);
		puts("BarrierWait first\nArrival first main\nBarrierWait second\nArrival second main");
		puts("BarrierWait main\nArrival main main");
	}
}

static struct waiter other;

static void runs_once(void);

static void waits_once(void)
{
	pthread_once(&once, runs_once);
}

static void runs_once(void)
{
	waiter_start(&other, "once", waits_once);
}

static void is_joined(void)
{
	pause_ms(20);
}

static void joins(void)
{
	struct waiter a = { .name = "joined", .run = is_joined };

	pthread_create(&a.thread, NULL, waiter_run, &a);
	waiter_end(&a);
	puts("Joined main joined");
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		fork();
	pthread_setname_np(pthread_self(), "main");
	locks();
	spins();
	conditions();
	semaphores();
	barriers();
	pthread_once(&once, runs_once);
	waiter_end(&other);
	puts("OnceWait once\nOnceDone once main");
	joins();
	fflush(stdout);
	wait(NULL);
	return 0;
}
