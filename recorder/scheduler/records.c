#include "recorder/scheduler/records.h"
#include "recorder/refusals.h"
#include "recorder/rings.h"
#include "recorder/scheduler/wakeups.h"
#include "recorder/trace_events.h"
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_MOST (UINT64_C(2) << 20)
#define BUFFER_LEAST (UINT64_C(16) << 10)
#define OUT_PREEMPTED (1u << 14) /* in misc of PERF_RECORD_SWITCH */

static struct rings rings;
static uint64_t order;
static bool other_processes; /* those that are forked are wanted */
static uint64_t wakeup_id;   /* of the kernel's trace event; 0: it cannot be read */

/* ---- events ---- */

static struct perf_event_attr switch_attributes(const struct recording *r)
{
	struct perf_event_attr a = rings_attributes(r);

	a.config = PERF_COUNT_SW_DUMMY;
	a.context_switch = 1;
	return a;
}

/* The same for the kernel's trace event of a wake-up, whose fields are in the record. */
static struct perf_event_attr wakeup_attributes(const struct recording *r)
{
	struct perf_event_attr a = switch_attributes(r);

	a.type = PERF_TYPE_TRACEPOINT;
	a.config = wakeup_id;
	a.sample_type |= PERF_SAMPLE_RAW;
	a.sample_period = 1;
	a.exclude_kernel = 0;
	a.context_switch = a.task = a.comm = a.comm_exec = 0;
	return a;
}

bool records_open(const struct recording *r, const char **what)
{
	other_processes = r->children;
	if (!rings_open(&rings, switch_attributes(r), r, BUFFER_MOST, BUFFER_LEAST, r->sampled,
			what))
		return false;
	wakeup_id = wakeup_event_id();
	if (wakeup_id && !rings_add(&rings, wakeup_attributes(r), r))
		wakeup_id = 0;
	if (!wakeup_id)
		refusal_note("wake-ups", trace_events_remedy());
	return true;
}

bool records_have_strangers(void)
{
	return rings.wide;
}

bool records_have_wakeups(void)
{
	return wakeup_id != 0;
}

int records_fds(struct pollfd *fds, int room)
{
	return rings_fds(&rings, fds, room);
}

void records_close(void)
{
	rings_close(&rings);
	wakeup_id = 0;
}

/* ---- records ---- */

/*
 * Returns false for what is not wanted: the kernel tells of each child, also where none inherits.
 */
static bool task_read(const union ring_record *from, struct kernel_record *r)
{
	struct ring_task task;

	memcpy(&task, from, sizeof task);
	r->pid = task.pid;
	r->tid = task.tid;
	r->other = task.ptid;
	r->time = (int64_t)task.time;
	r->kind = from->header.type == PERF_RECORD_FORK ? SWITCH_FORK : SWITCH_EXIT;
	return other_processes || r->kind == SWITCH_EXIT || task.pid == task.ppid;
}

static void name_read(const union ring_record *from, struct kernel_record *r)
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

static void lost_read(const union ring_record *from, struct kernel_record *r)
{
	struct ring_lost lost;

	memcpy(&lost, from, sizeof lost);
	r->count = lost.lost;
	r->kind = SWITCH_LOST;
}

#define WAKEUP_FIELDS 36 /* where the fields of the trace event begin */

/* A wake-up has its time and thread first, then the fields of the trace event. */
static bool sample_read(const union ring_record *from, struct kernel_record *r)
{
	struct {
		struct perf_event_header header;
		struct ring_record_end end;
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
static bool record_read(const union ring_record *from, struct kernel_record *r)
{
	uint16_t misc = from->header.misc;
	struct ring_record_end end;

	*r = (struct kernel_record){.order = order++};
	if (from->header.type == PERF_RECORD_SAMPLE)
		return sample_read(from, r);
	end = ring_record_end(from);
	r->time = (int64_t)end.time;
	r->pid = end.pid;
	r->tid = end.tid;
	r->processor = end.processor;
	switch (from->header.type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		r->kind = !(misc & PERF_RECORD_MISC_SWITCH_OUT) ? SWITCH_IN
			  : misc & OUT_PREEMPTED                ? SWITCH_PREEMPTED
								: SWITCH_BLOCKED;
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

static void record_take(void *context, const union ring_record *record)
{
	struct kernel_records *records = context;

	records->at = vector_grow(records->at, records->n, &records->room, sizeof *records->at);
	records->n += record_read(record, &records->at[records->n]);
}

void records_read(struct kernel_records *records)
{
	rings_read(&rings, NULL, record_take, records);
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
