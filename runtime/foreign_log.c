#include "runtime/foreign_log.h"
#include "runtime/guard.h"
#include "runtime/log.h"
#include "runtime/system.h"
#include "runtime/thread_tails.h"
#include <string.h>

#define PAGE 65536u /* bytes in which logs are made */

static struct glimpse_log *logs; /* all that ever were; under the lock */

/* Maps room for more logs. */
static bool logs_make(void)
{
	struct glimpse_log *at =
	    system_mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return false;
	for (size_t i = 0; i < PAGE / sizeof *at; i++) {
		at[i].next = logs;
		logs = &at[i];
	}
	return true;
}

static struct glimpse_log *log_take(void)
{
	for (struct glimpse_log *log = logs; log; log = log->next)
		if (!log->open)
			return log;
	return logs_make() ? logs : NULL;
}

glimpse_log *glimpse_log_open(uint32_t pid, uint64_t tid, const char *name)
{
	struct glimpse_log *log;
	struct guard g;

	if (!gl_guard_enter(&g))
		return NULL;
	gl_process_lock();
	log = log_take();
	if (log) {
		log->open = true;
		log->pid = pid;
		log->tid = tid;
		memset(log->name, 0, sizeof log->name);
		strncpy(log->name, name ? name : "", sizeof log->name - 1);
	}
	gl_process_unlock();
	gl_guard_leave(&g);
	return log;
}

static void log_hold(struct glimpse_log *log, const struct thread_tails *holder)
{
	if (log)
		__atomic_store_n(&log->holder, holder, __ATOMIC_RELEASE);
}

/* A handler in between finds one log or the other, both of them whole. */
void glimpse_log_select(glimpse_log *log)
{
	if (log == gl_self.log)
		return;
	log_hold(gl_self.log, NULL);
	log_hold(log, &gl_self);
	gl_self.log = log;
	gl_thread_tails_point();
}

void glimpse_log_close(glimpse_log *log)
{
	struct guard g;

	if (!log || !gl_guard_enter(&g))
		return;
	if (log == gl_self.log)
		glimpse_log_select(NULL);
	gl_process_lock();
	gl_log_end_all(log->tails);
	log->open = false;
	gl_process_unlock();
	gl_guard_leave(&g);
}

static bool log_is_free(const struct glimpse_log *log)
{
	const struct thread_tails *holder = __atomic_load_n(&log->holder, __ATOMIC_ACQUIRE);

	return log->open && (!holder || holder == &gl_self);
}

void gl_foreign_log_end_all(void)
{
	for (struct glimpse_log *log = logs; log; log = log->next)
		if (log_is_free(log))
			gl_log_end_all(log->tails);
}

void gl_foreign_log_forget(void)
{
	for (struct glimpse_log *log = logs; log; log = log->next) {
		memset(log->tails, 0, sizeof log->tails);
		log->holder = NULL;
	}
}
