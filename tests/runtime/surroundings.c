/*
 * What a program may find, or have done, when its first event comes: an odd umask, a directory that
 * anybody may write to, a disk without room for the specification, next to no descriptors.
 */
#include "scene.h"
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOBODY 65534
#define EVENTS 20000    /* more than a tail of 64 KiB holds */
#define IMPOSSIBLE 77

static const char *beside(const char *name)
{
	static char path[600];

	snprintf(path, sizeof path, "%s/%s", scene_log, name);
	return path;
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mode & 07777;
}

static int logs(void)
{
	for (int32_t i = 0; i < EVENTS; i++)
		Tick_Stamp(0, i);
	return 0;
}

/* Root may do everything whatever the modes are. */
static int root_no_more(void)
{
	if (geteuid())
		return 0;
	if (setgid(NOBODY) || setuid(NOBODY))
		return 1;
	return prctl(PR_SET_DUMPABLE, 1);       /* LeakSanitizer looks into the process */
}

static int masked(void *argument)
{
	if (root_no_more())
		return 1;
	umask((mode_t)(intptr_t)argument);
	return logs();
}

static int masked_snapshot(void *argument)
{
	if (masked(argument))
		return 1;
	return glimpse_snapshot(beside("../copy"));
}

static void test_masks(void)
{
	static const mode_t masks[] = { 0, 0177, 0277, 0777 };
	const struct reader_run *run;
	bool ordered;

	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		int status = scene_run(masked, (void *)(intptr_t)masks[i]);

		run = scene_read(NULL);
		ok(status == 0 && ticks_of(run, 0, &ordered) == EVENTS && ordered &&
			   !run->faults && scene_lines() == 0 && mode_of(scene_log) == 0700 &&
			   mode_of(beside("log.0")) == 0600 && mode_of(beside("process")) == 0600 &&
			   mode_of(beside("probe.spec")) == 0600,
		   "umask %04o: all events, private to the user", (unsigned)masks[i]);
	}
	ok(scene_run(masked_snapshot, (void *)0777) == 0 &&
		   ticks_of(scene_read(beside("../copy")), 0, &ordered) == EVENTS &&
		   mode_of(beside("../copy/log.0")) == 0600 &&
		   mode_of(beside("../copy/process")) == 0600,
	   "and a snapshot");
}

static int in_common(void *argument)
{
	(void)argument;
	umask(0);
	if (root_no_more() || mkdir(scene_log, 0777))
		return 1;
	return logs();
}

static void test_common(void)
{
	int status = scene_run(in_common, NULL);
	bool ordered;

	ok(status == 0 && ticks_of(scene_read(NULL), 0, &ordered) == EVENTS &&
		   mode_of(beside("log.0")) == 0600,
	   "a directory that is there and open to all takes the logs");
	ok(scene_lines() == 1 && scene_said("chmod o-w") && scene_said(scene_log),
	   "one line on stderr says so");
}

/* A file system with room for the process file alone, which nobody else sees. */
static int without_room(void *argument)
{
	char options[64];

	snprintf(options, sizeof options, "size=%lld,mode=700", *(long long *)argument);
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mkdir(scene_log, 0700) || mount("tmpfs", scene_log, "tmpfs", 0, options))
		return IMPOSSIBLE;
	logs();
	return mode_of(beside("process")) != 0600 || mode_of(beside("probe.spec")) != 0;
}

static void test_room(void)
{
	struct stat process;
	long long size = stat(beside("process"), &process) ? 0 : (long long)process.st_size;
	int status = scene_run(without_room, &size);

	if (status == IMPOSSIBLE << 8) {
		skip("a disk without room", "only root can mount, and not everywhere");
		return;
	}
	ok(status == 0 && scene_said("probe.spec") && scene_said("-s FILE"),
	   "no empty specification is left on a full disk, and a line tells the remedy");
}

static int few_descriptors(void *argument)
{
	struct rlimit limit = { 4, 4 };

	(void)argument;
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	setrlimit(RLIMIT_NOFILE, &limit);
	Tick_Stamp(0, 0);
	/* LeakSanitizer, which needs descriptors, is left out */
	_exit(open("/dev/null", O_RDONLY) == 3 ? 0 : 1);
}

int main(void)
{
	plan(9);
	if (geteuid() == 0 && chown(scene_root, NOBODY, NOBODY))
		return 1;
	test_masks();
	test_common();
	test_room();
	ok(scene_run(few_descriptors, NULL) == 0 && scene_lines() == 1 && scene_said("ulimit -n"),
	   "of four descriptors the program has all; one line says that nothing is logged");
	return done();
}
