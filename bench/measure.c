#include "bench/measure.h"
#include "tests/runtime/probe.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RING_WORDS (1u << 17)   /* 1 MiB */

static uint64_t ring[RING_WORDS] __attribute__((aligned(4096)));
static char directory[4096];
static double bytes;

static double clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

double wall_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

double kernel_ns(void)
{
	struct rusage r;

	getrusage(RUSAGE_THREAD, &r);
	return (double)r.ru_stime.tv_sec * 1e9 + (double)r.ru_stime.tv_usec * 1e3;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(2);
}

static const char *where(void)
{
	const char *name = getenv("BENCH_DIR");

	return name ? name : ".";
}

static void directory_make(void)
{
	snprintf(directory, sizeof directory, "%s/glimpse-bench.XXXXXX", where());
	if (!mkdtemp(directory))
		fail(directory);
}

static int entry_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	if (type == FTW_F)
		bytes += (double)st->st_size;
	return remove(path);
}

static void child_run(void (*f)(void *, double *), void *argument, const char *keep, int to)
{
	double results[RESULTS] = { 0 };

	setenv("GLIMPSE_DIR", directory, 1);
	unsetenv("GLIMPSE_OFF");
	unsetenv("GLIMPSE_KEEP");
	if (keep)
		setenv("GLIMPSE_KEEP", keep, 1);
	f(argument, results);
	if (write(to, results, sizeof results) != sizeof results)
		exit(1);
	exit(0);
}

/*
 * Removes the logs, and waits until the file system is done with that: where freed blocks are
 * discarded, the next measurement would wait for it in whatever it asks of the file system.
 */
static void directory_remove(void)
{
	int fd;

	bytes = 0;
	nftw(directory, entry_remove, 16, FTW_DEPTH | FTW_PHYS);
	fd = open(where(), O_RDONLY | O_DIRECTORY);
	if (fd < 0 || syncfs(fd))
		fail(where());
	close(fd);
}

void measure(void (*f)(void *, double *), void *argument, const char *keep, double *results)
{
	int ends[2], status;
	pid_t pid;

	directory_make();
	fflush(stdout);
	if (pipe(ends) || (pid = fork()) < 0)
		fail("fork");
	if (pid == 0)
		child_run(f, argument, keep, ends[1]);
	close(ends[1]);
	if (read(ends[0], results, RESULTS * sizeof *results) != RESULTS * sizeof *results)
		fail("a measurement ended early");
	close(ends[0]);
	waitpid(pid, &status, 0);
	directory_remove();
}

void memory_warm(double size)
{
	char path[sizeof directory + 8];
	int fd;

	snprintf(path, sizeof path, "%s/warm", getenv("GLIMPSE_DIR"));
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	for (double written = 0; fd >= 0 && written < size; written += sizeof ring)
		if (write(fd, ring, sizeof ring) < 0)
			break;
	close(fd);
	unlink(path);
}

double measured_bytes(void)
{
	return bytes;
}

void row(const char *name, double measured, const char *target, const char *detail, ...)
{
	va_list arguments;

	printf("%s\t%.3g\t%s\t", name, measured, target);
	va_start(arguments, detail);
	vprintf(detail, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}

__attribute__((noinline)) void bare_loop(long n)
{
	for (long i = 0; i < n; i++) {
		volatile uint64_t *at = &ring[(size_t)i * 2 % RING_WORDS];

		at[0] = glimpse_ticks();
		at[1] = (uint64_t)i;
	}
}

__attribute__((noinline)) void event_loop(long n)
{
	for (long i = 0; i < n; i++)
		Tick_Stamp((int32_t)i, (int32_t)(i * 2));
}
