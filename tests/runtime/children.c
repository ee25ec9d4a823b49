/*
 * GLIMPSE_CHILDREN: where forked children log to, and programs that find the directory taken.
 */
#include "scene.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXECUTED "after-exec"
#define UNNAMED "unnamed"

static void child_wait(pid_t pid)
{
	waitpid(pid, NULL, 0);
}

/* Runs this program again, which logs an event. */
static void executes(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl("/proc/self/exe", EXECUTED, (char *)NULL);
		_exit(1);
	}
	child_wait(pid);
}

/* A process, its child, the child's child; then a program that the first one starts. */
static int family(void *setting)
{
	int depth;

	if (setting)
		setenv("GLIMPSE_CHILDREN", setting, 1);
	for (depth = 0; depth < 3; depth++) {
		pid_t pid;

		Tick_Stamp(depth, 0);
		pid = depth < 2 ? fork() : getpid();
		if (pid == 0)
			continue;
		if (depth < 2)
			child_wait(pid);
		break;
	}
	if (depth == 0)
		executes();
	Tick_Stamp(depth, 1);
	return 0;
}

/* The program that is started first has the directory, and this one is inside. */
static int nested(void *setting)
{
	pid_t pid;

	setenv("GLIMPSE_CHILDREN", setting, 1);
	executes();
	Tick_Stamp(0, 0);
	pid = fork();
	if (pid == 0) {
		Tick_Stamp(1, 0);
		exit(0);
	}
	child_wait(pid);
	return 0;
}

/* Counts log directories whose path fits the pattern, and those with Tick(a, ...) only. */
static int directories(const char *pattern, int a, int events)
{
	char command[1200], path[1024];
	int count = 0;
	FILE *found;

	snprintf(command, sizeof command, "ls -d %s%s 2>/dev/null", scene_log, pattern);
	found = popen(command, "r");
	while (found && fscanf(found, "%1023s", path) == 1) {
		const struct reader_run *run = scene_read(path);
		bool ordered;

		count += ticks_of(run, a, &ordered) == (size_t)events &&
			 run->count == (size_t)events && !run->faults;
	}
	if (found)
		pclose(found);
	return count;
}

static void test_inside(void)
{
	char own[300];

	snprintf(own, sizeof own, "/%s.*", program_invocation_short_name);
	scene_run(family, (char[]){ "inside" });
	ok(directories("", 0, 2) == 1, "inside: the first process has the directory");
	ok(directories(own, 1, 2) == 1 && directories(own, 2, 2) == 1,
	   "forked children, and theirs, are in it");
	ok(directories("/" EXECUTED ".*", 55, 1) == 1, "so is a program that was started");
	ok(scene_lines() == 0, "nothing is said");
	ok(directories(".*", 0, 2) + directories("/*/*.*/", 0, 2) == 0, "there is no other one");
	scene_run(nested, (char[]){ "inside" });
	ok(directories("", 55, 1) == 1 && directories(own, 0, 1) == 1 &&
		   directories(own, 1, 1) == 1,
	   "a child of a program that is inside is beside that");
}

/* Starts this program again where no directory is named. */
static int unnamed(void *setting)
{
	setenv("GLIMPSE_CHILDREN", setting, 1);
	unsetenv("GLIMPSE_DIR");
	if (mkdir(scene_log, 0700) || chdir(scene_log))
		return 1;
	execl("/proc/self/exe", UNNAMED, (char *)NULL);
	return 1;
}

static int forks(void)
{
	pid_t pid;

	Tick_Stamp(0, 0);
	pid = fork();
	if (pid == 0)
		Tick_Stamp(1, 0);
	else
		child_wait(pid);
	return 0;
}

static void test_unnamed(void)
{
	scene_run(unnamed, (char[]){ "inside" });
	ok(directories("/glimpse." UNNAMED ".*", 0, 1) == 1 &&
		   directories("/glimpse." UNNAMED ".*/" UNNAMED ".*", 1, 1) == 1,
	   "inside, in a directory that nobody named");
}

static void test_no(void)
{
	scene_run(family, (char[]){ "no" });
	ok(directories("", 0, 2) == 1 && directories("/*/process", 0, 0) == 0,
	   "no: the first process alone is logged");
	ok(directories(".*", 1, 2) + directories(".*", 55, 1) == 0, "no other one is");
	ok(scene_lines() == 0, "nothing is said");
}

static void test_beside(void)
{
	scene_run(family, (char[]){ "beside" });
	ok(directories("", 0, 2) == 1 && directories(".*", 1, 2) == 1 &&
		   directories(".*", 2, 2) == 1 && directories(".1", 55, 1) == 1,
	   "beside: each has a directory there");
	scene_run(family, (char[]){ "around" });
	ok(directories(".*", 1, 2) == 1 && scene_said("GLIMPSE_CHILDREN"),
	   "anything else is the same, after a word");
}

int main(int argc, char **argv)
{
	if (argc == 1 && *argv && !strcmp(argv[0], EXECUTED)) {
		Tick_Stamp(55, 0);
		return 0;
	}
	if (argc == 1 && *argv && !strcmp(argv[0], UNNAMED))
		return forks();
	plan(12);
	test_inside();
	test_unnamed();
	test_no();
	test_beside();
	return done();
}
