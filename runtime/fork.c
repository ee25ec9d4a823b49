#include "runtime/fork.h"
#include "runtime/aio.h"
#include "runtime/container.h"
#include "runtime/file.h"
#include "runtime/foreign_log.h"
#include "runtime/guard.h"
#include "runtime/hook.h"
#include "runtime/modules.h"
#include "runtime/pool.h"
#include "runtime/process.h"
#include "runtime/registry.h"
#include "runtime/side_files.h"
#include "runtime/system.h"
#include "runtime/thread_tails.h"
#include "runtime/warning.h"
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static struct guard around; /* entered before fork() and left after it; under the lock */
static bool guarded;
static struct glimpse_hook *at_fork;
/*
 * How often the thread has begun to fork: a program that keeps the handlers of fork() itself, as
 * Firefox does, calls them around a clone() that is announced here, too.
 */
static __thread unsigned begun __attribute__((tls_model("initial-exec")));

/*
 * Private memory that is all zeros in a child: not 0 in the process that opened the run. The rest
 * of the library's memory is the same in parent and child.
 */
static unsigned char *watch;

/*
 * The guard keeps handlers in the child from logging to the parent's tail before fork_child() has
 * run.
 */
static void fork_before(void)
{
	struct guard g;
	bool entered;

	if (begun++)
		return;
	entered = gl_guard_enter(&g);
	gl_process_lock();
	gl_file_lock();
	around = g;
	guarded = entered;
}

static void fork_after(void)
{
	struct guard g = around;
	bool entered = guarded;

	if (--begun)
		return;
	gl_file_unlock();
	gl_process_unlock();
	if (entered)
		gl_guard_leave(&g);
}

/* Opens nothing before the child logs: most children only call exec. */
static void run_forget(void)
{
	if (gl_process.state != PROCESS_OPEN)
		return;
	gl_registry_forget();
	gl_pool_forget();
	gl_aio_forget();
	gl_container_forget();
	gl_side_files_forget();
	gl_modules_forget();
	gl_foreign_log_forget();
	gl_thread_tails_forget();
	gl_process_forget();
	gl_file_leave();
	gl_warning_reset();
}

static void fork_child(void)
{
	if (begun > 1) {
		begun--;
		return;
	}
	gl_guard_forget();
	run_forget();
	fork_after();
	gl_hooks_call(at_fork);
}

void gl_fork_prepare(void)
{
	static bool done;

	if (!done)
		done = pthread_atfork(fork_before, fork_after, fork_child) == 0;
}

/* ---- Calls that run no handlers of fork() ---------------------------------------------------- */

void glimpse_at_fork(struct glimpse_hook *hook)
{
	gl_hook_add(&at_fork, hook);
}

void glimpse_fork_before(void)
{
	fork_before();
}

void glimpse_fork_after(int child)
{
	int error = errno;

	if (child)
		fork_child();
	else
		fork_after();
	errno = error;
}

void gl_fork_watch(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *map = watch;

	if (!map) {
		map = system_mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);
		if (map == MAP_FAILED)
			return;
		if (system_madvise(map, page, MADV_WIPEONFORK)) {
			system_munmap(map, page);
			return;
		}
	}
	__atomic_store_n(map, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&watch, map, __ATOMIC_RELEASE);
}

/* A lock that another thread held at the fork is never released: what it guards is half done. */
static bool locks_take(void)
{
	if (pthread_mutex_trylock(&gl_process.lock))
		return false;
	if (gl_file_trylock())
		return true;
	gl_process_unlock();
	return false;
}

/* Logs nothing from here on; the parent's process file counts that. */
static void run_silence(void)
{
	gl_registry_silence();
	gl_thread_tails_forget();
	gl_process_dropped(1);
	gl_process.state = PROCESS_CLOSED;
	pthread_mutex_init(&gl_process.lock, NULL);
	gl_file_lock_init();
}

/* Whether the kernel has cleared the page. Other threads may be about to make it. */
static bool page_is_wiped(void)
{
	const unsigned char *page = __atomic_load_n(&watch, __ATOMIC_ACQUIRE);

	return page && !__atomic_load_n(page, __ATOMIC_RELAXED);
}

bool gl_fork_noticed(void)
{
	struct guard g;

	if (__builtin_expect(!page_is_wiped(), 1) || gl_process.state != PROCESS_OPEN)
		return false;
	if (!gl_guard_enter(&g))
		return false;
	if (locks_take()) {
		run_forget();
		gl_file_unlock();
		gl_process_unlock();
	} else {
		run_silence();
	}
	gl_guard_leave(&g);
	gl_hooks_call(at_fork);
	return true;
}
