/*
 * Files in memory: large ones are mapped, small ones are read, since a process may have only so
 * many maps.
 */
#ifndef GLIMPSE_BASE_FILE_H
#define GLIMPSE_BASE_FILE_H

#include "base/file_open.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file {
	unsigned char *bytes;   /* not to be written unless it is writable */
	size_t size;
	bool mapped;
	bool writable;          /* in memory only */
};

/*
 * Loads a file of a log directory; returns false with errno set if it cannot be read. writable: the
 * bytes may be changed, in memory only.
 */
bool file_load(struct file *f, const char *path, bool writable);
/* Loads an open file and closes it; if fd is -1, returns false and leaves errno. */
bool file_take(struct file *f, int fd, bool writable);
void file_unload(struct file *f);
/* Reads exactly size bytes at an offset; returns false if the file has fewer. */
bool file_read_at(int fd, void *to, size_t size, uint64_t offset);
/*
 * Writes all of the bytes; returns false with errno set if that fails, or after a signal that ends
 * the output.
 */
bool file_write_all(int fd, const void *bytes, size_t size);

#endif
