/*
 * Filters of system calls (seccomp) that the program installs: one that does not know the runtime
 * may end the program for any call of it. What the tails hold is in files already, and stays there.
 */
#include "runtime/guard.h"
#include "runtime/modules.h"
#include "runtime/pairs.h"
#include "runtime/process.h"
#include "runtime/registry.h"

void glimpse_filter_begin(void)
{
	struct guard g;

	if (!gl_guard_enter(&g))
		return;
	gl_modules_update();
	gl_process_lock();
	if (gl_process.state == PROCESS_OPEN)
		gl_pairs_store();
	gl_guard_gate(GUARD_SHUT);
	gl_process_unlock();
	gl_guard_leave(&g);
	glimpse_guarded = 1;
	gl_guard_await();
}

/* The lock of another thread cannot be waited for: that is a system call. */
static void events_silence(void)
{
	if (pthread_mutex_trylock(&gl_process.lock) != 0)
		return;
	gl_registry_silence();
	gl_process_unlock();
}

void glimpse_filter_end(int installed)
{
	bool open = gl_process.state == PROCESS_OPEN;

	if (gl_guard_gate_now() != GUARD_SHUT)
		return;
	if (!installed) {
		gl_guard_gate(GUARD_OPEN);
		glimpse_guarded = 0;
		return;
	}
	gl_guard_gate(GUARD_SHUT_FOR_GOOD);
	gl_process.state = PROCESS_CLOSED;
	events_silence();
	if (!open)
		return;
	__atomic_store_n(&gl_process.file->state, GL_STATE_FILTERED, __ATOMIC_RELEASE);
	gl_process_save();
}

int glimpse_calls_begin(void)
{
	return gl_guard_pass();
}

void glimpse_calls_end(void)
{
	gl_guard_passed();
}

int glimpse_filtered(void)
{
	return gl_guard_gate_now() == GUARD_SHUT_FOR_GOOD;
}
