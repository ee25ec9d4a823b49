/*
 * Around everything of the slow path that takes a lock or calls the system: signals are blocked,
 * so no handler finds a lock held by the thread it interrupted; the thread cannot be cancelled;
 * errno is kept.
 */
#ifndef GLIMPSE_RUNTIME_GUARD_H
#define GLIMPSE_RUNTIME_GUARD_H

#include <signal.h>
#include <stdbool.h>

struct guard {
	unsigned char signals[_NSIG / 8];
	int cancel;
	int error;
};

/*
 * False when the thread is inside already, which only a fault in the runtime itself or a handler
 * of a signal that cannot be blocked can bring about: the caller gives up, and leaves nothing.
 */
bool gl_guard_enter(struct guard *g);
void gl_guard_leave(struct guard *g);

#endif
