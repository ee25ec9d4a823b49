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
 * Enters a guard. Returns false if the thread is inside one already; the caller then gives up and
 * does not call gl_guard_leave(). Only a fault in the runtime itself, or a handler of a signal that
 * cannot be blocked, can cause that.
 */
bool gl_guard_enter(struct guard *g);
/*
 * Lets no thread enter a guard from here on, until it is opened again or for good: the system may
 * refuse the calls, and end the program for them.
 */
enum guard_gate { GUARD_OPEN, GUARD_SHUT, GUARD_SHUT_FOR_GOOD };
void gl_guard_gate(enum guard_gate gate);
enum guard_gate gl_guard_gate_now(void);
/*
 * Around system calls outside a guard: pass returns false if the gate is shut; passed comes after
 * the calls.
 */
bool gl_guard_pass(void);
void gl_guard_passed(void);
/*
 * Waits until no thread is inside a guard or has passed the gate, at most a tenth of a second or
 * so: one may wait for a lock that the caller holds. The caller has shut the gate, and is outside.
 */
void gl_guard_await(void);
/*
 * Forgets the threads that a forked child does not have. In the child, which may be inside a guard.
 */
void gl_guard_forget(void);
void gl_guard_leave(struct guard *g);

#endif
