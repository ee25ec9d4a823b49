/*
 * sockets serve WAY WORK, sockets ask WAY ROUNDS [PAUSE]: a server and its client, which wait for each
 * other at each request. WAY: tcp, local (a name in the file system), abstract, bound (the client
 * has a name, too), or any of these with "-epoll": then the server waits so, and its sockets do not
 * block. WORK: compute or save. The server ends when its client sends an 'x'; the client sends one
 * after its rounds, if they are positive. PAUSE: ms before each round.
 *
 * sockets pair: the same over socketpair(), with a process that fork() makes.
 */
#include "../computes.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *way, *work;
static int file = -1, pause_ms;

__attribute__((noinline)) static void save(void)
{
	if (file < 0)
		file = open("sockets.tmp", O_CREAT | O_TRUNC | O_WRONLY, 0600);
	if (write(file, "line\n", 5) != 5 || fsync(file))
		abort();
}

static int fail(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- Addresses ------------------------------------------------------------------------------- */

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_un un;
};

static int is_tcp(void)
{
	return !strncmp(way, "tcp", 3);
}

/* The address of the server; the port of a TCP server is in a file once it listens. */
static socklen_t address_of(union address *a)
{
	FILE *port;
	int number = 0;

	memset(a, 0, sizeof *a);
	if (is_tcp()) {
		a->in.sin_family = AF_INET;
		a->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		port = fopen("sockets.port", "r");
		if (port && fscanf(port, "%d", &number) == 1)
			a->in.sin_port = htons((uint16_t)number);
		if (port)
			fclose(port);
		return sizeof a->in;
	}
	a->un.sun_family = AF_UNIX;
	if (strncmp(way, "abstract", 8)) {
		strcpy(a->un.sun_path, "sockets.sock");
		return sizeof a->un;
	}
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   (size_t)sprintf(a->un.sun_path + 1, "sockets-%d", (int)getppid()));
}

static void port_write(int listener)
{
	union address a;
	socklen_t length = sizeof a;
	FILE *port = fopen("sockets.part", "w");

	if (!port || getsockname(listener, &a.any, &length))
		fail("sockets.port");
	fprintf(port, "%d\n", ntohs(a.in.sin_port));
	fclose(port);
	rename("sockets.part", "sockets.port");
}

/* ---- The server ------------------------------------------------------------------------------ */

/* Returns whether it goes on. */
static int answer(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		return 0;
	if (byte == 'x')
		exit(0);
	if (!strcmp(work, "save"))
		save();
	else
		compute(20);
	if (write(fd, &byte, 1) != 1)
		fail("write");
	return 1;
}

static void watch(int epoll, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)fd << 20 | 7};

	if (fcntl(fd, F_SETFL, O_NONBLOCK) || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
		fail("epoll_ctl");
}

static _Noreturn void serve_events(int listener)
{
	int epoll = epoll_create1(0), fd;
	struct epoll_event event;

	watch(epoll, listener);
	for (;;) {
		if (epoll_wait(epoll, &event, 1, -1) != 1)
			continue;
		fd = (int)(event.data.u64 >> 20);
		if (fd == listener)
			watch(epoll, accept(listener, NULL, NULL));
		else if (!answer(fd))
			close(fd);
	}
}

static _Noreturn void serve(void)
{
	union address a;
	socklen_t length;
	int listener, fd;

	unlink("sockets.sock");
	unlink("sockets.port");
	length = address_of(&a);
	listener = socket(a.any.sa_family, SOCK_STREAM, 0);
	if (bind(listener, &a.any, length) || listen(listener, 5))
		fail("listen");
	if (is_tcp())
		port_write(listener);
	if (strstr(way, "-epoll"))
		serve_events(listener);
	for (;;) {
		fd = accept(listener, NULL, NULL);
		while (answer(fd))
			continue;
		close(fd);
	}
}

/* ---- The client ------------------------------------------------------------------------------ */

static int ask_with(int fd, int rounds)
{
	char byte = 'a';

	for (int i = 0; i < abs(rounds); i++) {
		if (pause_ms)
			usleep((useconds_t)pause_ms * 1000);
		if (write(fd, &byte, 1) != 1 || read(fd, &byte, 1) != 1)
			fail("ask");
	}
	return rounds > 0 ? write(fd, "x", 1) != 1 : 0;
}

static int ask(int rounds)
{
	union address a, own = {.un = {AF_UNIX, "sockets.own"}};
	socklen_t length;
	int fd;

	for (int tries = 0; tries < 5000; tries++) {
		length = address_of(&a);
		fd = socket(a.any.sa_family, SOCK_STREAM, 0);
		if (!strncmp(way, "bound", 5)) {
			unlink("sockets.own");
			if (bind(fd, &own.any, sizeof own.un))
				fail("bind");
		}
		if (!connect(fd, &a.any, length))
			return ask_with(fd, rounds);
		close(fd);
		usleep(1000);
	}
	return fail("connect");
}

static int pair(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return fail("socketpair");
	work = "compute";
	if (fork()) {
		close(ends[1]);
		ask_with(ends[0], 20);
		return wait(NULL) < 0;
	}
	close(ends[0]);
	while (answer(ends[1]))
		continue;
	return 0;
}

int main(int n, char **arguments)
{
	if (n == 2)
		return pair();
	way = arguments[2];
	work = arguments[3];
	pause_ms = n > 4 ? atoi(arguments[4]) : 0;
	if (!strcmp(arguments[1], "serve"))
		serve();
	return ask(atoi(work));
}
