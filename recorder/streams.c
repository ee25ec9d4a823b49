#include "recorder/streams.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "recorder/processes.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	LOOK_MS = 100, /* from one look at who has standard error to the next */
	LOOKS = 2,     /* that find nobody, since processes come and go during one */
};

static VECTOR(int) inherited; /* from 3 on, those that exec() does not close */
static struct stat error_file;
static bool follows;

void streams_begin(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name), flags = fcntl(fd, F_GETFD);

		if (fd > STDERR_FILENO && flags >= 0 && !(flags & FD_CLOEXEC))
			*vector_add(&inherited) = fd;
	}
	if (dir)
		closedir(dir);
	follows = fstat(STDERR_FILENO, &error_file) == 0 &&
		  (S_ISFIFO(error_file.st_mode) || S_ISSOCK(error_file.st_mode));
}

/* The number stays taken, so that no other file gets it. */
static void stream_empty(int fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0) {
		close(fd);
		return;
	}
	dup3(null, fd, O_CLOEXEC);
	close(null);
}

void streams_leave(void)
{
	stream_empty(STDIN_FILENO);
	stream_empty(STDOUT_FILENO);
	for (size_t i = 0; i < inherited.n; i++)
		close(inherited.at[i]);
	free(inherited.at);
	inherited.at = NULL;
	inherited.n = 0;
}

void streams_leave_error(void)
{
	stream_empty(STDERR_FILENO);
	follows = false;
}

void streams_outlive(void)
{
	setsid();
	streams_leave();
	streams_leave_error();
}

/* ---- who has standard error ---- */

/* A process without descriptors is about to end, or has ended and is not reaped. */
static bool process_has_error(pid_t pid)
{
	char path[32];
	struct dirent *entry;
	struct stat st;
	size_t files = 0;
	bool has = false;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
	dir = opendir(path);
	/* only root may look into one that has ended */
	if (!dir)
		return errno != ENOENT && thread_state(pid, pid) != 'Z';
	while (!has && (entry = readdir(dir)))
		if (*entry->d_name != '.') {
			files++;
			has = fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 &&
			      st.st_dev == error_file.st_dev && st.st_ino == error_file.st_ino;
		}
	closedir(dir);
	return has || (!files && thread_state(pid, pid) != 'Z');
}

static bool tree_has_error(pid_t root)
{
	VECTOR(pid_t) all = {0};
	bool has = false;

	*vector_add(&all) = root;
	for (size_t i = 0; i < all.n && !has; i++) {
		pid_t *children;
		size_t n;

		has = process_has_error(all.at[i]);
		n = has ? 0 : process_children(all.at[i], &children);
		if (n)
			vector_append(&all, children, n);
		if (!has)
			free(children);
	}
	free(all.at);
	return has;
}

int streams_follow(pid_t program)
{
	static int64_t next;
	static int missed;
	int64_t now = monotonic_now() / 1000000;

	if (!follows)
		return -1;
	if (now < next)
		return (int)(next - now);
	missed = tree_has_error(program) ? 0 : missed + 1;
	if (missed < LOOKS) {
		next = now + LOOK_MS;
		return LOOK_MS;
	}
	streams_leave_error();
	return -1;
}
