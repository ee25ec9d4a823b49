#include "runtime/run.h"
#include "runtime/directory.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/fork.h"
#include "runtime/guard.h"
#include "runtime/pool.h"
#include "runtime/process.h"
#include "runtime/thread.h"
#include <string.h>
#include <unistd.h>

#define STATE_ENDED 1u

void gl_run_prepare(void)
{
	if (!*gl_process.start && !getcwd(gl_process.start, sizeof gl_process.start))
		strcpy(gl_process.start, ".");
	gl_file_prepare();
	gl_thread_prepare();
	gl_fork_prepare();
}

/* Remembers where the program was started, before it goes elsewhere. */
__attribute__((constructor(101))) static void run_begins_with_process(void)
{
	gl_run_prepare();
}

static bool directory_want(const char *directory)
{
	char here[GL_DIRECTORY_MAX];

	if (!directory || gl_process.state != PROCESS_NEW)
		return true;
	return getcwd(here, sizeof here) &&
	       gl_directory_absolute(gl_process.wanted, directory, here);
}

int glimpse_init(const char *directory)
{
	struct guard g;
	bool open;

	if (directory && !*directory)
		directory = NULL;
	if (!gl_guard_enter(&g))
		return -1;
	gl_process_lock();
	if (directory && gl_process.state == PROCESS_OPEN)
		gl_fault(FAULT_NOTICE, "glimpse_init came after the first event; the run stays in",
			 gl_process.directory, 0, NULL);
	open = directory_want(directory) && gl_process_open();
	gl_process_unlock();
	gl_guard_leave(&g);
	return open ? 0 : -1;
}

/* Tails of threads that live on stay: the readers take them up. */
static void run_end(void)
{
	gl_process_clock(0, true);
	gl_thread_end();
	gl_pool_remove_free();
	__atomic_store_n(&gl_process.file->state, STATE_ENDED, __ATOMIC_RELEASE);
	gl_file_spare_drop();
}

void glimpse_close(void)
{
	struct guard g;

	if (!gl_guard_enter(&g))
		return;
	gl_process_lock();
	if (gl_process.state == PROCESS_OPEN)
		run_end();
	gl_process_close();
	gl_process_unlock();
	gl_guard_leave(&g);
}

/*
 * Runs after the program's own destructors and atexit handlers. Should something log even later,
 * it opens another log, whose tail stays.
 */
__attribute__((destructor(101))) static void run_ends_with_process(void)
{
	struct guard g;

	if (!gl_guard_enter(&g))
		return;
	gl_process_lock();
	if (gl_process.state == PROCESS_OPEN)
		run_end();
	gl_process_unlock();
	gl_guard_leave(&g);
}
