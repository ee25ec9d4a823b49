/*
 * What stands in a log, byte for byte, with a fake clock; strings at their limits; names;
 * switches.
 */
#include "scene.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned char bytes[1 << 16];

static size_t file_bytes(const char *name)
{
	char path[600];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "%s/%s", scene_log, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	n = read(fd, bytes, sizeof bytes);
	close(fd);
	return n < 0 ? 0 : (size_t)n;
}

static int one_of_each(void *argument)
{
	(void)argument;
	setenv("GLIMPSE_CLOCK", "fake:16777216:3", 1);
	glimpse_init(NULL);
	Tick_Stamp(1, -2);
	Say_Stamp(-1, "abcde");
	Wide_Stamp(-3, 0.5, (void *)(uintptr_t)0x1234);
	Bare_Stamp();
	Say_Stamp(0, NULL);
	return 0;
}

/*
 * The words of the log of one_of_each() after its header, on a little-endian machine; T is its
 * time.
 */
#define T(id, n) ((id) | (uint32_t)(n) << 12)
static uint32_t expected[] = {
	2, 1u << 24 | 21, 0x88fb2b56, 0xb1ac109a, 16, 4, 0x626f7270, 'e',       /* SCHEMA */
	1, 16,                                                                  /* TIME */
	T(16, 0), 1, (uint32_t)-2,
	T(17, 3), (uint32_t)-1, 5, 0x64636261, 'e',
	T(18, 6), (uint32_t)-3, UINT32_MAX, 0, 0x3fe00000, 0x1234, 0,
	T(19, 9),
	T(17, 12), 0, 6, 0x6c756e28, 0x296c,
	2, 6u << 24,                                                            /* END */
};

/* The fake clock has been read before; what counts are the distances. */
static void times_relative(uint32_t *words, size_t n)
{
	static const size_t at[] = { 10, 13, 18, 25, 26 };
	uint32_t first = words[10] >> 12;

	for (size_t i = 0; i < 5 && at[i] < n; i++)
		words[at[i]] -= first << 12;
}

static void test_bytes(void)
{
	size_t n;
	uint32_t words[64];

	scene_run(one_of_each, NULL);
	n = file_bytes("log.0");
	ok(n == 128 + sizeof expected, "log.0 has %zu bytes", n);
	memcpy(words, bytes + 128, sizeof words);
	times_relative(words, sizeof expected / 4);
	ok(!memcmp(words, expected, sizeof expected), "its records, byte for byte");
	for (size_t i = 0; i < sizeof expected / 4; i++)
		if (words[i] != expected[i])
			printf("# word %zu: %08x, not %08x\n", i, words[i], expected[i]);
	ok(file_bytes("tail.0") == 0, "no tail stays after a clean end");
	n = file_bytes("probe.spec");
	ok(n == probe_glimpse.length && !memcmp(bytes, probe_glimpse.text, n),
	   "the specification is beside it");
}

static int long_strings(void *argument)
{
	static char text[5001];

	(void)argument;
	memset(text, 'x', sizeof text - 1);
	Say_Stamp(0, text);
	text[4096] = '\0';
	Say_Stamp(1, text);
	text[4095] = '\0';
	Say_Stamp(2, text);
	Say_Stamp(3, "");
	for (int i = 0; i < 1000; i++)
		Say_Stamp(4, text);
	return 0;
}

static void test_strings(void)
{
	const struct reader_run *run;

	scene_run(long_strings, NULL);
	run = scene_read(NULL);
	ok(run->count == 1004 && !run->faults, "%zu of 1004 strings", run->count);
	ok(run->count > 3 && run->events[0].length == (0x80000000u | 4095) &&
		   run->events[1].length == (0x80000000u | 4095) && run->events[2].length == 4095 &&
		   run->events[3].length == 0,
	   "strings of 5000 and 4096 bytes are cut, of 4095 and 0 are not");
}

static int names(void *argument)
{
	(void)argument;
	glimpse_thread_name("first");
	Tick_Stamp(0, 0);
	glimpse_thread_name("a name that is longer than sixty-three bytes has its end cut off, here");
	return 0;
}

static void test_names(void)
{
	scene_run(names, NULL);
	ok(!strcmp(scene_read(NULL)->names[0],
		   "a name that is longer than sixty-three bytes has its end cut of"),
	   "the newest name counts, and is cut: %s", scene_read(NULL)->names[0]);
}

static int switched(void *argument)
{
	(void)argument;
	setenv("GLIMPSE_OFF", "Say,probe.Bare", 1);
	Tick_Stamp(0, 0);
	Say_Stamp(0, "off at the start");
	Bare_Stamp();
	glimpse_switch("Tick", 0);
	Tick_Stamp(0, 77);
	glimpse_switch("Tick", 1);
	glimpse_switch("Say", 1);
	Tick_Stamp(0, 1);
	Say_Stamp(0, "on");
	glimpse_thread_switch(0);
	Tick_Stamp(0, 78);
	glimpse_thread_switch(1);
	Tick_Stamp(0, 2);
	return glimpse_switch("Nothing", 0) == -1 ? 0 : 1;
}

static void test_switches(void)
{
	const struct reader_run *run;
	bool ordered;
	int status = scene_run(switched, NULL);

	run = scene_read(NULL);
	ok(status == 0, "a name that no event has is refused");
	ok(run->count == 4 && ticks_of(run, 0, &ordered) == 3 && ordered,
	   "%zu events while on, none while off", run->count);
	ok(run->changes == 7, "%u changes recorded: 2 at the start, 3 by name, 2 of the thread",
	   run->changes);
}

static int two_runs(void *argument)
{
	Tick_Stamp(*(int *)argument, 0);
	return 0;
}

static bool mode_is(const char *path, mode_t mode)
{
	struct stat st;

	return !stat(path, &st) && (st.st_mode & 07777) == mode;
}

/* Two processes of a run are told the same name. */
static int beside(void *argument)
{
	int *one = argument;
	pid_t pid;

	two_runs(&one[0]);
	pid = fork();
	if (pid == 0) {
		execl("/proc/self/exe", "beside", (char *)NULL);
		_exit(1);
	}
	return scene_wait(pid);
}

static void test_beside(void)
{
	int first = 1;
	char sibling[600];
	bool ordered;
	int status = scene_run(beside, &first);

	snprintf(sibling, sizeof sibling, "%s.1", scene_log);
	ok(status == 0 && scene_lines() == 0 && ticks_of(scene_read(NULL), 1, &ordered) == 1 &&
		   ticks_of(scene_read(sibling), 3, &ordered) == 1,
	   "processes that run together have a directory each, and nothing is said");
}

static void test_directory(void)
{
	char path[600], sibling[600];
	bool ordered;
	int first = 1, second = 2;

	umask(0);
	scene_run(two_runs, &first);
	snprintf(sibling, sizeof sibling, "%s.1", scene_log);
	ok(mode_is(scene_log, 0700), "the directory is private");
	snprintf(path, sizeof path, "%s/log.0", scene_log);
	ok(mode_is(path, 0600), "so are its files");
	if (fork() == 0) {
		setenv("GLIMPSE_DIR", scene_log, 1);
		dup2(open("/dev/null", O_WRONLY), 2);
		exit(two_runs(&second));
	}
	scene_wait(-1);
	ok(ticks_of(scene_read(NULL), 1, &ordered) == 1 && scene_read(NULL)->count == 1,
	   "a second run leaves the first one as it was");
	ok(ticks_of(scene_read(sibling), 2, &ordered) == 1, "and goes to DIR.1");
}

int main(int argc, char **argv)
{
	int third = 3;

	if (argc == 1 && *argv && !strcmp(argv[0], "beside"))
		return two_runs(&third);
	plan(15);
	test_bytes();
	test_strings();
	test_names();
	test_switches();
	test_directory();
	test_beside();
	return done();
}
