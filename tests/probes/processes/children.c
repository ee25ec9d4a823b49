/*
 * children: makes child processes and waits for them in every way, and prints what it learns. "alone": one
 * child computes while the parent waits.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double number;

__attribute__((noinline)) static void compute(long millions)
{
	for (long i = 0; i < millions * 1000000; i++)
		number = number * 1.0000001 + 1;
}

static pid_t child_of(int status)
{
	pid_t pid = fork();

	if (!pid) {
		usleep(5000);
		_exit(status);
	}
	return pid;
}

static void say(const char *what, pid_t got, pid_t wanted, int status)
{
	printf("%s: %s %x\n", what, got == wanted ? "the child" : "another", (unsigned)status);
}

/* The status is that after the call. */
#define SAY(what, call, wanted) \
	do { \
		pid_t got_ = (call); \
		say(what, got_, wanted, status); \
	} while (0)

static void nothing(int number_of_signal)
{
	(void)number_of_signal;
}

static void ways(void)
{
	struct sigaction action = {.sa_handler = nothing};
	struct rusage usage;
	siginfo_t info;
	int status = 0;
	pid_t pid;
	FILE *f;

	pid = child_of(1);
	SAY("wait", wait(&status), pid);
	pid = child_of(2);
	SAY("waitpid", waitpid(pid, &status, 0), pid);
	pid = child_of(3);
	SAY("any", waitpid(-1, &status, 0), pid);
	pid = child_of(4);
	SAY("wait3", wait3(&status, 0, &usage), pid);
	pid = child_of(5);
	SAY("wait4", wait4(pid, &status, 0, &usage), pid);
	pid = child_of(6), waitid(P_PID, (id_t)pid, &info, WEXITED);
	say("waitid", info.si_pid, pid, info.si_status);
	pid = child_of(7), say("no status", wait(NULL), pid, 0);

	pid = fork();
	if (!pid)
		for (;;)
			pause();
	say("no wait", waitpid(pid, &status, WNOHANG), 0, 0);
	kill(pid, SIGSTOP);
	SAY("stopped", waitpid(pid, &status, WUNTRACED), pid);
	kill(pid, SIGCONT);
	SAY("continued", waitpid(pid, &status, WCONTINUED), pid);
	sigaction(SIGALRM, &action, NULL);
	ualarm(5000, 5000);
	errno = 0;
	pid_t none = waitpid(pid, &status, 0);

	ualarm(0, 0);
	say(none == -1 && errno == EINTR ? "interrupted" : "not interrupted", none, -1, 0);
	kill(pid, SIGKILL);
	SAY("killed", waitpid(pid, &status, 0), pid);
	pid = wait(&status);
	say("none", pid, -1, 0);
	printf("%s\n", strerror(errno));

	fflush(stdout);
	say("system", 0, 0, system("exit 8"));
	f = popen("exit 9", "r");
	say("pclose", 0, 0, pclose(f));
}

int main(int argc, char **argv)
{
	int status;

	if (argc < 2) {
		ways();
		return 3;
	}
	if (!fork()) {
		compute(atol(argv[1]));
		if (argc > 2)
			exit(0);
		_exit(0);
	}
	wait(&status);
	return 0;
}
