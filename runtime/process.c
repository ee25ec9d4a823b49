#include "runtime/process.h"
#include "runtime/text.h"
#include <sys/mman.h>

_Static_assert(offsetof(struct process_file, program) == 128, "doc/log-format.md");
_Static_assert(offsetof(struct process_file, specs) == 256, "doc/log-format.md");
_Static_assert(offsetof(struct process_file, switches) == 4096, "doc/log-format.md");

struct process gl_process = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool clock_busy;
static uint64_t clock_next;     /* ticks at which the newest pair gets old */

void gl_process_lock(void)
{
	pthread_mutex_lock(&gl_process.lock);
}

void gl_process_unlock(void)
{
	pthread_mutex_unlock(&gl_process.lock);
}

void gl_process_begin(struct process_file *file)
{
	gl_process.file = file;
	gl_process.next_thread = 0;
	gl_process.next_id = GLIMPSE_FIRST_ID;
	gl_process.state = PROCESS_OPEN;
	clock_next = 0;
	clock_busy = false;     /* another thread may have set it when this process was forked */
}

const char *gl_process_path(const char *name, uint32_t number)
{
	char *path = gl_process.path;

	*path = '\0';
	gl_text_add(path, GL_PATH_MAX, gl_process.directory);
	gl_text_add(path, GL_PATH_MAX, "/");
	gl_text_add(path, GL_PATH_MAX, name);
	if (number != UINT32_MAX)
		gl_text_add_number(path, GL_PATH_MAX, number);
	return path;
}

void gl_process_dropped(uint64_t events)
{
	if (gl_process.file)
		__atomic_fetch_add(&gl_process.file->dropped, events, __ATOMIC_RELAXED);
}

/*
 * A pair whose ticks are 0 is being written, or was torn when the process died here: readers
 * ignore it.
 */
static void newest_store(const struct clock_pair *pair)
{
	struct clock_pair *newest = &gl_process.file->newest;

	__atomic_exchange_n(&newest->ticks, 0, __ATOMIC_ACQ_REL);       /* before what follows */
	__atomic_store_n(&newest->monotonic, pair->monotonic, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->real, pair->real, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->ticks, pair->ticks, __ATOMIC_RELEASE);
}

/*
 * Grows from 1 ms at the start of the run to 100 ms, so that a program that is killed early has
 * two pairs, too.
 */
static uint64_t clock_interval(const struct clock_pair *now)
{
	const struct process_file *file = gl_process.file;
	uint64_t run = (now->ticks - file->first.ticks) / 4;
	uint64_t least = file->frequency / 1000 + 1, most = file->frequency / 10;

	return run < least ? least : run < most ? run : most;
}

void gl_process_clock(uint64_t ticks, bool now)
{
	struct clock_pair pair;

	if (!now && ticks < __atomic_load_n(&clock_next, __ATOMIC_RELAXED))
		return;
	if (!gl_process.file || __atomic_exchange_n(&clock_busy, true, __ATOMIC_ACQUIRE))
		return;
	pair = gl_clock_pair();
	newest_store(&pair);
	__atomic_store_n(&clock_next, pair.ticks + clock_interval(&pair), __ATOMIC_RELAXED);
	__atomic_store_n(&clock_busy, false, __ATOMIC_RELEASE);
}

/*
 * Private memory replaces the mapped file at its address, because an event that a handler
 * interrupted to fork goes on in the child and may hold the address of the switches.
 */
void gl_process_forget(void)
{
	mmap(gl_process.file, sizeof *gl_process.file, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	gl_process.forked = true;
	gl_process.state = PROCESS_NEW;
}
