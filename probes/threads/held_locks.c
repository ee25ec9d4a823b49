#include "probes/threads/held_locks.h"

#define HELD_MOST 32u

struct held_lock {
	const void *lock;
	uint64_t since; /* ticks */
};

static __thread struct held_lock held_locks[HELD_MOST] __attribute__((tls_model("initial-exec")));
static __thread uint32_t held_locks_n __attribute__((tls_model("initial-exec")));

/* Handlers of signals, which leave as many as there were, come in between anywhere. */
#define HANDLERS_SEE() __atomic_signal_fence(__ATOMIC_SEQ_CST)

bool held_lock_add(const void *lock, uint64_t since)
{
	uint32_t i = held_locks_n;

	if (i == HELD_MOST)
		return false;
	held_locks_n = i + 1;
	HANDLERS_SEE();
	held_locks[i] = (struct held_lock){lock, since};
	return true;
}

uint64_t held_lock_remove(const void *lock)
{
	uint32_t i = held_locks_n;
	uint64_t since;

	while (i && held_locks[i - 1].lock != lock)
		i--;
	if (!i)
		return 0;
	since = held_locks[i - 1].since;
	for (; i < held_locks_n; i++)
		held_locks[i - 1] = held_locks[i];
	HANDLERS_SEE();
	held_locks_n--;
	return since;
}
