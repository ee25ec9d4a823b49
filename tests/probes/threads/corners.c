/*
 * corners CASE: what is hard to observe without changing it. Prints what the program itself sees,
 * which has to be the same with and without the threads probe.
 */
#include "../blocked.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

/* ---- cancelled: threads are cancelled wherever they wait --------------------------------------- */

static volatile int waiter;

static void unlock(void *m)
{
	printf("cleanup: unlock %d\n", pthread_mutex_unlock(m));
}

static void say(void *text)
{
	printf("cleanup: %s\n", (const char *)text);
}

static void *waits_condition(void *argument)
{
	waiter = (int)syscall(SYS_gettid);
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	for (;;)
		pthread_cond_wait(&condition, &mutex);
	pthread_cleanup_pop(1);
	return argument;
}

static void *waits_semaphore(void *argument)
{
	waiter = (int)syscall(SYS_gettid);
	pthread_cleanup_push(say, "semaphore");
	sem_wait(&semaphore);
	pthread_cleanup_pop(1);
	return argument;
}

static void *waits_sleep(void *argument)
{
	waiter = (int)syscall(SYS_gettid);
	pthread_cleanup_push(say, "sleep");
	sleep(100);
	pthread_cleanup_pop(1);
	return argument;
}

static void *waits_join(void *thread)
{
	waiter = (int)syscall(SYS_gettid);
	pthread_cleanup_push(say, "join");
	pthread_join(*(pthread_t *)thread, NULL);
	pthread_cleanup_pop(1);
	return NULL;
}

static void *waits_nothing(void *argument)
{
	sem_t free;

	waiter = (int)syscall(SYS_gettid);
	pthread_cleanup_push(say, "free semaphore");
	sem_init(&free, 0, 1);
	pause_ms(20);
	sem_wait(&free);
	pthread_cleanup_pop(1);
	return argument;
}

static void cancel_one(const char *name, void *(*function)(void *), void *argument)
{
	pthread_t t;
	void *value;

	waiter = 0;
	pthread_create(&t, NULL, function, argument);
	blocked_wait(&waiter);
	pthread_cancel(t);
	pthread_join(t, &value);
	printf("%s: %s\n", name, value == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
}

static void cancelled(void)
{
	pthread_t sleeper;

	cancel_one("condition", waits_condition, NULL);
	printf("mutex is free: %d\n", pthread_mutex_lock(&mutex));
	pthread_mutex_unlock(&mutex);
	cancel_one("semaphore", waits_semaphore, NULL);
	cancel_one("sleep", waits_sleep, NULL);
	waiter = 0;
	pthread_create(&sleeper, NULL, waits_sleep, NULL);
	blocked_wait(&waiter);
	cancel_one("join", waits_join, &sleeper);
	pthread_cancel(sleeper);
	pthread_join(sleeper, NULL);
	cancel_one("free semaphore", waits_nothing, NULL);
}

/* ---- handlers: signal handlers take locks and leave waits ------------------------------------- */

static volatile sig_atomic_t handled, busy;
static sigjmp_buf jump;

static void takes(int number)
{
	(void)number;
	if (pthread_mutex_trylock(&mutex) == 0)
		pthread_mutex_unlock(&mutex);
	else
		busy++;
	sem_post(&semaphore);
	handled++;
}

static void leaves(int number)
{
	(void)number;
	siglongjmp(jump, 1);
}

static void timer(void (*handler)(int), long us)
{
	struct itimerval every = { { 0, us }, { 0, us } };
	struct sigaction a = { .sa_handler = handler };

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void handlers(void)
{
	long taken = 0, value = 0;

	timer(takes, 300);
	while (handled < 200) {
		pthread_mutex_lock(&mutex);
		taken++;
		pthread_mutex_unlock(&mutex);
	}
	timer(SIG_IGN, 0);
	while (sem_trywait(&semaphore) == 0)
		value++;
	printf("taken %d, posts %d\n", taken > 0, value == handled);
}

static void *jumps(void *argument)
{
	volatile int times = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	timer(leaves, 3000);
	sigsetjmp(jump, 1);
	if (times++ < 5)
		sem_wait(&semaphore);
	else if (times++ < 10)
		sleep(100);
	timer(SIG_IGN, 0);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	printf("jumped %d\n", times >= 10);
	pthread_exit(argument);
}

static void jumping(void)
{
	sigset_t set;
	pthread_t t;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, jumps, NULL);
	printf("joined %d\n", pthread_join(t, NULL));
}

/* ---- processes: forks, and threads while they happen ------------------------------------------ */

static int stop;

static void *locks_on(void *argument)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		sem_post(argument);
		sem_wait(argument);
	}
	return NULL;
}

static int fork_one(void)
{
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		pthread_t t;

		pthread_mutex_lock(&own);
		pthread_mutex_unlock(&own);
		pthread_create(&t, NULL, waits_nothing, NULL);
		pthread_join(t, NULL);
		_exit(7);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_one(int how)
{
	char *arguments[] = { "true", NULL };
	int status = -1;
	pid_t pid = -1;

	if (how == 0)
		posix_spawnp(&pid, "true", NULL, NULL, arguments, environ);
	else if ((pid = how == 1 ? vfork() : fork()) == 0) {
		execvp("true", arguments);
		_exit(9);
	}
	waitpid(pid, &status, 0);
	return status;
}

static int clone_one(void)
{
	int status;
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		_exit(5);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void processes(void)
{
	pthread_t t[2];
	sem_t own[2];
	int sum = 0;

	for (int i = 0; i < 2; i++) {
		sem_init(&own[i], 0, 0);
		pthread_create(&t[i], NULL, locks_on, &own[i]);
	}
	fflush(stdout);
	for (int i = 0; i < 5; i++)
		sum += fork_one();
	printf("forks %d\n", sum);
	for (int i = 0; i < 3; i++)
		printf("runs %d\n", run_one(i));
	printf("clone %d\n", clone_one());
	stop = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

/* ---- ends: of threads and of the program ------------------------------------------------------ */

static pthread_key_t key;

static void last_words(void *value)
{
	pthread_mutex_lock(&mutex);
	printf("last words of %s\n", (const char *)value);
	pthread_mutex_unlock(&mutex);
}

static void *outlives(void *name)
{
	pthread_setspecific(key, name);
	pause_ms(30);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void exits(void)
{
	pthread_t t;

	pthread_key_create(&key, last_words);
	pthread_setspecific(key, "main");
	pthread_create(&t, NULL, outlives, "thread");
	pthread_detach(t);
	pthread_exit(NULL);
}

static void *spins(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return argument;
}

/* main() returns while a thread goes on. */
static void returns(void)
{
	pthread_t t;

	pthread_create(&t, NULL, spins, NULL);
	pause_ms(10);
	printf("returns\n");
}

static void *exits_all(void *argument)
{
	pause_ms(10);
	exit(argument ? 3 : 4);
}

static void other(void)
{
	pthread_t t;

	pthread_create(&t, NULL, exits_all, &stop);
	pthread_join(t, NULL);
}

/* ---- early: a constructor before all others, and a destructor after them ----------------------- */

static pthread_mutex_t early = PTHREAD_MUTEX_INITIALIZER;
static int early_locked;

__attribute__((constructor(101))) static void before(void)
{
	early_locked = !pthread_mutex_lock(&early);
	pthread_mutex_unlock(&early);
}

__attribute__((destructor(101))) static void after(void)
{
	pthread_mutex_lock(&early);
	pthread_mutex_unlock(&early);
}

static void constructors(void)
{
	printf("early %d\n", early_locked);
}

/* ---- many: threads that come and go ------------------------------------------------------------ */

static void *comes_and_goes(void *argument)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return argument;
}

static void many(void)
{
	long sum = 0;

	for (int round = 0; round < 50; round++) {
		pthread_t t[16];

		for (int i = 0; i < 16; i++)
			pthread_create(&t[i], NULL, comes_and_goes, NULL);
		for (int i = 0; i < 16; i++)
			sum += pthread_join(t[i], NULL) == 0;
	}
	printf("joined %ld\n", sum);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "cancelled", cancelled }, { "handlers", handlers }, { "jumping", jumping },
	{ "processes", processes }, { "exits", exits }, { "returns", returns }, { "other", other },
	{ "constructors", constructors }, { "many", many },
};

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	sem_init(&semaphore, 0, 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (argc == 2 && !strcmp(argv[1], cases[i].name)) {
			cases[i].run();
			return 0;
		}
	return 2;
}
