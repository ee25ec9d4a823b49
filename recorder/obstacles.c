#include "recorder/obstacles.h"
#include "base/array.h"
#include "recorder/processes.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longer environments are not read: nothing is said of them. */
#define ENVIRONMENT_MOST (1 << 16)

struct noted {
	uint32_t pid;
	char program[THREAD_NAME];
	const char *why;
};

static VECTOR(struct noted) noted;
static const char *directory;
static struct stat own; /* the directory, as the recorder sees it */

static const char rights[] = "gets the rights of another user (set-user-ID)";

const char *obstacle_text(const struct exec_image *image, bool others_rights)
{
	static const char *const whys[] = {
	    [IMAGE_STATIC] = OBSTACLE_STATIC,
	    [IMAGE_WIDTH] = "has another word size",
	    [IMAGE_MACHINE] = "is for another processor",
	    [IMAGE_LOADER] = "has its own loader, as musl programs do",
	    [IMAGE_SANITIZED] =
		"has AddressSanitizer or ThreadSanitizer, whose library must be loaded first",
	};

	if (others_rights)
		return rights;
	if (image->kind == IMAGE_STATIC && image->go)
		return OBSTACLE_GO;
	return whys[image->kind];
}

void obstacles_open(const char *of)
{
	directory = stat(of, &own) == 0 ? of : NULL;
}

void obstacles_free(void)
{
	free(noted.at);
	memset(&noted, 0, sizeof noted);
}

/* ---- a process ---- */

/* Whether the program's file gives it rights that its parent did not have, as far as is known. */
static bool rights_differ(const char *exe)
{
	struct stat st;

	if (stat(exe, &st) != 0)
		return errno == EACCES || errno == EPERM;
	return (st.st_mode & S_ISUID && st.st_uid != getuid()) ||
	       (st.st_mode & S_ISGID && st.st_gid != getgid());
}

/* Returns whether a process still has its memory; one that ends loses its root after that. */
static bool is_whole(uint32_t pid)
{
	char exe[32], path[1];

	snprintf(exe, sizeof exe, "/proc/%u/exe", pid);
	return readlink(exe, path, sizeof path) > 0;
}

/* Reads a file of a process as far as there is room; returns how much there was, 0 on errors. */
static size_t text_read(uint32_t pid, const char *name, char text[ENVIRONMENT_MOST])
{
	int fd = proc_file_open((pid_t)pid, 0, name);
	size_t n = 0;
	ssize_t got;

	if (fd < 0)
		return 0;
	while (n < ENVIRONMENT_MOST && (got = read(fd, text + n, ENVIRONMENT_MOST - n)) > 0)
		n += (size_t)got;
	close(fd);
	return n;
}

/* Returns whether an environment is known to lack what the recorder had put into it. */
static bool environment_lacks(uint32_t pid)
{
	static const char ours[] = "GLIMPSE_RECORD=";
	static char text[ENVIRONMENT_MOST];
	size_t n = text_read(pid, "environ", text);

	/* It is also empty while the program begins, as the arguments then are. */
	if (!n && text_read(pid, "cmdline", text))
		n = text_read(pid, "environ", text);
	else if (!n)
		return false;
	return n < sizeof text && !memmem(text, n, ours, strlen(ours)) && is_whole(pid);
}

/* Returns whether a process is known to find another directory, or none, by the run's path. */
static bool directory_hidden(uint32_t pid)
{
	char *path;
	struct stat st;
	bool hidden;

	path = text_format("/proc/%u/root%s", pid, directory);
	hidden = stat(path, &st) == 0 ? st.st_dev != own.st_dev || st.st_ino != own.st_ino
				      : errno == ENOENT;
	free(path);
	return hidden && is_whole(pid);
}

static const char *program_why(uint32_t pid)
{
	char exe[32];
	struct exec_image image;
	const char *why;

	snprintf(exe, sizeof exe, "/proc/%u/exe", pid);
	image_look(&image, AT_FDCWD, exe);
	why = obstacle_text(&image, rights_differ(exe));
	if (why)
		return why;
	return environment_lacks(pid) ? "began without the recorder's environment variables" : NULL;
}

void obstacles_look(uint32_t pid, bool executed)
{
	const char *why;
	struct noted *n;

	if (!directory) /* nobody asks */
		return;
	why = executed ? program_why(pid) : NULL;
	if (!why && directory_hidden(pid))
		why = "does not see the directory of the recording (another root or mount)";
	if (!why)
		return;
	n = vector_add(&noted);
	n->pid = pid;
	n->why = why;
	thread_name_read((pid_t)pid, (pid_t)pid, n->program);
}

bool obstacle_find(uint32_t pid, const char *program, struct obstacle *found)
{
	for (size_t i = noted.n; i-- > 0;)
		if (noted.at[i].pid == pid && (!program || !strcmp(noted.at[i].program, program))) {
			*found = (struct obstacle){noted.at[i].program, noted.at[i].why};
			return true;
		}
	return false;
}
