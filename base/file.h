/* The bytes of a file: mapped when it is large, read when it is small (a process may have only so many maps). */
#ifndef GLIMPSE_BASE_FILE_H
#define GLIMPSE_BASE_FILE_H

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
 * False with errno set when it cannot be read. writable: the bytes may be changed, in memory only.
 */
bool file_load(struct file *f, const char *path, bool writable);
/* The same of an open file, which is closed; -1: fails with the errno there is. */
bool file_take(struct file *f, int fd, bool writable);
/* Opens a file for reading; -1 with errno set. Never waits, whatever stands there. */
int file_open(const char *path);
void file_unload(struct file *f);
/* Reads exactly size bytes at an offset; returns false when the file has fewer. */
bool file_read_at(int fd, void *to, size_t size, uint64_t offset);
/* Writes all of the bytes; returns false with errno set when that fails or a signal interrupted it. */
bool file_write_all(int fd, const void *bytes, size_t size);

#endif
