/*
 * Files of the log directory. No descriptor of a log is held between calls. Two descriptors are
 * held, both of the directory, and they are trusted only after a look at their device and inode. So
 * a program that closes descriptors it does not know, as daemons do, can neither stop the logging
 * nor direct it into another file. The first finds the run's files wherever the directory is moved.
 * The second is a reserve, so that logging goes on when the program has used up all others. No file
 * is written that only has the name of one of the run. No number below 3 is taken. Call these
 * functions inside a guard.
 *
 * A recorded process (gl_request_root()) holds no directory, by which one could leave a root that
 * the process has gone into. Its files are opened by their paths, or by the recorder where these
 * do not lead to the run's directory; its reserve is of the file that makes that the run's.
 *
 * Paths of the run's files are whole. In a process that is not recorded, only what follows the last
 * slash counts; the rest is for messages.
 */
#ifndef GLIMPSE_RUNTIME_FILE_H
#define GLIMPSE_RUNTIME_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* What tells a file from others that get its name later. */
struct file_mark {
	uint64_t device, inode;
};

/*
 * Lets the kernel enlarge its table of descriptors while the process has one thread; with several
 * it takes tens of milliseconds. If there is a recorder, looks whether system calls are filtered,
 * for later, when the process may have another root, without /proc. Needs no guard.
 */
void gl_file_prepare(void);

/*
 * Makes a directory of mode 0700, whatever the umask takes away. Returns false with errno set.
 */
bool gl_file_directory_make(const char *path);
/*
 * Makes a directory the run's, and stores what stat(2) tells of it. `path` must stay: a directory
 * that is not open, or that the program has closed, is looked for there. Returns false with errno
 * set.
 */
bool gl_file_enter(const char *path, struct stat *st);
/*
 * The same with a directory that the recorder makes for this program, where the process itself may
 * make none; writes its path.
 */
bool gl_file_enter_asked(const char *program, char *path, size_t size);
/*
 * Returns whether the recorder may be asked for anything: there is one, and no filter of system
 * calls (seccomp), which might end the program for it.
 */
bool gl_file_may_ask(void);
/*
 * Returns whether system calls of this thread are filtered, as a file of the kernel says, or may
 * be: a filter that does not know a call may end the program.
 */
bool gl_file_filtered(void);
/*
 * Creates the file whose presence makes the directory the run's: from here on nothing is created
 * in a directory where that is another file. Returns as gl_file_open() does.
 */
int gl_file_claim(const char *path);
/* Removes that file, when the run cannot begin. */
void gl_file_unclaim(void);
/*
 * Lets files whose path begins with this directory's be there, and not in the run's directory,
 * until it is NULL or the run's directory is left. The path must stay.
 */
void gl_file_tails_directory(const char *directory);
/* Closes the descriptors that are held, in a forked child or at the end. */
void gl_file_leave(void);

/*
 * Opens a file of the run, never through a symbolic link, with flags as for open(2). With a mark,
 * O_CREAT | O_EXCL stores it and sets the mode to 0600, whatever the umask takes away, and any
 * other call fails if the file is not the marked one. Returns
 * its descriptor, to be closed with gl_file_close(), or -1 with errno set.
 */
int gl_file_open(const char *path, int flags, struct file_mark *mark);
/*
 * Creates a file of the run of mode 0600, open for reading and writing, and stores its mark unless
 * that is NULL. Returns as gl_file_open() does.
 */
int gl_file_create(const char *path, struct file_mark *mark);
/* Opens a file like gl_file_open(), but one that is wherever its path says. */
int gl_file_open_outside(const char *path, int flags);
void gl_file_close(int fd);
/* Returns whether the run's directory has a file of that name. */
bool gl_file_exists(const char *path);
/* Removes a file of the run unless another one has its name. Keeps errno. */
void gl_file_remove(const char *path, const struct file_mark *mark);

/*
 * Takes back a signal that a write of this thread raised, such as SIGXFSZ beyond RLIMIT_FSIZE: it
 * would end a program that does not know of the file. Keeps errno.
 */
void gl_file_signal(int number);

/* Writes all of `size` bytes at a position. Returns false with errno set if only a part fits. */
bool gl_file_write(int fd, const void *from, size_t size, uint64_t offset);
/*
 * Writes as gl_file_write() does from memory that another thread may be changing. The caller has to
 * find out whether that happened.
 */
bool gl_file_write_live(int fd, const void *from, size_t size, uint64_t offset);
/*
 * Writes `size` bytes to the end of a file that is open with O_APPEND, in one call. Returns false
 * with errno set, and nothing written, if that fails.
 */
bool gl_file_append(int fd, const void *from, size_t size);
/*
 * Makes sure that the first `size` bytes have blocks on the disk, so that storing to a map of the
 * file cannot fail.
 */
bool gl_file_reserve(int fd, size_t size);

/*
 * Gets blocks for `size` bytes from `offset` on, and makes the file end there at least. Returns
 * false if the file system cannot do that, or has no room.
 */
bool gl_file_extend(int fd, uint64_t offset, size_t size);

/*
 * Hold the lock of the descriptors during fork(), so that it is free in the child. try: returns
 * false if it is held. init: releases what a thread held that a child has not.
 */
void gl_file_lock(void);
bool gl_file_trylock(void);
void gl_file_lock_init(void);
void gl_file_unlock(void);

#endif
