#include "runtime/process.h"
#include "runtime/cost.h"
#include "runtime/directory.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/keep.h"
#include "runtime/registry.h"
#include "runtime/run.h"
#include "runtime/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROCESS_MAGIC UINT64_C(0x474c494d50534550)

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
 * Readers take a pair whose ticks are 0 for being written, or for torn when the process died
 * here.
 */
static void newest_store(const struct clock_pair *pair)
{
	struct clock_pair *newest = &gl_process.file->newest;

	__atomic_exchange_n(&newest->ticks, 0, __ATOMIC_ACQ_REL);       /* before what follows */
	__atomic_store_n(&newest->monotonic, pair->monotonic, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->real, pair->real, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->ticks, pair->ticks, __ATOMIC_RELEASE);
}

/* From a millisecond at the start to 100: a program that is killed early has two pairs, too. */
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

/* The rate from a first pair to now: rough, but there when the run ends within a millisecond. */
static uint64_t frequency_since(const struct clock_pair *first)
{
	struct clock_pair now = gl_clock_pair();

	if (gl_clock_kind() != CLOCK_COUNTER || now.monotonic == first->monotonic)
		return 1000000000;
	return (uint64_t)((double)(now.ticks - first->ticks) * 1e9 /
			  (double)(now.monotonic - first->monotonic));
}

static void process_fill(struct process_file *file)
{
	file->first = gl_clock_pair();
	file->version = 1;
	file->pid = (uint32_t)getpid();
	file->clock = gl_clock_kind();
	strncpy(file->program, program_invocation_short_name, sizeof file->program - 1);
	file->cost = gl_cost_measure();
	file->frequency = frequency_since(&file->first);
	__atomic_store_n(&file->magic, PROCESS_MAGIC, __ATOMIC_RELEASE);
}

static struct process_file *process_map(void)
{
	struct process_file *file = MAP_FAILED;
	int fd = gl_directory_open();

	if (fd < 0)
		return NULL;
	if (gl_file_reserve(fd, sizeof *file))
		file = mmap(NULL, sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		gl_fault(FAULT_DIRECTORY, "no room for the process file in", gl_process.directory,
			 errno, "nothing is logged");
	gl_file_close(fd);
	return file == MAP_FAILED ? NULL : file;
}

bool gl_process_open(void)
{
	struct process_file *file;

	if (gl_process.state != PROCESS_NEW)
		return gl_process.state == PROCESS_OPEN;
	gl_run_prepare();
	gl_clock_choose(secure_getenv("GLIMPSE_CLOCK"));
	gl_keep_choose(secure_getenv("GLIMPSE_KEEP"));
	file = process_map();
	if (!file) {
		gl_process_close();
		return false;
	}
	process_fill(file);
	gl_process.file = file;
	gl_file_spare(gl_process.directory);
	gl_process.next_thread = 0;
	gl_process.next_id = GLIMPSE_FIRST_ID;
	gl_process.state = PROCESS_OPEN;
	clock_next = 0;
	clock_busy = false;     /* another thread may have been at it when this process was forked */
	gl_registry_publish();
	return true;
}

/* An event that a handler interrupted to fork goes on here: it may have the switches' address. */
void gl_process_forget(void)
{
	mmap(gl_process.file, sizeof *gl_process.file, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	gl_process.forked = true;
	gl_process.state = PROCESS_NEW;
}

void gl_process_close(void)
{
	gl_process.state = PROCESS_CLOSED;
	gl_registry_silence();
}
