/*
 * Files of the log directory. The runtime holds no descriptor of a log between calls: a program
 * that closes descriptors it does not know, as daemons do, can neither stop the logging nor direct
 * it into another file. One descriptor is held in reserve, so that logging goes on when the
 * program has used up all others. Call these functions inside a guard.
 */
#ifndef GLIMPSE_RUNTIME_FILE_H
#define GLIMPSE_RUNTIME_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Lets the kernel enlarge its table of descriptors while the process has one thread; with several
 * it takes tens of milliseconds. Needs no guard.
 */
void gl_file_prepare(void);

/*
 * Opens a file, never through a symbolic link, with flags as for open(2). Returns its descriptor,
 * to be closed with gl_file_close(), or -1 with errno set.
 */
int gl_file_open(const char *path, int flags);
/* Creates a file of mode 0600, open for reading and writing. Returns as gl_file_open() does. */
int gl_file_create(const char *path);
void gl_file_close(int fd);

/*
 * Takes back the SIGXFSZ that a write beyond RLIMIT_FSIZE raised: it would end a program that does
 * not know of the file. Keeps errno.
 */
void gl_file_limit_signal(void);

/* Writes all of `size` bytes at a position. Returns false with errno set if only a part fits. */
bool gl_file_write(int fd, const void *from, size_t size, uint64_t offset);
/*
 * Writes as gl_file_write() does from memory that another thread may be changing. The caller has to
 * find out whether that happened.
 */
bool gl_file_write_live(int fd, const void *from, size_t size, uint64_t offset);
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

/* Opens the reserve descriptor at `path`, which must stay, such as the log directory. */
void gl_file_spare(const char *path);
/* Closes the reserve descriptor, in a forked child or at the end. */
void gl_file_spare_drop(void);

/* Hold the lock of the reserve during fork(), so that it is free in the child. */
void gl_file_lock(void);
void gl_file_unlock(void);

#endif
