#include "recorder/live_process/live_stop.h"
#include "base/monotonic.h"
#include "recorder/live_process/live_memory.h"
#include <elf.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A thread stops when it leaves the kernel, for which it needs a processor: the limit, ns. */
#define WAIT_MOST INT64_C(100000000)
#define SPIN_MOST INT64_C(300000)

/* ERESTARTNOHAND, inside of the kernel: a call is repeated unless a handler of a signal runs. */
#define RESTARTS_WITHOUT_HANDLER (-514)

/* Threads that were told to stop, and have not. */
static VECTOR(pid_t) late;

/* ---- registers ---- */

#if defined(__x86_64__)
static void registers_copy(struct live_registers *c, const struct user_regs_struct *r)
{
	c->pc = r->rip;
	c->sp = r->rsp;
	c->fp = r->rbp;
}

/*
 * A call that our stop interrupted must not fail with EINTR. The kernel decides after this stop:
 * with this value it repeats the call unless a signal's handler runs first, which gives EINTR.
 */
static bool call_continue(struct user_regs_struct *r)
{
	if ((long)r->orig_rax < 0 || (long)r->rax != -EINTR)
		return false;
	r->rax = (unsigned long long)RESTARTS_WITHOUT_HANDLER;
	return true;
}
#else /* aarch64 */
static void registers_copy(struct live_registers *c, const struct user_regs_struct *r)
{
	c->pc = r->pc;
	c->sp = r->sp;
	c->fp = r->regs[29];
}

static bool call_continue(struct user_regs_struct *r)
{
	(void)r;
	return false;
}
#endif

static bool registers_read(pid_t tid, struct live_registers *c)
{
	struct user_regs_struct r;
	struct iovec all = {&r, sizeof r};

	if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &all) != 0)
		return false;
	registers_copy(c, &r);
	if (call_continue(&r))
		ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &all);
	return true;
}

/* ---- which threads ---- */

static bool is_socket(pid_t pid, uint64_t descriptor)
{
	char path[64], target[64] = "";

	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, (int)descriptor);
	return readlink(path, target, sizeof target - 1) <= 0 || strncmp(target, "socket:", 7) == 0;
}

bool live_stop_is_safe(const struct live_threads *t, const struct live_thread *thread)
{
	const struct live_call *c = &thread->call;

	if (t->tracer || (thread->state != 'R' && thread->state != 'S'))
		return false;
	if (c->state != CALL_KNOWN)
		return c->state == CALL_NONE;
	switch (c->number) {
	case SYS_futex:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_wait4:
	case SYS_waitid:
	case SYS_ppoll:
#ifdef SYS_poll
	case SYS_poll:
#endif
		return true;
	case SYS_read:
	case SYS_readv:
	case SYS_write:
	case SYS_writev:
		/* a socket with a timeout returns EINTR */
		return !is_socket(t->pid, c->arguments[0]);
	default:
		return false;
	}
}

/* ---- stopping ---- */

struct priority {
	int policy;
	struct sched_param parameters;
	bool raised;
};

/*
 * While a thread stands we must not wait for a processor. Where the system lets us, we come before
 * all other programs until it goes on.
 */
static struct priority priority_raise(void)
{
	static const struct sched_param lowest_of_these = {.sched_priority = 1};
	struct priority p = {.policy = sched_getscheduler(0)};

	p.raised = p.policy >= 0 && sched_getparam(0, &p.parameters) == 0 &&
		   sched_setscheduler(0, SCHED_FIFO, &lowest_of_these) == 0;
	return p;
}

static void priority_restore(const struct priority *p)
{
	if (p->raised)
		sched_setscheduler(0, p->policy, &p->parameters);
}

/*
 * Waits until a thread has stopped, which runs in between also if we come before it. *ran: when it
 * was last seen not to have stopped. *signal: the one that it gets when it goes on, as it may have
 * stopped for a signal that came at the same time.
 */
static bool stop_wait(pid_t tid, int64_t most, bool raised, int *signal, int64_t *ran)
{
	int64_t began = monotonic_now(), asked = began;
	int status;
	pid_t got;

	*ran = began;
	while ((got = waitpid(tid, &status, __WALL | WNOHANG)) == 0 && asked - began < most) {
		*ran = asked;
		if (asked - began < SPIN_MOST && !raised)
			sched_yield();
		else
			nanosleep(&(struct timespec){0, raised && asked - began < SPIN_MOST
							    ? 5000
							    : 50000},
				  NULL);
		asked = monotonic_now();
	}
	if (got == tid && WIFSTOPPED(status)) {
		*signal = status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
		return true;
	}
	errno = got == 0 ? ETIMEDOUT : ESRCH;
	return false;
}

static void thread_continue(pid_t tid, int signal)
{
	ptrace(PTRACE_DETACH, tid, NULL, (void *)(uintptr_t)signal);
}

/* Stops a thread that is traced, copies, and lets it go on. */
static bool traced_copy(pid_t pid, pid_t tid, struct live_registers *copy, size_t room, bool raised,
			int64_t *stopped)
{
	int signal = 0, error;
	int64_t ran;
	bool done;

	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0 ||
	    !stop_wait(tid, WAIT_MOST, raised, &signal, &ran)) {
		error = errno;
		if (error == ETIMEDOUT)
			*vector_add(&late) = tid;
		errno = error;
		return false;
	}
	done = registers_read(tid, copy);
	error = errno;
	if (done)
		copy->size = live_memory_read(pid, copy->sp, copy->stack, room);
	thread_continue(tid, signal);
	*stopped = monotonic_now() - ran;
	errno = error;
	return done;
}

bool live_stop_copy(pid_t pid, pid_t tid, struct live_registers *copy, size_t room,
		    int64_t *stopped)
{
	struct priority priority;
	bool done;
	int error;

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
		return false;
	priority = priority_raise();
	done = traced_copy(pid, tid, copy, room, priority.raised, stopped);
	error = errno;
	priority_restore(&priority);
	errno = error;
	return done;
}

void live_stop_end(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < late.n; i++) {
		struct live_registers copy;
		int64_t ran;
		int signal;

		if (stop_wait(late.at[i], 0, false, &signal, &ran)) {
			registers_read(late.at[i], &copy);
			thread_continue(late.at[i], signal);
		} else if (errno == ETIMEDOUT) {
			late.at[kept++] = late.at[i];
		}
	}
	late.n = kept;
}
