#include "runtime/file.h"
#include "runtime/descriptor.h"
#include "runtime/process.h"
#include "runtime/request.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#if __has_include(<linux/fs.h>)
#include <linux/fs.h>
#include <linux/magic.h>
#endif

static struct {
	pthread_mutex_t lock;
	const char *path;
	bool recorded; /* by a recorder: no descriptor of a directory is held */
	int directory; /* descriptors, for O_PATH alone; -1: none */
	int reserve;
	int standin;            /* the file open in place of the reserve, or -1 */
	struct file_mark mark;  /* of the directory */
	struct file_mark claim; /* of the file that makes it the run's; 0: there is none yet */
	char claim_path[GL_PATH_MAX];
	const char *tails; /* another directory of the run, or NULL */
	bool filtered;     /* as was seen last, or nothing was seen yet */
} home = { .lock = PTHREAD_MUTEX_INITIALIZER,
	   .directory = -1,
	   .reserve = -1,
	   .standin = -1,
	   .filtered = true };

/* Set while the thread has the lock because a file of its own is open in place of the reserve. */
static __thread bool stands_in __attribute__((tls_model("initial-exec")));

/* ---- Descriptors ----------------------------------------------------------------------------- */

static struct file_mark mark_of(const struct stat *st)
{
	return (struct file_mark){ st->st_dev, st->st_ino };
}

void gl_file_prepare(void)
{
	int fd = gl_descriptor_open(AT_FDCWD, "/", O_PATH | O_DIRECTORY);

	if (fd >= 0)
		fd = gl_descriptor_raise(fd);
	if (fd >= 0)
		gl_descriptor_close(fd);
	if (gl_request_recorded())
		gl_file_filtered();
}

static bool mark_fits(const struct file_mark *mark, const struct stat *st)
{
	return mark->device == st->st_dev && mark->inode == st->st_ino;
}

/* Returns whether a descriptor is of a file: the program may have closed it and used the number. */
static bool descriptor_is(int fd, const struct file_mark *mark)
{
	struct stat st;

	return fd >= 0 && system_fstat(fd, &st) == 0 && mark_fits(mark, &st);
}

/* Returns whether a descriptor was made here and not by the program. */
static bool descriptor_is_ours(int fd)
{
	return (descriptor_is(fd, &home.mark) || descriptor_is(fd, &home.claim)) &&
	       system_fcntl(fd, F_GETFL, 0) & O_PATH;
}

/*
 * Returns a descriptor that can neither be read nor written, not below a number: of the directory,
 * or, in a recorded process, of the file that makes it the run's.
 */
static int held_open(int directory, int least)
{
	int fd;

	if (!home.recorded)
		return system_fcntl(directory, F_DUPFD_CLOEXEC, least);
	fd = gl_descriptor_open(AT_FDCWD, home.claim_path, O_PATH | O_NOFOLLOW);
	return fd < 0 || fd >= least ? fd : gl_descriptor_raise(fd);
}

static bool is_open(int fd)
{
	return system_fcntl(fd, F_GETFD, 0) >= 0;
}

/*
 * Gives the numbers below 3 that are free to descriptors that can neither be read nor written, so
 * that a file gets none of them: another thread's message to stderr would stand in the file.
 * Returns which these are, as bits.
 */
static unsigned low_fill(int directory)
{
	unsigned filled = 0;

	while (!is_open(0) || !is_open(1) || !is_open(2)) {
		int fd = held_open(directory, 0);

		if (fd >= 0 && fd < GL_DESCRIPTOR_LOW) {
			filled |= 1u << fd;
			continue;
		}
		if (fd >= 0)
			system_close(fd);
		break;
	}
	return filled;
}

/* The program may have opened a file of its own by one of these numbers meanwhile. */
static void low_free(unsigned filled)
{
	int error = errno;

	for (int fd = 0; fd < GL_DESCRIPTOR_LOW; fd++)
		if (filled & 1u << fd && descriptor_is_ours(fd))
			system_close(fd);
	errno = error;
}

/* ---- What the recorder is asked for ---------------------------------------------------------- */

static int file_open(int directory, const char *name, int flags);

/* Another root may have no /proc. A filter that is set there ends the logging by itself. */
bool gl_file_filtered(void)
{
	static const char none[] = "\nSeccomp:\t0\n";
	char text[4096];
	int fd = file_open(home.directory, "/proc/thread-self/status", O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return errno != ENOENT || __atomic_load_n(&home.filtered, __ATOMIC_RELAXED);
	n = system_read(fd, text, sizeof text - 1);
	gl_file_close(fd);
	text[n > 0 ? n : 0] = '\0';
	__atomic_store_n(&home.filtered, !strstr(text, none), __ATOMIC_RELAXED);
	return !strstr(text, none);
}

bool gl_file_may_ask(void)
{
	return gl_request_root() && !gl_file_filtered();
}

/* Returns whether the last call failed because the process has lost its rights. */
static bool is_forbidden(void)
{
	return errno == EACCES || errno == EPERM;
}

/* ---- The directory --------------------------------------------------------------------------- */

/* Opens the directory if its path still leads to it. */
static int home_open(void)
{
	int fd;

	if (!home.path) { /* the run has not begun */
		errno = ENOENT;
		return -1;
	}
	fd = gl_descriptor_open(AT_FDCWD, home.path, O_PATH | O_DIRECTORY);
	if (fd < 0 || descriptor_is(fd, &home.mark))
		return fd < 0 ? fd : gl_descriptor_raise(fd);
	system_close(fd);
	errno = ENOENT;
	return -1;
}

/*
 * Returns the descriptor of the directory, opened anew if the program closed it; AT_FDCWD in a
 * recorded process, which opens files by their whole paths.
 */
static int home_descriptor(void)
{
	int fd = __atomic_load_n(&home.directory, __ATOMIC_ACQUIRE);

	if (home.recorded)
		return AT_FDCWD;
	if (descriptor_is(fd, &home.mark))
		return fd;
	if (!stands_in)
		pthread_mutex_lock(&home.lock);
	if (home.directory == fd)
		__atomic_store_n(&home.directory, home_open(), __ATOMIC_RELEASE);
	fd = home.directory;
	if (!stands_in)
		pthread_mutex_unlock(&home.lock);
	return fd;
}

/* Returns whether the path of a recorded process' directory leads to it: not so in another root. */
static bool home_is_here(void)
{
	struct stat st;

	if (home.path && system_fstatat(AT_FDCWD, home.path, &st, 0) == 0 &&
	    mark_fits(&home.mark, &st))
		return true;
	if (!is_forbidden())
		errno = ENOENT;
	return false;
}

/*
 * Returns whether the directory is the run's own: another run may have cleared and taken it. The
 * process file is mapped, so that no other file gets its inode.
 */
static bool home_is_own(int directory)
{
	const char *claim = home.claim_path;
	struct stat st;

	if (!home.claim.inode)
		return !home.recorded || home_is_here();
	if (!home.recorded)
		claim = strrchr(claim, '/') + 1;
	if (system_fstatat(directory, claim, &st, AT_SYMLINK_NOFOLLOW))
		return is_forbidden() && gl_request_root(); /* the recorder looks */
	if (mark_fits(&home.claim, &st))
		return true;
	errno = ENOENT;
	return false;
}

static void reserve_take(void)
{
	int fd = held_open(home_descriptor(), GL_DESCRIPTOR_LOW);

	home.reserve = fd < 0 ? fd : gl_descriptor_raise(fd);
}

static void descriptor_drop(int *fd)
{
	if (descriptor_is_ours(*fd))
		system_close(*fd);
	*fd = -1;
}

bool gl_file_directory_make(const char *path)
{
	char link[32] = "/proc/self/fd/";
	struct stat st;
	bool done;
	int fd;

	if (system_mkdir(path, 0700))
		return false;
	fd = gl_descriptor_open(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
	if (fd < 0)
		return false;
	gl_text_add_number(link, sizeof link, (uint64_t)fd);
	done = system_fstat(fd, &st) == 0 &&
	       ((st.st_mode & 0700) == 0700 || system_chmod(link, 0700) == 0);
	gl_descriptor_close(fd);
	return done;
}

/*
 * Lets a directory become the run's, and holds its descriptor. A recorded process does not: whoever
 * breaks into a program that has gone into an empty root would leave it by that, and sandboxes that
 * find a directory open refuse to begin.
 */
static bool home_hold(int fd, const char *path, struct stat *st)
{
	bool known;

	home.recorded = gl_request_recorded();
	if (!home.recorded)
		fd = gl_descriptor_raise(fd);
	known = fd >= 0 && system_fstat(fd, st) == 0;
	if (known) {
		home.path = path;
		home.mark = mark_of(st);
		home.claim.inode = 0;
	}
	if (known && !home.recorded)
		home.directory = fd;
	else if (fd >= 0)
		gl_descriptor_close(fd);
	return known;
}

bool gl_file_enter(const char *path, struct stat *st)
{
	int fd;

	gl_file_leave();
	/* Who starts a set-user-ID program may have put a link there. */
	fd = gl_descriptor_open(AT_FDCWD, path,
				O_PATH | O_DIRECTORY | (getauxval(AT_SECURE) ? O_NOFOLLOW : 0));
	return fd >= 0 && home_hold(fd, path, st);
}

bool gl_file_enter_asked(const char *program, char *path, size_t size)
{
	struct stat st;
	int fd;

	gl_file_leave();
	fd = gl_file_may_ask() ? gl_request_make(program, path, (unsigned)size) : -1;
	return fd >= 0 && home_hold(fd, path, &st);
}

int gl_file_claim(const char *path)
{
	struct file_mark mark;
	int fd = gl_file_create(path, &mark);

	if (fd < 0)
		return fd;
	*home.claim_path = '\0';
	gl_text_add(home.claim_path, sizeof home.claim_path, path);
	home.claim = mark;
	reserve_take();
	return fd;
}

void gl_file_unclaim(void)
{
	gl_file_remove(home.claim_path, &home.claim);
	home.claim.inode = 0;
	gl_file_leave();
}

void gl_file_tails_directory(const char *directory)
{
	home.tails = directory;
}

void gl_file_leave(void)
{
	home.tails = NULL;
	descriptor_drop(&home.directory);
	descriptor_drop(&home.reserve);
}

void gl_file_lock(void)
{
	pthread_mutex_lock(&home.lock);
}

bool gl_file_trylock(void)
{
	return pthread_mutex_trylock(&home.lock) == 0;
}

void gl_file_unlock(void)
{
	pthread_mutex_unlock(&home.lock);
}

void gl_file_lock_init(void)
{
	pthread_mutex_init(&home.lock, NULL);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Opens a file relative to a directory, and gets a number that is not too low. */
static int file_open(int directory, const char *name, int flags)
{
	unsigned filled = low_fill(directory);
	int fd = gl_descriptor_open(directory, name, flags | O_NOFOLLOW);

	low_free(filled);
	return fd < 0 || fd >= GL_DESCRIPTOR_LOW ? fd : gl_descriptor_raise(fd);
}

/* Closes the reserve and opens a file in its place; the lock is held until that is closed. */
static int standin_open(int directory, const char *name, int flags)
{
	int fd = -1;

	if (stands_in) {
		errno = EMFILE;
		return -1;
	}
	pthread_mutex_lock(&home.lock);
	if (descriptor_is_ours(home.reserve)) {
		descriptor_drop(&home.reserve);
		fd = file_open(directory, name, flags);
		if (fd >= 0) {
			home.standin = fd;
			stands_in = true;
			return fd;
		}
		stands_in = true;
		reserve_take();
		stands_in = false;
	}
	pthread_mutex_unlock(&home.lock);
	errno = EMFILE;
	return -1;
}

static int open_somehow(int directory, const char *name, int flags)
{
	int fd = file_open(directory, name, flags);

	if (fd >= 0 || (errno != EMFILE && errno != ENFILE))
		return fd;
	return standin_open(directory, name, flags);
}

/* Returns whether a file is in the directory of the tails, and not in the run's. */
static bool is_tail(const char *path)
{
	size_t length = home.tails ? strlen(home.tails) : 0;

	return length && strncmp(path, home.tails, length) == 0 && path[length] == '/';
}

/* Returns the name of a file in the run's directory; NULL: it is in another one. */
static const char *file_name(const char *path)
{
	const char *name = strrchr(path, '/');

	return is_tail(path) ? NULL : name ? name + 1 : path;
}

/* Returns the name of a file relative to what home_descriptor() returns. */
static const char *file_path_name(const char *path)
{
	const char *name = home.recorded ? NULL : file_name(path);

	return name ? name : path;
}

/*
 * Has the recorder open a file that the process itself may not open, or does not find in its root.
 * Keeps errno if it does not.
 */
static int file_ask(const char *path, int flags)
{
	int error = errno, fd = -1;
	const char *name = file_name(path);

	if (name && gl_file_may_ask())
		fd = gl_request_open(home.path, name, flags);
	if (fd < 0)
		errno = error;
	return fd;
}

static int recorded_file_open(const char *path, int flags, bool own)
{
	bool here = is_tail(path) || (own ? home_is_own(AT_FDCWD) : home_is_here());
	int fd = here ? open_somehow(AT_FDCWD, path, flags) : -1;

	return fd >= 0 || (here && !is_forbidden()) ? fd : file_ask(path, flags);
}

/* Once more if the program, or the end of the run, closed the directory's descriptor meanwhile. */
static int home_file_open(const char *path, int flags, bool own)
{
	const char *name = file_path_name(path);
	int directory, fd = -1;

	if (home.recorded)
		return recorded_file_open(path, flags, own);
	for (int tries = 0; fd < 0 && tries < 2; tries++) {
		directory = home_descriptor();
		if (directory < 0)
			return -1;
		if (own && !home_is_own(directory)) {
			if (errno == EBADF)
				continue;
			return -1;
		}
		fd = open_somehow(directory, name, flags);
		if (fd < 0 && errno != EBADF)
			return fd;
	}
	return fd;
}

/* The umask may have taken from the user what is the user's. */
static void user_let(int fd, const struct stat *st)
{
	if ((st->st_mode & 0600) != 0600)
		system_fchmod(fd, 0600);
}

int gl_file_open(const char *path, int flags, struct file_mark *mark)
{
	struct stat st;
	int fd = home_file_open(path, flags, mark || flags & O_CREAT);

	if (fd < 0 || !mark)
		return fd;
	if (flags & O_CREAT && flags & O_EXCL && system_fstat(fd, &st) == 0) {
		*mark = mark_of(&st);
		user_let(fd, &st);
	}
	if (descriptor_is(fd, mark))
		return fd;
	gl_file_close(fd);
	errno = ENOENT;
	return -1;
}

int gl_file_create(const char *path, struct file_mark *mark)
{
	return gl_file_open(path, O_RDWR | O_CREAT | O_EXCL, mark);
}

int gl_file_open_outside(const char *path, int flags)
{
	int fd = open_somehow(home_descriptor(), path, flags);
	struct stat st;

	if (fd >= 0 && flags & O_EXCL && system_fstat(fd, &st) == 0)
		user_let(fd, &st);
	return fd;
}

void gl_file_close(int fd)
{
	int error = errno;

	system_close(fd);
	if (stands_in && home.standin == fd) {
		home.standin = -1;
		reserve_take();
		stands_in = false;
		pthread_mutex_unlock(&home.lock);
	}
	errno = error;
}

bool gl_file_exists(const char *path)
{
	int directory = home_descriptor();

	return directory != -1 && system_faccessat(directory, file_path_name(path), F_OK) == 0;
}

void gl_file_remove(const char *path, const struct file_mark *mark)
{
	int error = errno, directory = home_descriptor();
	const char *name = file_path_name(path);
	struct stat st;

	if (directory == -1)
		;
	else if (system_fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		 mark_fits(mark, &st))
		system_unlinkat(directory, name, 0);
	else if (home.recorded && file_name(path) && (is_forbidden() || !home_is_here()) &&
		 gl_file_may_ask())
		gl_request_remove(home.path, file_name(path), mark->device, mark->inode);
	errno = error;
}

/* ---- Reading and writing --------------------------------------------------------------------- */

void gl_file_signal(int number)
{
	static const struct timespec now;
	sigset_t pending, one;
	int error = errno;

	system_sigpending(&pending);
	if (sigismember(&pending, number)) {
		sigemptyset(&one);
		sigaddset(&one, number);
		system_sigtimedwait(&one, &now);
	}
	errno = error;
}

/* What a full disk takes of it is taken back. */
bool gl_file_append(int fd, const void *from, size_t size)
{
	ssize_t n = system_write(fd, from, size);
	struct stat st;

	if (n == (ssize_t)size)
		return true;
	if (n < 0 && errno == EFBIG)
		gl_file_signal(SIGXFSZ);
	if (n >= 0) {
		if (n > 0 && system_fstat(fd, &st) == 0 && system_ftruncate(fd, st.st_size - n))
			return false;
		errno = ENOSPC;
	}
	return false;
}

bool gl_file_write(int fd, const void *from, size_t size, uint64_t offset)
{
	const char *at = from;

	while (size) {
		ssize_t n = system_pwrite(fd, at, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (n == 0)
				errno = ENOSPC;
			if (errno == EFBIG)
				gl_file_signal(SIGXFSZ);
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
__attribute__((no_sanitize("thread"))) static void live_read(uint32_t *to, const uint32_t *from,
							     size_t words)
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
	if (system_fallocate(fd, 0, (off_t)offset, (off_t)size) == 0)
		return true;
	if (errno == EFBIG)
		gl_file_signal(SIGXFSZ);
	return false;
}

/* Writes zeros, for file systems that cannot reserve blocks. */
static bool reserve_by_writing(int fd, size_t size)
{
	static const char zeros[4096];
	struct stat st;

	if (system_fstat(fd, &st))
		return false;
	for (size_t at = (size_t)st.st_size; at < size; at += sizeof zeros)
		if (!gl_file_write(fd, zeros, sizeof zeros, at))
			return false;
	return true;
}

/*
 * A file system that copies what is overwritten needs new blocks to store to a map of blocks that
 * are on the disk already, and ends the program with SIGBUS if it has none. An empty file can be
 * told to be overwritten in place.
 */
static void overwrite_in_place(int fd)
{
#if defined(FS_IOC_SETFLAGS) && defined(FS_NOCOW_FL)
	struct statfs system;
	int flags;

	if (system_fstatfs(fd, &system) || system.f_type != BTRFS_SUPER_MAGIC ||
	    system_ioctl(fd, FS_IOC_GETFLAGS, &flags))
		return;
	flags |= FS_NOCOW_FL;
	system_ioctl(fd, FS_IOC_SETFLAGS, &flags);
#else
	(void)fd;
#endif
}

bool gl_file_reserve(int fd, size_t size)
{
	int error = errno, failed;

	overwrite_in_place(fd);
	errno = error;
	do
		failed = system_fallocate(fd, 0, 0, (off_t)size);
	while (failed && errno == EINTR);
	if (failed && (errno == EOPNOTSUPP || errno == ENOSYS))
		return reserve_by_writing(fd, size);
	if (failed && errno == EFBIG)
		gl_file_signal(SIGXFSZ);
	return !failed;
}
