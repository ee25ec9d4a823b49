#include "cli/live/program.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "cli/common/command.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t recorder;

/* What asks us to end asks the recorder, which hands it on to the program. */
static void hand_on(int signal)
{
	kill(recorder, signal);
}

static int record(const char *directory, const char *probes, char **program)
{
	VECTOR(char *) words = {0};
	char *const ours[] = {"record",   "-q",           "-o", (char *)directory,
			      "--probes", (char *)probes, "--"};
	size_t n = 0;

	vector_append(&words, ours, sizeof ours / sizeof *ours);
	while (program[n])
		n++;
	vector_append(&words, program, n + 1);
	return record_main((int)words.n - 1, words.at);
}

bool live_program_begin(struct live_program *p, const char *directory, const char *probes,
			const char *off, char **program)
{
	int ends[2];

	/* its writing end is closed when the recorder, which does not hand it on, has ended */
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	p->began = monotonic_now();
	p->recorder = fork();
	if (p->recorder < 0)
		return false;
	if (p->recorder == 0) {
		close(ends[0]);
		if (*off)
			setenv("GLIMPSE_OFF", off, 1);
		exit(record(directory, probes, program));
	}
	close(ends[1]);
	p->ended = ends[0];
	recorder = p->recorder;
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGTERM, hand_on);
	signal(SIGHUP, hand_on);
	return true;
}

bool live_program_wait(struct live_program *p, int64_t ns)
{
	struct pollfd fd = {.fd = p->ended, .events = POLLIN};
	int64_t until = monotonic_now() + ns;

	for (;;) {
		int64_t left = until - monotonic_now();
		struct timespec t = {left / 1000000000, left % 1000000000};
		int n;

		if (left < 0)
			t = (struct timespec){0};
		n = ppoll(&fd, 1, &t, NULL);
		if (n >= 0 || errno != EINTR)
			return n > 0;
	}
}

void live_program_end(struct live_program *p)
{
	struct rusage used = {0};
	int status;

	while (wait4(p->recorder, &status, 0, &used) < 0 && errno == EINTR)
		;
	p->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	p->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	p->processor_time = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * INT64_C(1000000000) +
			    (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * INT64_C(1000);
	close(p->ended);
}
