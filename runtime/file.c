#include "runtime/file.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
	pthread_mutex_t lock;
	const char *path;
	int fd;                 /* -1: none */
	int standin;            /* the file open in its place, or -1; if open, the lock is held */
	dev_t device;
	ino_t inode;
} spare = { PTHREAD_MUTEX_INITIALIZER, NULL, -1, -1, 0, 0 };

static int open_again(const char *path, int flags)
{
	int fd;

	do
		fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
	while (fd < 0 && errno == EINTR);
	return fd;
}

/* Moves a descriptor to a high number, since programs may rely on the lowest ones. */
static int descriptor_raise(int fd)
{
	struct rlimit limit = { 1024, 1024 };
	int high;

	getrlimit(RLIMIT_NOFILE, &limit);
	high = fcntl(fd, F_DUPFD_CLOEXEC, limit.rlim_cur > 1024 ? 960 : (int)limit.rlim_cur - 4);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

void gl_file_prepare(void)
{
	int fd = open_again("/", O_PATH | O_DIRECTORY);

	if (fd >= 0)
		close(descriptor_raise(fd));
}

static void spare_take(void)
{
	struct stat st;
	int fd = open_again(spare.path, O_PATH | O_DIRECTORY);

	if (fd < 0)
		return;
	fd = descriptor_raise(fd);
	fstat(fd, &st);
	spare.fd = fd;
	spare.device = st.st_dev;
	spare.inode = st.st_ino;
}

/*
 * Closes the reserve. Returns false if there is none: the program may have closed it, and its
 * number may be another file now.
 */
static bool spare_yield(void)
{
	struct stat st;
	bool ours = spare.fd >= 0 && fstat(spare.fd, &st) == 0 && st.st_dev == spare.device &&
		    st.st_ino == spare.inode;

	if (ours)
		close(spare.fd);
	spare.fd = -1;
	return ours;
}

void gl_file_spare(const char *path)
{
	spare.path = path;
	spare_take();
}

void gl_file_spare_drop(void)
{
	spare_yield();
	spare.path = NULL;
}

void gl_file_lock(void)
{
	pthread_mutex_lock(&spare.lock);
}

void gl_file_unlock(void)
{
	pthread_mutex_unlock(&spare.lock);
}

int gl_file_open(const char *path, int flags)
{
	int fd = open_again(path, flags);

	if (fd >= 0 || (errno != EMFILE && errno != ENFILE))
		return fd;
	pthread_mutex_lock(&spare.lock);
	if (spare_yield()) {
		fd = open_again(path, flags);
		if (fd >= 0) {
			spare.standin = fd;
			return fd;
		}
		spare_take();
	}
	pthread_mutex_unlock(&spare.lock);
	errno = EMFILE;
	return -1;
}

int gl_file_create(const char *path)
{
	return gl_file_open(path, O_RDWR | O_CREAT | O_EXCL);
}

void gl_file_close(int fd)
{
	int error = errno;

	close(fd);
	if (__atomic_load_n(&spare.standin, __ATOMIC_RELAXED) == fd) {
		spare.standin = -1;
		spare_take();
		pthread_mutex_unlock(&spare.lock);
	}
	errno = error;
}

void gl_file_limit_signal(void)
{
	static const struct timespec now;
	sigset_t pending, one;
	int error = errno;

	sigpending(&pending);
	if (sigismember(&pending, SIGXFSZ)) {
		sigemptyset(&one);
		sigaddset(&one, SIGXFSZ);
		sigtimedwait(&one, NULL, &now);
	}
	errno = error;
}

bool gl_file_write(int fd, const void *from, size_t size, uint64_t offset)
{
	const char *at = from;

	while (size) {
		ssize_t n = pwrite(fd, at, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (n == 0)
				errno = ENOSPC;
			if (errno == EFBIG)
				gl_file_limit_signal();
			return false;
		}
		at += n;
		size -= (size_t)n;
		offset += (size_t)n;
	}
	return true;
}

/*
 * Races with the writer on purpose, so ThreadSanitizer must not check it. The loads acquire, so
 * that the caller's test whether the words changed comes after them.
 */
__attribute__((no_sanitize("thread"))) static void
live_read(uint32_t *to, const uint32_t *from, size_t words)
{
	for (size_t i = 0; i < words; i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
}

bool gl_file_write_live(int fd, const void *from, size_t size, uint64_t offset)
{
	uint32_t words[512];

	for (size_t at = 0; at < size; at += sizeof words) {
		size_t n = size - at < sizeof words ? size - at : sizeof words;

		live_read(words, (const uint32_t *)((const char *)from + at), n / 4);
		if (!gl_file_write(fd, words, n, offset + at))
			return false;
	}
	return true;
}

bool gl_file_extend(int fd, uint64_t offset, size_t size)
{
	if (fallocate(fd, 0, (off_t)offset, (off_t)size) == 0)
		return true;
	if (errno == EFBIG)
		gl_file_limit_signal();
	return false;
}

/* Writes zeros, for file systems that cannot reserve blocks. */
static bool reserve_by_writing(int fd, size_t size)
{
	static const char zeros[4096];
	struct stat st;

	if (fstat(fd, &st))
		return false;
	for (size_t at = (size_t)st.st_size; at < size; at += sizeof zeros)
		if (!gl_file_write(fd, zeros, sizeof zeros, at))
			return false;
	return true;
}

bool gl_file_reserve(int fd, size_t size)
{
	int failed;

	do
		failed = fallocate(fd, 0, 0, (off_t)size);
	while (failed && errno == EINTR);
	if (failed && (errno == EOPNOTSUPP || errno == ENOSYS))
		return reserve_by_writing(fd, size);
	if (failed && errno == EFBIG)
		gl_file_limit_signal();
	return !failed;
}
