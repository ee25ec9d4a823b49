#include "recorder/launch.h"
#include "base/monotonic.h"
#include "recorder/signals.h"
#include "recorder/streams.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_FAILED = 125, CONTINUE_MS = 20 };

/* What the recorder changed for itself, and the program gets as it was. */
static signals_mask inherited_mask;
static struct sigaction inherited_child;

/* ---- signals ---- */

/* A child whose parent ignores SIGCHLD cannot be waited for. */
static bool signals_take(struct launch *l)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};

	inherited_mask = signals_block();
	sigaction(SIGCHLD, &plain, &inherited_child);
	l->signals = signals_open();
	return l->signals >= 0;
}

static void signals_give_back(void)
{
	sigaction(SIGCHLD, &inherited_child, NULL);
	signals_restore(inherited_mask);
}

/* ---- the child until exec ---- */

static void child_run(const int go[2], const int failed[2], char **argv,
		      const struct launch_variable *variables, size_t n)
{
	char word;
	int error;

	close(go[1]);
	while (read(go[0], &word, 1) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < n; i++)
		setenv(variables[i].name, variables[i].value, 1);
	signals_give_back();
	execvp(argv[0], argv);
	error = errno;
	if (write(failed[1], &error, sizeof error) < 0)
		_exit(CHILD_FAILED);
	_exit(CHILD_FAILED);
}

bool launch_begin(struct launch *l, char **argv, const struct launch_variable *variables, size_t n)
{
	int go[2], failed[2];

	*l = (struct launch){.pid = -1};
	if (!signals_take(l))
		return false;
	sentry_begin(&l->sentry);
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0)
		return false;
	l->pid = fork();
	if (l->pid == 0)
		child_run(go, failed, argv, variables, n);
	streams_leave();
	close(go[0]);
	close(failed[1]);
	l->go = go[1];
	l->failed = failed[0];
	return l->pid > 0;
}

int launch_run(struct launch *l)
{
	int error = 0;
	ssize_t n;

	close(l->go); /* the child reads the end of the pipe, and goes on */
	while ((n = read(l->failed, &error, sizeof error)) < 0 && errno == EINTR)
		;
	close(l->failed);
	if (n > 0)
		waitpid(l->pid, NULL, 0);
	return error;
}

/* ---- while it runs ---- */

/* Waits until the program goes on, for as long as a signal to the group takes. */
static bool goes_on(pid_t pid)
{
	for (int i = 0; i < CONTINUE_MS; i++) {
		if (!sentry_sees_stopped(pid))
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

/* Stops with the program, for the shell to see, until both are to go on, or the program did. */
static void stop_too(struct launch *l)
{
	sentry_stopping(&l->sentry, l->pid);
	kill(getpid(), SIGSTOP);
	sentry_stopping(&l->sentry, 0);
	signals_drop(SIGCONT);
	if (!goes_on(l->pid))
		kill(l->pid, SIGCONT);
}

/* Returns whether the kernel says by a signal what the recorder itself has done or used. */
static bool is_own(const struct signalfd_siginfo *s)
{
	static const unsigned own[] = {SIGCHLD, SIGXCPU, SIGVTALRM, SIGPROF};

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (s->ssi_signo == own[i] && s->ssi_code > 0)
			return true;
	return (pid_t)s->ssi_pid == getpid(); /* SIGPIPE and SIGXFSZ of what it writes */
}

/* Of the terminal's signals and those to the group, the program has its own. */
static void signal_forward(struct launch *l, const struct signalfd_siginfo *s)
{
	pid_t sender = signals_sender(s);
	union sigval value = {.sival_ptr = (void *)(uintptr_t)s->ssi_ptr};

	if (is_own(s) || sender == l->pid || (sender && sender == l->sentry.pid) ||
	    sentry_got(&l->sentry, s->ssi_signo, sender))
		return;
	if (s->ssi_code == SI_QUEUE)
		sigqueue(l->pid, (int)s->ssi_signo, value);
	else
		kill(l->pid, (int)s->ssi_signo);
}

/* Looks what became of the program, and leaves it to be reaped. */
static bool program_ended(struct launch *l)
{
	siginfo_t info = {.si_pid = 0};

	while (waitid(P_PID, (id_t)l->pid, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid) {
		stop_too(l);
		info.si_pid = 0;
	}
	return waitid(P_PID, (id_t)l->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid;
}

static int64_t nanoseconds_of(struct timeval t)
{
	return t.tv_sec * INT64_C(1000000000) + t.tv_usec * INT64_C(1000);
}

bool launch_step(struct launch *l)
{
	struct signalfd_siginfo s;
	int64_t before = monotonic_now();

	while (read(l->signals, &s, sizeof s) == sizeof s)
		signal_forward(l, &s);
	sentry_forget(&l->sentry, before);
	return program_ended(l);
}

void launch_wait(struct launch *l)
{
	struct pollfd fd = {.fd = l->signals, .events = POLLIN};

	while (!launch_step(l))
		poll(&fd, 1, streams_follow(l->pid));
}

int launch_reap(struct launch *l)
{
	struct rusage used = {.ru_utime = {0}};
	int status = 0;

	while (wait4(l->pid, &status, 0, &used) < 0 && errno == EINTR)
		;
	l->used = nanoseconds_of(used.ru_utime) + nanoseconds_of(used.ru_stime);
	return status;
}

/* ---- at the end ---- */

/* Where memory is short this process goes, and not the one that has the program's status. */
static void work_do(void (*work)(void *), void *context)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, "1000", 4) == 4)
		close(fd);
	signal(SIGPIPE, SIG_IGN);
	signals_restore(inherited_mask);
	work(context);
	fflush(NULL);
	_exit(0);
}

int launch_work(struct launch *l, void (*work)(void *), void *context)
{
	fflush(NULL);
	l->pid = fork();
	if (l->pid == 0)
		work_do(work, context);
	if (l->pid < 0)
		return -1;
	launch_wait(l);
	return launch_reap(l);
}

int launch_end(struct launch *l, int status)
{
	fflush(NULL);
	close(l->signals);
	sentry_end(&l->sentry);
	if (WIFSIGNALED(status))
		signals_end_by(WTERMSIG(status));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
