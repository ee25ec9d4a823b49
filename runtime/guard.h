/*
 * Guards: around everything on the slow path that takes a lock or calls the system. Signals are
 * blocked, so that no handler finds a lock held by the thread that it interrupted; the thread
 * cannot be cancelled; errno is restored.
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
 * Enters a guard. Returns false if the thread is inside one already, which only a fault in the
 * runtime itself or a handler of a signal that cannot be blocked can cause: the caller then gives
 * up and does not call gl_guard_leave().
 */
bool gl_guard_enter(struct guard *g);
void gl_guard_leave(struct guard *g);

#endif
