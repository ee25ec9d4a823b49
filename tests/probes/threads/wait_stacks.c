/*
 * Waits whose call paths are known: `wait_stacks KIND` waits in one way. In `paths` two call paths
 * lead to the same helper, which takes a lock that is held; the program prints how long each waited.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
/* What follows a call keeps it from being a tail call. */
#define STAY() __asm__ volatile("" ::: "memory")

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore, started;
static bool ready;

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- Two paths to a lock --------------------------------------------------------------------- */

static double waited;

NOINLINE static void take(void)
{
	double began = now_ns();

	pthread_mutex_lock(&lock);
	waited += now_ns() - began;
	pthread_mutex_unlock(&lock);
	STAY();
}

NOINLINE static void often(void)
{
	take();
	STAY();
}

NOINLINE static void seldom(void)
{
	take();
	STAY();
}

/* Holds the lock while the other thread wants it. */
static void *holder(void *argument)
{
	for (const int *ms = argument; *ms; ms++) {
		pthread_mutex_lock(&lock);
		sem_post(&started);
		usleep((useconds_t)*ms * 1000);
		pthread_mutex_unlock(&lock);
		sem_wait(&semaphore);
	}
	return NULL;
}

static void path(void (*way)(void), const char *name)
{
	sem_wait(&started);
	waited = 0;
	way();
	printf("%s %.0f\n", name, waited);
	sem_post(&semaphore);
}

static void paths(void)
{
	static const int ms[] = {60, 20, 60, 20, 0};
	pthread_t thread;

	pthread_create(&thread, NULL, holder, (void *)ms);
	for (int i = 0; i < 2; i++) {
		path(often, "often");
		path(seldom, "seldom");
	}
	pthread_join(thread, NULL);
}

/* ---- One wait of each kind ------------------------------------------------------------------- */

static void *wakes(void *unused)
{
	usleep(20000);
	pthread_mutex_lock(&other);
	ready = true;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&other);
	usleep(20000);
	sem_post(&semaphore);
	pthread_barrier_wait(&barrier);
	return unused;
}

NOINLINE static void in_condition(void)
{
	pthread_mutex_lock(&other);
	while (!ready)
		pthread_cond_wait(&condition, &other);
	pthread_mutex_unlock(&other);
	STAY();
}

NOINLINE static void in_semaphore(void)
{
	sem_wait(&semaphore);
	STAY();
}

NOINLINE static void in_barrier(void)
{
	pthread_barrier_wait(&barrier);
	STAY();
}

NOINLINE static void in_join(pthread_t thread)
{
	pthread_join(thread, NULL);
	STAY();
}

static void *waits(void *unused)
{
	in_condition();
	in_semaphore();
	in_barrier();
	return unused;
}

static void kinds(void)
{
	pthread_t waiting, waking;

	pthread_create(&waiting, NULL, waits, NULL);
	pthread_create(&waking, NULL, wakes, NULL);
	in_join(waiting);
	pthread_join(waking, NULL);
}

/* ---- Corners --------------------------------------------------------------------------------- */

NOINLINE static void alone(void)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		sem_post(&semaphore);
		sem_wait(&semaphore);
	}
	STAY();
}

NOINLINE static void in_handler(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 20000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	while (sem_timedwait(&semaphore, &until) && errno == EINTR)
		continue;
	STAY();
}

static void handler(int signal)
{
	(void)signal;
	in_handler();
}

static void *interrupts(void *thread)
{
	usleep(20000);
	pthread_kill(*(pthread_t *)thread, SIGUSR1);
	usleep(60000);
	sem_post(&started);
	return NULL;
}

/* A handler waits while the thread waits. */
static void handled(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	pthread_t self = pthread_self(), thread;

	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, interrupts, &self);
	while (sem_wait(&started))
		continue;
	pthread_join(thread, NULL);
}

NOINLINE static void in_child(void)
{
	struct timespec moment = {.tv_nsec = 5000000};

	nanosleep(&moment, NULL);
	STAY();
}

static void forked(void)
{
	pid_t child;

	in_child();
	child = fork();
	if (!child) {
		in_child();
		exit(0);
	}
	waitpid(child, NULL, 0);
}

NOINLINE static int deep(int depth)
{
	int result = depth ? deep(depth - 1) : usleep(5000);

	STAY();
	return result;
}

/* ---- Which ----------------------------------------------------------------------------------- */

static void deeply(void)
{
	deep(200);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {{"paths", paths},     {"kinds", kinds},   {"alone", alone},
		   {"handled", handled}, {"forked", forked}, {"deeply", deeply}};

	sem_init(&semaphore, 0, 0);
	sem_init(&started, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (argc > 1 && !strcmp(argv[1], all[i].name)) {
			all[i].run();
			return 0;
		}
	return 2;
}
