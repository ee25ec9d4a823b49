#include "runtime/run.h"
#include "runtime/aio.h"
#include "runtime/container.h"
#include "runtime/cost.h"
#include "runtime/directory.h"
#include "runtime/file.h"
#include "runtime/foreign_log.h"
#include "runtime/fork.h"
#include "runtime/guard.h"
#include "runtime/job.h"
#include "runtime/log.h"
#include "runtime/map_unlocked.h"
#include "runtime/modules.h"
#include "runtime/pairs.h"
#include "runtime/pool.h"
#include "runtime/registry.h"
#include "runtime/request.h"
#include "runtime/retention.h"
#include "runtime/system.h"
#include "runtime/tails_directory.h"
#include "runtime/thread_tails.h"
#include "runtime/warning.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROCESS_MAGIC UINT64_C(0x474c494d50534550)

/* It may be called late, when a title with a path in it is there already. */
static void program_remember(void)
{
	strncpy(gl_process.program, program_invocation_short_name, sizeof gl_process.program - 1);
	for (char *slash; (slash = strchr(gl_process.program, '/'));)
		*slash = '_';
}

/* May be called again: an event in an early constructor may come before run_load(). */
static void run_prepare(void)
{
	if (!*gl_process.start && !system_getcwd(gl_process.start, sizeof gl_process.start))
		strcpy(gl_process.start, ".");
	if (!*gl_process.program)
		program_remember();
	gl_warning_prepare();
	gl_request_prepare();
	gl_file_prepare();
	gl_fork_prepare();
}

static bool loaded;

/*
 * Sanitizers begin before the C library has the environment, which names the directory. clearenv()
 * leaves none either, but later.
 */
static bool run_too_early(void)
{
	return !environ && !loaded;
}

/* Remembers where the program was started, before it goes elsewhere. */
__attribute__((constructor(101))) static void run_load(void)
{
	struct guard g;

	if (!gl_guard_enter(&g))
		return;
	run_prepare();
	loaded = true;
	gl_guard_leave(&g);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static struct process_file *process_map(void)
{
	int fd = gl_directory_open();
	struct process_file *file = fd < 0 ? NULL : gl_process_map(fd);

	if (fd >= 0 && !file) {
		gl_file_unclaim();
		gl_directory_refuse("no room for the process file in", gl_process.directory, errno,
				    "nothing is logged");
	}
	return file;
}

/* Returns a rough rate of the clock, for runs that end within a millisecond. */
static uint64_t frequency_since(const struct clock_pair *first)
{
	struct clock_pair now = gl_clock_pair();

	if (gl_clock_kind() != CLOCK_COUNTER || now.monotonic == first->monotonic)
		return 1000000000;
	return (uint64_t)((double)(now.ticks - first->ticks) * 1e9 /
			  (double)(now.monotonic - first->monotonic));
}

static void run_process_fill(struct process_file *file)
{
	file->first = gl_clock_pair();
	file->version = 1;
	file->pid = (uint32_t)system_getpid();
	file->clock = gl_clock_kind();
	memcpy(file->program, gl_process.program, sizeof file->program);
	file->keep = gl_retention()->kind;
	file->rank = gl_job_rank();
	file->pid_space = gl_job_pid_space();
	gl_job_boot(file->boot);
	file->cost = gl_cost_measure();
	file->frequency = frequency_since(&file->first);
	strcpy(file->source, gl_clock_source());
	gl_pairs_begin(file);
	__atomic_store_n(&file->magic, PROCESS_MAGIC, __ATOMIC_RELEASE);
}

/* Switches all events off: nothing is logged from here on. */
static void process_close(void)
{
	gl_process.state = PROCESS_CLOSED;
	gl_registry_silence();
}

void gl_run_choose_clock(void)
{
	run_prepare();
	gl_clock_choose(secure_getenv("GLIMPSE_CLOCK"));
}

bool gl_run_open(void)
{
	struct process_file *file;

	if (gl_process.state != PROCESS_NEW)
		return gl_process.state == PROCESS_OPEN;
	if (run_too_early())
		return false;
	if (!gl_directory_wanted()) {
		process_close();
		return false;
	}
	run_prepare();
	gl_aio_choose(secure_getenv("GLIMPSE_WRITE"));
	gl_retention_choose(secure_getenv("GLIMPSE_KEEP"));
	gl_container_choose(secure_getenv("GLIMPSE_LOGS"));
	file = process_map();
	if (!file) {
		process_close();
		return false;
	}
	file = gl_tails_directory_enter(secure_getenv("GLIMPSE_TAILS"), file);
	gl_clock_choose(secure_getenv("GLIMPSE_CLOCK"));
	run_process_fill(file);
	gl_fork_watch();
	gl_process_begin(file);
	gl_registry_publish();
	gl_process_save();
	if (!gl_process.forked && !gl_directory_given())
		gl_warning_print(WARNING_NOTICE, "the logs are in", gl_process.directory, 0,
				 "set GLIMPSE_DIR to choose another directory");
	return true;
}

static bool directory_want(const char *directory)
{
	char here[GL_DIRECTORY_MAX];

	if (!directory || gl_process.state != PROCESS_NEW)
		return true;
	return system_getcwd(here, sizeof here) &&
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
		gl_warning_print(WARNING_NOTICE,
				 "glimpse_init came after the first event; the run stays in",
				 gl_process.directory, 0, NULL);
	open = directory_want(directory) && gl_run_open();
	gl_process_unlock();
	gl_modules_update_soon();
	gl_guard_leave(&g);
	return open ? 0 : -1;
}

int glimpse_switch(const char *event, int on)
{
	struct guard g;
	int result = -1;

	if (!event || !gl_guard_enter(&g))
		return -1;
	gl_process_lock();
	if (gl_run_open())
		result = gl_registry_switch(event, on != 0);
	gl_process_unlock();
	gl_modules_update_soon();
	gl_guard_leave(&g);
	return result;
}

const char *glimpse_directory(void)
{
	return gl_process.state == PROCESS_OPEN ? gl_process.directory : NULL;
}

void glimpse_memory_locked(int later)
{
	struct guard g;

	gl_map_locks(later);
	if (!gl_guard_enter(&g))
		return;
	gl_process_lock();
	if (gl_process.state == PROCESS_OPEN) {
		gl_pool_unlock();
		system_munlock(gl_process.file, sizeof *gl_process.file);
	}
	gl_process_unlock();
	gl_guard_leave(&g);
}

/* ---- Executing another program --------------------------------------------------------------- */

static bool state_change(uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&gl_process.file->state, &from, to, false,
					   __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

int glimpse_exec_begin(void)
{
	return gl_process.state == PROCESS_OPEN &&
	       gl_process.file->pid == (uint32_t)system_getpid() &&
	       state_change(GL_STATE_RUNS, GL_STATE_EXECUTED);
}

void glimpse_exec_failed(int begun)
{
	if (begun)
		state_change(GL_STATE_EXECUTED, GL_STATE_RUNS);
}

/* ---- Ending ---------------------------------------------------------------------------------- */

/* Tails of threads that live on stay for the readers. */
static void run_end(void)
{
	gl_pairs_store();
	gl_log_end_all(gl_self.own);
	gl_foreign_log_end_all();
	gl_log_end_dead();
	gl_pool_remove_free();
	__atomic_store_n(&gl_process.file->state, GL_STATE_ENDED, __ATOMIC_RELEASE);
	gl_tails_directory_leave();
}

void glimpse_close(void)
{
	struct guard g;

	gl_fork_noticed();
	if (!gl_guard_enter(&g))
		return;
	gl_modules_update();
	gl_process_lock();
	if (gl_process.state == PROCESS_OPEN) {
		run_end();
		gl_file_leave();
	}
	process_close();
	gl_process_unlock();
	gl_guard_leave(&g);
}

/*
 * Runs after the program's own destructors and atexit handlers. An event that comes even later
 * goes to a further level of its thread's log, whose tail stays.
 */
__attribute__((destructor(101))) static void run_unload(void)
{
	struct guard g;

	gl_fork_noticed();
	if (!gl_guard_enter(&g))
		return;
	gl_modules_update();
	gl_process_lock();
	if (gl_process.state == PROCESS_OPEN)
		run_end();
	gl_process_unlock();
	gl_guard_leave(&g);
}
