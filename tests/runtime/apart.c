/*
 * Two runs whose directories get one name, one after the other: neither writes to the other's
 * files nor removes them, and each run's events are where its directory is now.
 */
#include "scene.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define EVENTS 60000    /* of each part of the first run: several appended tails */
#define SECOND 3000     /* events of the second run, which is killed */

/* Turns that the two runs take, in memory that both share. */
static volatile int *turn;

static void turn_wait(int number)
{
	while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) < number)
		usleep(1000);
}

static void turn_set(int number)
{
	__atomic_store_n(turn, number, __ATOMIC_RELEASE);
}

static void closes_all(void)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
}

/* What the first program does between its two parts of events. */
enum act { NOTHING, CLOSES, ROOT };

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer reads /proc, which is not there in another root directory. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

static int first(void *argument)
{
	int32_t i = 0;

	while (i < EVENTS)
		Tick_Stamp(1, i++);
	turn_set(1);
	turn_wait(2);
	if ((intptr_t)argument == CLOSES)
		closes_all();
	if ((intptr_t)argument == ROOT && (chroot("/proc") || chdir("/")))
		return 77;
	while (i < 2 * EVENTS)
		Tick_Stamp(1, i++);
	return 0;
}

/* Logs to the directory that had the first run, and is killed. */
static int second(void *argument)
{
	setenv("GLIMPSE_DIR", argument, 1);
	for (int32_t i = 0; i < SECOND; i++)
		Tick_Stamp(2, i);
	turn_set(2);
	for (;;)
		pause();
	return 0;
}

static char name[sizeof scene_log], moved[sizeof scene_log + 8];

static void command(const char *format)
{
	char line[3 * sizeof scene_log];

	snprintf(line, sizeof line, format, name, moved);
	if (system(line))
		puts("# the command failed");
}

/* The second run: all that it acknowledged is there, and nothing else. */
static bool second_is_whole(void)
{
	const struct reader_run *run = scene_read(name);
	bool ordered;
	size_t n = ticks_of(run, 2, &ordered);

	if (n != SECOND || run->count != SECOND)
		printf("# the second run has %zu of %d events, and %zu others\n", n, SECOND,
		       run->count - n);
	return n == SECOND && ordered && run->count == SECOND && !run->faults && !run->lost;
}

/*
 * Runs the first program, does something to its directory, lets the second program log to its name
 * until the first has ended, and kills the second.
 */
static bool runs(enum act act, const char *change, int *status)
{
	pid_t a, b;

	*turn = 0;
	a = scene_start(first, (void *)(intptr_t)act);
	memcpy(name, scene_log, sizeof name);
	snprintf(moved, sizeof moved, "%s.moved", name);
	turn_wait(1);
	command(change);
	b = scene_start(second, name);
	turn_wait(2);
	*status = scene_wait(a);
	kill(b, SIGKILL);
	scene_wait(b);
	return second_is_whole();
}

/* Returns whether the first run is all in the directory that was moved. */
static bool first_is_whole(void)
{
	const struct reader_run *run = scene_read(moved);
	bool ordered;
	size_t n = ticks_of(run, 1, &ordered);

	if (n != 2 * EVENTS)
		printf("# the first run has %zu of %d events\n", n, 2 * EVENTS);
	return n == 2 * EVENTS && ordered && run->count == n && run->state == 1 && !run->faults &&
	       !run->tails;
}

static void test_apart(void)
{
	int status;
	bool good = runs(NOTHING, "rm -rf '%s'", &status);

	ok(good && status == 0, "removed: the next run of that name has its own events");
	good = runs(NOTHING, "rm -f '%s'/*", &status);
	ok(good && status == 0, "emptied: the next run in that directory has its own events");
	good = runs(NOTHING, "mv '%s' '%s'", &status);
	ok(good && status == 0 && first_is_whole(), "moved: both runs are whole");
	good = runs(CLOSES, "rm -rf '%s'", &status);
	ok(good && status == 0, "removed, and all descriptors closed: the next run is whole");
	good = runs(CLOSES, "mv '%s' '%s'", &status);
	ok(good && status == 0, "moved, and all descriptors closed: the next run is whole");
	good = runs(ROOT, "mv '%s' '%s'", &status);
	if (WEXITSTATUS(status) == 77)
		skip("another root directory", "only root may change it");
	else
		ok(good && status == 0 && first_is_whole(), "another root directory: both runs are whole");
}

/* Somebody else has put a file in the place of a log. */
static int log_replaced(void *argument)
{
	char path[600], elsewhere[620];
	struct stat st;
	int32_t i = 0;

	(void)argument;
	while (i < EVENTS)
		Tick_Stamp(1, i++);
	snprintf(path, sizeof path, "%s/log.0", scene_log);
	snprintf(elsewhere, sizeof elsewhere, "%s.own", path);
	rename(path, elsewhere);        /* a file that is gone may give its inode to the next */
	close(open(path, O_WRONLY | O_CREAT, 0600));
	while (i < 2 * EVENTS)
		Tick_Stamp(1, i++);
	glimpse_close();
	return stat(path, &st) || st.st_size;
}

int main(void)
{
	plan(7);
	turn = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	test_apart();
	ok(scene_run(log_replaced, NULL) == 0 && scene_lines() == 1 &&
		   scene_said("cannot append to"),
	   "a log in whose place another file stands is not written: one line says so");
	return done();
}
