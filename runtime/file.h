/*
 * Files of the log directory. The runtime holds no descriptor of a log between calls: a program
 * that closes descriptors it does not know, as daemons do, can neither stop it nor make it write
 * into another file. One descriptor is kept in reserve, so that logs go on when the program has
 * used up all others. Call everything here inside a guard.
 */
#ifndef GLIMPSE_RUNTIME_FILE_H
#define GLIMPSE_RUNTIME_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Once, while the process has one thread: lets the kernel enlarge the table of descriptors, which
 * takes it tens of milliseconds when there are several. Needs no guard.
 */
void gl_file_prepare(void);

/*
 * Opens, never through a symbolic link; flags as for open(2). -1 with errno. Close with
 * gl_file_close().
 */
int gl_file_open(const char *path, int flags);
/* A new file, mode 0600, open for reading and writing. */
int gl_file_create(const char *path);
void gl_file_close(int fd);

/*
 * Takes back the SIGXFSZ that a write past RLIMIT_FSIZE raised, which would end a program that
 * never heard of the file. errno stays.
 */
void gl_file_limit_signal(void);

/* Writes all of it at a position. False with errno; what was written stays. */
bool gl_file_write(int fd, const void *from, size_t size, uint64_t offset);
/*
 * The same from memory that another thread may be changing; whether it did is for the caller to
 * find out.
 */
bool gl_file_write_live(int fd, const void *from, size_t size, uint64_t offset);
/*
 * Makes sure that the first `size` bytes have blocks on the disk, so that storing to a map cannot
 * fail.
 */
bool gl_file_reserve(int fd, size_t size);

/*
 * Gets blocks for what will be written from `offset` on, and makes the file reach there. False
 * when the file system does not do that, or has no room.
 */
bool gl_file_extend(int fd, uint64_t offset, size_t size);

/* Takes the reserve descriptor; path is something that stays, such as the log directory. */
void gl_file_spare(const char *path);
/* Gives it back, in a forked child or at the end. */
void gl_file_spare_drop(void);

/* Around fork(), so that the child does not find the lock of the reserve held. */
void gl_file_lock(void);
void gl_file_unlock(void);

#endif
