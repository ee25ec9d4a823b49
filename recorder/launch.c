#include "recorder/launch.h"
#include "recorder/sentry.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_FAILED = 125, CONTINUE_MS = 20 };

/* What the recorder changed for itself, and the program gets as it was. */
static sigset_t inherited_mask;
static struct sigaction inherited_child, inherited_pipe;

/* ---- signals ---- */

/* All that a user, a terminal or another program sends to have a program do something. */
static const int forwarded[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,  SIGUSR1, SIGUSR2,
				SIGALRM, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH};

static bool is_forwarded(unsigned number)
{
	for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
		if ((unsigned)forwarded[i] == number)
			return true;
	return false;
}

/* A child whose parent ignores SIGCHLD cannot be waited for. */
static bool signals_take(struct launch *l)
{
	struct sigaction plain = {.sa_handler = SIG_DFL}, ignored = {.sa_handler = SIG_IGN};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
		sigaddset(&set, forwarded[i]);
	sigprocmask(SIG_BLOCK, &set, &inherited_mask);
	sigaction(SIGCHLD, &plain, &inherited_child);
	sigaction(SIGPIPE, &ignored, &inherited_pipe);
	l->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return l->signals >= 0;
}

static void signals_give_back(void)
{
	sigaction(SIGCHLD, &inherited_child, NULL);
	sigaction(SIGPIPE, &inherited_pipe, NULL);
	sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
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

	*l = (struct launch){.sentry = {-1, -1}};
	if (!signals_take(l))
		return false;
	sentry_begin(l->sentry);
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0)
		return false;
	l->pid = fork();
	if (l->pid == 0)
		child_run(go, failed, argv, variables, n);
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
	sentry_stopping(l->sentry, l->pid);
	kill(getpid(), SIGSTOP);
	sentry_stopping(l->sentry, 0);
	if (!goes_on(l->pid))
		kill(l->pid, SIGCONT);
}

/* Of the terminal's signals and those to the group, the program has its own. */
static void signal_forward(struct launch *l, const struct signalfd_siginfo *s)
{
	pid_t sender = (pid_t)s->ssi_pid;

	if (s->ssi_code > 0 || sender == l->pid || !is_forwarded(s->ssi_signo))
		return;
	if (!sentry_got(l->sentry, s->ssi_signo, sender))
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

bool launch_step(struct launch *l)
{
	struct signalfd_siginfo s;

	while (read(l->signals, &s, sizeof s) == sizeof s)
		signal_forward(l, &s);
	return program_ended(l);
}

int launch_end(struct launch *l)
{
	struct signalfd_siginfo s;
	int status = 0;

	while (read(l->signals, &s, sizeof s) == sizeof s)
		;
	signals_give_back();
	while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(l->signals);
	if (l->sentry[0] >= 0)
		close(l->sentry[0]);
	if (l->sentry[1] >= 0)
		close(l->sentry[1]);
	return status;
}
