/*
 * waits HOW: a worker computes 20 ms and then wakes main, 20 times, in one of the ways below; main
 * waits for it. waits disk: computes and syncs a file, 100 times. waits produce, waits consume: the
 * halves of a pipeline. waits copy: calls that take long and never wait. waits handler: handlers
 * lock a mutex during waits. waits replace: dup2() fails, and then closes an end of a pipe.
 */
#include "../computes.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define ROUNDS 20

static const char *how;
static int ends[2];
static FILE *streams[2]; /* of the ends */
static pthread_t main_thread;
/* Of real-time signals none is lost where main has no processor for two rounds. */
static sigset_t wakes;

static void wake(void)
{
	uint64_t one = 1;

	if (!strcmp(how, "kill"))
		kill(getpid(), SIGRTMIN);
	else if (!strcmp(how, "pthread_kill"))
		pthread_kill(main_thread, SIGRTMIN);
	else if (strstr(how, "interrupted"))
		pthread_kill(main_thread, SIGRTMIN + 1);
	else if (!strcmp(how, "stdio")) {
		if (fprintf(streams[1], "%s\n", how) < 0 || fflush(streams[1]))
			abort();
	} else if (write(ends[1], &one, sizeof one) != sizeof one)
		abort();
}

static void *worker(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		compute(20);
		wake();
	}
	if (strcmp(how, "eventfd") && strcmp(how, "kill"))
		close(ends[1]);
	return argument;
}

static void wait_for_wake(int epoll)
{
	struct pollfd polled = {.fd = ends[0], .events = POLLIN};
	struct epoll_event event;
	fd_set set;
	uint64_t bytes;
	int number;

	if (!strcmp(how, "stdio")) {
		char line[16];

		if (!fgets(line, sizeof line, streams[0]))
			abort();
		return;
	}
	if (strstr(how, "interrupted")) {
		struct pollfd never = {.fd = -1};
		struct timespec limit = {20, 0};
		sigset_t none;

		sigemptyset(&none);
		if (ppoll(&never, 1, &limit, &none) != -1)
			abort();
		return;
	}
	if (strstr(how, "kill")) {
		if (sigwait(&wakes, &number) || number != SIGRTMIN)
			abort();
		return;
	}
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	if ((!strcmp(how, "poll") && poll(&polled, 1, -1) != 1) ||
	    (!strcmp(how, "select") && select(ends[0] + 1, &set, NULL, NULL, NULL) != 1) ||
	    (!strcmp(how, "epoll") && epoll_wait(epoll, &event, 1, -1) != 1) ||
	    read(ends[0], &bytes, sizeof bytes) != sizeof bytes)
		abort();
}

static pthread_mutex_t handled = PTHREAD_MUTEX_INITIALIZER;

static void handle(int number)
{
	(void)number;
	pthread_mutex_lock(&handled);
	pthread_mutex_unlock(&handled);
}

static int hand_over(void)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = 0xfeedf00d};
	int epoll = epoll_create1(0);
	pthread_t thread;

	main_thread = pthread_self();
	sigemptyset(&wakes);
	sigaddset(&wakes, SIGRTMIN);
	if (!strcmp(how, "interrupted")) /* the signal comes while main is in ppoll() */
		sigaddset(&wakes, SIGRTMIN + 1);
	pthread_sigmask(SIG_BLOCK, &wakes, NULL);
	if (sigaction(SIGRTMIN + 1, &(struct sigaction){.sa_handler = handle}, NULL))
		abort();
	if (!strcmp(how, "eventfd"))
		ends[0] = ends[1] = eventfd(0, EFD_SEMAPHORE); /* or one read takes two wakes */
	else if (!strcmp(how, "socketpair") ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
					    : pipe(ends))
		abort();
	streams[0] = fdopen(ends[0], "r");
	streams[1] = fdopen(ends[1], "w");
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
	pthread_create(&thread, NULL, worker, NULL);
	for (int i = 0; i < ROUNDS; i++)
		wait_for_wake(epoll);
	return pthread_join(thread, NULL);
}

__attribute__((noinline)) static void save(int file)
{
	if (write(file, "line\n", 5) != 5 || fsync(file))
		abort();
}

static int disk(void)
{
	int file = open("waits.tmp", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	for (int i = 0; i < 100; i++) {
		compute(1);
		save(file);
	}
	close(file);
	return unlink("waits.tmp");
}

static int produce(void)
{
	static char block[65536];

	for (int i = 0; i < 40; i++)
		if (write(1, block, sizeof block) != sizeof block)
			return 1;
	return 0;
}

static int consume(void)
{
	static char block[65536];

	while (read(0, block, sizeof block) > 0)
		compute(1);
	return 0;
}

static int copy(void)
{
	static char block[1 << 20];
	ssize_t room;

	if (pipe(ends))
		abort();
	fcntl(ends[1], F_SETPIPE_SZ, (int)sizeof block);
	room = fcntl(ends[1], F_GETPIPE_SZ);
	for (int i = 0; i < 200; i++)
		if (write(ends[1], block, (size_t)room) != room ||
		    read(ends[0], block, (size_t)room) != room)
			abort();
	return 0;
}

/* Only the second call closes an end. */
static int replace(void)
{
	if (pipe(ends) || write(ends[1], "x", 1) != 1 || dup2(-1, ends[1]) >= 0)
		return 1;
	return dup2(2, ends[1]) != ends[1];
}

static void *interrupt(void *argument)
{
	uint64_t one = 1;

	for (int i = 0; i < ROUNDS; i++) {
		usleep(5000);
		pthread_kill(main_thread, SIGRTMIN + 1);
		usleep(5000);
		if (write(ends[1], &one, sizeof one) != sizeof one)
			abort();
	}
	return argument;
}

static int handler(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	pthread_t thread;
	uint64_t bytes;

	if (pipe(ends) || sigaction(SIGRTMIN + 1, &action, NULL))
		abort();
	main_thread = pthread_self();
	pthread_create(&thread, NULL, interrupt, NULL);
	for (int i = 0; i < ROUNDS; i++)
		if (read(ends[0], &bytes, sizeof bytes) != sizeof bytes)
			abort();
	return pthread_join(thread, NULL);
}

int main(int n, char **arguments)
{
	how = n > 1 ? arguments[1] : "pipe";
	return !strcmp(how, "disk")      ? disk()
	       : !strcmp(how, "copy")    ? copy()
	       : !strcmp(how, "handler") ? handler()
	       : !strcmp(how, "replace") ? replace()
	       : !strcmp(how, "produce") ? produce()
	       : !strcmp(how, "consume") ? consume()
					 : hand_over();
}
