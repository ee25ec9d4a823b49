#include "recorder/store.h"
#include "base/monotonic.h"
#include "recorder/streams.h"
#include "trace/symbols/store_names.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Once the recorder does not wait: what the process costs others, and how long it lives on, ns. */
enum { NICE_RELEASED = 10 };
#define RELEASED_MOST INT64_C(5000000000)

/* The kernel ends the process, whatever it does then: its files are fine up to there. */
static void end_after(int64_t ns)
{
	struct itimerval timer = {
	    .it_value = {.tv_sec = ns / 1000000000, .tv_usec = ns % 1000000000 / 1000},
	};
	sigset_t alarm;

	signal(SIGALRM, SIG_DFL);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* From here on nobody waits, and whatever runs next matters more. */
static void recorder_release(void *context)
{
	const int *ready = context;
	int64_t used = clock_now(CLOCK_PROCESS_CPUTIME_ID);

	setpriority(PRIO_PROCESS, 0, NICE_RELEASED);
	end_after(RELEASED_MOST);
	if (write(*ready, &used, sizeof used) == sizeof used)
		close(*ready);
}

/* Says nothing: the names are an addition, and whoever reads the run says what it lacks. */
__attribute__((noreturn)) static void store_and_exit(const struct trace *t, int64_t most, int ready)
{
	end_after(most);
	streams_outlive();
	_exit(!store_names(t, recorder_release, &ready));
}

/* Waits until the process has stored the program's names, or has ended. */
static bool store_wait(pid_t child, int ready, int64_t *used)
{
	struct rusage usage = {0};
	int status = -1;
	ssize_t n;

	while ((n = read(ready, used, sizeof *used)) < 0 && errno == EINTR)
		continue;
	if (n == sizeof *used)
		return true;
	while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
		continue;
	*used = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C(1000000000) +
		(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * INT64_C(1000);
	return status == 0;
}

bool store_run_names(const struct trace *t, int64_t most, int64_t *used)
{
	int ends[2];
	bool good;
	pid_t child;

	*used = 0;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	child = fork();
	if (child == 0)
		store_and_exit(t, most, ends[1]);
	close(ends[1]);
	good = child > 0 && store_wait(child, ends[0], used);
	close(ends[0]);
	return good;
}
