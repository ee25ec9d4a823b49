/*
 * holds KIND: threads that wait in many ways, until standard input has a q. Prints "ready" when they
 * wait, and at the end how many calls failed with EINTR, which none may: nobody sends a signal.
 * KIND: waits, circle (two mutexes), rwlocks (a writer and a mutex), self, joins (two threads that
 * join each other), dead (the owner has ended), chain (a mutex, a join, a mutex, a read), many N.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t read_held = PTHREAD_RWLOCK_INITIALIZER,
			write_held = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t signalled = PTHREAD_COND_INITIALIZER;
static sem_t empty;
static pthread_barrier_t meeting, both;
static int pipe_ends[2], sockets[2], poller;
static volatile int over;
static int interrupted;
static pthread_t computing, threads[4096];
static int nthreads;

static void check(long result)
{
	if (result < 0 && errno == EINTR)
		__atomic_add_fetch(&interrupted, 1, __ATOMIC_RELAXED);
}

static void start(const char *name, void *(*run)(void *), void *argument)
{
	pthread_create(&threads[nthreads], NULL, run, argument);
	pthread_setname_np(threads[nthreads++], name);
}

__attribute__((noinline)) static void compute(void)
{
	static volatile long count;

	while (!over)
		count++;
}

static void *compute_run(void *unused)
{
	pthread_mutex_lock(&first);
	pthread_rwlock_rdlock(&read_held);
	pthread_rwlock_wrlock(&write_held);
	pthread_barrier_wait(&both);
	compute();
	pthread_rwlock_unlock(&write_held);
	pthread_rwlock_unlock(&read_held);
	pthread_mutex_unlock(&first);
	return unused;
}

static void *mutex_run(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

static void *timed_run(void *unused)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += 1000;
	if (pthread_mutex_timedlock(&first, &end) == 0)
		pthread_mutex_unlock(&first);
	return unused;
}

static void *write_run(void *unused)
{
	pthread_rwlock_wrlock(&read_held);
	pthread_rwlock_unlock(&read_held);
	return unused;
}

static void *read_run(void *unused)
{
	pthread_rwlock_rdlock(&write_held);
	pthread_rwlock_unlock(&write_held);
	return unused;
}

static void *condition_run(void *unused)
{
	pthread_mutex_lock(&second);
	while (!over)
		pthread_cond_wait(&signalled, &second);
	pthread_mutex_unlock(&second);
	return unused;
}

static void *semaphore_run(void *unused)
{
	check(sem_wait(&empty));
	return unused;
}

static void *barrier_run(void *unused)
{
	pthread_barrier_wait(&meeting);
	return unused;
}

static void *join_run(void *thread)
{
	pthread_join(*(pthread_t *)thread, NULL);
	return NULL;
}

static void *pipe_run(void *unused)
{
	char c;

	check(read(pipe_ends[0], &c, 1));
	return unused;
}

static void *socket_run(void *unused)
{
	struct timeval most = {1000, 0};
	char c;

	setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
	check(recv(sockets[0], &c, 1, 0));
	return unused;
}

static void *epoll_run(void *unused)
{
	struct epoll_event event = {.events = EPOLLIN};

	epoll_ctl(poller, EPOLL_CTL_ADD, pipe_ends[0], &event);
	check(epoll_wait(poller, &event, 1, 1000000));
	return unused;
}

/* Between computing and a call that returns EINTR if the thread is stopped in it. */
static void *busy_run(void *unused)
{
	int other = epoll_create1(0);
	struct epoll_event event;

	while (!over) {
		for (volatile int i = 0; i < 20000; i++)
			;
		check(epoll_wait(other, &event, 1, 1));
	}
	return unused;
}

static void *poll_run(void *unused)
{
	struct pollfd fd = {.fd = pipe_ends[0], .events = POLLIN};

	check(poll(&fd, 1, 1000000));
	return unused;
}

static void *select_run(void *unused)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(pipe_ends[0], &set);
	check(select(pipe_ends[0] + 1, &set, NULL, NULL, NULL));
	return unused;
}

static void *sleep_run(void *unused)
{
	while (!over) {
		struct timespec wanted = {0, 300000000}, from, to;

		clock_gettime(CLOCK_MONOTONIC, &from);
		check(nanosleep(&wanted, NULL));
		clock_gettime(CLOCK_MONOTONIC, &to);
		if ((to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec < 300000000)
			puts("a sleep was too short");
	}
	return unused;
}

static void *signal_run(void *unused)
{
	struct timespec most = {1000, 0};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	check(sigtimedwait(&set, NULL, &most));
	return unused;
}

static void waits(void)
{
	start("computes", compute_run, NULL);
	computing = threads[0];
	pthread_barrier_wait(&both);
	start("mutex", mutex_run, &first);
	start("timed", timed_run, NULL);
	start("writer", write_run, NULL);
	start("reader", read_run, NULL);
	start("condition", condition_run, NULL);
	start("semaphore", semaphore_run, NULL);
	start("barrier", barrier_run, NULL);
	start("pipe", pipe_run, NULL);
	start("socket", socket_run, NULL);
	start("epoll", epoll_run, NULL);
	start("busy", busy_run, NULL);
	start("poll", poll_run, NULL);
	start("select", select_run, NULL);
	start("sleep", sleep_run, NULL);
	start("signal", signal_run, NULL);
	start("join", join_run, &computing);
}

static void waits_end(void)
{
	over = 1;
	pthread_cond_broadcast(&signalled);
	sem_post(&empty);
	pthread_barrier_wait(&meeting);
	pthread_kill(threads[15], SIGUSR1);
	if (write(pipe_ends[1], "12345678", 8) < 0 || write(sockets[1], "1", 1) < 0)
		exit(1);
	for (int i = 1; i < nthreads; i++)
		pthread_join(threads[i], NULL);
}

/* ---- circles, chains ---- */

static void *one_run(void *unused)
{
	pthread_mutex_lock(&first);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&second);
	return unused;
}

static void *two_run(void *unused)
{
	pthread_mutex_lock(&second);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&first);
	return unused;
}

static void *rwlock_run(void *unused)
{
	pthread_rwlock_wrlock(&write_held);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&first);
	return unused;
}

static void *rwlock_other_run(void *unused)
{
	pthread_mutex_lock(&first);
	pthread_barrier_wait(&both);
	pthread_rwlock_rdlock(&write_held);
	return unused;
}

static void *self_run(void *unused)
{
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&first);
	return unused;
}

static void *each_run(void *other)
{
	pthread_barrier_wait(&both);
	pthread_join(*(pthread_t *)other, NULL);
	return NULL;
}

static void *leave_run(void *unused)
{
	pthread_mutex_lock(&first);
	return unused;
}

static void *holder_run(void *unused)
{
	char c;

	pthread_mutex_lock(&first);
	pthread_barrier_wait(&both);
	check(read(pipe_ends[0], &c, 1));
	pthread_mutex_unlock(&first);
	return unused;
}

static void *middle_run(void *unused)
{
	pthread_mutex_lock(&second);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&first);
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	return unused;
}

static void chain(void)
{
	start("holder", holder_run, NULL);
	pthread_barrier_wait(&both);
	start("middle", middle_run, NULL);
	pthread_barrier_wait(&both);
	start("joins", join_run, &threads[1]);
	start("last", mutex_run, &second);
}

static void many(int n)
{
	pthread_mutex_lock(&first);
	for (int i = 0; i < n; i++)
		start("waiter", mutex_run, &first);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "waits";
	sigset_t set;
	char c;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sem_init(&empty, 0, 0);
	pthread_barrier_init(&meeting, NULL, 2);
	pthread_barrier_init(&both, NULL, 2);
	poller = epoll_create1(0);
	if (pipe(pipe_ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
		return 1;
	if (!strcmp(kind, "waits")) {
		waits();
	} else if (!strcmp(kind, "circle")) {
		start("one", one_run, NULL);
		start("two", two_run, NULL);
	} else if (!strcmp(kind, "rwlocks")) {
		start("one", rwlock_run, NULL);
		start("two", rwlock_other_run, NULL);
	} else if (!strcmp(kind, "self")) {
		start("one", self_run, NULL);
	} else if (!strcmp(kind, "joins")) {
		start("one", each_run, &threads[1]);
		start("two", each_run, &threads[0]);
	} else if (!strcmp(kind, "dead")) {
		start("gone", leave_run, NULL);
		pthread_join(threads[0], NULL);
		start("one", mutex_run, &first);
	} else if (!strcmp(kind, "chain")) {
		chain();
	} else if (!strcmp(kind, "many")) {
		many(atoi(argv[2]));
	}
	usleep(300000);
	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) > 0 && c != 'q')
		;
	if (!strcmp(kind, "waits"))
		waits_end();
	printf("%d calls were interrupted\n", interrupted);
	return interrupted > 0;
}
