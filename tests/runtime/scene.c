#include "scene.h"
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
/*
 * ThreadSanitizer lets every process with threads sleep for a second before it ends. Scenes that
 * fork would log for as long.
 */
const char *__tsan_default_options(void);

const char *__tsan_default_options(void)
{
	return "atexit_sleep_ms=0";
}
#endif

/*
 * The file that stderr is while the runtime is loaded, which remembers it, and in scenes; and what
 * it is otherwise.
 */
static int said, original;

#define KEPT_FROM 700   /* number of such a descriptor */

/*
 * Before all constructors, those of libraries included, and so also before sanitizers. A program
 * that a test starts, which has arguments, keeps its stderr.
 */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void
stderr_replace(int argc)
{
	int fd;

	if (argc > 1)
		return;
	fd = (int)syscall(SYS_memfd_create, "said", MFD_CLOEXEC);

	original = (int)syscall(SYS_fcntl, STDERR_FILENO, F_DUPFD_CLOEXEC, KEPT_FROM);
	said = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, KEPT_FROM);
	syscall(SYS_close, fd);
	syscall(SYS_fcntl, said, F_SETFL, O_APPEND);
	if (said >= 0 && original >= 0)
		syscall(SYS_dup3, said, STDERR_FILENO, 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int) = stderr_replace;

char scene_root[256];
char scene_log[512];

static int count, failed, planned;
static struct reader_run run;

static int removed(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void root_make(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(scene_root, sizeof scene_root, "%s/glimpse-test.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(scene_root)) {
		perror(scene_root);
		exit(99);
	}
}

void plan(int tests)
{
	dup2(original, STDERR_FILENO);
	setvbuf(stdout, NULL, _IOLBF, 0);
	root_make();
	planned = tests;
	printf("1..%d\n", tests);
}

bool ok(bool good, const char *format, ...)
{
	va_list arguments;

	printf("%sok %d - ", good ? "" : "not ", ++count);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	failed += !good;
	return good;
}

void skip(const char *what, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++count, what, why);
}

void scene_clear(void)
{
	nftw(scene_root, removed, 16, FTW_DEPTH | FTW_PHYS);
	mkdir(scene_root, 0700);
}

int done(void)
{
	reader_clear(&run);
	if (!failed)
		nftw(scene_root, removed, 16, FTW_DEPTH | FTW_PHYS);
	else
		printf("# the logs are in %s\n", scene_root);
	return failed || count != planned;
}

static void stderr_begin(void)
{
	if (ftruncate(said, 0))
		perror("ftruncate");
	dup2(said, STDERR_FILENO);
}

/* A scene may return the status of a child of its own, of which exit() would drop the upper bits. */
static void exit_with(int result)
{
	exit(result > 255 ? 1 : result);
}

pid_t scene_start(int (*scene)(void *), void *argument)
{
	static int number;
	pid_t pid;

	snprintf(scene_log, sizeof scene_log, "%s/scene%d", scene_root, ++number);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		/* should the test be stopped, no scene goes on to fill the disk */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setenv("GLIMPSE_DIR", scene_log, 1);
		stderr_begin();
		exit_with(scene(argument));
	}
	return pid;
}

int scene_wait(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	printf("# %s %d\n", WIFSIGNALED(status) ? "ended by signal" : "ended with",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return status;
}

int scene_run(int (*scene)(void *), void *argument)
{
	return scene_wait(scene_start(scene, argument));
}

static char disk[sizeof scene_root + 8], log_before[sizeof scene_log];

bool scene_disk_run(unsigned size, int (*scene)(void *), void *argument, int *status)
{
	char option[32];
	pid_t pid;

	snprintf(disk, sizeof disk, "%s/disk", scene_root);
	snprintf(option, sizeof option, "size=%uk", size);
	if (mkdir(disk, 0700) || mount("tmpfs", disk, "tmpfs", 0, option))
		return false;
	memcpy(log_before, scene_log, sizeof log_before);
	snprintf(scene_log, sizeof scene_log, "%s/run", disk);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		setenv("GLIMPSE_DIR", scene_log, 1);
		exit_with(scene(argument));
	}
	*status = scene_wait(pid);
	return true;
}

void scene_disk_leave(void)
{
	memcpy(scene_log, log_before, sizeof scene_log);
	umount(disk);
}

struct reader_run *scene_read(const char *directory)
{
	static const char *const layouts[] = { PROBE_LAYOUT, "plugin=i", NULL };

	reader_clear(&run);
	reader_read(&run, directory ? directory : scene_log, layouts);
	return &run;
}

size_t ticks_of(const struct reader_run *r, int32_t a, bool *ordered)
{
	size_t n = 0;

	*ordered = true;
	for (size_t i = 0; i < r->count; i++) {
		const struct reader_event *e = &r->events[i];

		if (e->index != 0 || (int32_t)e->values[0] != a || strncmp(e->spec, "probe=", 6))
			continue;
		if ((uint32_t)e->values[1] != n)
			*ordered = false;
		n++;
	}
	return n;
}

const char *scene_text(void)
{
	static char text[4096];
	ssize_t n = pread(said, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

bool scene_said(const char *wanted)
{
	return strstr(scene_text(), wanted);
}

int scene_lines(void)
{
	int lines = 0;

	for (const char *p = scene_text(); *p; p++)
		lines += *p == '\n';
	return lines;
}
