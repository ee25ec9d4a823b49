#include "trace/open/describe.h"
#include "trace/open/load.h"
#include "trace/log/position.h"
#include <stdio.h>

static void process_fill(const struct opened *o, struct trace_process *p, const struct directory *d)
{
	p->path = d->path;
	p->program = d->process.program;
	p->pid =
	    d->process.present || p->nthreads == 0 ? d->process.pid : o->logs[p->first_thread].pid;
	p->ended = d->process.ended;
	p->event_cost = d->process.cost;
	p->dropped = d->process.dropped;
}

static bool thread_fill(struct trace_thread *thread, struct log *log, uint32_t number)
{
	if (!log->name && asprintf(&log->name, "thread %u", number) < 0)
		return false;
	*thread = (struct trace_thread){.number = number,
					.name = log->name,
					.path = log->files[0].path,
					.process = log->pid,
					.tid = log->tid,
					.events = log->used,
					.bytes = log->size,
					.lost = log->lost,
					.skipped = log->skipped.bytes};
	return true;
}

/* Numbers go on in each directory behind the greatest of the one before. */
static bool threads_fill(struct opened *o, struct diag *diag)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct trace_process *p = &o->processes[i];
		uint64_t next = offset;

		for (uint32_t j = p->first_thread; j < p->first_thread + p->nthreads; j++) {
			next = offset + o->logs[j].number;
			if (next > UINT32_MAX) {
				diag_error(diag, DIAG_NOWHERE,
					   "%s: the thread numbers are too great", p->path);
				return false;
			}
			if (!thread_fill(&o->threads[j], &o->logs[j], (uint32_t)next++))
				return no_memory(diag);
		}
		offset = next;
	}
	return true;
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* CLOCK_REALTIME less CLOCK_MONOTONIC, as one of the logs says; 0: none does. */
static int64_t real_offset(const struct opened *o)
{
	for (size_t i = 0; i < o->nlogs; i++) {
		const struct clock_sample *p = &o->logs[i].files[0].sample;
		int64_t offset;

		if (p->realtime > 0 && !__builtin_sub_overflow(p->realtime, p->monotonic, &offset))
			return offset;
	}
	return 0;
}

static void times_fill(struct opened *o)
{
	struct trace *t = &o->trace;
	int64_t origin = INT64_MAX, last = INT64_MIN, real = real_offset(o);

	for (size_t i = 0; i < o->nlogs; i++) {
		const struct log *log = &o->logs[i];

		if (log->events == 0)
			continue;
		o->threads[i].first = clock_ns(log->time, log->first);
		o->threads[i].last = clock_ns(log->time, log->last);
		if (o->threads[i].first < origin)
			origin = o->threads[i].first;
		if (o->threads[i].last > last)
			last = o->threads[i].last;
	}
	if (last < origin)
		origin = last = 0;
	t->origin = origin;
	t->duration = last - origin;
	if (real == 0 || __builtin_add_overflow(origin, real, &t->origin_real))
		t->origin_real = 0;
	for (size_t i = 0; i < o->nlogs; i++) {
		if (o->logs[i].events == 0)
			continue;
		o->threads[i].first -= origin;
		o->threads[i].last -= origin;
	}
}

bool trace_describe(struct opened *o, struct diag *diag)
{
	struct trace *t = &o->trace;

	if (!threads_fill(o, diag))
		return false;
	times_fill(o);
	for (size_t i = 0; i < o->ndirectories; i++) {
		process_fill(o, &o->processes[i], &o->directories[i]);
		t->lost = add_saturated(t->lost, o->processes[i].dropped);
	}
	gaps_fill(o);
	for (size_t i = 0; i < o->nlogs; i++) {
		t->events += o->logs[i].used;
		t->lost = add_saturated(t->lost, o->logs[i].lost);
		if (!log_sort(&o->logs[i]))
			return no_memory(diag);
	}
	t->threads = o->threads;
	t->nthreads = (unsigned)o->nlogs;
	t->processes = o->processes;
	t->nprocesses = (unsigned)o->ndirectories;
	return true;
}
