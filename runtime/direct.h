/*
 * Writes that go from memory to the disk past the page cache, while the thread runs on. They need
 * neither memory of the kernel nor its copy; where the kernel or the file system has no such
 * thing, the caller writes as usual. No descriptor is held. Everything here runs inside a guard.
 */
#ifndef GLIMPSE_RUNTIME_DIRECT_H
#define GLIMPSE_RUNTIME_DIRECT_H

#include <stdbool.h>
#include <stdint.h>

/* Memory, position and size of such a write are multiples of this. */
#define GL_DIRECT_ALIGN 4096u

enum flight_state { FLIGHT_NONE, FLIGHT_UNDER_WAY, FLIGHT_DONE, FLIGHT_FAILED };

/* One write; in memory that stays where it is until the write is over. */
struct flight {
	uint32_t size;
	uint32_t state;
};

/*
 * Begins to write f->size bytes to a file that has blocks for them and reaches beyond them. False
 * when that is not possible here, or not now. The bytes must not change while it is under way.
 */
bool gl_direct_write(struct flight *f, const char *path, const void *from, uint64_t offset);
/* How it stands now. */
enum flight_state gl_direct_state(struct flight *f);
/* Waits until it is no longer under way. */
void gl_direct_wait(struct flight *f);

/* In a forked child: what is under way is the parent's. */
void gl_direct_forget(void);

#endif
