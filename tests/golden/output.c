/* Files appear all together or not at all, also when a signal comes between. */
#include "base/output.h"
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned count;
static bool failed;

static void ok(bool passed, const char *name)
{
	printf("%sok %u - %s\n", passed ? "" : "not ", ++count, name);
	failed |= !passed;
}

static void fail(void *errors, const char *path)
{
	(void)path;
	++*(unsigned *)errors;
}

static unsigned entries(void)
{
	DIR *directory = opendir(".");
	unsigned n = 0;

	while (readdir(directory))
		n++;
	closedir(directory);
	return n - 2;
}

/* In a child: writes two files, does what is asked, and would write them out. */
static int interrupted(int number, unsigned *errors)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		struct output *o = output_begin(".", 0, fail, errors);
		fputs("half", output_file(o, "%s.h", "a"));
		fputs("half", output_file(o, "%s.c", "a"));
		raise(number);
		_exit(output_commit(o) ? 0 : 1);
	}
	waitpid(child, &status, 0);
	return status;
}

static void test_signals(unsigned *errors)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

	for (int i = 0; i < 3; i++) {
		int status;

		/* a shell's background jobs ignore some */
		signal(numbers[i], SIG_DFL);
		status = interrupted(numbers[i], errors);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i],
		   "the signal ends the program");
		ok(entries() == 0, "it leaves nothing behind");
	}
	signal(SIGHUP, SIG_IGN);
	ok(interrupted(SIGHUP, errors) == 0 && entries() == 2, "an ignored signal stays ignored");
	unlink("a.h");
	unlink("a.c");
}

static void test_files(unsigned *errors)
{
	struct output *o = output_begin(".", 0, fail, errors);

	fputs("x", output_file(o, "a"));
	ok(access("a", F_OK) != 0, "no file before all are complete");
	output_discard(o);
	ok(entries() == 0, "what is discarded is gone");

	o = output_begin(".", 0, fail, errors);
	fputs("x", output_file(o, "a"));
	ok(!output_file(o, "no/b") && *errors == 1, "a file that cannot be made is an error");
	ok(!output_commit(o) && entries() == 0, "and keeps the others from appearing");
}

int main(void)
{
	char directory[] = "/tmp/glimpse-output.XXXXXX";
	unsigned errors = 0;

	if (!mkdtemp(directory) || chdir(directory) != 0)
		return 1;
	test_signals(&errors);
	test_files(&errors);
	printf("1..%u\n", count);
	rmdir(directory);
	return failed;
}
