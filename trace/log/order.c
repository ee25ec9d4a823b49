#include "trace/log/order.h"
#include "base/array.h"
#include "base/spill.h"
#include "trace/log/cursor.h"
#include <stdlib.h>
#include <string.h>

/* ---- what is written ---- */

size_t merged_run_least = 256;

/* Records in the order of time: copied, or where they are. */
struct ordered {
	unsigned char *bytes; /* NULL: they are not copied */
	size_t size;
	uint64_t upper; /* of the time at the end; UINT64_MAX: of no time */
	uint64_t events;
	struct record_range *ranges; /* if they are not copied */
	size_t nranges, most;        /* with more of them, a copy is smaller, or faster */
	struct checkpoint *checkpoints;
	size_t ncheckpoints;
	bool final; /* checkpoints are wanted */
};

static struct ordered ordered_new(size_t room, bool final)
{
	return (struct ordered){.bytes = spill_new(room, 1), .upper = UINT64_MAX, .final = final};
}

/* Lets events of this upper time follow. */
static inline void ordered_time(struct ordered *o, uint64_t upper)
{
	if (!o->bytes || o->upper == upper)
		return;
	time_write(o->bytes + o->size, upper);
	o->size += TIME_SIZE;
	o->upper = upper;
}

/* Counts an event that is to be put at an offset from the end. */
static inline void ordered_count(struct ordered *o, size_t offset, uint64_t upper)
{
	uint64_t seq = o->events++;

	if (!o->final || seq % CHECKPOINT_EVENTS)
		return;
	o->checkpoints = array_grow(o->checkpoints, o->ncheckpoints, sizeof *o->checkpoints);
	o->checkpoints[o->ncheckpoints++] = (struct checkpoint){
	    .place = o->size + offset, .upper = upper, .seq = seq, .range = o->nranges};
}

/* ---- one file, sorted ---- */

struct sorted_event {
	uint64_t ticks, place;
};

static bool sorted_before(const struct sorted_event *a, const struct sorted_event *b)
{
	return a->ticks != b->ticks ? a->ticks < b->ticks : a->place < b->place;
}

static int sorted_compare(const void *left, const void *right)
{
	return sorted_before(left, right) ? -1 : sorted_before(right, left);
}

/* Sorts by insertion, as few events are out of order; returns false if that takes too long. */
static bool sort_nearly(struct sorted_event *list, size_t n)
{
	size_t work = 8 * n;

	for (size_t i = 1; i < n; i++) {
		struct sorted_event e = list[i];
		size_t at = i;

		for (; at > 0 && sorted_before(&e, &list[at - 1]) && work > 0; work--, at--)
			list[at] = list[at - 1];
		list[at] = e;
	}
	return work > 0;
}

/* Ranges of a log, whose events are read; what their records take, and how many events they are. */
struct part_ranges {
	size_t first, end;
	size_t bytes;
	uint64_t events;
};

static struct part_ranges ranges_of_file(const struct log *log, unsigned file)
{
	const struct log_file *f = &log->files[file];
	struct part_ranges p = {.first = f->range, .events = f->events};

	p.end = file + 1 < log->nfiles ? f[1].range : log->nranges;
	for (size_t i = p.first; i < p.end; i++)
		p.bytes += (size_t)(log->ranges[i].end - log->ranges[i].start);
	return p;
}

static struct sorted_event *events_sort(const struct log *log, const struct part_ranges *p)
{
	struct sorted_event *list = spill_new(p->events, sizeof *list), *to = list;
	struct log_cursor c;
	uint64_t ticks;

	log_cursor_open(&c, log);
	c.next = p->first;
	c.last = p->end;
	while (log_cursor_step(&c, &ticks))
		*to++ = (struct sorted_event){ticks, log_place(log, c.next, c.record)};
	if (!sort_nearly(list, p->events))
		qsort(list, p->events, sizeof *list, sorted_compare);
	return list;
}

/* Writes the events of a file in the order of time. */
static struct ordered file_sort(const struct log *log, const struct part_ranges *p, bool final)
{
	struct sorted_event *list = events_sort(log, p);
	struct ordered o = ordered_new(p->bytes + p->events * TIME_SIZE, final);

	for (size_t i = 0; i < p->events; i++) {
		const unsigned char *record = log_record(log, list[i].place);
		const struct id_row *row = &log->ids->rows[RECORD_ID(read_32(record))];
		uint64_t upper = list[i].ticks >> TIME_LOW_BITS << TIME_LOW_BITS;
		size_t size = event_size(row, record);

		ordered_time(&o, upper);
		ordered_count(&o, 0, upper);
		memcpy(o.bytes + o.size, record, size);
		o.size += size;
	}
	spill_free(list);
	return o;
}

/* ---- several files, merged ---- */

/* Reads the events of a file that is in order. */
struct log_file_reader {
	const struct id_row *rows;
	const struct record_range *range, *end;
	const unsigned char *at;    /* the next event; range is end: there is none */
	uint64_t ticks, upper;      /* its time */
	size_t stride;              /* bytes of the event before, if it had no strings */
	struct record_range run;    /* from its start on they are to be written; NULL: nothing is */
	struct record_range sorted; /* of a file that was sorted */
	unsigned char *bytes;
};

static inline bool part_over(const struct log_file_reader *p)
{
	return p->range == p->end;
}

static inline void part_flush(struct log_file_reader *p, struct ordered *o)
{
	size_t size = (size_t)(p->at - p->run.start);

	if (!p->run.start)
		return;
	if (o->bytes) {
		memcpy(o->bytes + o->size, p->run.start, size);
	} else {
		p->run.end = p->at;
		o->ranges = array_grow(o->ranges, o->nranges, sizeof *o->ranges);
		o->ranges[o->nranges++] = p->run;
	}
	o->size += size;
	o->upper = p->upper;
	p->run.start = NULL;
}

static void part_enter(struct log_file_reader *p, const struct record_range *range)
{
	p->range = range;
	if (range == p->end)
		return;
	p->at = range->start;
	p->upper = range->upper;
}

/* Goes on to the next event. */
static inline void part_find(struct log_file_reader *p, struct ordered *o)
{
	while (!part_over(p)) {
		const struct id_row *row;
		uint32_t word;

		if (p->at == p->range->end) {
			part_flush(p, o);
			part_enter(p, p->range + 1);
			continue;
		}
		word = read_32(p->at);
		row = &p->rows[RECORD_ID(word)];
		if (__builtin_expect(row->size != 0, 1)) {
			p->ticks = p->upper | RECORD_LOW_TIME(word);
			return;
		}
		if (RECORD_ID(word) == RECORD_TIME) {
			p->upper = time_upper(p->at);
			p->at += TIME_SIZE;
		} else {
			p->at += note_size(p->at);
		}
	}
}

static inline size_t part_size(struct log_file_reader *p)
{
	const struct id_row *row = &p->rows[RECORD_ID(read_32(p->at))];

	if (stride_fits(p->stride, row))
		return stride_take(p->stride);
	p->stride = row->strings ? 0 : row->size;
	return event_size(row, p->at);
}

/* The next event follows what is written. */
static inline void part_pass(struct log_file_reader *p, struct ordered *o)
{
	if (__builtin_expect(!p->run.start, 0)) {
		ordered_time(o, p->upper);
		p->run = (struct record_range){
		    .start = p->at, .upper = p->upper, .seq = o->events, .place = o->size};
	}
	ordered_count(o, (size_t)(p->at - p->run.start), p->upper);
	p->at += part_size(p);
	part_find(p, o);
}

/* The events before the next one of another part follow. Copies, to be in registers. */
static void part_pass_before(struct log_file_reader *part, const struct log_file_reader *other,
			     struct ordered *ordered)
{
	struct log_file_reader p = *part;
	struct ordered o = *ordered;
	/* of two events of the same time the one of the lower level is first */
	uint64_t end = part_over(other) ? UINT64_MAX : other->ticks + (part < other);

	do
		part_pass(&p, &o);
	while (!part_over(&p) && (p.ticks < end || part_over(other)));
	part_flush(&p, &o);
	*part = p;
	*ordered = o;
}

/* Parts are in the order of levels. */
static inline bool part_before(const struct log_file_reader *a, const struct log_file_reader *b)
{
	if (part_over(a) || part_over(b))
		return !part_over(a);
	return a->ticks != b->ticks ? a->ticks < b->ticks : a < b;
}

/* Returns the part with the next event, and sets *second to the one after it. */
static struct log_file_reader *part_first(struct log_file_reader *parts, unsigned n,
					  struct log_file_reader **second)
{
	struct log_file_reader *first = &parts[0];

	*second = NULL;
	for (unsigned i = 1; i < n; i++) {
		if (part_before(&parts[i], first)) {
			*second = first;
			first = &parts[i];
		} else if (!*second || part_before(&parts[i], *second)) {
			*second = &parts[i];
		}
	}
	return first;
}

/* Returns false if there were too many ranges. */
static bool parts_merge(struct log_file_reader *parts, unsigned n, struct ordered *o)
{
	struct log_file_reader *first, *second;

	while (o->nranges <= o->most) {
		first = part_first(parts, n, &second);
		if (part_over(first))
			return true;
		part_pass_before(first, second, o);
	}
	return false;
}

static void part_open(struct log_file_reader *p, const struct log *log,
		      const struct part_ranges *ranges, bool disordered, struct ordered *o)
{
	*p = (struct log_file_reader){.rows = log->ids->rows, .end = log->ranges + ranges->end};
	if (disordered) {
		struct ordered sorted = file_sort(log, ranges, false);

		p->bytes = sorted.bytes;
		p->sorted =
		    (struct record_range){.start = sorted.bytes, .end = sorted.bytes + sorted.size};
		p->end = &p->sorted + 1;
		part_enter(p, &p->sorted);
	} else {
		part_enter(p, log->ranges + ranges->first);
	}
	part_find(p, o);
}

/* Merges the files that have events as ranges, if they are in order by themselves. */
static bool ranges_merge(const struct log *log, struct ordered *o)
{
	struct log_file_reader *parts;
	size_t bytes = 0;
	bool good;

	for (unsigned i = 0; i < log->nfiles; i++) {
		if (log->files[i].disordered)
			return false;
		bytes += ranges_of_file(log, i).bytes;
	}
	*o = (struct ordered){.upper = UINT64_MAX, .final = true};
	o->most = bytes / merged_run_least + log->nranges;
	parts = array_new(log->nfiles, sizeof *parts);
	for (unsigned i = 0; i < log->nfiles; i++) {
		struct part_ranges ranges = ranges_of_file(log, i);

		part_open(&parts[i], log, &ranges, false, o);
	}
	good = o->most < UINT32_MAX && parts_merge(parts, log->nfiles, o);
	if (!good) {
		free(o->ranges);
		free(o->checkpoints);
	}
	free(parts);
	return good;
}

/* Merges the files that have events, as a copy. */
static struct ordered files_merge(const struct log *log)
{
	struct log_file_reader *parts = array_new(log->nfiles, sizeof *parts);
	struct part_ranges ranges[log->nfiles];
	size_t room = 0;
	uint64_t most = 0;
	struct ordered o;

	for (unsigned i = 0; i < log->nfiles; i++) {
		ranges[i] = ranges_of_file(log, i);
		room += ranges[i].bytes + (ranges[i].end - ranges[i].first) * TIME_SIZE;
		most = ranges[i].events > most ? ranges[i].events : most;
		if (log->files[i].disordered)
			room += ranges[i].events * TIME_SIZE;
	}
	/* All files but the greatest may take turns with it at each event. */
	o = ordered_new(room + 2 * (log->events - most + 1) * TIME_SIZE, true);
	for (unsigned i = 0; i < log->nfiles; i++)
		part_open(&parts[i], log, &ranges[i], log->files[i].disordered, &o);
	parts_merge(parts, log->nfiles, &o);
	for (unsigned i = 0; i < log->nfiles; i++)
		spill_free(parts[i].bytes);
	free(parts);
	return o;
}

/* ---- the log ---- */

/* Sets which range has a place. */
static uint32_t *merged_make(const struct ordered *o)
{
	size_t n = (o->size >> MERGED_SHIFT) + 1;
	uint32_t *merged = array_new(n, sizeof *merged), range = 0;

	for (size_t i = 0; i < n; i++) {
		while (range + 1 < o->nranges && o->ranges[range + 1].place <= i << MERGED_SHIFT)
			range++;
		merged[i] = range;
	}
	return merged;
}

/* The log has only these ranges of its records from then on. */
static void log_merge(struct log *log, const struct ordered *o)
{
	log->merged = merged_make(o);
	free(log->ranges);
	log->ranges = array_resize(o->ranges, o->nranges + 1, sizeof *o->ranges);
	log->ranges[o->nranges] = (struct record_range){.place = UINT64_MAX};
	log->nranges = o->nranges;
}

/* The log has no other records from then on. */
static void log_replace(struct log *log, const struct ordered *o)
{
	for (unsigned i = 0; i < log->nfiles; i++)
		log_file_unload(&log->files[i]);
	log->ordered = o->bytes;
	log->nsegments = 1;
	log->segments[0] =
	    (struct log_segment){.bytes = o->bytes, .size = o->size, .path = log->files[0].path};
	log->nranges = 1;
	log->ranges[0] = (struct record_range){.start = o->bytes, .end = o->bytes + o->size};
}

void log_order(struct log *log)
{
	struct part_ranges all;
	struct ordered o;

	if (!log->disordered || log->used == 0)
		return;
	all = ranges_of_file(log, 0);
	if (ranges_merge(log, &o)) {
		log_merge(log, &o);
	} else {
		o = log->nfiles > 1 ? files_merge(log) : file_sort(log, &all, true);
		log_replace(log, &o);
	}
	if (!log->growing)
		free(log->checkpoints);
	log->growing = NULL;
	log->checkpoints = o.checkpoints;
	log->ncheckpoints = o.ncheckpoints;
}
