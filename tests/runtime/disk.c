/*
 * Trouble with files: a full disk, limits, no descriptors, directories that go away. Losses are
 * counted exactly.
 */
#include "scene.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 200000

static void limit(int which, rlim_t value)
{
	struct rlimit l;

	getrlimit(which, &l);
	l.rlim_cur = value;
	setrlimit(which, &l);
}

static unsigned long long lost;  /* of the newest log that accounted() read */

/* Events in the log, and those that it says were lost. */
static bool accounted(size_t wanted)
{
	const struct reader_run *run = scene_read(NULL);

	lost = run->lost + run->dropped;
	if (run->count + lost != wanted || run->faults)
		printf("# %zu events, %llu lost, %llu dropped, of %zu\n", run->count,
		       (unsigned long long)run->lost, (unsigned long long)run->dropped, wanted);
	return run->count + lost == wanted && !run->faults;
}

/* RLIMIT_FSIZE stands for a full disk: it stops one log, not what else the program writes. */
static int size_limited(void *argument)
{
	bool lifted = argument;

	limit(RLIMIT_FSIZE, 500000);
	for (int32_t i = 0; i < MANY; i++) {
		Tick_Stamp(0, i);
		if (lifted && i == MANY / 2) {
			limit(RLIMIT_FSIZE, RLIM_INFINITY);
			usleep(30000);
		}
	}
	return 0;
}

static void test_size_limit(void)
{
	int status = scene_run(size_limited, NULL);
	bool good = accounted(MANY);

	ok(status == 0, "the program does not notice that its log may not grow");
	ok(good && lost > MANY / 2, "%llu lost events are counted exactly",
	   lost);
	ok(scene_lines() == 1 && scene_said("cannot append to"), "one line says so");
	status = scene_run(size_limited, (void *)1);
	good = accounted(MANY);
	ok(status == 0 && good && lost > MANY / 10 && lost < MANY * 3 / 4,
	   "logging goes on when there is room again, after %llu lost events",
	   lost);
	ok(scene_read(NULL)->losses[1] == lost, "a note in the log says how many, and why");
}

/* The limit comes down to what the log has, room asked for ahead included. */
static int size_limited_late(void *argument)
{
	char path[600];
	struct stat st;

	(void)argument;
	for (int32_t i = 0; i < 5 * MANY; i++) {
		Tick_Stamp(0, i);
		if (!LOGGED || i != 2 * MANY)
			continue;
		snprintf(path, sizeof path, "%s/log.0", scene_log);
		if (stat(path, &st))
			return 1;
		limit(RLIMIT_FSIZE, (rlim_t)st.st_size - 100000);
	}
	return 0;
}

static void test_size_limit_late(void)
{
	int status = scene_run(size_limited_late, NULL);
	bool good = accounted(5 * MANY);

	ok(status == 0 && good && lost > 0, "a limit below what the log was promised: %llu lost",
	   lost);
}

static int disk_full(void *argument)
{
	(void)argument;
	for (int32_t i = 0; i < MANY; i++)
		Tick_Stamp(0, i);
	return 0;
}

static void test_full_disk(void)
{
	bool good;
	int status;

	if (!scene_disk_run(1000, disk_full, NULL, &status)) {
		skip("a full disk", "mounting is not allowed");
		return;
	}
	good = accounted(MANY);
	ok(status == 0 && good && lost > MANY / 2,
	   "a full disk: %llu lost events are counted exactly", lost);
	scene_disk_leave();
}

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer needs descriptors at the end. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

static int descriptors(void *argument)
{
	(void)argument;
	limit(RLIMIT_NOFILE, 32);
	Tick_Stamp(0, 0);
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	if (errno != EMFILE)
		return 1;
	for (int32_t i = 1; i < MANY; i++)
		Tick_Stamp(0, i);
	return errno == EMFILE ? 0 : 2;
}

static void *one_event(void *argument)
{
	Tick_Stamp((int32_t)(intptr_t)argument, 0);
	return NULL;
}

static int threads_without_descriptors(void *argument)
{
	pthread_t thread;
	int status = descriptors(argument);

	for (intptr_t i = 1; i <= 20; i++) {
		pthread_create(&thread, NULL, one_event, (void *)i);
		pthread_join(thread, NULL);
	}
	return status;
}

/* As daemons do, and then files of its own get the numbers. */
static int closes_all(void *argument)
{
	char path[600];
	struct stat st;
	int fd;

	(void)argument;
	Tick_Stamp(0, 0);
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	snprintf(path, sizeof path, "%s.own", scene_log);
	for (int i = 0; i < 30; i++)
		fd = open(path, O_RDWR | O_CREAT, 0600);
	for (int32_t i = 1; i < MANY; i++)
		Tick_Stamp(0, i);
	return fstat(fd, &st) || st.st_size != 0;
}

static void test_descriptors(void)
{
	int status = scene_run(descriptors, NULL);

	ok(status == 0 && accounted(MANY) && lost == 0,
	   "a program without descriptors left loses nothing");
	status = scene_run(threads_without_descriptors, NULL);
	ok(status == 0 && accounted(MANY + 20) && lost == 0 && scene_read(NULL)->logs == 21,
	   "neither do its new threads");
	status = scene_run(closes_all, NULL);
	ok(status == 0 && accounted(MANY) && lost == 0,
	   "a program that closes all descriptors loses nothing, and nothing gets into its files");
}

static int directory_removed(void *argument)
{
	char command[600];

	(void)argument;
	Tick_Stamp(0, 0);
	snprintf(command, sizeof command, "rm -rf '%s'", scene_log);
	if (system(command))
		return 1;
	for (int32_t i = 0; i < MANY; i++)
		Tick_Stamp(0, i);
	return 0;
}

static void test_directory_removed(void)
{
	ok(scene_run(directory_removed, NULL) == 0 && scene_lines() == 1,
	   "the log directory is removed under a running program");
}

/* root may write anywhere, so the scenes are an ordinary user's */
static bool ordinary_user(void)
{
	return geteuid() != 0 || (chmod(scene_root, 0777) == 0 && setgid(65534) == 0 &&
				  setuid(65534) == 0);
}

#define TAIL_FULL 6000  /* events that make a thread write to its log */

/* argument: before the thread's log has a file */
static int directory_read_only(void *argument)
{
	pthread_t thread;

	if (!ordinary_user())
		return 1;
	for (int32_t i = 0; i < (argument ? 1 : TAIL_FULL); i++)
		Tick_Stamp(0, i);
	chmod(scene_log, 0500);
	pthread_create(&thread, NULL, one_event, (void *)1);
	pthread_join(thread, NULL);
	for (int32_t i = argument ? 1 : TAIL_FULL; i < MANY; i++)
		Tick_Stamp(0, i);
	return 0;
}

static int no_directory(void *argument)
{
	if (!ordinary_user())
		return 1;
	setenv("GLIMPSE_DIR", argument, 1);
	for (int32_t i = 0; i < 100; i++)
		Tick_Stamp(0, i);
	return glimpse_init(NULL) == -LOGGED ? 0 : 2;
}

static void test_permissions(void)
{
	int status = scene_run(directory_read_only, NULL);
	bool good;

	ok(status == 0 && accounted(MANY + 1) && lost == 0 && scene_lines() == 1,
	   "a directory that becomes read-only: threads that log go on, few events of new ones stay");
	status = scene_run(directory_read_only, (void *)1);
	good = accounted(MANY + 1);
	ok(status == 0 && good && lost > 0 && lost <= MANY - 5000 && scene_lines() == 1,
	   "before a log has a file: what its tail holds is there, %llu others are counted", lost);
	status = scene_run(no_directory, "/nowhere/run");
	ok(status == 0 && scene_lines() == 1 && scene_said("/nowhere/run: No such file"),
	   "a directory that cannot be made: one line, and the program runs on");
	status = scene_run(no_directory, "/proc/run");
	ok(status == 0 && scene_lines() == 1 && scene_said("GLIMPSE_DIR"), "it names the remedy");
}

/* Somebody put a link where a file will be. */
static int file_is_link(void *argument)
{
	char path[600], victim[600];
	struct stat st;

	snprintf(path, sizeof path, "%s/%s", scene_log, (const char *)argument);
	snprintf(victim, sizeof victim, "%s.victim", scene_log);
	close(open(victim, O_WRONLY | O_CREAT, 0600));
	if (LOGGED && (glimpse_init(NULL) || symlink(victim, path)))
		return 1;
	for (int32_t i = 0; i < MANY; i++)
		Tick_Stamp(0, i);
	return stat(victim, &st) || st.st_size ? 2 : 0;
}

static void test_link(void)
{
	ok(scene_run(file_is_link, "log.0") == 0 && scene_lines() == 1 &&
		   scene_said("cannot append to"),
	   "a symbolic link in a log's place is not followed");
	ok(scene_run(file_is_link, "tail.0") == 0 && scene_lines() == 1, "nor one in a tail's");
}

static int kept(void *argument)
{
	setenv("GLIMPSE_KEEP", argument, 1);
	for (int32_t i = 0; i < MANY; i++)
		Tick_Stamp(0, i);
	return 0;
}

static void test_keep_oldest(void)
{
	const struct reader_run *run;
	char path[600];
	struct stat st;
	bool ordered, good;
	int status = scene_run(kept, "oldest:500K");

	good = accounted(MANY);
	run = scene_read(NULL);
	snprintf(path, sizeof path, "%s/log.0", scene_log);
	ok(status == 0 && ticks_of(run, 0, &ordered) > 40000 && ordered &&
		   good && lost == run->losses[2],
	   "GLIMPSE_KEEP=oldest:500K keeps the first events and counts %llu others",
	   lost);
	if (stat(path, &st))
		st.st_size = -1;
	ok(st.st_size > 0 && st.st_size <= 500 * 1024 + 64, "in %ld bytes", (long)st.st_size);
	status = scene_run(kept, "everything");
	ok(status == 0 && accounted(MANY) && !lost && scene_said("GLIMPSE_KEEP"),
	   "a GLIMPSE_KEEP that makes no sense keeps all");
}

int main(void)
{
	plan(20);
	test_size_limit();
	test_size_limit_late();
	test_full_disk();
	test_descriptors();
	test_directory_removed();
	test_permissions();
	test_link();
	test_keep_oldest();
	return done();
}
