/* The runtime, the kernel and the clock are not the real ones. */
#define GLIMPSE_scheduler_H
#define GLIMPSE_threads_H /* instead of the stubs: each event is added to a simulated log */
#include "tests/analysis/simulated/recorder.h"
#include "base/monotonic.h"
#include "recorder/observed.h"
#include "recorder/processes.h"
#include "recorder/scheduler/sampling.h"
#include "recorder/scheduler/throttle.h"
#include <glimpse.h>
#include <stdlib.h>
#include <unistd.h>

static struct kernel *kernel;
static struct simulated_log *recording;
static struct recorder_waits *found;
static struct random chance;
static int64_t clock_at;
static size_t delivered; /* of the records */
static uint32_t current;
static int64_t last[MOST_THREADS];
static struct recorder_wait waiting[MOST_THREADS];
static const char *wrong;

/* ---- the log ---- */

static char handles[MOST_THREADS];

glimpse_log *glimpse_log_open(uint32_t pid, uint64_t tid, const char *name)
{
	(void)pid, (void)name;
	return (glimpse_log *)&handles[tid - SIMULATED_PROCESS];
}

void glimpse_log_select(glimpse_log *log)
{
	current = log ? (uint32_t)((char *)log - handles) : MOST_THREADS;
}

void glimpse_log_close(glimpse_log *log)
{
	(void)log;
}

void glimpse_thread_name(const char *name)
{
	(void)name;
}

static void add(uint64_t time, enum log_event event, uint64_t a, uint64_t b, const char *text)
{
	if ((int64_t)time < last[current])
		wrong = "events of a thread are not in the order of time";
	last[current] = (int64_t)time;
	recording_add(recording, current, (int64_t)time, event, (const uint64_t[]){a, b}, text);
}

static void Readied_StampAt(uint64_t time, const char *basis)
{
	struct recorder_wait *w = &waiting[current];

	w->ready = (int64_t)time;
	snprintf(w->basis, sizeof w->basis, "%s", basis);
	add(time, EVENT_READIED, 0, 0, basis);
}

static void SwitchIn_StampAt(uint64_t time, unsigned processor)
{
	waiting[current].in = (int64_t)time;
	*vector_add(&found->of[current]) = waiting[current];
	waiting[current] = (struct recorder_wait){0};
	add(time, EVENT_SWITCH_IN, processor, 0, NULL);
}

static void Started_StampAt(uint64_t time, unsigned creator, unsigned usable)
{
	found->begun[current] = (int64_t)time;
	add(time, EVENT_STARTED, creator, usable, NULL);
}

#define SwitchOut_StampAt(time, processor) add(time, EVENT_SWITCH_OUT, processor, 0, NULL)
#define Executed_StampAt(time, program, usable) add(time, EVENT_EXECUTED, usable, 0, program)
#define Blocks_StampAt(time) add(time, EVENT_BLOCKS, 0, 0, NULL)
#define Shared_StampAt(time, n) add(time, EVENT_SHARED, n, 0, NULL)
#define Migrated_StampAt(time, from, to) add(time, EVENT_MIGRATED, from, to, NULL)
#define Exited_StampAt(time) add(time, EVENT_EXITED, 0, 0, NULL)
#define StillBlocked_StampAt(time) ((void)(time))
#define FutexWait_StampAt(time, blocked) ((void)(time), (void)(blocked))
#define KernelWait_StampAt(time, function, call, site) \
	((void)(time), (void)(function), (void)(call), (void)(site))
#define InnerWait_StampAt(time, futex, site, stack) \
	((void)(time), (void)(futex), (void)(site), (void)(stack))
#define RecordsLost_StampAt(time, records) \
	((void)(time), (void)(records), wrong = "records are lost")
#define ProcessFork_StampAt(time, child) ((void)(time))
#define ProcessStart_StampAt(time, process) ((void)(time))
#define ProcessExec_StampAt(time, process) ((void)(time))
#define ProcessImage_StampAt(time, process) ((void)(time))
#define ProcessEnd_StampAt(time, process, parent) ((void)(time))
#define Wakes_StampAt(time, wakeup, target) \
	((void)(time), (void)(wakeup), (void)(target), wrong = "there are no wake-ups")
#define WokenUp_StampAt(time, wakeup) \
	((void)(time), (void)(wakeup), wrong = "there are no wake-ups")
#define WokenOutside_StampAt(time) ((void)(time), wrong = "there are no wake-ups")
#define Ends_StampAt(time, wakeup) Wakes_StampAt(time, wakeup, 0)
#define WokenByEnd_StampAt(time, wakeup) WokenUp_StampAt(time, wakeup)

/* ---- the kernel ---- */

static struct glimpse_spec scheduler_glimpse;

static int64_t simulated_now(void)
{
	return clock_at += 100 + random_below(&chance, 2000);
}

static bool simulated_open(const struct recording *r, const char **what)
{
	(void)r, (void)what;
	return true;
}

static int simulated_fds(struct pollfd *fds, int room)
{
	(void)fds, (void)room;
	return 0;
}

static void simulated_read(struct kernel_records *to)
{
	simulated_now();
	while (delivered < kernel->records.n && kernel->records.at[delivered].time <= clock_at)
		*vector_add(to) = kernel->records.at[delivered++];
}

static void simulated_close(void)
{
}

static bool simulated_sampling_open(const struct recording *r, int64_t now)
{
	(void)r, (void)now;
	return false;
}

static int64_t simulated_sampling_step(int64_t now)
{
	return now;
}

static int64_t simulated_sampling_ran(void)
{
	return 0;
}

static int simulated_file_open(pid_t pid, pid_t tid, const char *file)
{
	uint64_t ran, delay;

	(void)pid, (void)file;
	return kernel_figures(kernel, (uint32_t)tid - SIMULATED_PROCESS, clock_at, &ran, &delay)
		   ? (int)tid
		   : -1;
}

static struct proc_file simulated_file_keep(pid_t pid, pid_t tid, const char *name)
{
	return (struct proc_file){pid, tid, name, simulated_file_open(pid, tid, name)};
}

static int simulated_file_get(const struct proc_file *f)
{
	return f->fd >= 0 ? f->fd : simulated_file_open(f->pid, f->tid, f->name);
}

static unsigned simulated_numbers(int fd, unsigned skip, uint64_t *numbers, unsigned n)
{
	uint32_t thread = (uint32_t)fd - SIMULATED_PROCESS;

	(void)skip;
	simulated_now();
	if (!kernel_figures(kernel, thread, clock_at, &numbers[0], &numbers[1]))
		return 0;
	*vector_add(&found->readings[thread]) =
	    (struct recorder_reading){clock_at, kernel_runs(kernel, thread, clock_at)};
	return n;
}

/* The first thread waits to be told that it is observed. */
static char simulated_state(pid_t pid, pid_t tid)
{
	(void)pid, (void)tid;
	return 'S';
}

static int compare(const void *left, const void *right)
{
	const struct kernel_record *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void simulated_sort(struct kernel_record *records, size_t n)
{
	if (n)
		qsort(records, n, sizeof *records, compare);
}

#define monotonic_now simulated_now
#define records_open simulated_open
#define records_fds simulated_fds
#define records_read simulated_read
#define records_close simulated_close
#define records_sort simulated_sort
#define sampling_open simulated_sampling_open
#define sampling_step simulated_sampling_step
#define sampling_ran simulated_sampling_ran
#define proc_file_keep simulated_file_keep
#define proc_file_get simulated_file_get
#define proc_file_release(f, fd) ((void)(f), (void)(fd))
#define proc_file_close(f) ((void)(f))
#define process_numbers simulated_numbers
#define thread_state simulated_state
/* The simulated program is in no control group. */
void throttle_open(const struct recording *r)
{
	(void)r;
}

void throttle_step(int64_t now)
{
	(void)now;
}

void throttle_end(struct observed *o)
{
	(void)o;
}

void throttle_close(void)
{
}

#include "recorder/scheduler/entries.c"
#include "recorder/scheduler/scheduler.c"
#include "recorder/scheduler/states.c"

/* ---- a run ---- */

const char *recorder_run(struct kernel *k, int64_t end, struct simulated_log *log,
			 struct recorder_waits *w)
{
	static const struct recording all = {.root = SIMULATED_PROCESS};
	int64_t next = 0, every;

	kernel = k;
	recording = log;
	found = w;
	chance = (struct random){k->random.state ^ 0xc10c};
	every = 1000000 * (1 + random_below(&chance, 10));
	wrong = NULL;
	delivered = 0;
	clock_at = 0;
	memset(last, 0, sizeof last);
	memset(waiting, 0, sizeof waiting);
	simulated_sort(k->records.at, k->records.n);
	observed_open(&all);
	scheduler_open(&all);
	for (int64_t step; next < end; next = step < next + every ? step : next + every) {
		if (clock_at < next)
			clock_at = next + random_below(&chance, 200000);
		step = scheduler_step(clock_at);
	}
	clock_at = next > end ? next : end;
	scheduler_close();
	observed_close();
	return wrong;
}
