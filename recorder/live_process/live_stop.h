/*
 * Stops a thread of another process for a moment, to copy its registers and the top of its stack.
 * The thread goes on as if nothing had happened; if this process ends meanwhile, the kernel lets it
 * go on.
 */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_STOP_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_STOP_H

#include "recorder/live_process/live_threads.h"
#include <stddef.h>

struct live_registers {
	uint64_t pc, sp, fp;
	unsigned char *stack; /* what lay from sp on; the caller's */
	size_t size;
};

/*
 * Returns whether a thread can be stopped without its program noticing: that runs, or is blocked in
 * a call that the kernel continues. epoll_wait() and others would return EINTR.
 */
bool live_stop_is_safe(const struct live_threads *t, const struct live_thread *thread);

/*
 * Copies at most `room` bytes of the stack. *stopped: for how long the thread stood at most, ns.
 * Returns false with errno set if the thread could not be stopped (ETIMEDOUT: not within some
 * time).
 */
bool live_stop_copy(pid_t pid, pid_t tid, struct live_registers *copy, size_t room,
		    int64_t *stopped);

/* Lets threads go on that stopped too late for live_stop_copy(). */
void live_stop_end(void);

#endif
