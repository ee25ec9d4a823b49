#include "recorder/sentry.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
	GROUP_MS = 30,          /* in which a signal to a group has reached all of it */
	LOOK_MS = 20,           /* between two looks at a program that is stopped */
};

struct sighting {
	unsigned signal;
	pid_t sender;
};

/* The recorder is stopping with the program; program 0: it goes on. */
struct order {
	pid_t program;
};

bool sentry_sees_stopped(pid_t pid)
{
	char name[32], text[512], *state;
	ssize_t n;
	int fd;

	snprintf(name, sizeof name, "/proc/%ld/stat", (long)pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	state = strrchr(text, ')'); /* behind the name, which may have blanks */
	return state && state[1] == ' ' && state[2] == 'T';
}

/* ---- the sentry's side ---- */

static void sighting_report(int signals, int answers)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof info) == sizeof info) {
		struct sighting s = {info.ssi_signo, (pid_t)info.ssi_pid};

		if (info.ssi_code <= 0 && write(answers, &s, sizeof s) < 0)
			_exit(0);
	}
}

/* Ends with the recorder, whose end of the pipe is closed then. */
static void sentry_watch(int signals, int answers, int orders, pid_t recorder)
{
	struct pollfd fds[] = {{.fd = signals, .events = POLLIN}, {.fd = orders, .events = POLLIN}};
	struct order order = {0};

	for (;;) {
		poll(fds, 2, order.program ? LOOK_MS : -1);
		sighting_report(signals, answers);
		if (fds[1].revents && read(orders, &order, sizeof order) != sizeof order)
			_exit(0);
		if (order.program && !sentry_sees_stopped(order.program))
			kill(recorder, SIGCONT);
	}
}

static void sentry_run(const int answers[2], const int orders[2], pid_t recorder)
{
	sigset_t all;
	int signals, null = open("/dev/null", O_RDWR);

	/* who reads our output shall not wait for us */
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	close(answers[0]);
	close(orders[1]);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signals = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signals < 0)
		_exit(0);
	sentry_watch(signals, answers[1], orders[0], recorder);
}

/* ---- the recorder's side ---- */

bool sentry_begin(int pipes[2])
{
	int answers[2], orders[2];
	pid_t recorder = getpid(), pid;

	pipes[0] = pipes[1] = -1;
	if (pipe2(answers, O_CLOEXEC) != 0)
		return false;
	if (pipe2(orders, O_CLOEXEC) != 0) {
		close(answers[0]);
		close(answers[1]);
		return false;
	}
	pid = fork();
	if (pid == 0)
		sentry_run(answers, orders, recorder);
	close(answers[1]);
	close(orders[0]);
	if (pid < 0) {
		close(answers[0]);
		close(orders[1]);
		return false;
	}
	pipes[0] = answers[0];
	pipes[1] = orders[1];
	return true;
}

bool sentry_got(const int pipes[2], unsigned signal, pid_t sender)
{
	struct pollfd fd = {.fd = pipes[0], .events = POLLIN};
	struct sighting s;

	while (pipes[0] >= 0 && poll(&fd, 1, GROUP_MS) > 0 &&
	       read(pipes[0], &s, sizeof s) == sizeof s)
		if (s.signal == signal && s.sender == sender)
			return true;
	return false;
}

void sentry_stopping(const int pipes[2], pid_t program)
{
	struct order order = {program};

	if (pipes[1] >= 0 && write(pipes[1], &order, sizeof order) < 0)
		return;
}
