#include "recorder/merge/spare.h"
#include "base/array.h"
#include "base/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOLE = 4096 };

static bool is_zero(const unsigned char *bytes, size_t size)
{
	return !bytes[0] && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* Makes holes of the pages of a file that are zeros. A file system that has no holes is let be. */
static void zeros_give_back(int fd)
{
	unsigned char page[HOLE];
	struct stat st;
	off_t from = -1, at;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	for (at = 0; at < st.st_size; at += HOLE) {
		ssize_t n = pread(fd, page, sizeof page, at);
		bool zero = n > 0 && is_zero(page, (size_t)n);

		if (n <= 0)
			break;
		if (zero && from < 0)
			from = at;
		if (!zero && from >= 0) {
			fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, at - from);
			from = -1;
		}
	}
	if (from >= 0)
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, at - from);
}

static void file_give_back(const struct directory *d, const char *name)
{
	char *path = directory_join(d, name);
	int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	free(path);
	if (fd < 0)
		return;
	zeros_give_back(fd);
	close(fd);
}

/* Returns whether the process is no more: as long as it is, it may write to its maps of files. */
static bool process_is_gone(const struct opened *o, size_t i)
{
	const struct process_info *p = &o->directories[i].process;
	struct stat own;

	if (!p->present || !p->pid || o->processes[i].state == PROCESS_UNKNOWN ||
	    o->processes[i].state == PROCESS_RUNS)
		return false;
	return stat("/proc/self/ns/pid", &own) == 0 && own.st_ino == p->pid_space &&
	       kill((pid_t)p->pid, 0) != 0 && errno == ESRCH;
}

/* Returns whether two files say the same, and are not one already. */
static bool files_repeat(const char *left, const char *right)
{
	struct stat one, other;
	struct file a, b;
	bool equal;

	if (stat(left, &one) || stat(right, &other) || one.st_size != other.st_size ||
	    one.st_ino == other.st_ino || !file_load(&a, left, false))
		return false;
	equal = file_load(&b, right, false);
	if (equal) {
		equal = a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
		file_unload(&b);
	}
	file_unload(&a);
	return equal;
}

/* Makes a file one with the same file of another directory. */
static void file_share(const struct directory *d, const struct directory *other, const char *name)
{
	char *path = directory_join(d, name), *same = directory_join(other, name);
	char *fresh = text_format("%s.part", path);

	if (files_repeat(path, same) && link(same, fresh) == 0 && rename(fresh, path) != 0)
		unlink(fresh);
	free(fresh);
	free(same);
	free(path);
}

static bool is_spec(const char *name)
{
	size_t length = strlen(name);

	return length > 5 && strcmp(name + length - 5, ".spec") == 0;
}

static void entry_give_back(const struct opened *o, const struct directory *d, const char *name)
{
	if (strncmp(name, "tail.", 5) == 0 || strcmp(name, "process") == 0)
		file_give_back(d, name);
	else if (is_spec(name) && d != o->directories)
		file_share(d, o->directories, name);
}

void spare_give_back(const struct opened *trace)
{
	for (size_t i = 0; i < trace->ndirectories; i++) {
		const struct directory *d = &trace->directories[i];
		struct dirent *entry;
		DIR *dir = process_is_gone(trace, i) ? opendir(d->path) : NULL;

		while (dir && (entry = readdir(dir)))
			entry_give_back(trace, d, entry->d_name);
		if (dir)
			closedir(dir);
	}
}
