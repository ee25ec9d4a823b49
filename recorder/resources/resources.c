#include "recorder/resources/resources.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "recorder/observed.h"
#include "resources_glimpse.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVERY 10000000

/* A file of /proc that stays open: most of the cost of reading it is opening it. */
enum resource_file { FILE_SCHEDSTAT, FILE_STAT, FILE_STATUS, FILE_STATM, FILE_IO, FILES };
#define FILES_OF_THREAD FILE_STATM

/* The figures as they were logged last; those of a process are in its first thread. */
struct usage {
	struct proc_file files[FILES];
	int64_t time;
	uint64_t ran, delayed;
	uint64_t user, system; /* in the kernel's ticks */
	uint64_t minor, major;
	uint64_t voluntary, involuntary;
	uint64_t resident;
	uint64_t transferred[4];
};

static struct {
	uint32_t root;
	int64_t every, next;
	uint64_t ran, samples;
	struct proc_file statm;
} recorder;

static void usage_end(struct observed *o)
{
	for (int i = 0; o->usage && i < FILES; i++)
		proc_file_close(&o->usage->files[i]);
	free(o->usage);
	o->usage = NULL;
}

static void usage_begin(struct observed *o)
{
	static const char *const names[FILES] = {"schedstat", "stat", "status", "statm", "io"};
	bool first = o->pid == o->tid;
	struct usage *u = array_zero(1, sizeof *u);

	for (int i = 0; i < FILES; i++)
		if (i < FILES_OF_THREAD || first)
			u->files[i] = proc_file_keep(
			    (pid_t)o->pid, i < FILES_OF_THREAD ? (pid_t)o->tid : 0, names[i]);
		else
			u->files[i].fd = -1;
	u->time = monotonic_now();
	o->usage = u;
	observed_select(o);
	Sampling_StampAt((uint64_t)u->time);
	observed_select(NULL);
}

/* Reads numbers as process_numbers(), of a file that may be closed. */
static unsigned numbers_read(const struct usage *u, enum resource_file file, unsigned skip,
			     uint64_t *numbers, unsigned n)
{
	int fd = proc_file_get(&u->files[file]);
	unsigned found = fd < 0 ? 0 : process_numbers(fd, skip, numbers, n);

	proc_file_release(&u->files[file], fd);
	return found;
}

/* ---- one thread ---- */

static uint64_t ticks_in_ns(uint64_t ticks)
{
	return ticks * (uint64_t)(1000000000 / sysconf(_SC_CLK_TCK));
}

/* Logs times and faults, where the kernel accounts for them. */
static void times_log(struct usage *u, uint64_t time, uint64_t ran, uint64_t ready, uint64_t all)
{
	uint64_t f[6] = {u->minor, 0, u->major, 0, u->user, u->system};

	numbers_read(u, FILE_STAT, 9, f, 6);
	Processor_StampAt(time, ran, ready, all > ran + ready ? all - ran - ready : 0,
			  ticks_in_ns(f[4] - u->user), ticks_in_ns(f[5] - u->system));
	if (f[0] != u->minor || f[2] != u->major)
		Faults_StampAt(time, f[0] - u->minor, f[2] - u->major);
	u->minor = f[0];
	u->major = f[2];
	u->user = f[4];
	u->system = f[5];
}

static void switches_log(struct observed *o, uint64_t time)
{
	struct usage *u = o->usage;
	struct thread_status s;
	int fd = proc_file_get(&u->files[FILE_STATUS]);
	bool good = fd >= 0 && thread_status_read(fd, &s);

	proc_file_release(&u->files[FILE_STATUS], fd);
	if (!good)
		return;
	memcpy(o->name, s.name, sizeof o->name);
	if (s.voluntary == u->voluntary && s.involuntary == u->involuntary)
		return;
	Switches_StampAt(time, s.voluntary - u->voluntary, s.involuntary - u->involuntary);
	u->voluntary = s.voluntary;
	u->involuntary = s.involuntary;
}

/* Logs what a thread did since its last sample, if it did anything. */
static void thread_log(struct observed *o)
{
	struct usage *u = o->usage;
	uint64_t f[2], ran, ready;
	int64_t time;

	if (numbers_read(u, FILE_SCHEDSTAT, 0, f, 2) < 2)
		return;
	time = monotonic_now();
	ran = f[0] - u->ran;
	ready = f[1] - u->delayed;
	if (!ran && !ready)
		return;
	times_log(u, (uint64_t)time, ran, ready, (uint64_t)(time - u->time));
	switches_log(o, (uint64_t)time);
	u->ran = f[0];
	u->delayed = f[1];
	u->time = time;
}

/* ---- one process ---- */

/* Returns the bytes in memory, by /proc/PID/statm. */
static uint64_t resident_read(const struct proc_file *statm)
{
	int fd = proc_file_get(statm);
	uint64_t pages = 0;

	if (fd >= 0)
		process_numbers(fd, 1, &pages, 1);
	proc_file_release(statm, fd);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void memory_log(struct usage *u, uint64_t time)
{
	uint64_t resident = resident_read(&u->files[FILE_STATM]);

	if (resident && resident != u->resident)
		Memory_StampAt(time, resident);
	if (resident)
		u->resident = resident;
}

static void transferred_log(struct usage *u, uint64_t time)
{
	static const char *const names[4] = {"rchar:", "wchar:", "\nread_bytes:", "\nwrite_bytes:"};
	uint64_t f[4] = {0}, *before = u->transferred;
	int fd = proc_file_get(&u->files[FILE_IO]);

	for (int i = 0; i < 4 && fd >= 0; i++)
		f[i] = process_number_of(fd, names[i]);
	proc_file_release(&u->files[FILE_IO], fd);
	if (memcmp(f, before, sizeof f) == 0 || f[0] < before[0])
		return;
	Transferred_StampAt(time, f[0] - before[0], f[1] - before[1], f[2] - before[2],
			    f[3] - before[3]);
	memcpy(before, f, sizeof f);
}

/* ---- all ---- */

static void recorder_log(uint64_t time)
{
	uint64_t ran = (uint64_t)clock_now(CLOCK_PROCESS_CPUTIME_ID), before = recorder.ran;

	Recorder_StampAt(time, ran - before, resident_read(&recorder.statm));
	recorder.ran = ran;
}

static void observed_sample(struct observed *o)
{
	uint64_t time = (uint64_t)monotonic_now();

	if (!o->usage)
		usage_begin(o);
	observed_select(o);
	thread_log(o);
	if (o->pid == o->tid) {
		memory_log(o->usage, time);
		transferred_log(o->usage, time);
	}
	if (o->tid == recorder.root)
		recorder_log(time);
	observed_select(NULL);
}

static bool resources_open(const struct recording *r)
{
	recorder.root = (uint32_t)r->root;
	recorder.every = r->every ? r->every : EVERY;
	recorder.next = recorder.samples = recorder.ran = 0;
	recorder.statm = proc_file_keep(getpid(), 0, "statm");
	observed_at_end(usage_end);
	return true;
}

static int64_t resources_step(int64_t now)
{
	struct observed *const *list;
	int64_t spent = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	size_t n;

	if (now < recorder.next)
		return recorder.next;
	recorder.samples++;
	observed_scan();
	list = observed_list(&n);
	for (size_t i = 0; i < n; i++)
		observed_sample(list[i]);
	return recorder.next = now + observed_pause(recorder.every,
						    clock_now(CLOCK_PROCESS_CPUTIME_ID) - spent);
}

static void resources_close(void)
{
	proc_file_close(&recorder.statm);
}

const struct recorder_probe resources_probe = {
    .name = "resources",
    .spec = &resources_glimpse,
    .open = resources_open,
    .step = resources_step,
    .close = resources_close,
};

void resources_summary(struct recorder_summary *s)
{
	s->samples += recorder.samples;
}
