/*
 * Says which signals arrive, all but SIGKILL and SIGSTOP, with the value that was sent along. Reads commands: "group N"
 * sends signal N to its process group, "end N" ends by it.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static void end_by(int number)
{
	sigset_t one;

	signal(number, SIG_DFL);
	kill(getpid(), number);
	sigemptyset(&one);
	sigaddset(&one, number);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
}

int main(void)
{
	struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.events = POLLIN}};
	struct signalfd_siginfo info;
	char line[64];
	sigset_t all;
	int number;

	memset(&all, 0xff, sizeof all);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	fds[1].fd = signalfd(-1, &all, SFD_NONBLOCK);
	setvbuf(stdin, NULL, _IONBF, 0);
	printf("ready %d\n", (int)getppid());
	fflush(stdout);
	while (poll(fds, 2, 20000) > 0) {
		while (read(fds[1].fd, &info, sizeof info) == sizeof info)
			printf("got %u %d\n", info.ssi_signo, (int)info.ssi_int);
		fflush(stdout);
		if (!fds[0].revents)
			continue;
		if (!fgets(line, sizeof line, stdin))
			return 3;
		if (sscanf(line, "group %d", &number) == 1)
			kill(0, number);
		if (sscanf(line, "end %d", &number) == 1)
			end_by(number);
	}
	return 9;
}
