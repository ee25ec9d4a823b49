/* Only the newest events are kept; snapshots of a running program. */
#include "scene.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MANY 400000

static volatile int32_t *acknowledged;

static int logs(void *argument)
{
	setenv("GLIMPSE_KEEP", argument, 1);
	for (int32_t i = 0; i < MANY; i++) {
		Tick_Stamp(0, i);
		*acknowledged = i + 1;
	}
	return 0;
}

static int logs_and_dies(void *argument)
{
	logs(argument);
	raise(SIGKILL);
	return 0;
}

static int logs_and_waits(void *argument)
{
	logs(argument);
	while (pause() < 0)
		;
	return 0;
}

static int few(void *argument)
{
	setenv("GLIMPSE_KEEP", argument, 1);
	for (int32_t i = 0; i < 100; i++)
		Tick_Stamp(0, i);
	return 0;
}

/* The newest events, without a gap, up to `last`; how many there are in *count. */
static bool newest(const struct reader_run *run, int32_t last, size_t *count)
{
	int32_t next = last - (int32_t)run->count;

	*count = run->count;
	for (size_t i = 0; i < run->count; i++)
		if (run->events[i].values[0] != 0 || (int32_t)run->events[i].values[1] != next++) {
			return false;
		}
	return !run->faults;
}

static void test_kept(void)
{
	const struct reader_run *run;
	size_t n;
	bool good;

	scene_run(logs, "newest:1M");
	run = scene_read(NULL);
	good = newest(run, MANY, &n);
	ok(good && n > 70000 && n <= (1 << 20) / 12, "the newest %zu events are kept", n);
	ok(run->losses[3] == MANY - n && run->lost == MANY - n && !run->dropped,
	   "%llu overwritten ones are counted", (unsigned long long)run->losses[3]);
	ok(run->tails == 0 && run->ended == 1, "at its end the log is like any other");
	scene_run(logs_and_dies, "newest:1M");
	run = scene_read(NULL);
	good = newest(run, MANY, &n);
	ok(good && n > 70000 && n <= (1 << 20) / 12 && run->losses[3] == MANY - n,
	   "they are there, and counted, when the program was killed: %zu", n);
	scene_run(few, "newest:1M");
	good = newest(scene_read(NULL), 100, &n);
	ok(good && n == 100 && scene_read(NULL)->lost == 0, "a ring that is not full loses nothing");
	scene_run(logs, "newest:1");
	good = newest(scene_read(NULL), MANY, &n);
	ok(good && n > 3000, "the smallest ring has %zu events", n);
}

static void test_killed(void)
{
	const struct timespec pause = { 0, 2000000 };
	unsigned bad = 0;

	for (int i = 0; i < 30; i++) {
		pid_t pid;
		size_t n;
		int32_t done;
		bool good;

		*acknowledged = 0;
		pid = scene_start(logs_and_waits, "newest:100K");
		while (*acknowledged < 1000)
			nanosleep(&pause, NULL);
		kill(pid, SIGKILL);
		scene_wait(pid);
		done = *acknowledged;
		good = newest(scene_read(NULL), done, &n) ||
		       newest(scene_read(NULL), done + 1, &n);
		bad += !good || n < 1000 || scene_read(NULL)->lost + n < (size_t)done;
	}
	ok(bad == 0, "30 processes with a ring killed with SIGKILL, %u of them lost something", bad);
}

static bool stop;

/* A million events per second or so, in bursts. */
static void *goes_on(void *argument)
{
	const struct timespec pause = { 0, 100000 };

	(void)argument;
	for (int32_t i = 0; !__atomic_load_n(&stop, __ATOMIC_ACQUIRE); i++) {
		Tick_Stamp(0, i);
		if (i % 512 == 0)
			nanosleep(&pause, NULL);
	}
	return NULL;
}

#define SNAPSHOTS 10
#define BLOCK_EVENTS (16384 / 12)       /* a block is counted as lost just before it is */

static int takes_snapshots(void *argument)
{
	const struct timespec pause = { 0, 3000000 };
	pthread_t thread;
	int bad = 0;

	setenv("GLIMPSE_KEEP", argument, 1);
	/* ThreadSanitizer takes the mapping of the switches, by whoever logs first, for a race. */
	glimpse_init(NULL);
	pthread_create(&thread, NULL, goes_on, NULL);
	for (int i = 0; i < SNAPSHOTS; i++) {
		char path[600];

		nanosleep(&pause, NULL);
		Tick_Stamp(1, i);
		snprintf(path, sizeof path, "%s.snap%d", scene_log, i);
		bad += glimpse_snapshot(path) != 0;
	}
	bad += glimpse_snapshot("/nowhere/at/all") != -LOGGED;
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	return bad;
}

/* No gap in what is there of the thread that goes on; all of the thread that took the snapshot. */
static bool snapshot_good(int number, bool ring)
{
	const struct reader_run *run;
	char path[600];
	size_t mine = 0;
	int64_t first = -1, last = -1;

	snprintf(path, sizeof path, "%s.snap%d", scene_log, number);
	run = scene_read(path);
	for (size_t i = 0; i < run->count; i++) {
		int32_t b = (int32_t)run->events[i].values[1];

		if (run->events[i].values[0] == 1) {
			mine++;
			continue;
		}
		if (last >= 0 ? b != last + 1 : (!ring && b != 0))
			return false;
		first = last < 0 ? b : first;
		last = b;
	}
	return !run->faults && run->tails == 0 && mine == (size_t)number + 1 &&
	       run->lost <= (uint64_t)(first < 0 ? 0 : first) + BLOCK_EVENTS;
}

static void test_snapshots(const char *keep, bool ring)
{
	unsigned good = 0;
	int status = scene_run(takes_snapshots, (void *)keep);

	for (int i = 0; i < SNAPSHOTS; i++)
		good += snapshot_good(i, ring);
	ok(status == 0 && good == SNAPSHOTS, "%u of %d snapshots of a running program, keeping %s",
	   good, SNAPSHOTS, keep);
}

static void *one_of_many(void *argument)
{
	for (int32_t i = 0; i < MANY / 4; i++)
		Tick_Stamp((int32_t)(intptr_t)argument, i);
	return NULL;
}

static int together(void *argument)
{
	pthread_t threads[4];

	setenv("GLIMPSE_KEEP", argument, 1);
	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, one_of_many, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* Of each thread the last events, without a gap. */
static bool newest_of_each(const struct reader_run *run, int threads)
{
	int32_t next[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
	bool good = true;

	for (size_t i = 0; i < run->count; i++) {
		int32_t *n = &next[run->events[i].values[0] & 7], b = (int32_t)run->events[i].values[1];

		good = good && (*n < 0 || b == *n);
		*n = b + 1;
	}
	for (int i = 0; i < threads; i++)
		good = good && next[i] == MANY / 4;
	return good;
}

/* Eight, each after the former one's end. */
static int one_by_one(void *argument)
{
	pthread_t thread;

	setenv("GLIMPSE_KEEP", argument, 1);
	for (intptr_t i = 0; i < 8; i++) {
		pthread_create(&thread, NULL, one_of_many, (void *)i);
		pthread_join(thread, NULL);
	}
	return 0;
}

static long log_bytes(int logs)
{
	long bytes = 0;

	for (int i = 0; i < logs; i++) {
		char path[600];
		struct stat st;

		snprintf(path, sizeof path, "%s/log.%d", scene_log, i);
		bytes += stat(path, &st) ? 0 : (long)st.st_size;
	}
	return bytes;
}

static void test_together(void)
{
	const struct reader_run *run;

	scene_run(together, "oldest:10M,all:600K");
	run = scene_read(NULL);
	ok(run->count > 40000 && run->count <= 600 * 1024 / 12 &&
		   run->count + run->losses[2] == MANY && !run->faults,
	   "a limit for all threads: %zu events kept, %llu counted", run->count,
	   (unsigned long long)run->losses[2]);
	ok(log_bytes(4) <= 601 << 10, "in %ld bytes", log_bytes(4));
	scene_run(one_by_one, "newest:10M,all:600K");
	run = scene_read(NULL);
	ok(run->count + run->losses[3] == 2 * MANY && newest_of_each(run, 8) && !run->faults &&
		   log_bytes(8) <= (600 + 8 * 64) << 10,
	   "rings of threads that have ended count: %zu events in %ld bytes", run->count,
	   log_bytes(8));
	scene_run(together, "newest:10M,all:600K");
	run = scene_read(NULL);
	/* a ring has 64 KiB of its own, of which three blocks of four are there at least */
	ok(run->count > 40000 && run->count <= (600 + 4 * 64) * 1024 / 12 && newest_of_each(run, 4) &&
		   run->count + run->losses[3] == MANY && !run->faults,
	   "the same for rings: the newest events of each, %zu kept, %llu counted", run->count,
	   (unsigned long long)run->losses[3]);
	ok(log_bytes(4) <= (600 + 4 * 64) << 10, "in %ld bytes", log_bytes(4));
}

int main(void)
{
	plan(14);
	acknowledged = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	test_kept();
	test_killed();
	test_snapshots("all", false);
	test_snapshots("newest:100K", true);
	test_together();
	return done();
}
