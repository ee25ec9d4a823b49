/* glimpse_snapshot(): copies the logs as they are, while their threads run on. */
#include "runtime/directory.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/modules.h"
#include "runtime/note_record.h"
#include "runtime/pairs.h"
#include "runtime/pool.h"
#include "runtime/process.h"
#include "runtime/ring.h"
#include "runtime/run.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define COPY_TRIES 1000

static bool bytes_copy(int from, int to, uint64_t begin, uint64_t end)
{
	char buffer[2048];
	off_t at = (off_t)begin, out = (off_t)begin;

	while ((uint64_t)at < end) {
		ssize_t n = system_copy_file_range(from, &at, to, &out, end - (uint64_t)at);

		if (n > 0)
			continue;
		n = system_pread(from, buffer, sizeof buffer, at);
		if (n > 0 && (uint64_t)n > end - (uint64_t)at)
			n = (ssize_t)(end - (uint64_t)at);
		if (n <= 0 || !gl_file_write(to, buffer, (size_t)n, (uint64_t)at))
			return false;
		out = at += n;
	}
	return true;
}

/*
 * Copies a part of a log's file. A log that is still in its tail has no file, but may get one at
 * any time.
 */
static bool file_part_copy(const struct tail *t, int to, uint64_t begin, uint64_t end)
{
	struct file_mark log;
	bool good;
	int from;

	if (begin >= end)
		return true;
	log = t->log;
	from = gl_file_open(t->path, O_RDONLY, &log);
	if (from < 0)
		return false;
	good = bytes_copy(from, to, begin, end);
	gl_file_close(from);
	return good;
}

/*
 * Copies the log's file up to the tail's base, then the staging buffer and the tail. If the thread
 * appends meanwhile, *stable is false and all is to be copied once more, from *copied on.
 */
static bool tail_copy_once(const struct tail *t, int to, uint64_t *copied, bool *stable)
{
	const unsigned char *records = (const unsigned char *)t + GLIMPSE_TAIL_START;
	struct tail_view v = gl_tail_view(t), after;
	uint64_t end = v.base + v.size;

	if (!file_part_copy(t, to, *copied, v.base))
		return false;
	if (!gl_file_write_live(to, records + t->staging, v.pending.used, v.pending.base) ||
	    !gl_file_write_live(to, records, v.size, v.base))
		return false;
	after = gl_tail_view(t);
	*stable = gl_tail_unchanged(&v, &after);
	*copied = v.pending.used ? v.pending.base : v.base;
	return gl_note_write_lost(t, to, &end) && system_ftruncate(to, (off_t)end) == 0;
}

static bool tail_log_copy(const struct tail *t, int to)
{
	uint64_t copied = 0;
	bool stable = false;

	for (int i = 0; i < COPY_TRIES && !stable; i++)
		if (!tail_copy_once(t, to, &copied, &stable))
			return false;
	if (!stable)
		errno = EAGAIN;
	return stable;
}

static bool ring_log_copy(const struct tail *t, int to)
{
	uint64_t offset = __atomic_load_n(&t->hot.base, __ATOMIC_ACQUIRE);

	return file_part_copy(t, to, 0, offset) && gl_ring_copy(t, to, &offset) &&
	       system_ftruncate(to, (off_t)offset) == 0;
}

static const char *snapshot_path_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

static int copy_create(const char *name, const char *directory)
{
	char *path = gl_process.path;

	*path = '\0';
	if (!gl_text_add(path, GL_PATH_MAX, directory) || !gl_text_add(path, GL_PATH_MAX, "/") ||
	    !gl_text_add(path, GL_PATH_MAX, name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return gl_file_open_outside(path, O_RDWR | O_CREAT | O_EXCL);
}

static bool snapshot_log_copy(const struct tail *t, const char *directory)
{
	int to = copy_create(snapshot_path_name(t->path), directory);
	bool done = to >= 0 && (t->block ? ring_log_copy(t, to) : tail_log_copy(t, to));

	if (to >= 0)
		gl_file_close(to);
	return done;
}

static bool tail_is_of(const struct tail *t, const char *name)
{
	return t->hot.thread != GL_TAIL_FREE &&
	       (!name || strcmp(snapshot_path_name(t->path), name) == 0);
}

/* Returns the next tail that has a log: the log of a name, or any for NULL. */
static const struct tail *tail_next(const struct tail *t, const char *name)
{
	do
		t = gl_pool_next(t);
	while (t && !tail_is_of(t, name));
	return t;
}

static bool logs_copy(const char *directory)
{
	for (const struct tail *t = NULL; (t = tail_next(t, NULL));)
		if (!snapshot_log_copy(t, directory))
			return false;
	return true;
}

/* Directories are those of other processes (GLIMPSE_CHILDREN=inside). */
static bool file_copy(const char *name, const char *directory)
{
	int from = gl_file_open(gl_process_path(name, UINT32_MAX), O_RDONLY, NULL), to = -1;
	struct stat st;
	bool done = from >= 0 && system_fstat(from, &st) == 0;

	if (done && S_ISREG(st.st_mode)) {
		to = copy_create(name, directory);
		done = to >= 0 && bytes_copy(from, to, 0, (uint64_t)st.st_size);
	}
	if (to >= 0)
		gl_file_close(to);
	if (from >= 0)
		gl_file_close(from);
	return done;
}

static bool is_copied(const char *name)
{
	return *name == '.' || strcmp(name, "tails") == 0 || strncmp(name, "tail.", 5) == 0 ||
	       (strncmp(name, "log.", 4) == 0 && tail_next(NULL, name));
}

/* The list has a descriptor of its own: closedir() must not close the one in reserve. */
static DIR *directory_list(void)
{
	int fd = gl_file_open(gl_process_path(".", UINT32_MAX), O_RDONLY | O_DIRECTORY, NULL), own;
	DIR *dir;

	if (fd < 0)
		return NULL;
	own = system_fcntl(fd, F_DUPFD_CLOEXEC, 3);
	gl_file_close(fd);
	dir = own < 0 ? NULL : fdopendir(own);
	if (!dir && own >= 0)
		system_close(own);
	return dir;
}

/* Copies the files that belong to no tail. */
static bool files_copy(const char *directory)
{
	DIR *dir = directory_list();
	const struct dirent *entry;
	bool good = dir;

	while (good && (entry = readdir(dir)))
		if (!is_copied(entry->d_name))
			good = file_copy(entry->d_name, directory);
	if (dir) {
		int error = errno;

		closedir(dir);
		errno = error;
	}
	return good;
}

static bool snapshot_write(const char *directory)
{
	char here[GL_DIRECTORY_MAX], to[GL_DIRECTORY_MAX];

	if (!system_getcwd(here, sizeof here) || !gl_directory_absolute(to, directory, here))
		return false;
	if (!gl_file_directory_make(to))
		return false;
	gl_pairs_store();
	gl_process_save();
	return logs_copy(to) && files_copy(to);
}

int glimpse_snapshot(const char *directory)
{
	struct guard g;
	bool done = false;

	if (!directory || !gl_guard_enter(&g)) {
		errno = EINVAL;
		return -1;
	}
	gl_modules_update();
	gl_process_lock();
	errno = ENOENT;
	if (gl_run_open())
		done = snapshot_write(directory);
	g.error = done ? g.error : errno;
	gl_process_unlock();
	gl_guard_leave(&g);
	return done ? 0 : -1;
}
