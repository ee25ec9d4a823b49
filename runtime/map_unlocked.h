/*
 * Memory that the program's mlockall() leaves alone: a program that locks its memory may have
 * little more of the limit on it than it needs, and each mapping of ours would count, all of it.
 */
#ifndef GLIMPSE_RUNTIME_MAP_UNLOCKED_H
#define GLIMPSE_RUNTIME_MAP_UNLOCKED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * As mmap() of a file from its begin, or of none (fd -1), for memory that is not locked. With `at`
 * the memory is put there, whatever is there. Returns MAP_FAILED with errno set if there is none.
 */
void *gl_map_unlocked(void *at, size_t span, int protection, int flags, int fd);

/* From now on all new memory is locked (or not), as mlockall() asked for. */
void gl_map_locks(bool locks);

#endif
