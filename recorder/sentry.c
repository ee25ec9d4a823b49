#include "recorder/sentry.h"
#include "base/monotonic.h"
#include "recorder/signals.h"
#include "recorder/streams.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	GROUP_MS = 30,    /* in which a signal to a group has reached all of it */
	ANSWER_MS = 1000, /* in which a sentry that is not stopped has answered */
	LOOK_MS = 20,     /* between two looks at a program that is stopped */
	ANSWERED = 0,     /* no signal: all that the sentry had got is told */
};

/* What the recorder says to the sentry. */
struct sentry_order {
	int asks;      /* for the answer of this number; 0: */
	pid_t program; /* the recorder is stopping with it; 0: it goes on */
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

static void sighting_tell(int answers, unsigned signal, pid_t sender)
{
	struct sighting s = {monotonic_now(), signal, sender};

	if (write(answers, &s, sizeof s) < 0)
		_exit(0);
}

static void signals_tell(int signals, int answers)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof info) == sizeof info)
		sighting_tell(answers, info.ssi_signo, signals_sender(&info));
}

/* Ends with the recorder, whose end of the pipe is closed then. */
static void sentry_watch(int signals, int answers, int orders, pid_t recorder)
{
	struct pollfd fds[] = {{.fd = signals, .events = POLLIN}, {.fd = orders, .events = POLLIN}};
	struct sentry_order order;
	pid_t program = 0;

	for (;;) {
		poll(fds, 2, program ? LOOK_MS : -1);
		signals_tell(signals, answers);
		if (fds[1].revents) {
			if (read(orders, &order, sizeof order) != sizeof order)
				_exit(0);
			if (order.asks) {
				signals_tell(signals, answers);
				sighting_tell(answers, ANSWERED, order.asks);
			} else {
				program = order.program;
			}
		}
		if (program && !sentry_sees_stopped(program))
			kill(recorder, SIGCONT);
	}
}

static void sentry_run(const int answers[2], const int orders[2], pid_t recorder)
{
	int signals = signals_open();

	/* who reads our output shall not wait for us */
	streams_leave();
	streams_leave_error();
	close(answers[0]);
	close(orders[1]);
	if (signals < 0)
		_exit(0);
	sentry_watch(signals, answers[1], orders[0], recorder);
}

/* ---- the recorder's side ---- */

static void pipe_close(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

bool sentry_begin(struct sentry *s)
{
	int answers[2], orders[2];
	pid_t recorder = getpid();

	*s = (struct sentry){.answers = -1, .orders = -1};
	if (pipe2(answers, O_CLOEXEC) != 0)
		return false;
	if (pipe2(orders, O_CLOEXEC) != 0) {
		pipe_close(answers);
		return false;
	}
	s->pid = fork();
	if (s->pid == 0)
		sentry_run(answers, orders, recorder);
	if (s->pid < 0) {
		pipe_close(answers);
		pipe_close(orders);
		return false;
	}
	close(answers[1]);
	close(orders[0]);
	s->answers = answers[0];
	s->orders = orders[1];
	return true;
}

void sentry_end(struct sentry *s)
{
	if (s->answers < 0)
		return;
	close(s->answers);
	close(s->orders);
	free(s->seen.at);
}

/* Takes one more sighting if it comes within that time. */
static bool sighting_take(struct sentry *s, int ms)
{
	struct pollfd fd = {.fd = s->answers, .events = POLLIN};
	struct sighting sighting;

	if (s->answers < 0 || poll(&fd, 1, ms) <= 0 ||
	    read(s->answers, &sighting, sizeof sighting) != sizeof sighting)
		return false;
	*vector_add(&s->seen) = sighting;
	return true;
}

static void sighting_drop(struct sentry *s, size_t i)
{
	memmove(s->seen.at + i, s->seen.at + i + 1, (--s->seen.n - i) * sizeof *s->seen.at);
}

/* Finds a sighting from an index on, and takes it out of the list. */
static bool sighting_find(struct sentry *s, size_t from, unsigned signal, pid_t sender)
{
	for (size_t i = from; i < s->seen.n; i++)
		if (s->seen.at[i].signal == signal && s->seen.at[i].sender == sender) {
			sighting_drop(s, i);
			return true;
		}
	return false;
}

/* The same of the one that was taken last. */
static bool newest_is(struct sentry *s, unsigned signal, pid_t sender)
{
	return sighting_find(s, s->seen.n - 1, signal, sender);
}

/*
 * Signals of different numbers may have come in another order to the sentry. It may be late, too,
 * where there is no processor for it: what it answers is all that it has got.
 */
bool sentry_got(struct sentry *s, unsigned signal, pid_t sender)
{
	struct sentry_order ask;

	if (s->answers < 0)
		return !sender;
	if (sighting_find(s, 0, signal, sender))
		return true;
	while (sighting_take(s, GROUP_MS))
		if (newest_is(s, signal, sender))
			return true;
	/* an answer to an earlier question may still be on its way */
	ask = (struct sentry_order){.asks = ++s->asked};
	if (write(s->orders, &ask, sizeof ask) < 0)
		return false;
	while (sighting_take(s, ANSWER_MS) && !newest_is(s, ANSWERED, s->asked))
		if (newest_is(s, signal, sender))
			return true;
	return false;
}

void sentry_forget(struct sentry *s, int64_t read)
{
	while (sighting_take(s, 0))
		;
	while (s->seen.n && s->seen.at[0].time < read - GROUP_MS * INT64_C(1000000))
		sighting_drop(s, 0);
}

void sentry_stopping(const struct sentry *s, pid_t program)
{
	struct sentry_order order = {.program = program};

	if (s->orders >= 0 && write(s->orders, &order, sizeof order) < 0)
		return;
}
