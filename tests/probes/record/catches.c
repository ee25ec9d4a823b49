/* Says which signals arrive, each with its number of times, and ends after SIGTERM or SIGINT. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGCONT, SIGWINCH};
	struct timespec second = {.tv_sec = 10}, short_time = {.tv_nsec = 150000000};
	sigset_t set;
	siginfo_t info;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	puts("ready");
	fflush(stdout);
	for (;;) {
		int n = sigtimedwait(&set, &info, &second), times = 1;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return 9;
		while (sigtimedwait(&set, &info, &short_time) == n)
			times++;
		printf("got %s x%d\n", sigabbrev_np(n), times);
		fflush(stdout);
		if (n == SIGTERM || n == SIGINT)
			return 7;
	}
}
