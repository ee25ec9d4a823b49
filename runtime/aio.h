/*
 * Asynchronous writes from memory to the disk, past the page cache, while the thread runs on. They
 * need neither memory of the kernel nor a copy by it. Where the kernel or the file system does not
 * support them, the caller writes as usual. No descriptor is held. Call these functions inside a
 * guard.
 */
#ifndef GLIMPSE_RUNTIME_AIO_H
#define GLIMPSE_RUNTIME_AIO_H

#include "runtime/file.h"
#include <stdbool.h>
#include <stdint.h>

/* Address, position and size of such a write are multiples of this. */
#define GL_AIO_ALIGN 4096u

enum aio_state { AIO_NONE, AIO_UNDER_WAY, AIO_DONE, AIO_FAILED };

/* One write. The struct must stay in its place until the write is over. */
struct aio_write {
	uint32_t size;
	uint32_t state;
};

/*
 * Sets from GLIMPSE_WRITE (NULL: neither) whether such writes are made: "cached": never; "direct":
 * also where seccomp filters the program's system calls, and the filter allows them. Otherwise
 * they end where there is a filter.
 */
void gl_aio_choose(const char *setting);
/* Returns whether such writes may be tried: once they failed in an odd way, they never are. */
bool gl_aio_possible(void);

/*
 * Begins to write w->size bytes to the marked file at `path`, which has blocks for them and ends
 * behind them. Returns false if that is not possible, or not now. The bytes must not change while
 * the write is under way.
 */
bool gl_aio_write(struct aio_write *w, const char *path, struct file_mark *mark, const void *from,
		  uint64_t offset);
/* Returns the current state of a write. */
enum aio_state gl_aio_state(struct aio_write *w);
/* Waits until a write is no longer under way. */
void gl_aio_wait(struct aio_write *w);

/* Forgets all writes, in a forked child: those under way are the parent's. */
void gl_aio_forget(void);

#endif
