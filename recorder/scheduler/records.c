#include "recorder/scheduler/records.h"
#include "base/array.h"
#include "recorder/processes.h"
#include "recorder/scheduler/wakeups.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_MOST (UINT64_C(2) << 20)
#define BUFFER_LEAST (UINT64_C(16) << 10)
#define OUT_PREEMPTED (1u << 14)        /* in misc of PERF_RECORD_SWITCH */

/* The buffer of one processor, and the event that it was made for; others are led into it. */
struct ring {
	int fd;
	uint32_t processor;
	struct perf_event_mmap_page *head;      /* mapped: a page, then the buffer */
	unsigned char *bytes;
	uint64_t size;
};

static const char what_buffers[] = "the buffers";
static VECTOR(struct ring) rings;
static VECTOR(int) more;        /* events that write to the rings of others */
static uint64_t order;
static bool other_processes;    /* those that are forked are wanted */
static uint64_t wakeup_id;      /* of the kernel's trace event; 0: it cannot be read */

/* What every record ends with, as sample_type says. */
struct record_end {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t processor, reserved;
};

/* ---- events ---- */

/* Of buffers of `size` bytes, which wake the recorder when a quarter is full. */
static struct perf_event_attr switch_attributes(const struct recording *r, uint64_t size)
{
	return (struct perf_event_attr){
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(struct perf_event_attr),
	    .config = PERF_COUNT_SW_DUMMY,
	    .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
	    .sample_id_all = 1,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	    .context_switch = 1,
	    .task = 1,
	    .comm = 1,
	    .comm_exec = 1,
	    .inherit = 1,
	    .inherit_thread = !r->children,
	    .watermark = 1,
	    .wakeup_watermark = (uint32_t)(size / 4),
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	};
}

/* The same for the kernel's trace event of a wake-up, whose fields are in the record. */
static struct perf_event_attr wakeup_attributes(const struct recording *r)
{
	struct perf_event_attr a = switch_attributes(r, BUFFER_MOST);

	a.type = PERF_TYPE_TRACEPOINT;
	a.config = wakeup_id;
	a.sample_type |= PERF_SAMPLE_RAW;
	a.sample_period = 1;
	a.exclude_kernel = 0;
	a.context_switch = a.task = a.comm = a.comm_exec = 0;
	return a;
}

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

/* Opens the event of a thread for each processor; the first thread's get the buffers. */
static bool thread_events_open(struct perf_event_attr *a, pid_t tid)
{
	uint32_t processors = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);

	for (uint32_t i = 0; i < processors; i++) {
		int fd = event_open(a, tid, i);

		if (fd < 0 && errno == ENODEV)
			continue;
		if (fd < 0)
			return false;
		*vector_add(&rings) = (struct ring){.fd = fd, .processor = i};
	}
	return true;
}

static bool more_events_open(struct perf_event_attr *a, pid_t tid)
{
	for (size_t i = 0; i < rings.n; i++) {
		int fd = event_open(a, tid, rings.at[i].processor);

		if (fd < 0)
			return false;
		*vector_add(&more) = fd;
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, rings.at[i].fd) != 0)
			return false;
	}
	return true;
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

/* Adds the threads that run already, but for the first one; they may end meanwhile. */
static bool attached_events_open(struct perf_event_attr *a, const struct recording *r,
				 const pid_t *tids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (tids[i] != r->root && !more_events_open(a, tids[i]) && errno != ESRCH)
			return false;
	return true;
}

static void wakeups_open(const struct recording *r, const pid_t *tids, size_t n)
{
	struct perf_event_attr a;
	size_t before = more.n;

	wakeup_id = wakeup_event_id();
	if (!wakeup_id)
		return;
	a = wakeup_attributes(r);
	if (more_events_open(&a, r->root) && attached_events_open(&a, r, tids, n))
		return;
	while (more.n > before)
		close(more.at[--more.n]);
	wakeup_id = 0;
}

static void events_close(void)
{
	for (size_t i = 0; i < more.n; i++)
		close(more.at[i]);
	for (size_t i = 0; i < rings.n; i++) {
		ring_unmap(&rings.at[i]);
		close(rings.at[i].fd);
	}
	more.n = rings.n = 0;
}

static bool rings_map(uint64_t size)
{
	for (size_t i = 0; i < rings.n; i++)
		if (!ring_map(&rings.at[i], size))
			return false;
	return true;
}

/* Opens the events of all threads; returns false with errno and *what set, and closes them. */
static bool events_open(const struct recording *r, const pid_t *tids, size_t n, uint64_t size,
			const char **what)
{
	struct perf_event_attr a = switch_attributes(r, size);
	int error;

	*what = "perf_event_open";
	if (thread_events_open(&a, r->root) && rings.n) {
		*what = what_buffers;
		if (rings_map(size)) {
			*what = "perf_event_open";
			if (attached_events_open(&a, r, tids, n))
				return true;
		}
	}
	error = errno;
	events_close();
	errno = error;
	return false;
}

/*
 * Takes the largest buffers that the system allows: what a user may lock in memory is shared by all
 * buffers of that user (kernel.perf_event_mlock_kb).
 */
bool records_open(const struct recording *r, const char **what)
{
	pid_t *tids = NULL;
	size_t n = r->attach ? process_threads(r->root, &tids) : 0;
	uint64_t size = BUFFER_MOST;
	bool good;

	other_processes = r->children;
	descriptors_allow();
	while (!(good = events_open(r, tids, n, size, what)) && *what == what_buffers &&
	       size > BUFFER_LEAST)
		size /= 2;
	if (good)
		wakeups_open(r, tids, n);
	free(tids);
	return good;
}

int records_fds(struct pollfd *fds, int room)
{
	int n = 0;

	for (size_t i = 0; i < rings.n && n < room; i++)
		fds[n++] = (struct pollfd){.fd = rings.at[i].fd, .events = POLLIN};
	return n;
}

void records_close(void)
{
	events_close();
	free(more.at);
	free(rings.at);
	memset(&more, 0, sizeof more);
	memset(&rings, 0, sizeof rings);
	wakeup_id = 0;
}

/* ---- records ---- */

/* A record of the kernel, whole: a header, what its type says, and struct record_end. */
union record {
	struct perf_event_header header;
	unsigned char bytes[65536];
};

/* Returns false for what is not wanted: the kernel tells of each child, also where none inherits. */
static bool task_read(const union record *from, struct kernel_record *r)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
	} task;

	memcpy(&task, from, sizeof task);
	r->pid = task.pid;
	r->tid = task.tid;
	r->other = task.ptid;
	r->time = (int64_t)task.time;
	r->kind = from->header.type == PERF_RECORD_FORK ? SWITCH_FORK : SWITCH_EXIT;
	return other_processes || r->kind == SWITCH_EXIT || task.pid == task.ppid;
}

static void name_read(const union record *from, struct kernel_record *r)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char name[15];
	} comm;

	memcpy(&comm, from, sizeof comm);
	r->pid = comm.pid;
	r->tid = comm.tid;
	memcpy(r->name, comm.name, strnlen(comm.name, sizeof comm.name));
	r->kind = from->header.misc & PERF_RECORD_MISC_COMM_EXEC ? SWITCH_EXEC : SWITCH_NAME;
}

static void lost_read(const union record *from, struct kernel_record *r)
{
	struct {
		struct perf_event_header header;
		uint64_t id, lost;
	} lost;

	memcpy(&lost, from, sizeof lost);
	r->count = lost.lost;
	r->kind = SWITCH_LOST;
}

#define WAKEUP_FIELDS 36       /* where the fields of the trace event begin */

/* A wake-up has its time and thread first, then the fields of the trace event. */
static bool sample_read(const union record *from, struct kernel_record *r)
{
	struct {
		struct perf_event_header header;
		struct record_end end;
		uint32_t size;
	} sample;
	uint32_t by_thread;

	memcpy(&sample, from, sizeof sample);
	r->time = (int64_t)sample.end.time;
	r->processor = sample.end.processor;
	r->kind = SWITCH_WAKE;
	if (!wakeup_read(from->bytes + WAKEUP_FIELDS, sample.size, &r->tid, &by_thread))
		return false;
	r->other = by_thread ? sample.end.tid : 0;
	return true;
}

/* Returns false for a record of no interest. */
static bool record_read(const union record *from, struct kernel_record *r)
{
	uint16_t misc = from->header.misc;
	struct record_end end;

	*r = (struct kernel_record){.order = order++};
	if (from->header.type == PERF_RECORD_SAMPLE)
		return sample_read(from, r);
	memcpy(&end, from->bytes + from->header.size - sizeof end, sizeof end);
	r->time = (int64_t)end.time;
	r->pid = end.pid;
	r->tid = end.tid;
	r->processor = end.processor;
	switch (from->header.type) {
	case PERF_RECORD_SWITCH:
		r->kind = !(misc & PERF_RECORD_MISC_SWITCH_OUT) ? SWITCH_IN
			: misc & OUT_PREEMPTED ? SWITCH_PREEMPTED : SWITCH_BLOCKED;
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return task_read(from, r);
	case PERF_RECORD_COMM:
		name_read(from, r);
		return true;
	case PERF_RECORD_LOST:
		lost_read(from, r);
		return true;
	default:
		return false;
	}
}

/* Copies bytes from the place in a buffer, which goes on at its beginning. */
static void ring_copy(const struct ring *r, uint64_t place, void *to, size_t size)
{
	uint64_t at = place & (r->size - 1), first = r->size - at;

	if (first > size)
		first = size;
	memcpy(to, r->bytes + at, first);
	memcpy((unsigned char *)to + first, r->bytes, size - first);
}

static void ring_read(struct ring *r, struct kernel_records *records)
{
	static union record record;
	uint64_t head = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = r->head->data_tail;

	while (at < head) {
		ring_copy(r, at, &record.header, sizeof record.header);
		ring_copy(r, at, &record, record.header.size);
		at += record.header.size;
		records->at = vector_grow(records->at, records->n, &records->room,
					  sizeof *records->at);
		records->n += record_read(&record, &records->at[records->n]);
	}
	__atomic_store_n(&r->head->data_tail, at, __ATOMIC_RELEASE);
}

void records_read(struct kernel_records *records)
{
	for (size_t i = 0; i < rings.n; i++)
		ring_read(&rings.at[i], records);
}

static int record_compare(const void *left, const void *right)
{
	const struct kernel_record *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

void records_sort(struct kernel_record *records, size_t n)
{
	if (n)
		qsort(records, n, sizeof *records, record_compare);
}
