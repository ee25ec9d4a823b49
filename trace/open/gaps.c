/* From the marks of all logs to the gaps of the trace. */
#include "base/array.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/open/opened.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A switch of an event type, or of all events of one log, in the time of the trace. */
struct turn {
	int64_t time;
	uint32_t what;          /* the type; ALL and the log */
	bool on;
};

enum { ALL = 1 << 16, SWITCH_SIZE = 16 };

struct turns {
	struct turn *at;
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

static int compare_turns(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->on - y->on;
}

/* From each "off" to the "on" that follows it, or to the trace's end. */
static void add_turns(struct opened *o, const struct turns *turns)
{
	const struct turn *off = NULL;

	if (turns->n)
		qsort(turns->at, turns->n, sizeof *turns->at, compare_turns);
	for (size_t i = 0; i < turns->n; i++) {
		const struct turn *turn = &turns->at[i];
		bool ends = i + 1 == turns->n || turns->at[i + 1].what != turn->what;

		if (!turn->on && !off)
			off = turn;
		if (off && (turn->on || ends))
			gap_add(o, (struct trace_gap){
				.kind = GAP_OFF, .from = off->time,
				.to = turn->on ? turn->time : o->trace.duration,
				.type = turn->what < ALL ? o->trace.spec->events[turn->what] : NULL,
				.thread = turn->what < ALL ? EVERY_THREAD : turn->what - ALL,
			});
		if (turn->on || ends)
			off = NULL;
	}
}

static void add_marks(struct opened *o, size_t number, struct turns *turns)
{
	const struct log *log = &o->logs[number];

	for (size_t i = 0; i < log->marks.count; i++) {
		const struct log_mark *mark = &log->marks.list[i];
		int64_t from = mark_time(o, log, mark->from);

		if (mark->kind == MARK_LOST)
			gap_add(o, (struct trace_gap){.kind = GAP_LOST, .from = from,
						      .to = mark_time(o, log, mark->to),
						      .thread = (uint32_t)number});
		else
			*vector_add(turns) = (struct turn){from, ALL + (uint32_t)number,
							   mark->kind == MARK_ON};
	}
}

/* The event type that an id means in the first log of the process that knows it. */
static uint32_t type_of_id(const struct opened *o, const struct trace_process *p, uint32_t id)
{
	for (uint32_t i = 0; i < p->nthreads && id < RECORD_IDS; i++) {
		const struct log *log = &o->logs[p->first_thread + i];

		if (log->ids && log->ids->rows[id].size)
			return log->ids->rows[id].type;
	}
	return NO_TYPE;
}

/* The file "switches" of the log directory. */
static void add_switches(struct opened *o, size_t number, struct turns *turns)
{
	const struct trace_process *p = &o->processes[number];
	int fd = directory_file(&o->directories[number], "switches");
	const struct log *log = &o->logs[p->first_thread];
	FILE *file = fd >= 0 && p->nthreads ? fdopen(fd, "rb") : NULL;
	unsigned char record[SWITCH_SIZE];

	while (file && fread(record, sizeof record, 1, file) == 1) {
		uint32_t id = read_32(record), on = read_32(record + 4);
		uint64_t ticks = read_64(record + 8);

		id = log->swapped ? __builtin_bswap32(id) : id;
		ticks = log->swapped ? __builtin_bswap64(ticks) : ticks;
		if (type_of_id(o, p, id) != NO_TYPE)
			*vector_add(turns) = (struct turn){mark_time(o, log, ticks),
						   type_of_id(o, p, id), on != 0};
	}
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
}

void gaps_fill(struct opened *o)
{
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct trace_process *p = &o->processes[i];
		struct turns turns = {0};

		add_switches(o, i, &turns);
		for (uint32_t k = 0; k < p->nthreads; k++)
			add_marks(o, p->first_thread + k, &turns);
		add_turns(o, &turns);
		free(turns.at);
		if (p->dropped)
			gap_add(o, (struct trace_gap){
				       .kind = GAP_LOST, .from = 0, .to = o->trace.duration});
	}
}
