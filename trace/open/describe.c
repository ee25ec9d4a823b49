#include "trace/open/describe.h"
#include "base/array.h"
#include "base/units.h"
#include "trace/format/bytes.h"
#include "trace/label.h"
#include "trace/open/own_names.h"
#include "trace/open/process_state.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads, processes, times ---- */

static void host_fill(struct trace_process *p, const struct process_info *info)
{
	static const unsigned char unknown[sizeof info->boot];
	char *to = p->host;

	if (memcmp(info->boot, unknown, sizeof unknown) == 0)
		return;
	for (size_t i = 0; i < sizeof info->boot; i++)
		to += sprintf(to, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			      info->boot[i]);
}

static void describe_process_fill(const struct opened *o, struct trace_process *p,
				  const struct directory *d)
{
	p->path = d->path;
	p->program = d->process.program;
	p->pid =
	    d->process.present || p->nthreads == 0 ? d->process.pid : o->logs[p->first_thread].pid;
	p->ended = d->process.ended;
	p->state = process_state(&d->process);
	p->limited = d->process.keep == KEEP_OLDEST || d->process.keep == KEEP_NEWEST;
	p->rank = d->process.rank;
	host_fill(p, &d->process);
	p->recorder = directory_is_recorder(d);
	p->event_cost = d->process.cost;
	p->dropped = d->process.dropped;
	p->source = d->process.source;
}

static int by_number(const void *left, const void *right)
{
	const struct directory *a = *(const struct directory *const *)left;
	const struct directory *b = *(const struct directory *const *)right;
	int64_t begun = a->process.samples[0].monotonic, other = b->process.samples[0].monotonic;
	int order = strcmp(a->given, b->given);

	if (!order)
		order = memcmp(a->process.boot, b->process.boot, sizeof a->process.boot);
	if (!order && a->process.pid_space != b->process.pid_space)
		order = a->process.pid_space < b->process.pid_space ? -1 : 1;
	if (!order && a->process.pid != b->process.pid)
		order = a->process.pid < b->process.pid ? -1 : 1;
	return order ? order : (begun > other) - (begun < other);
}

static bool are_of_one_process(const struct directory *a, const struct directory *b)
{
	return a->process.pid && a->process.pid_space && a->process.pid == b->process.pid &&
	       a->process.pid_space == b->process.pid_space &&
	       memcmp(a->process.boot, b->process.boot, sizeof a->process.boot) == 0 &&
	       strcmp(a->given, b->given) == 0;
}

/*
 * A process that executes another program has a directory for each. The one before did not end in
 * order, and no other process of the run gets its number as long as the kernel has others.
 */
static bool executed_find(struct opened *o)
{
	const struct directory **all = malloc((o->ndirectories + 1) * sizeof *all);
	size_t n = 0;

	if (!all)
		return false;
	for (size_t i = 0; i < o->ndirectories; i++)
		if (o->directories[i].process.present && !o->processes[i].recorder)
			all[n++] = &o->directories[i];
	qsort(all, n, sizeof *all, by_number);
	for (size_t i = 0; i + 1 < n; i++) {
		struct trace_process *p = &o->processes[all[i] - o->directories];

		if (p->ended || !are_of_one_process(all[i], all[i + 1]))
			continue;
		p->state = PROCESS_EXECUTED;
		p->executed = o->processes[all[i + 1] - o->directories].program;
	}
	free(all);
	return true;
}

static bool thread_fill(struct trace_thread *thread, struct log *log, uint32_t number)
{
	if (!log->name && asprintf(&log->name, "thread %u", number) < 0)
		return false;
	*thread = (struct trace_thread){.number = number,
					.name = log->name,
					.owner = log->name,
					.path = log->files[0].path,
					.process = log->pid,
					.tid = log->tid,
					.events = log->used,
					.bytes = log->size,
					.lost = log->lost,
					.skipped = log->skipped.bytes};
	return true;
}

/* Numbers threads: in each directory from the greatest number of the one before on. */
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
					   "%s: the thread numbers are too large", p->path);
				return false;
			}
			if (!thread_fill(&o->threads[j], &o->logs[j], (uint32_t)next++))
				return report_no_memory(diag);
			o->threads[j].directory = (uint32_t)i;
		}
		offset = next;
	}
	return true;
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/*
 * Finds CLOCK_REALTIME less CLOCK_MONOTONIC, from the first log that has both. Returns whether one
 * has.
 */
static bool real_offset(const struct opened *o, int64_t *real)
{
	for (size_t i = 0; i < o->nlogs; i++) {
		const struct clock_sample *p = &o->logs[i].files[0].sample;

		if (p->realtime > 0 && !__builtin_sub_overflow(p->realtime, p->monotonic, real))
			return true;
	}
	return false;
}

/* Returns when a run without events began, and sets what times_fill() does of it. */
static int64_t begin_find(const struct opened *o, int64_t *real, bool *dated)
{
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct clock_sample *first = &o->directories[i].process.samples[0];

		if (first->realtime > 0 &&
		    !__builtin_sub_overflow(first->realtime, first->monotonic, real)) {
			*dated = true;
			return first->monotonic;
		}
	}
	return 0;
}

static void times_fill(struct opened *o)
{
	struct trace *t = &o->trace;
	int64_t origin = INT64_MAX, last = INT64_MIN, real = 0;
	bool dated = real_offset(o, &real);

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
		origin = last = begin_find(o, &real, &dated);
	t->origin = origin;
	t->duration = last - origin;
	if (!dated || __builtin_add_overflow(origin, real, &t->origin_real))
		t->origin_real = 0;
	for (size_t i = 0; i < o->nlogs; i++) {
		if (o->logs[i].events == 0)
			continue;
		o->threads[i].first -= origin;
		o->threads[i].last -= origin;
	}
}

/* ---- clocks ---- */

static int64_t time_within(const struct trace *t, int64_t monotonic)
{
	int64_t time;

	if (__builtin_sub_overflow(monotonic, t->origin, &time) || time < 0)
		return 0;
	return time < t->duration ? time : t->duration;
}

/* Takes the breaks of a process' counter that events may be in. */
static void breaks_fill(const struct opened *o, struct directory *d, struct trace_process *p)
{
	const struct clock *c = &d->counter;
	size_t n = 0;

	d->breaks = array_new(c->nbreaks + 1, sizeof *d->breaks);
	for (size_t i = 0; p->counter && i < c->nbreaks; i++)
		if (c->breaks[i].to > o->trace.origin &&
		    c->breaks[i].from - o->trace.origin < o->trace.duration)
			d->breaks[n++] = (struct trace_break){
			    .from = time_within(&o->trace, c->breaks[i].from),
			    .to = time_within(&o->trace, c->breaks[i].to),
			    .ahead = c->breaks[i].ahead,
			};
	p->breaks = d->breaks;
	p->nbreaks = n;
}

static void breaks_warn(const struct trace_process *p, struct diag *diag)
{
	const struct trace_break *b = p->breaks;
	char text[UNITS_TEXT], more[64] = "";

	if (p->nbreaks == 0)
		return;
	if (p->nbreaks > 1)
		snprintf(more, sizeof more, "; glimpse info lists %zu more such times",
			 p->nbreaks - 1);
	diag_warning(diag, "clock", DIAG_NOWHERE,
		     "%s: the processor's counter %s %s between %.6f s and %.6f s, as after a "
		     "suspend or a virtual machine's migration; times there are approximate%s",
		     p->path, b->ahead < 0 ? "fell behind by" : "leapt ahead by",
		     units_time(text, b->ahead < 0 ? -(double)b->ahead : (double)b->ahead),
		     (double)b->from / 1e9, (double)b->to / 1e9, more);
}

/* ---- recorders that died ---- */

/* A copy of a recording that goes on may lack the newest of what its recorder observes. */
#define RECORDER_BEHIND 100000000 /* ns */

/* Returns the last time that is known of the processes of a recorder's run. */
static int64_t run_last(const struct opened *o, const struct directory *recorder)
{
	int64_t last = recorder->last;

	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct directory *d = &o->directories[i];
		const struct trace_process *p = &o->processes[i];

		if (d->given != recorder->given)
			continue;
		for (size_t k = 0; d != recorder && k < d->process.nsamples; k++)
			if (d->process.samples[k].monotonic > last)
				last = d->process.samples[k].monotonic;
		for (uint32_t k = p->first_thread; k < p->first_thread + p->nthreads; k++)
			if (o->threads[k].last + o->trace.origin > last)
				last = o->threads[k].last + o->trace.origin;
	}
	return last;
}

static void observed_fill(const struct opened *o, const struct directory *d,
			  struct trace_process *p)
{
	int64_t from = d->last ? d->last : d->process.samples[0].monotonic, to = run_last(o, d);

	if (p->ended || p->state == PROCESS_RUNS || to < from ||
	    (p->state == PROCESS_UNKNOWN && to - from < RECORDER_BEHIND))
		return;
	p->observed_to = from > o->trace.origin ? from - o->trace.origin : 0;
	p->lived_to = to - o->trace.origin;
}

/* ---- gaps ---- */

/* A switch of an event type, or of all events of one thread. */
struct event_switch {
	int64_t time;  /* of the trace */
	uint32_t what; /* the type; or ALL_EVENTS and the thread */
	bool on;
};

enum { ALL_EVENTS = 1 << 16, SWITCH_SIZE = 16 };

struct event_switches {
	struct event_switch *at;
	size_t n, room;
};

static void gap_add(struct opened *o, struct trace_gap gap)
{
	size_t n = o->trace.ngaps;

	o->gaps = array_grow(o->gaps, n, sizeof *o->gaps);
	o->gaps[n] = gap;
	o->trace.gaps = o->gaps;
	o->trace.ngaps = n + 1;
}

static int64_t mark_time(const struct opened *o, const struct log *log, uint64_t ticks)
{
	return ticks == UINT64_MAX ? o->trace.duration
				   : clock_ns(log->time, ticks) - o->trace.origin;
}

/* Adds the gaps that the notes LOST of a thread mark, and collects the switches. */
static void marks_fill(struct opened *o, uint32_t thread, struct event_switches *switches)
{
	const struct log *log = &o->logs[thread];

	for (size_t i = 0; i < log->marks.count; i++) {
		const struct log_mark *mark = &log->marks.list[i];
		int64_t from = mark_time(o, log, mark->from);

		if (mark->kind == MARK_LOST)
			gap_add(o, (struct trace_gap){.kind = GAP_LOST,
						      .from = from,
						      .to = mark_time(o, log, mark->to),
						      .thread = thread});
		else
			*vector_add(switches) =
			    (struct event_switch){from, ALL_EVENTS + thread, mark->kind == MARK_ON};
	}
}

/* Returns the event type that an id means in the first log of the process that has the id. */
static uint32_t type_of_id(const struct opened *o, const struct trace_process *p, uint32_t id)
{
	for (uint32_t i = 0; i < p->nthreads && id < RECORD_IDS; i++) {
		const struct log *log = &o->logs[p->first_thread + i];

		if (log->ids && log->ids->rows[id].size)
			return log->ids->rows[id].type;
	}
	return NO_TYPE;
}

static void switch_add(const struct opened *o, size_t process, const unsigned char *record,
		       struct event_switches *switches)
{
	const struct trace_process *p = &o->processes[process];
	const struct log *log = &o->logs[p->first_thread];
	uint32_t type = type_of_id(o, p, read_swapped_32(record, log->swapped));
	uint64_t ticks = read_swapped_64(record + 8, log->swapped);

	if (type != NO_TYPE)
		*vector_add(switches) =
		    (struct event_switch){mark_time(o, log, ticks), type, read_32(record + 4) != 0};
}

/* Reads the file "switches" of a log directory. */
static void switches_read(struct opened *o, size_t process, struct event_switches *switches,
			  struct diag *diag)
{
	const struct directory *d = &o->directories[process];
	struct file f;
	size_t size;

	if (!file_take(&f, directory_file(d, "switches"), false)) {
		if (errno != ENOENT)
			diag_warning(diag, "log", DIAG_NOWHERE, "%s/switches: %s; read without it",
				     d->path, file_why(errno));
		return;
	}
	size = f.nholes ? f.holes[0].from : f.size;
	for (size_t at = 0; o->processes[process].nthreads && size - at >= SWITCH_SIZE;
	     at += SWITCH_SIZE)
		switch_add(o, process, f.bytes + at, switches);
	file_unload(&f);
}

static int switch_compare(const void *left, const void *right)
{
	const struct event_switch *a = left, *b = right;

	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	return a->time != b->time ? (a->time < b->time ? -1 : 1) : a->on - b->on;
}

/* Adds a gap from each "off" to the next "on", or to the trace's end. */
static void switches_fill(struct opened *o, const struct event_switches *switches)
{
	const struct event_switch *off = NULL;

	if (switches->n)
		qsort(switches->at, switches->n, sizeof *switches->at, switch_compare);
	for (size_t i = 0; i < switches->n; i++) {
		const struct event_switch *s = &switches->at[i];
		bool ends = i + 1 == switches->n || s[1].what != s->what;
		struct trace_gap gap = {.kind = GAP_OFF, .to = s->on ? s->time : o->trace.duration};

		if (!s->on && !off)
			off = s;
		if (off && (s->on || ends)) {
			gap.from = off->time;
			gap.type = s->what < ALL_EVENTS ? o->trace.spec->events[s->what] : NULL;
			gap.thread = s->what < ALL_EVENTS ? EVERY_THREAD : s->what - ALL_EVENTS;
			gap_add(o, gap);
		}
		if (s->on || ends)
			off = NULL;
	}
}

/* Returns whether a process of a recorder's run logs a schema itself. */
static bool is_logged(const struct opened *o, const struct directory *recorder,
		      const struct schema *schema)
{
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct directory *d = &o->directories[i];

		for (unsigned k = 0; d->ids && k < d->ids->nclaims; k++)
			if (d != recorder && d->given == recorder->given &&
			    d->ids->claims[k].schema == schema)
				return true;
	}
	return false;
}

/* What only a recorder observes is off from when it died on. */
static void observed_switch(const struct opened *o, size_t process, struct event_switches *switches)
{
	const struct trace_process *p = &o->processes[process];
	const struct directory *d = &o->directories[process];
	const struct id_table *ids = d->ids;

	if (!p->lived_to || !ids || p->observed_to >= o->trace.duration)
		return;
	for (unsigned i = 0; i < ids->nclaims; i++) {
		const struct schema *s = ids->claims[i].schema;

		for (unsigned k = 0; !is_logged(o, d, s) && k < s->spec->nevents; k++)
			if (s->types[k] != NO_TYPE)
				*vector_add(switches) =
				    (struct event_switch){p->observed_to, s->types[k], false};
	}
}

static void gaps_fill(struct opened *o, struct diag *diag)
{
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct trace_process *p = &o->processes[i];
		struct event_switches switches = {0};

		switches_read(o, i, &switches, diag);
		observed_switch(o, i, &switches);
		for (uint32_t k = 0; k < p->nthreads; k++)
			marks_fill(o, p->first_thread + k, &switches);
		switches_fill(o, &switches);
		free(switches.at);
		if (p->dropped)
			gap_add(o, (struct trace_gap){.kind = GAP_LOST, .to = o->trace.duration});
	}
}

bool trace_describe(struct opened *o, struct diag *diag)
{
	struct trace *t = &o->trace;

	if (!threads_fill(o, diag))
		return false;
	times_fill(o);
	for (size_t i = 0; i < o->ndirectories; i++) {
		describe_process_fill(o, &o->processes[i], &o->directories[i]);
		breaks_fill(o, &o->directories[i], &o->processes[i]);
		breaks_warn(&o->processes[i], diag);
		t->lost = add_saturated(t->lost, o->processes[i].dropped);
	}
	if (!executed_find(o))
		return report_no_memory(diag);
	for (size_t i = 0; i < o->ndirectories; i++)
		if (o->processes[i].recorder)
			observed_fill(o, &o->directories[i], &o->processes[i]);
	gaps_fill(o, diag);
	for (size_t i = 0; i < o->nlogs; i++) {
		t->events += o->logs[i].used;
		t->lost = add_saturated(t->lost, o->logs[i].lost);
	}
	own_names_settle(o);
	labels_make(o->threads, o->nlogs);
	t->threads = o->threads;
	t->nthreads = (unsigned)o->nlogs;
	t->processes = o->processes;
	t->nprocesses = (unsigned)o->ndirectories;
	return true;
}
