/*
 * A server whose requests have known costs, and its clients.
 *
 *	server compute|sleep CONNECTIONS WORKERS WORK_US	worker i % WORKERS serves connection i
 *	server load closed|open CONNECTIONS REQUESTS TIME_US
 *
 * A request computes or sleeps for WORK_US on average, a fifth of it and an exponential
 * time, and computes for REST_US. A closed client sends its next request TIME_US on average after the answer, an
 * open one TIME_US on average after it sent the last one: whatever comes back.
 */
#include "server_glimpse.h"
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16, REST_US = 200 };

static const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* From 0 to 1. */
static double unit(uint64_t *state)
{
	uint64_t x = (*state += 0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (double)((x ^ x >> 31) >> 11) / (double)(UINT64_C(1) << 53);
}

/* ---- the server ---- */

static int connections, workers, sockets[MOST];
static double work_us;
static int sleeps;

static void compute(double us)
{
	int64_t until = now(CLOCK_THREAD_CPUTIME_ID) + (int64_t)(1000 * us);

	while (now(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

static void rest(double us)
{
	usleep((useconds_t)us);
}

/* Returns false at the end of the connection. */
static int serve(int fd)
{
	uint64_t request;

	if (read(fd, &request, sizeof request) != sizeof request)
		return 0;
	RequestBegin_Stamp();
	WorkBegin_Stamp();
	(sleeps ? rest : compute)(work_us * (0.2 - 0.8 * log(1 - unit(&request))));
	WorkEnd_Stamp();
	compute(REST_US);
	if (write(fd, &request, sizeof request) != sizeof request)
		return 0;
	RequestEnd_Stamp();
	return 1;
}

static void *worker(void *number)
{
	struct pollfd fds[MOST];
	nfds_t n = 0;

	for (int i = (int)(intptr_t)number; i < connections; i += workers)
		fds[n++] = (struct pollfd){.fd = sockets[i], .events = POLLIN};
	while (n && poll(fds, n, -1) > 0)
		for (nfds_t i = 0; i < n; i++)
			if (fds[i].revents && !serve(fds[i].fd))
				fds[i--] = fds[--n];
	return NULL;
}

static int serve_all(void)
{
	pthread_t threads[MOST];
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	unlink(address.sun_path);
	if (bind(listener, (const struct sockaddr *)&address, sizeof address) ||
	    listen(listener, MOST))
		return 1;
	for (int i = 0; i < connections; i++)
		sockets[i] = accept(listener, NULL, NULL);
	for (int i = 0; i < workers; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
	for (int i = 0; i < workers; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* ---- its clients ---- */

static int requests;
static double time_us;

static int connection(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	while (connect(fd, (const struct sockaddr *)&address, sizeof address))
		usleep(1000);
	return fd;
}

static void sleep_until(int64_t time)
{
	struct timespec t = {time / 1000000000, time % 1000000000};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void *closed_client(void *number)
{
	int fd = (int)(intptr_t)number;
	uint64_t state = (uint64_t)fd, answer;

	for (int i = 0; i < requests; i++) {
		uint64_t request = state + (uint64_t)i * 977;

		sleep_until(now(CLOCK_MONOTONIC) + (int64_t)(2000 * time_us * unit(&state)));
		if (write(fd, &request, sizeof request) != sizeof request ||
		    read(fd, &answer, sizeof answer) != sizeof answer)
			break;
	}
	shutdown(fd, SHUT_WR);
	return NULL;
}

/* Answers stay in the socket, which has room for them. */
static void *open_client(void *number)
{
	int fd = (int)(intptr_t)number;
	uint64_t state = (uint64_t)fd, answer;
	int64_t time = now(CLOCK_MONOTONIC);

	for (int i = 0; i < requests; i++) {
		uint64_t request = state + (uint64_t)i * 977;

		time += (int64_t)(1000 * time_us * (0.5 + unit(&state)));
		sleep_until(time);
		if (write(fd, &request, sizeof request) != sizeof request)
			break;
		recv(fd, &answer, sizeof answer, MSG_DONTWAIT);
	}
	shutdown(fd, SHUT_WR);
	while (read(fd, &answer, sizeof answer) > 0)
		;
	return NULL;
}

static int load_all(void *(*client)(void *))
{
	pthread_t threads[MOST];

	for (int i = 0; i < connections; i++)
		sockets[i] = connection();
	for (int i = 0; i < connections; i++)
		pthread_create(&threads[i], NULL, client, (void *)(intptr_t)sockets[i]);
	for (int i = 0; i < connections; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5) {
		sleeps = !strcmp(argv[1], "sleep");
		connections = atoi(argv[2]);
		workers = atoi(argv[3]);
		work_us = atof(argv[4]);
		return serve_all();
	}
	if (argc != 6)
		return 2;
	connections = atoi(argv[3]);
	requests = atoi(argv[4]);
	time_us = atof(argv[5]);
	return load_all(!strcmp(argv[2], "open") ? open_client : closed_client);
}
