#include "probes/threads/lock.h"

__thread struct wait wait_now __attribute__((tls_model("initial-exec")));

static void wait_log_left(const struct wait *w)
{
	const void *lock;

	switch (w->kind) {
	case WAIT_CONDITION: /* cancelled: with the lock */
		condition_count(w->object, -1);
		lock = lock_is_off(w->lock) ? NULL : w->lock;
		if (lock)
			lock_log(lock, w->site);
		CondEnd_Stamp(w->object, lock, process_id, ECANCELED, w->since);
		break;
	case WAIT_SEMAPHORE:
		SemEnd_Stamp(w->object, process_id, ECANCELED, w->since);
		break;
	case WAIT_JOIN:
		JoinEnd_Stamp(w->object, process_id, ECANCELED);
		break;
	case WAIT_SLEEP:
		SleepEnd_Stamp(ECANCELED);
		break;
	case WAIT_CHILD:
		ChildEnd_Stamp(0, 0, ECANCELED);
		break;
	case WAIT_FUTEX:
		FutexEnd_Stamp(w->object, 0, ECANCELED, w->since);
		break;
	case WAIT_FORKED:
		thread_starts_late(w->since);
		break;
	case WAIT_NONE:
		break;
	}
}

void wait_left(uintptr_t frame)
{
	struct wait w = wait_now;

	if (frame < w.frame) /* a signal handler */
		return;
	wait_now.kind = WAIT_NONE;
	wait_log_left(&w);
}

/* What the unwinder calls for each frame that it leaves; the numbers are those of its interface. */
#define CLEANUP_PHASE 2
#define CONTINUE_UNWIND 8

int wait_unwound(int version, int actions, uint64_t class, void *exception, void *context);

__attribute__((used)) int wait_unwound(int version, int actions, uint64_t class, void *exception,
				       void *context)
{
	struct wait w = wait_now;

	(void)version;
	(void)class;
	(void)exception;
	(void)context;
	if ((actions & CLEANUP_PHASE) && w.outer) {
		wait_now = *w.outer;
		wait_log_left(&w);
	}
	return CONTINUE_UNWIND;
}
