/*
 * counts SEED [DEPTH]: a random program that says how many threads and programs it has. Each thread
 * that begins adds a line "thread NUMBER" to the file known, each program (and each forked child
 * that logs) "process NUMBER". Threads end, are joined, or are ended by exit or by exec; any thread
 * executes programs, at once or after a fork. counts many: one program of many threads.
 */
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 24, DEPTH = 4, MANY = 2000 };

static const char *self;
static unsigned state;
static unsigned depth;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint begun, wanted;
static int file;
extern char **environ;

static unsigned below(unsigned n)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % n;
}

static void says(const char *what)
{
	char line[64];
	int n = snprintf(line, sizeof line, "%s %ld\n", what, (long)syscall(SYS_gettid));

	if (syscall(SYS_write, file, line, (size_t)n) != n)
		abort();
}

static void locks(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

/* What executes the next program: its arguments are made before a fork, as other threads go on. */
struct next {
	char seed[16], depth[16];
	char *arguments[4];
};

static struct next *next_make(void)
{
	struct next *n = malloc(sizeof *n);

	snprintf(n->seed, sizeof n->seed, "%u", below(30000));
	snprintf(n->depth, sizeof n->depth, "%u", depth + 1);
	n->arguments[0] = (char *)self;
	n->arguments[1] = n->seed;
	n->arguments[2] = n->depth;
	n->arguments[3] = NULL;
	return n;
}

static void next_execute(const struct next *n)
{
	execv(self, n->arguments);
	_exit(9);
}

/* What a thread does after it has begun. */
struct work {
	pthread_t thread;
	bool detached, waits, executes;
	unsigned sleeps, locks; /* us; times */
	struct next *next;
	pthread_attr_t attributes;
};

static void *work_do(void *argument)
{
	const struct work *w = argument;

	says("thread");
	for (unsigned i = 0; i < w->locks; i++)
		locks();
	begun++;
	if (w->sleeps)
		usleep(w->sleeps);
	while (w->executes && begun < wanted)
		usleep(50);
	if (w->executes)
		next_execute(w->next);
	while (w->waits)
		pause();
	return NULL;
}

/* Makes threads and joins some. Returns whether one of them executes the next program. */
static bool threads_make(bool may_execute)
{
	static struct work all[THREADS];
	unsigned n = below(THREADS), executes = may_execute && n ? below(2 * n) : n;

	wanted = n;
	for (unsigned i = 0; i < n; i++) {
		struct work *w = &all[i];

		*w = (struct work){.waits = below(4) == 0, .locks = below(3)};
		w->sleeps = below(3) ? 0 : below(20000);
		w->detached = w->waits || below(4) == 0;
		if (i == executes) {
			w->executes = w->detached = true;
			w->waits = false;
			w->next = next_make();
		}
		pthread_attr_init(&w->attributes);
		pthread_attr_setstacksize(&w->attributes, 65536);
		if (w->detached)
			pthread_attr_setdetachstate(&w->attributes, PTHREAD_CREATE_DETACHED);
		if (pthread_create(&w->thread, &w->attributes, work_do, w) != 0)
			abort();
		if (below(3) == 0 && !w->detached) {
			pthread_join(w->thread, NULL);
			w->detached = true;
		}
	}
	while (begun < n)
		usleep(50);
	for (unsigned i = 0; i < n; i++)
		if (!all[i].detached)
			pthread_join(all[i].thread, NULL);
	return executes < n;
}

static void children_make(void)
{
	for (unsigned n = below(4); n; n--) {
		struct next *next = next_make();
		unsigned how = below(4);
		pid_t child = 0;

		if (how == 0 &&
		    posix_spawn(&child, self, NULL, NULL, next->arguments, environ) != 0)
			abort();
		if (how)
			child = fork();
		if (!child) {
			if (how == 1)
				next_execute(next);
			says("process");
			locks();
			usleep(how == 3 ? 15000 : 1);
			if (how == 2)
				next_execute(next);
			_exit(0);
		}
		free(next);
		if (below(2))
			waitpid(child, NULL, 0);
	}
}

static void *short_work(void *unused)
{
	(void)unused;
	says("thread");
	for (int i = 0; i < 20; i++)
		locks();
	usleep(100000);
	return NULL;
}

static void many_make(void)
{
	static pthread_t all[MANY];
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	for (unsigned i = 0; i < MANY; i++)
		if (pthread_create(&all[i], &attributes, short_work, NULL) != 0)
			abort();
	for (unsigned i = 0; i < MANY; i++)
		pthread_join(all[i], NULL);
}

int main(int argc, char **argv)
{
	self = argv[0];
	state = (unsigned)atoi(argv[1]);
	depth = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	file = open("known", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0)
		return 2;
	says("process");
	locks();
	if (strcmp(argv[1], "many") == 0) {
		many_make();
		return 0;
	}
	if (depth < DEPTH && below(2))
		children_make();
	if (threads_make(depth < DEPTH))
		for (;;)
			pause();
	if (depth < DEPTH && below(3) == 0)
		next_execute(next_make());
	while (wait(NULL) > 0)
		;
	return 0;
}
