#include "recorder/rings.h"
#include "recorder/late_close.h"
#include "recorder/processes.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char what_event[] = "perf_event_open", what_buffers[] = "the buffers";

/* ---- events ---- */

struct perf_event_attr rings_attributes(const struct recording *r)
{
	return (struct perf_event_attr){
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(struct perf_event_attr),
	    .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
	    .sample_id_all = 1,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	    .task = 1,
	    .comm = 1,
	    .comm_exec = 1,
	    .inherit = 1,
	    .inherit_thread = !r->children,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	};
}

#define ALL_THREADS (-1)

static int event_open(struct perf_event_attr *a, pid_t tid, uint32_t processor)
{
	return (int)syscall(SYS_perf_event_open, a, tid, (int)processor, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool ring_map(struct ring *r, uint64_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);

	if (map == MAP_FAILED)
		return false;
	r->head = map;
	r->bytes = (unsigned char *)map + page;
	r->size = size;
	return true;
}

static void ring_unmap(struct ring *r)
{
	if (r->head)
		munmap(r->head, (size_t)sysconf(_SC_PAGESIZE) + r->size);
	r->head = NULL;
}

/* Opens the event of a thread, or of all of them, for each processor; these get the buffers. */
static bool first_events_open(struct rings *rings, struct perf_event_attr *a, pid_t tid)
{
	uint32_t processors = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);

	for (uint32_t i = 0; i < processors; i++) {
		int fd = event_open(a, tid, i);

		if (fd < 0 && errno == ENODEV)
			continue;
		if (fd < 0)
			return false;
		*vector_add(&rings->of) = (struct ring){.fd = fd, .processor = i};
	}
	return rings->of.n > 0;
}

/* Opens events that write to the buffers, and adds them to the list, also if some cannot be. */
static bool more_events_open(struct rings *rings, struct ring_events *list,
			     struct perf_event_attr *a, pid_t tid)
{
	for (size_t i = 0; i < rings->of.n; i++) {
		int fd = event_open(a, tid, rings->of.at[i].processor);

		if (fd < 0)
			return false;
		*vector_add(list) = fd;
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, rings->of.at[i].fd) != 0)
			return false;
	}
	return true;
}

/* Closes the last ones of a list, up to those it had before. */
static void more_events_close(struct ring_events *list, size_t before)
{
	while (list->n > before)
		close(list->at[--list->n]);
	if (!before) {
		free(list->at);
		*list = (struct ring_events){0};
	}
}

/* Allows as many descriptors as the system does. */
static void descriptors_allow(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* From so many events on, one per processor for all threads costs less, if it is allowed. */
#define EVENTS_MANY 512
/*
 * Events of threads take at most this share of the descriptors: three probes of the recorder may
 * have some.
 */
#define EVENTS_SHARE 4

static rlim_t events_most(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur / EVENTS_SHARE : EVENTS_MANY;
}

/* Returns how many events it takes to have one per processor for each thread that runs already. */
static size_t events_needed(const struct recording *r)
{
	pid_t *tids = NULL;
	size_t n = r->attach ? process_threads(r->root, &tids) : 0;

	free(tids);
	return n * (size_t)sysconf(_SC_NPROCESSORS_CONF);
}

/* Adds the threads that run already, but for the first one; they may end meanwhile. */
static bool attached_events_open(struct rings *rings, struct perf_event_attr *a,
				 const struct recording *r)
{
	pid_t *tids;
	bool good = true;
	size_t n;

	if (!r->attach || rings->wide)
		return true;
	if (events_needed(r) > events_most()) {
		errno = EMFILE;
		return false;
	}
	n = process_threads(r->root, &tids);
	for (size_t i = 0; i < n && good; i++)
		if (tids[i] != r->root && !more_events_open(rings, &rings->more, a, tids[i]))
			good = errno == ESRCH;
	free(tids);
	return good;
}

static bool rings_map(struct rings *rings, uint64_t size)
{
	for (size_t i = 0; i < rings->of.n; i++)
		if (!ring_map(&rings->of.at[i], size))
			return false;
	return true;
}

static void events_close(struct rings *rings)
{
	more_events_close(&rings->more, 0);
	more_events_close(&rings->all, 0);
	for (size_t i = 0; i < rings->of.n; i++) {
		ring_unmap(&rings->of.at[i]);
		close(rings->of.at[i].fd);
	}
	free(rings->of.at);
	*rings = (struct rings){.wide = rings->wide};
}

/* Opens the events of all threads with buffers of that size. */
static bool events_open(struct rings *rings, struct perf_event_attr *a, const struct recording *r,
			uint64_t size, const char **what)
{
	int error;

	a->watermark = 1;
	a->wakeup_watermark = (uint32_t)(size / 4);
	*what = what_event;
	if (first_events_open(rings, a, rings->wide ? ALL_THREADS : r->root)) {
		*what = what_buffers;
		if (rings_map(rings, size)) {
			*what = what_event;
			if (attached_events_open(rings, a, r))
				return true;
		}
	}
	error = errno;
	events_close(rings);
	errno = error;
	return false;
}

/* Returns whether the user may have records of all threads of the system. */
static bool wide_allowed(const struct perf_event_attr *a)
{
	struct perf_event_attr one = *a;
	int fd = event_open(&one, ALL_THREADS, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool rings_open(struct rings *rings, struct perf_event_attr a, const struct recording *r,
		uint64_t most, uint64_t least, bool half, const char **what)
{
	uint64_t size = most;

	descriptors_allow();
	rings->wide = events_needed(r) > EVENTS_MANY && wide_allowed(&a);
	a.exclude_idle = rings->wide;
	for (; !events_open(rings, &a, r, size, what); size /= 2)
		if (*what != what_buffers || size <= least)
			return false;
	if (!half || size == most || size <= least)
		return true;
	events_close(rings);
	return events_open(rings, &a, r, size / 2, what);
}

static void watermark_set(struct perf_event_attr *a, const struct rings *rings)
{
	a->watermark = 1;
	a->wakeup_watermark = rings->of.n ? (uint32_t)(rings->of.at[0].size / 4) : 0;
}

bool rings_add(struct rings *rings, struct perf_event_attr a, const struct recording *r)
{
	size_t before = rings->more.n;

	watermark_set(&a, rings);
	if (more_events_open(rings, &rings->more, &a, rings->wide ? ALL_THREADS : r->root) &&
	    attached_events_open(rings, &a, r)) {
		rings->slow |= a.type == PERF_TYPE_TRACEPOINT;
		return true;
	}
	more_events_close(&rings->more, before);
	return false;
}

/* The kernel does the same to what threads have inherited. */
static void thread_events_switch(struct rings *rings, bool on)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	for (size_t i = 0; i < rings->of.n; i++)
		ioctl(rings->of.at[i].fd, request, 0);
	for (size_t i = 0; i < rings->more.n; i++)
		ioctl(rings->more.at[i], request, 0);
}

bool rings_widen(struct rings *rings, struct perf_event_attr a)
{
	a.exclude_idle = 1;
	watermark_set(&a, rings);
	if (!more_events_open(rings, &rings->all, &a, ALL_THREADS)) {
		more_events_close(&rings->all, 0);
		return false;
	}
	thread_events_switch(rings, false);
	rings->wide = true;
	return true;
}

void rings_narrow(struct rings *rings)
{
	thread_events_switch(rings, true);
	more_events_close(&rings->all, 0);
	rings->wide = false;
}

void rings_stop(struct rings *rings)
{
	thread_events_switch(rings, false);
}

int rings_fds(const struct rings *rings, struct pollfd *fds, int room)
{
	int n = 0;

	for (size_t i = 0; i < rings->of.n && n < room; i++)
		fds[n++] = (struct pollfd){.fd = rings->of.at[i].fd, .events = POLLIN};
	return n;
}

void rings_close(struct rings *rings)
{
	if (rings->slow) {
		late_close(rings->more.at, rings->more.n);
		rings->more.n = 0;
	}
	events_close(rings);
	rings->wide = false;
}

/* ---- records ---- */

/*
 * Returns the record at a place of a buffer: a copy only where it goes on at the buffer's
 * beginning. Most of a sample is stack that nobody reads: to copy it would cost more than all else
 * that is done.
 */
static const union ring_record *record_at(const struct ring *r, uint64_t place)
{
	static union ring_record copy;
	uint64_t at = place & (r->size - 1), first = r->size - at;
	/* sizes of records are multiples of that of a header: a header is never in two parts */
	const union ring_record *record = (const union ring_record *)(r->bytes + at);
	uint16_t size = record->header.size;

	if (size <= first)
		return record;
	memcpy(&copy, record, first);
	memcpy(copy.bytes + first, r->bytes, size - first);
	return &copy;
}

/* Takes the records up to the end, samples only if they are wanted. */
static void ring_walk(const struct ring *r, bool samples, ring_take *take, void *context)
{
	uint64_t at = r->head->data_tail;

	while (at < r->end) {
		const union ring_record *record = record_at(r, at);

		at += record->header.size;
		if (record->header.type != PERF_RECORD_SAMPLE || samples)
			take(context, record);
	}
}

void rings_read(struct rings *rings, ring_take *first, ring_take *take, void *context)
{
	for (size_t i = 0; i < rings->of.n; i++)
		rings->of.at[i].end =
		    __atomic_load_n(&rings->of.at[i].head->data_head, __ATOMIC_ACQUIRE);
	for (size_t i = 0; i < rings->of.n && first; i++)
		ring_walk(&rings->of.at[i], false, first, context);
	for (size_t i = 0; i < rings->of.n; i++) {
		struct ring *r = &rings->of.at[i];

		ring_walk(r, true, take, context);
		__atomic_store_n(&r->head->data_tail, r->end, __ATOMIC_RELEASE);
	}
}

/* ---- permission ---- */

/* Returns the value of kernel.perf_event_paranoid, or -1. */
static int paranoid(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int value = -1;

	if (f && fscanf(f, "%d", &value) != 1)
		value = -1;
	if (f)
		fclose(f);
	return value;
}

const char *rings_remedy(int error, const char *what)
{
	if (what == what_buffers)
		return "allow more locked memory: sysctl kernel.perf_event_mlock_kb=2048";
	if (error == EMFILE)
		return geteuid() ? "raise the limit of descriptors (ulimit -n), or record as root"
				 : "raise the limit of descriptors (ulimit -n)";
	if (error != EACCES && error != EPERM)
		return "this kernel has no perf_event";
	if (!geteuid()) /* a filter of system calls, or a user without these rights outside */
		return "allow perf_event_open in this container or sandbox (--cap-add PERFMON)";
	if (paranoid() > 2)
		return "as root: sysctl kernel.perf_event_paranoid=2";
	return "record a process of your own, or as root; in a container, allow "
	       "perf_event_open (--cap-add PERFMON)";
}
