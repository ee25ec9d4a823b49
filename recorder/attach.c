#include "recorder/attach.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static void name_read(struct attached *a, pid_t pid)
{
	char path[32];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
	f = fopen(path, "re");
	if (!f || !fgets(a->program, sizeof a->program, f))
		strcpy(a->program, "program");
	a->program[strcspn(a->program, "\n")] = '\0';
	for (char *c = a->program; (c = strchr(c, '/'));)
		*c = '_';
	if (f)
		fclose(f);
}

static bool watch(const struct attached *a, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(a->events, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* ^C ends the observation, not the recorder. */
static int signals_open(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

bool attach_begin(struct attached *a, pid_t pid)
{
	if (kill(pid, 0) != 0)
		return false;
	name_read(a, pid);
	a->process = (int)syscall(SYS_pidfd_open, pid, 0);
	a->signals = signals_open();
	a->events = epoll_create1(EPOLL_CLOEXEC);
	return a->process >= 0 && a->signals >= 0 && a->events >= 0 && watch(a, a->process) &&
	       watch(a, a->signals);
}

bool attach_ended(const struct attached *a)
{
	struct pollfd fd = {.fd = a->events, .events = POLLIN};

	return poll(&fd, 1, 0) > 0;
}

void attach_end(struct attached *a)
{
	close(a->process);
	close(a->signals);
	close(a->events);
}
