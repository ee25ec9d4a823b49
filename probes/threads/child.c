/*
 * Processes: they are made, and end, and their parents wait for them. A call that must not wait
 * (WNOHANG) logs only that it got a child, and that where the thread's last wait may have ended by
 * the end of this child.
 */
#include "probes/threads/threads.h"
#include "runtime/system.h"

WRAP_EXPORT pid_t fork(void)
{
	uint64_t ticks;
	pid_t child;

	if (QUIET())
		return REAL(fork)();
	ticks = glimpse_now();
	child = REAL(fork)();
	if (child > 0)
		ProcessFork_StampAt(ticks, (uint32_t)child);
	return child;
}

/*
 * The child runs another program as soon as the call returns, and until then the caller waits: this
 * is short, and no wait. Whether it logs anything itself, is seen only by its first event.
 */
#define SPAWN(name, path_or_file) \
	WRAP_EXPORT int name(pid_t *restrict child, const char *restrict path_or_file, \
			     const posix_spawn_file_actions_t *actions, \
			     const posix_spawnattr_t *restrict attributes, \
			     char *const arguments[restrict], char *const environment[restrict]) \
	{ \
		pid_t own = 0, *at = child ? child : &own; \
		uint64_t ticks; \
		int error; \
\
		if (QUIET()) \
			return REAL(name)(child, path_or_file, actions, attributes, arguments, \
					  environment); \
		ticks = glimpse_now(); \
		error = REAL(name)(at, path_or_file, actions, attributes, arguments, environment); \
		if (!error) \
			ProcessFork_StampAt(ticks, (uint32_t)*at); \
		return error; \
	}

SPAWN(posix_spawn, path)
SPAWN(posix_spawnp, file)

/* The process ends in order: by its destructors, or by _exit(). */
static void process_ends(void)
{
	uint32_t parent;

	if (QUIET() || !process_id || !glimpse_calls_begin())
		return;
	parent = (uint32_t)SYSTEM_CALL(SYS_getppid);
	glimpse_calls_end();
	ProcessEnd_Stamp(process_id, parent);
}

__attribute__((constructor(102))) static void child_load(void)
{
	static struct glimpse_hook at_end = {.call = process_ends};

	glimpse_at_process_end(&at_end);
}

/* Before the end of the thread is logged, in thread.c. */
__attribute__((destructor(103))) static void child_unload(void)
{
	if (!QUIET())
		stream_ends(stdout, WRAP_SITE);
	process_ends();
}

/*
 * ---- Waiting ----------------------------------------------------------------------------------
 */

static void child_begin(uint32_t child, const void *site, uintptr_t frame, struct wait *outer)
{
	uint64_t now = glimpse_now();

	ChildBegin_StampAt(now, child, site);
	wait_stack(now);
	wait_begin((struct wait){WAIT_CHILD, NULL, NULL, site, 0, frame, NULL}, outer);
}

static void child_end(uint32_t child, uint32_t parent, int result, const struct wait *outer)
{
	wait_end(outer);
	ChildEnd_Stamp(child, parent, result);
}

/*
 * ---- Reaping after another wait ----------------------------------------------------------------
 *
 * Programs such as make wait in pselect() until SIGCHLD interrupts it, and get the child then, or
 * in the signal's handler. That such a wait ended because of the child is known only when they have
 * got it: the event is logged with the time of the wait's end.
 */
static __thread struct {
	uint64_t left;   /* when the last wait ended, if a child may have ended it; otherwise 0 */
	uint64_t reaped; /* when the thread got this child */
	uint32_t child;
} reaping __attribute__((tls_model("initial-exec")));

void child_may_wake(uint64_t since, uint64_t now, bool may)
{
	reaping.left = may ? now : 0;
	if (may && reaping.reaped > since)
		ChildReaped_StampAt(now, reaping.child, process_id);
}

static void child_reaped(pid_t child)
{
	if (child <= 0)
		return;
	reaping.reaped = glimpse_now();
	reaping.child = (uint32_t)child;
	if (reaping.left)
		ChildReaped_StampAt(reaping.left, reaping.child, process_id);
}

/* Returns the child that ended, which a function returned that gives its status; 0: none. */
static pid_t ended_of(pid_t child, int status)
{
	return child > 0 && (WIFEXITED(status) || WIFSIGNALED(status)) ? child : 0;
}

/* ---- The functions that wait ----------------------------------------------------------------- */

/* Waits: `call` does. command: a child of an unknown id ends by it. */
#define CHILD(child, call, ended, command) \
	(__extension__({ \
		struct wait outer_; \
		__typeof__(call) result_; \
		WAIT_UNWINDS(); \
		child_begin((uint32_t)(child), WRAP_SITE, FRAME, &outer_); \
		result_ = (call); \
		child_end(result_ == -1 ? 0 : (uint32_t)(ended), \
			  result_ != -1 && ((command) || (ended)) ? process_id : 0, \
			  result_ == -1 ? errno : 0, &outer_); \
		if (result_ != -1) \
			child_reaped(ended); \
		result_; \
	}))
/* Must not wait. */
#define NO_WAIT(call, ended) \
	(__extension__({ \
		__typeof__(call) result_ = (call); \
		child_reaped(result_ == -1 ? 0 : (ended)); \
		result_; \
	}))
/* The functions that return the id of a child, which may have stopped, and its status. */
#define CHILD_OF(child, status, options, call) \
	((options)&WNOHANG ? NO_WAIT(call, ended_of(result_, *(status))) \
			   : CHILD(child, call, ended_of(result_, *(status)), false))

static pid_t one_child(pid_t child)
{
	return child > 0 ? child : 0;
}

WRAP_EXPORT pid_t wait(int *status)
{
	int own, *at = status ? status : &own;

	if (QUIET())
		return REAL(wait)(status);
	return CHILD_OF(0, at, 0, REAL(wait)(at));
}

WRAP_EXPORT pid_t waitpid(pid_t child, int *status, int options)
{
	int own, *at = status ? status : &own;

	if (QUIET())
		return REAL(waitpid)(child, status, options);
	return CHILD_OF(one_child(child), at, options, REAL(waitpid)(child, at, options));
}

WRAP_EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
	int own, *at = status ? status : &own;

	if (QUIET())
		return REAL(wait3)(status, options, usage);
	return CHILD_OF(0, at, options, REAL(wait3)(at, options, usage));
}

WRAP_EXPORT pid_t wait4(pid_t child, int *status, int options, struct rusage *usage)
{
	int own, *at = status ? status : &own;

	if (QUIET())
		return REAL(wait4)(child, status, options, usage);
	return CHILD_OF(one_child(child), at, options, REAL(wait4)(child, at, options, usage));
}

static pid_t ended_child(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
		       info->si_code == CLD_DUMPED
		   ? info->si_pid
		   : 0;
}

WRAP_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own, *at = info ? info : &own;

	if (QUIET())
		return REAL(waitid)(type, id, info, options);
	if (options & WNOHANG)
		return NO_WAIT(REAL(waitid)(type, id, at, options), ended_child(at));
	return CHILD(type == P_PID ? id : 0, REAL(waitid)(type, id, at, options), ended_child(at),
		     false);
}

WRAP_EXPORT int system(const char *command)
{
	if (QUIET() || !command)
		return REAL(system)(command);
	return CHILD(0, REAL(system)(command), 0, true);
}

WRAP_EXPORT int pclose(FILE *stream)
{
	if (QUIET())
		return REAL(pclose)(stream);
	stream_closes(stream, WRAP_SITE);
	return CHILD(0, REAL(pclose)(stream), 0, true);
}
