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

/* A part of a file that has no data, and reads as zeros. */
struct file_hole {
	size_t from, to;
};

struct file {
	unsigned char *bytes; /* not to be written unless it is writable */
	size_t size;
	bool mapped;
	bool writable;           /* in memory only */
	struct file_hole *holes; /* large ones, in ascending order */
	size_t nholes;
};

/*
 * Loads a file of a log directory; returns false with errno set if it cannot be read. writable: the
 * bytes may be changed, in memory only.
 */
bool file_load(struct file *f, const char *path, bool writable);
/* Loads an open file and closes it; if fd is -1, returns false and leaves errno. */
bool file_take(struct file *f, int fd, bool writable);
void file_unload(struct file *f);
/* Copies bytes into a writable file, where they are not in a hole from then on. */
void file_put(struct file *f, size_t offset, const void *bytes, size_t size);

/* More bytes in holes are written to no packed file and no snapshot. */
#define FILE_HOLES_MOST (UINT64_C(1) << 30)
/* Return how many bytes are in large holes: of all of a file; of an open file, from offset on. */
uint64_t file_holes_size(const struct file *f);
uint64_t file_holes_after(int fd, uint64_t offset);
/* Reads exactly size bytes at an offset; returns false if the file has fewer. */
bool file_read_at(int fd, void *to, size_t size, uint64_t offset);
/* Returns the first offset from this one on that is in no hole; UINT64_MAX: there is none. */
uint64_t file_data_from(int fd, uint64_t offset);
/* Reads as file_read_at() does, but leaves what is a hole of the file as it is: zeros. */
bool file_read_data(int fd, void *zeros, size_t size, uint64_t offset);
/*
 * Writes all of the bytes; returns false with errno set if that fails, or after a signal that ends
 * the output.
 */
bool file_write_all(int fd, const void *bytes, size_t size);

#endif
