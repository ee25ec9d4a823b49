/*
 * GLIMPSE_LOGS=pooled: the logs of threads that come and go are in one file, and nothing that is
 * promised of logs is promised less. GLIMPSE_KILLS sets how many processes are killed (60), SEED
 * the moments.
 * tested: kills, rounds processes (GLIMPSE_KILLS=1000): acknowledged events, and those in the log,
 * with the logs of all threads in one file.
 */
#include "scene.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EACH 10
#define GENERATIONS 500
#define LARGE 8000      /* events that do not fit into a small tail */

static void *few(void *argument)
{
	for (int32_t i = 0; i < EACH; i++)
		Tick_Stamp((int32_t)(intptr_t)argument, i);
	return NULL;
}

static void *many(void *argument)
{
	for (int32_t i = 0; i < LARGE; i++)
		Tick_Stamp((int32_t)(intptr_t)argument, i);
	return NULL;
}

static void one_after_another(void *(*logs)(void *), int32_t from, int32_t to)
{
	pthread_t thread;

	for (intptr_t i = from; i < to; i++) {
		if (pthread_create(&thread, NULL, logs, (void *)i))
			exit(3);
		pthread_join(thread, NULL);
	}
}

/* Returns how many files of the log directory have names that begin so. */
static int files(const char *prefix)
{
	DIR *dir = opendir(scene_log);
	const struct dirent *entry;
	int n = 0;

	while (dir && (entry = readdir(dir)))
		n += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
	if (dir)
		closedir(dir);
	return n;
}

static const char *container_path(void)
{
	static char path[sizeof scene_log + 8];

	snprintf(path, sizeof path, "%s/logs", scene_log);
	return path;
}

static bool all_there(const struct reader_run *run, int32_t threads, size_t each)
{
	bool ordered;

	for (int32_t i = 0; i < threads; i++)
		if (ticks_of(run, i, &ordered) != each || !ordered) {
			printf("# thread %d is not whole\n", i);
			return false;
		}
	return !run->faults && !run->lost && !run->dropped;
}

static int churn(void *argument)
{
	if (argument)
		setenv("GLIMPSE_LOGS", argument, 1);
	one_after_another(few, 0, GENERATIONS);
	return 0;
}

static void test_churn(void)
{
	const struct reader_run *run;
	int status = scene_run(churn, NULL);

	run = scene_read(NULL);
	ok(status == 0 && all_there(run, GENERATIONS, EACH) && run->logs == GENERATIONS &&
		   run->ended == GENERATIONS && run->state == 1,
	   "%u logs of threads that came and went are whole", run->logs);
	ok(files("log.") == 0 && files("logs") == 1 && files("tail.") == 0, "in one file");
	status = scene_run(churn, "apart");
	ok(status == 0 && files("log.") == GENERATIONS && files("logs") == 0,
	   "GLIMPSE_LOGS=apart: each has its file");
	status = scene_run(churn, "heaped");
	ok(status == 0 && files("log.") == GENERATIONS && scene_said("GLIMPSE_LOGS"),
	   "a GLIMPSE_LOGS that makes no sense: each has its file, and one line says so");
}

static int mixed(void *argument)
{
	(void)argument;
	one_after_another(few, 0, 20);
	one_after_another(many, 20, 22);
	one_after_another(few, 22, 40);
	return 0;
}

static void test_mixed(void)
{
	const struct reader_run *run;
	bool first, second;

	scene_run(mixed, NULL);
	run = scene_read(NULL);
	ok(run->logs == 40 && run->count == 38 * EACH + 2 * LARGE && !run->faults &&
		   ticks_of(run, 20, &first) == LARGE && ticks_of(run, 21, &second) == LARGE &&
		   first && second && files("log.") == 2,
	   "threads that log much have a file each");
}

static int ring(void *argument)
{
	(void)argument;
	setenv("GLIMPSE_KEEP", "newest:64K", 1);
	return churn(NULL);
}

static void test_ring(void)
{
	const struct reader_run *run;

	scene_run(ring, NULL);
	run = scene_read(NULL);
	ok(all_there(run, GENERATIONS, EACH) && run->logs == GENERATIONS && files("log.") == 0 &&
		   files("logs") == 1,
	   "rings go into the file when their threads end");
}

static int forks(void *argument)
{
	char parent[600];
	pid_t pid;

	(void)argument;
	one_after_another(few, 0, 20);
	pid = fork();
	if (pid == 0) {
		one_after_another(few, 0, 30);
		exit(0);
	}
	scene_wait(pid);
	one_after_another(few, 20, 40);
	snprintf(parent, sizeof parent, "%s.child", scene_log);
	snprintf(scene_log + strlen(scene_log), 20, ".%d", (int)pid);
	return LOGGED && rename(scene_log, parent) != 0;
}

static void test_fork(void)
{
	bool parent, child;
	int status = scene_run(forks, NULL);
	char path[600];

	parent = all_there(scene_read(NULL), 40, EACH) && files("log.") == 0;
	snprintf(path, sizeof path, "%s.child", scene_log);
	child = all_there(scene_read(path), 30, EACH) && scene_read(path)->logs == 30;
	ok(status == 0 && parent && child, "a forked child has a file of its own");
}

static int snapshots(void *argument)
{
	char path[600];

	(void)argument;
	one_after_another(few, 0, 30);
	Tick_Stamp(30, 0);
	snprintf(path, sizeof path, "%s.copy", scene_log);
	if (glimpse_snapshot(path) != 0 && LOGGED)
		return 1;
	one_after_another(few, 31, 40);
	return 0;
}

static void test_snapshot(void)
{
	const struct reader_run *run;
	int status = scene_run(snapshots, NULL);
	char path[600];

	snprintf(path, sizeof path, "%s.copy", scene_log);
	run = scene_read(path);
	ok(status == 0 && all_there(run, 30, EACH) && run->logs == 31 && run->count == 301,
	   "a snapshot has the file, and the logs that go on");
}

/* ---- Files that cannot grow, or are not ours ------------------------------------------------- */

/* The tails have their blocks before the limit comes. */
static int size_limited(void *argument)
{
	struct rlimit limit;

	(void)argument;
	one_after_another(few, 0, 10);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 5000;
	setrlimit(RLIMIT_FSIZE, &limit);
	one_after_another(few, 10, 100);
	return 0;
}

static void test_size_limit(void)
{
	const struct reader_run *run;
	int status = scene_run(size_limited, NULL);
	struct stat st = { .st_size = -1 };

	run = scene_read(NULL);
	stat(container_path(), &st);
	ok(status == 0 && all_there(run, 100, EACH) && run->logs == 100 && st.st_size <= 5000 &&
		   files("log.") > 50,
	   "logs that find the file at its limit get their own");
}

static int full_disk(void *argument)
{
	(void)argument;
	one_after_another(few, 0, 4 * GENERATIONS);
	return 0;
}

/* Of a disk with room for the first tails and some hundred logs. */
static void test_full_disk(void)
{
	const struct reader_run *run;
	uint64_t lost;
	int status;

	if (!scene_disk_run(1300, full_disk, NULL, &status)) {
		skip("a full disk", "mounting is not allowed");
		return;
	}
	run = scene_read(NULL);
	lost = run->lost + run->dropped;
	ok(status == 0 && run->count + lost == 4 * GENERATIONS * EACH && !run->faults && lost &&
		   run->count > 20 * EACH,
	   "a full disk: of %zu events and %llu lost ones each is counted", run->count,
	   (unsigned long long)lost);
	scene_disk_leave();
}

static int file_is_there(void *argument)
{
	char victim[600];
	struct stat st;

	snprintf(victim, sizeof victim, "%s.victim", scene_log);
	close(open(victim, O_WRONLY | O_CREAT, 0600));
	if (LOGGED && (glimpse_init(NULL) ||
		       (argument ? symlink(victim, container_path())
				 : rename(victim, container_path()))))
		return 1;
	one_after_another(few, 0, 20);
	return LOGGED && (stat(container_path(), &st) || st.st_size);
}

static void test_foreign_file(void)
{
	int status = scene_run(file_is_there, NULL);
	bool good = all_there(scene_read(NULL), 20, EACH) && files("log.") == 20;

	ok(status == 0 && good && scene_lines() == 1 && scene_said("/logs"),
	   "a file of that name is left alone: each log has its own, and one line says so");
	status = scene_run(file_is_there, (void *)1);
	good = all_there(scene_read(NULL), 20, EACH) && files("log.") == 20;
	ok(status == 0 && good && scene_lines() == 1, "nor is a link followed");
}

static int file_is_replaced(void *argument)
{
	char moved[600];
	struct stat st;

	(void)argument;
	one_after_another(few, 0, 20);
	snprintf(moved, sizeof moved, "%s.moved", scene_log);
	if (LOGGED && rename(container_path(), moved))
		return 1;
	close(open(container_path(), O_WRONLY | O_CREAT, 0600));
	one_after_another(few, 20, 40);
	return LOGGED && (stat(container_path(), &st) || st.st_size);
}

static int closes_all(void *argument)
{
	(void)argument;
	one_after_another(few, 0, 20);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	one_after_another(few, 20, 40);
	return 0;
}

static void test_trouble(void)
{
	int status = scene_run(file_is_replaced, NULL);

	ok(status == 0 && files("log.") == 20, "another file in its place is not written to");
	status = scene_run(closes_all, NULL);
	ok(status == 0 && all_there(scene_read(NULL), 40, EACH) && files("log.") == 0,
	   "a program that closes all descriptors loses nothing");
}

/* ---- SIGKILL --------------------------------------------------------------------------------- */

#define WORKERS 3

/* How many events each worker's threads have logged, in memory shared with the test. */
static volatile int32_t *acknowledged;

/* Every 40th thread logs so much that it gets a file. */
static void *acknowledges(void *argument)
{
	int32_t me = (int32_t)(intptr_t)argument, next = acknowledged[me];
	int32_t end = next + (next / EACH % 40 ? EACH : LARGE);

	for (; next < end; next++) {
		Tick_Stamp(me, next);
		__atomic_store_n(&acknowledged[me], next + 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void *works(void *argument)
{
	int32_t me = (int32_t)(intptr_t)argument;

	for (;;)
		one_after_another(acknowledges, me, me + 1);
	return NULL;
}

static int working(void *argument)
{
	pthread_t threads[WORKERS];

	if (argument)
		setenv("GLIMPSE_KEEP", argument, 1);
	for (intptr_t i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, works, (void *)i);
	pthread_join(threads[0], NULL);
	return 0;
}

static void nap(long microseconds)
{
	struct timespec t = { 0, microseconds * 1000 };

	nanosleep(&t, NULL);
}

static size_t total;

/* One killing; with rings of a size that keeps all. */
static bool killed_run(bool rings)
{
	const struct reader_run *run;
	bool good = true, ordered;
	pid_t pid;

	memset((void *)acknowledged, 0, WORKERS * sizeof *acknowledged);
	pid = scene_start(working, rings ? "newest:512K" : NULL);
	for (int i = 0; i < 10000 && !acknowledged[0]; i++)
		nap(100);
	nap(rand() % 15000);
	kill(pid, SIGKILL);
	scene_wait(pid);
	run = scene_read(NULL);
	for (int32_t i = 0; i < WORKERS; i++) {
		size_t n = ticks_of(run, i, &ordered);

		/* one more may have been logged than was acknowledged */
		if (n >= (size_t)acknowledged[i] && n <= (size_t)acknowledged[i] + 1 && ordered)
			continue;
		printf("# worker %d: %d acknowledged, %zu in the logs%s, %s\n", i, acknowledged[i],
		       n, ordered ? "" : ", out of order", scene_log);
		good = false;
	}
	total += run->count;
	return good && !run->faults && !run->lost;
}

static void test_kill(void)
{
	const char *kills = getenv("GLIMPSE_KILLS"), *seed = getenv("SEED");
	unsigned rounds = kills ? (unsigned)atoi(kills) : 60, bad = 0;
	unsigned number = seed ? (unsigned)atoi(seed) : (unsigned)time(NULL);

	printf("# SEED=%u\n", number);
	srand(number);
	acknowledged = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (unsigned i = 0; i < rounds; i++)
		bad += !killed_run(i % 4 == 3);
	ok(bad == 0, "%u processes killed with SIGKILL, %u of them lost something, of %zu events",
	   rounds, bad, total);
}

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer needs descriptors at the end. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

int main(void)
{
	plan(15);
	setenv("GLIMPSE_LOGS", "pooled", 1);
	test_churn();
	test_mixed();
	test_ring();
	test_fork();
	test_snapshot();
	test_size_limit();
	test_full_disk();
	test_foreign_file();
	test_trouble();
	test_kill();
	return done();
}
