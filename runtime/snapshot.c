/* glimpse_snapshot(): a copy of the logs as they are, while their threads run on. */
#include "runtime/directory.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/note.h"
#include "runtime/process.h"
#include "runtime/ring.h"
#include "runtime/tail.h"
#include "runtime/text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TRIES 1000

static bool bytes_copy(int from, int to, uint64_t begin, uint64_t end)
{
	char buffer[2048];
	off_t at = (off_t)begin, out = (off_t)begin;

	while ((uint64_t)at < end) {
		ssize_t n = copy_file_range(from, &at, to, &out, end - (uint64_t)at, 0);

		if (n > 0)
			continue;
		n = pread(from, buffer, sizeof buffer, at);
		if (n > 0 && (uint64_t)n > end - (uint64_t)at)
			n = (ssize_t)(end - (uint64_t)at);
		if (n <= 0 || !gl_file_write(to, buffer, (size_t)n, (uint64_t)at))
			return false;
		out = at += n;
	}
	return true;
}

/*
 * The log's file up to the tail's base, then what the tail holds. Should the thread append
 * meanwhile, once more.
 */
static bool tail_copy_once(const struct tail *t, int from, int to, uint64_t *copied, bool *stable)
{
	uint64_t base = __atomic_load_n(&t->hot.base, __ATOMIC_ACQUIRE);
	uint64_t head = __atomic_load_n(&t->hot.head, __ATOMIC_ACQUIRE);
	const unsigned char *records = (const unsigned char *)t + GLIMPSE_TAIL_START;

	if (!bytes_copy(from, to, *copied, base))
		return false;
	*copied = base;
	if (!gl_file_write_live(to, records, head, base))
		return false;
	*stable = __atomic_load_n(&t->hot.base, __ATOMIC_RELAXED) == base &&
		  __atomic_load_n(&t->hot.head, __ATOMIC_RELAXED) >= head;
	head += base;
	return gl_note_lost_copy(t, to, &head) && ftruncate(to, (off_t)head) == 0;
}

/*
 * A tail that is empty while the log goes on behind its base is between the two steps of
 * tail_appended(). Its thread may not run just now, so it is given time; not for ever, since
 * a write that failed half-way leaves such a log as well.
 */
static void tail_settle(const struct tail *t, int from)
{
	const struct timespec pause = { 0, 100000 };
	struct stat st;

	for (int i = 0; i < TRIES; i++) {
		uint64_t base = __atomic_load_n(&t->hot.base, __ATOMIC_ACQUIRE);

		if (__atomic_load_n(&t->hot.head, __ATOMIC_ACQUIRE) || fstat(from, &st) ||
		    (uint64_t)st.st_size <= base)
			break;
		nanosleep(&pause, NULL);
	}
}

static bool tail_copy(const struct tail *t, int from, int to)
{
	uint64_t copied = 0;
	bool stable = false;

	tail_settle(t, from);
	for (int i = 0; i < TRIES && !stable; i++)
		if (!tail_copy_once(t, from, to, &copied, &stable))
			return false;
	if (!stable)
		errno = EAGAIN;
	return stable;
}

static bool ring_copy(const struct tail *t, int from, int to)
{
	uint64_t offset = __atomic_load_n(&t->hot.base, __ATOMIC_ACQUIRE);

	return bytes_copy(from, to, 0, offset) && gl_ring_copy(t, to, &offset) &&
	       ftruncate(to, (off_t)offset) == 0;
}

static const char *path_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* The tail that continues a log; NULL: its file is all. */
static const struct tail *tail_of(const char *name)
{
	for (const struct tail *t = gl_process.tails; t; t = t->next)
		if (t->hot.thread != GL_TAIL_FREE && strcmp(path_name(t->path), name) == 0)
			return t;
	return NULL;
}

static bool file_copy(const char *name, int from, int to)
{
	const struct tail *t = strncmp(name, "log.", 4) == 0 ? tail_of(name) : NULL;
	struct stat st;

	if (t)
		return t->hot.block ? ring_copy(t, from, to) : tail_copy(t, from, to);
	return fstat(from, &st) == 0 && bytes_copy(from, to, 0, (uint64_t)st.st_size);
}

static bool entry_copy(const char *name, const char *directory)
{
	char *path = gl_process.path;
	int from = gl_file_open(gl_process_path(name, UINT32_MAX), O_RDONLY), to = -1;
	bool done;

	*path = '\0';
	if (gl_text_add(path, GL_PATH_MAX, directory) && gl_text_add(path, GL_PATH_MAX, "/") &&
	    gl_text_add(path, GL_PATH_MAX, name))
		to = gl_file_create(path);
	done = from >= 0 && to >= 0 && file_copy(name, from, to);
	if (to >= 0)
		gl_file_close(to);
	if (from >= 0)
		gl_file_close(from);
	return done;
}

static bool entries_copy(const char *directory)
{
	DIR *dir = opendir(gl_process.directory);
	const struct dirent *entry;
	bool good = dir;

	while (good && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strncmp(entry->d_name, "tail.", 5) != 0)
			good = entry_copy(entry->d_name, directory);
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

	if (!getcwd(here, sizeof here) || !gl_directory_absolute(to, directory, here))
		return false;
	if (mkdir(to, 0700))
		return false;
	gl_process_clock(0, true);
	return entries_copy(to);
}

int glimpse_snapshot(const char *directory)
{
	struct guard g;
	bool done = false;

	if (!directory || !gl_guard_enter(&g)) {
		errno = EINVAL;
		return -1;
	}
	gl_process_lock();
	errno = ENOENT;
	if (gl_process_open())
		done = snapshot_write(directory);
	g.error = done ? g.error : errno;
	gl_process_unlock();
	gl_guard_leave(&g);
	return done ? 0 : -1;
}
