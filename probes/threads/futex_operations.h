/*
 * The operations of futex(), and what waits and wake-ups tell of locks: for the probe, and for the
 * recorder, which reads the kernel's records of the calls.
 */
#ifndef GLIMPSE_PROBES_THREADS_FUTEX_OPERATIONS_H
#define GLIMPSE_PROBES_THREADS_FUTEX_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Operations and flags of <linux/futex.h>, which musl-gcc lacks. */
enum {
	FUTEX_WAIT,
	FUTEX_WAKE,
	FUTEX_REQUEUE = 3,
	FUTEX_CMP_REQUEUE,
	FUTEX_WAKE_OP,
	FUTEX_LOCK_PI,
	FUTEX_UNLOCK_PI,
	FUTEX_WAIT_BITSET = 9,
	FUTEX_WAKE_BITSET,
	FUTEX_WAIT_REQUEUE_PI,
	FUTEX_CMP_REQUEUE_PI,
	FUTEX_LOCK_PI2,
	FUTEX_PRIVATE_FLAG = 128,
	FUTEX_CLOCK_REALTIME = 256,
	FUTEX_CMD_MASK = ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)
};

static inline bool futex_operation_waits(int operation)
{
	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_WAIT_REQUEUE_PI:
		return true;
	default:
		return false;
	}
}

/* Whether threads that it does not wake wait for another word from now on. */
static inline bool futex_operation_moves(int operation)
{
	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
		return true;
	default:
		return false;
	}
}

static inline bool futex_operation_wakes(int operation)
{
	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_UNLOCK_PI:
		return true;
	default:
		return futex_operation_moves(operation);
	}
}

/*
 * Returns since when a thread has held a lock that it releases; 0: not known. `own` is the end of
 * its own wait for the word. `taken` is when another thread began to wait. `last` is the end of its
 * last wait for any word. Each is 0 if there is none.
 *
 * If one thread alone has ever waited for the word, the word may be that thread's: it stands for
 * any lock. The thread that releases the lock may have waited for it, too, and has it since then.
 */
static inline uint64_t futex_held_since(uint64_t own, uint64_t taken, uint64_t last, bool one_waits)
{
	if (own)
		return own;
	return taken && one_waits && last > taken ? last : taken;
}

#endif
