#include "trace/open/grow.h"
#include "base/array.h"
#include "trace/open/describe.h"
#include "trace/open/load.h"
#include "trace/open/opened.h"
#include <stdlib.h>
#include <string.h>

#define CLOCK_OFF 1000000 /* ns by which times of a growing trace may be off */

/* What there is to report was reported when the logs were opened. */
static struct diag quiet;

bool trace_can_grow(const struct trace *t)
{
	const struct opened *o = opened_of(t);

	return o->growth && !o->growth->broken && o->growth->growths == o->growths;
}

/* ---- logs ---- */

static void *items_copy(const void *from, size_t n, size_t size)
{
	void *copy = n ? array_new(n, size) : NULL;

	if (n)
		memcpy(copy, from, n * size);
	return copy;
}

/* Copies a growing log: it has one file, one segment, and at most one range. */
static void grow_log_copy(struct log *log, const struct log *from)
{
	*log = *from;
	log->files = items_copy(from->files, 1, sizeof *from->files);
	log->files[0].path = text_format("%s", from->files[0].path);
	log->segments = items_copy(from->segments, 1, sizeof *from->segments);
	log->ranges = items_copy(from->ranges, from->nranges, sizeof *from->ranges);
	log->marks.list = items_copy(from->marks.list, from->marks.count, sizeof *from->marks.list);
	log->marks.room = log->marks.count;
	log->first_name = from->first_name ? text_format("%s", from->first_name) : NULL;
	log->name = from->name ? text_format("%s", from->name) : NULL;
}

static bool log_grow(struct opened *o, struct directory *d, const struct log *from, struct log *log)
{
	struct growing_log *g = from->growing;
	const struct log_tail *tail = directory_tail(d, (struct log_name){from->number, 0});
	struct scanner scanner = scanner_for(o, d, &quiet);

	if (from->disordered)
		return false;
	grow_log_copy(log, from);
	if (!growing_log_extend(g, log->files[0].path, tail))
		return false;
	log->segments[0].path = log->files[0].path;
	log->segments[0].size = g->size - log->segments[0].position;
	log->lost += (tail ? tail->lost : 0) - g->tail_lost;
	g->tail_lost = tail ? tail->lost : 0;
	if (!log_scan_on(log, &scanner) || log->disordered)
		return false;
	log->size = g->size;
	directory_note_ids(d, log);
	return true;
}

/* ---- directories ---- */

/* The logs of a directory in the trace before. */
struct known_logs {
	const struct log *logs;
	size_t n;
	bool last; /* it is the last directory: threads may follow */
};

static bool logs_grow(struct opened *o, struct directory *d, const struct known_logs *known)
{
	size_t i = 0, k = 0;

	while (i < d->nlogs) {
		struct log *log = &o->logs[o->nlogs];

		if (d->logs[i].level)
			return false;
		if (k < known->n && known->logs[k].number == d->logs[i].number) {
			o->nlogs++;
			if (!log_grow(o, d, &known->logs[k++], log))
				return false;
			i++;
		} else if (k < known->n || !known->last) {
			return false;
		} else if ((log = next_log_load(o, d, &i, &quiet))) {
			if (!loaded_log_scan(o, d, log, &quiet))
				return false;
			directory_note_ids(d, log);
		}
	}
	return k == known->n;
}

static bool samples_copy(struct clock_samples *to, const struct clock_samples *from,
			 const struct process_info *process)
{
	for (size_t i = 0; i < from->count; i++)
		if (!clock_samples_add(to, &from->list[i]))
			return false;
	return !process->present || process->clock != CLOCK_COUNTER || !process->samples[1].ticks ||
	       clock_samples_add(to, &process->samples[1]);
}

/* Returns the newest moment that the trace before has timed. */
static uint64_t newest_ticks(const struct known_logs *known)
{
	uint64_t newest = 0;

	for (size_t i = 0; i < known->n; i++)
		if (known->logs[i].clock == CLOCK_COUNTER && known->logs[i].last > newest)
			newest = known->logs[i].last;
	return newest;
}

/*
 * Returns whether a clock timed the events so far as it does now. Before the runtime has seen that
 * the counter leapt, they may be hours off: all has to be read anew then.
 */
static bool clock_agrees(const struct clock *c, const struct clock *before, uint64_t newest)
{
	int64_t off = clock_ns(c, newest) - clock_ns(before, newest);

	return c->nbreaks == before->nbreaks && off < CLOCK_OFF && off > -CLOCK_OFF;
}

static bool directory_grow(struct opened *o, size_t i, const struct opened *from)
{
	struct directory *d = &o->directories[i];
	const struct directory *before = &from->directories[i];
	struct trace_process *p = &o->processes[i];
	const struct trace_process *q = &from->processes[i];
	struct known_logs known = {from->logs + q->first_thread, q->nthreads,
				   i + 1 == o->ndirectories};
	uint64_t newest = newest_ticks(&known);

	if (d->pack || d->nspecs != before->nspecs || d->process.nspecs != before->process.nspecs)
		return false;
	p->first_thread = (uint32_t)o->nlogs;
	d->ids = before->ids;
	if (!samples_copy(&d->samples, &before->samples, &d->process) || !logs_grow(o, d, &known))
		return false;
	p->nthreads = (uint32_t)o->nlogs - p->first_thread;
	return clocks_build(o, d, p, longest_of_run(o, d->given), &quiet) &&
	       (!newest || (clock_agrees(&d->counter, &before->counter, newest) &&
			    clock_continue(&d->counter, &before->counter, newest)));
}

/* ---- the trace ---- */

/* Returns whether the directories are those of the trace before: no process has begun since. */
static bool directories_same(const struct opened *o, const struct opened *from)
{
	bool same = o->ndirectories == from->ndirectories;

	for (size_t i = 0; same && i < o->ndirectories; i++)
		same = strcmp(o->directories[i].path, from->directories[i].path) == 0;
	return same;
}

static bool grow_open_again(struct opened *o, const struct opened *from)
{
	const char **paths = array_new(from->ndirectories, sizeof(char *));
	unsigned n = 0;
	bool good;

	for (size_t i = 0; i < from->ndirectories; i++)
		if (n == 0 || paths[n - 1] != from->directories[i].given)
			paths[n++] = from->directories[i].given;
	good = directories_open(o, paths, n, &quiet) && directories_same(o, from);
	free(paths);
	return good;
}

/* Takes what it has in common with the trace before. */
static bool run_share(struct opened *o, struct opened *from)
{
	o->trace.spec = from->trace.spec;
	o->specs = from->specs;
	o->nspecs = from->nspecs;
	o->given = from->given;
	o->joined = from->joined;
	o->growth = growth_hold(from->growth);
	o->growths = ++o->growth->growths;
	o->base = opened_hold(from->own_spec ? from : from->base);
	o->schemas = o->growth->schemas;
	if (!opened_make_counts(o, &quiet))
		return false;
	memcpy(o->trace.events_of_type, from->trace.events_of_type,
	       o->trace.spec->nevents * sizeof *o->trace.events_of_type);
	return true;
}

static bool opened_grow(struct opened *o, struct opened *from)
{
	if (!run_share(o, from) || !grow_open_again(o, from))
		return false;
	for (size_t i = 0; i < o->ndirectories; i++)
		if (!directory_grow(o, i, from))
			return false;
	return trace_describe(o, &quiet) &&
	       (from->trace.events == 0 || o->trace.origin == from->trace.origin);
}

struct trace *trace_grow(struct trace *t)
{
	struct opened *from = opened_of(t), *o = trace_can_grow(t) ? opened_new() : NULL;
	bool good;

	if (!o)
		return NULL;
	good = opened_grow(o, from);
	/* bytes that were read but are in neither trace cannot be read again */
	from->growth->broken |= !good;
	from->growth->schemas = o->schemas;
	if (good) {
		logs_order(o);
		return &o->trace;
	}
	trace_close(&o->trace);
	return NULL;
}
