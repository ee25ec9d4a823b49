/*
 * What the scheduler probe costs: a switch between two processes on one processor, and a program
 * that computes. Each is this program again, plain and under `glimpse record`. CPU times, as there
 * may be other load.
 */
#include "bench/median.h"
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SWITCHES 200000L
#define ROUNDS 9
#define COMPUTE_ROUNDS 20
#define COMPUTE 200000000L

static const char *self, *build, *directory;

static void fail(const char *what)
{
	fprintf(stderr, "bench/scheduler: %s: %s\n", what, strerror(errno));
	exit(2);
}

static double clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double usage_ns(const struct rusage *u)
{
	return ((double)u->ru_utime.tv_sec + (double)u->ru_stime.tv_sec) * 1e9 +
	       ((double)u->ru_utime.tv_usec + (double)u->ru_stime.tv_usec) * 1e3;
}

/* ---- what is measured ---- */

static void stay(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static void turns(int in, int out, long n)
{
	char byte = 0;

	for (long i = 0; i < n; i++)
		if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
			fail("pipe");
}

/* Two processes take turns. Prints the CPU time of both, which the kernel's part is in. */
static int play_turns(void)
{
	struct rusage u;
	int a[2], b[2];
	pid_t child;

	stay();
	if (pipe(a) != 0 || pipe(b) != 0)
		fail("pipe");
	child = fork();
	if (child == 0) {
		char byte;

		if (read(a[0], &byte, 1) == 1)
			turns(a[0], b[1], SWITCHES / 2 - 1);
		_exit(write(b[1], "", 1) != 1);
	}
	turns(b[0], a[1], SWITCHES / 2);
	wait4(child, NULL, 0, &u);
	printf("%.0f\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID) + usage_ns(&u));
	return 0;
}

/* Prints the CPU time that it takes. */
static int play_compute(void)
{
	volatile uint64_t x = 1;

	for (long i = 0; i < COMPUTE; i++)
		x = x * 6364136223846793005 + 1442695040888963407;
	printf("%.0f\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}

/* ---- the same, recorded or not ---- */

enum by { BY_NOTHING, BY_GLIMPSE, BY_PERF };

/* tracefs may not be mounted; nobody else is to see it. */
#define PERF_COMMAND \
	"[ -e /sys/kernel/tracing/events ] || mount -t tracefs none /sys/kernel/tracing; " \
	"exec perf sched record -q -o \"$1\" \"$2\" turns 2>/dev/null"

static void execute(const char *play, enum by by)
{
	char glimpse[4096];

	if (by == BY_NOTHING)
		execl(self, self, play, NULL);
	if (by == BY_PERF)
		execlp("unshare", "unshare", "-m", "sh", "-c", PERF_COMMAND, "-", directory, self,
		       NULL);
	snprintf(glimpse, sizeof glimpse, "%s/glimpse", build);
	execl(glimpse, glimpse, "record", "-q", "-o", directory, "--probes", "scheduler", "--",
	      self, play, NULL);
	fail(glimpse);
}

static void directory_remove(void)
{
	char command[4200];

	snprintf(command, sizeof command, "rm -rf '%s'", directory);
	if (system(command) != 0)
		fail("rm");
}

/*
 * Returns what the program printed, or 0 if it could not be run; adds to *others the CPU time of
 * all else that ran for it.
 */
static double play(const char *what, enum by by, double *others)
{
	struct rusage u;
	int out[2], status;
	double result = 0;
	pid_t child;
	FILE *f;

	if (pipe(out) != 0)
		fail("pipe");
	child = fork();
	if (child == 0) {
		dup2(out[1], 1);
		close(out[0]);
		close(out[1]);
		execute(what, by);
	}
	close(out[1]);
	f = fdopen(out[0], "r");
	if (!f || fscanf(f, "%lf", &result) != 1)
		result = 0;
	fclose(f);
	if (wait4(child, &status, 0, &u) < 0 || status)
		result = 0;
	if (result == 0 && by != BY_PERF)
		fail("the program failed");
	*others += usage_ns(&u) - result;
	if (by != BY_NOTHING)
		directory_remove();
	return result;
}

static void row(const char *name, double measured, const char *target, const char *detail)
{
	printf("%s\t%.2f\t%s\t%s\n", name, measured, target, detail);
	fflush(stdout);
}

static void switches_measure(void)
{
	double added[ROUNDS], recorder[ROUNDS];
	char detail[128];

	for (int i = 0; i < ROUNDS; i++) {
		double plain_others = 0, others = 0;
		double plain = play("turns", BY_NOTHING, &plain_others);

		added[i] = (play("turns", BY_GLIMPSE, &others) - plain) / SWITCHES / 1e3;
		recorder[i] = (others - plain_others) / SWITCHES / 1e3;
	}
	row("scheduler: a switch, the kernel's part, us", median(added, ROUNDS), "<= 1.0",
	    "of the program's CPU time; pipes, one processor");
	snprintf(detail, sizeof detail, "%ld switches, and what is there for each run", SWITCHES);
	row("scheduler: a switch, the recorder's part, us", median(recorder, ROUNDS), "-", detail);
}

static void perf_measure(void)
{
	double added[ROUNDS], unused = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double plain = play("turns", BY_NOTHING, &unused);
		double recorded = play("turns", BY_PERF, &unused);

		if (recorded == 0) {
			fprintf(stderr, "bench: no row for perf sched record: it needs perf and "
					"root\n");
			return;
		}
		added[i] = (recorded - plain) / SWITCHES / 1e3;
	}
	row("perf sched record: a switch, the kernel's part, us", median(added, ROUNDS), "-",
	    "the same program");
}

/* The least of many runs: other load only adds to what a program takes. */
static void compute_measure(void)
{
	double least = 1e18, least_recorded = 1e18, unused = 0, others = 0, all = 0;

	for (int i = 0; i < COMPUTE_ROUNDS; i++) {
		double plain = play("compute", BY_NOTHING, &unused);
		double recorded = play("compute", BY_GLIMPSE, &others);

		least = plain < least ? plain : least;
		least_recorded = recorded < least_recorded ? recorded : least_recorded;
		all += recorded;
	}
	row("scheduler: a program that computes, %", (least_recorded / least - 1) * 100, "<= 0.2",
	    "of its CPU time, the least of many runs");
	row("scheduler: the recorder of a program that computes, %", others / all * 100, "-",
	    "of the program's CPU time, start and end included");
}

int main(int argc, char **argv)
{
	char run[4096];

	self = realpath("/proc/self/exe", NULL);
	if (argc > 1)
		return strcmp(argv[1], "turns") == 0 ? play_turns() : play_compute();
	build = getenv("build") ? getenv("build") : ".";
	snprintf(run, sizeof run, "%s/run", getenv("BENCH_DIR") ? getenv("BENCH_DIR") : ".");
	directory = run;
	switches_measure();
	perf_measure();
	compute_measure();
	return 0;
}
