/* The bytes of a file: mapped when it is large, read when it is small (a process may have only so many maps). */
#ifndef GLIMPSE_TRACE_FILE_H
#define GLIMPSE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct file {
	unsigned char *bytes;   /* not to be written unless it was loaded with writable */
	size_t size;
	bool mapped;
};

/*
 * False with errno set when it cannot be read. writable: the bytes may be changed, in memory only.
 */
bool file_load(struct file *f, const char *path, bool writable);
void file_unload(struct file *f);

#endif
