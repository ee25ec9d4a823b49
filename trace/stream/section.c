#include "trace/stream/section.h"
#include "base/array.h"
#include "base/spill.h"
#include "trace/open/opened.h"
#include <stdlib.h>
#include <string.h>

enum {
	SAMPLES = 64,    /* times in a section at which it could be cut */
	LEAST = 64,      /* events of each log in a section: they outweigh its position */
	SHARE = 64,      /* bytes of the limit on memory for each event of a section */
	SECTIONS = 16,   /* of a small trace, so that all processors have some */
	SMALL = 1 << 14, /* but of no fewer events than that */
};

size_t section_events = 1 << 18;

static unsigned bit_width(uint64_t n)
{
	return n ? 64 - (unsigned)__builtin_clzll(n) : 0;
}

static struct section *section_new(struct sections *s, size_t nlogs)
{
	struct section *list = s->list, *new;

	if (s->count + 1 >= s->room) {
		s->room = s->room ? 2 * s->room : 64;
		list = realloc(list, s->room * sizeof *list);
		if (!list)
			return NULL;
		s->list = list;
	}
	new = &list[s->count];
	*new = (struct section){.positions = malloc((nlogs + 1) * sizeof *new->positions)};
	return new->positions ? new : NULL;
}

/* Returns the time of the first event from the positions on; INT64_MAX if there is none. */
static int64_t first_time(const struct opened *o, const struct position *positions)
{
	int64_t first = INT64_MAX, time;

	for (size_t i = 0; i < o->nlogs; i++) {
		const struct log *log = &o->logs[i];
		const struct position *p = &positions[i];

		if (log->used == 0 || p->events == log->events)
			continue;
		time = position_time(p, log);
		first = time < first ? time : first;
	}
	return first;
}

/* Returns whether the numbers of events before the end fit into 63 bits; sets their layout. */
static bool section_fits(const struct opened *o, struct section *s, const struct position *end,
			 int64_t last)
{
	uint64_t units = 0;
	unsigned time_bits = bit_width((uint64_t)(last - s->time));

	for (size_t i = 0; i < o->nlogs; i++) {
		uint64_t n = end[i].unit - s->positions[i].unit;

		units = n > units ? n : units;
	}
	s->log_shift = bit_width(units);
	s->time_shift = s->log_shift + bit_width(o->nlogs - 1);
	return s->time_shift < 64 && s->time_shift + time_bits <= 64;
}

static void positions_find(const struct opened *o, struct position *positions, int64_t time)
{
	for (size_t i = 0; i < o->nlogs; i++)
		positions[i] =
		    o->logs[i].used ? position_find(&o->logs[i], time) : (struct position){0};
}

/*
 * Closes the newest section, which is open, at the time `to`; last: the time of its newest event.
 * The section is split if the numbers of its events would not fit. Opens a section at `to`.
 */
static bool section_close(const struct opened *o, struct sections *s, int64_t to, int64_t last)
{
	struct section *open = &s->list[s->count], *next;

	open->time = first_time(o, open->positions);
	if (open->time >= to) { /* it is empty */
		positions_find(o, open->positions, to);
		return true;
	}
	s->count++;
	next = section_new(s, o->nlogs);
	if (!next) {
		s->count--;
		return false;
	}
	positions_find(o, next->positions, to);
	open = &s->list[s->count - 1];
	if (section_fits(o, open, next->positions, last) || open->time == last)
		return true;
	free(next->positions);
	s->count--;
	last = open->time + (int64_t)((uint64_t)(last - open->time) / 2);
	return section_close(o, s, last + 1, last) && section_close(o, s, to, to - 1);
}

/* ---- where to cut ---- */

static int time_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Returns the sorted times of every so many checkpoints, counted from log to log. */
static int64_t *times_sample(const struct opened *o, size_t checkpoints, size_t *n)
{
	size_t most = 1, skip = 0;
	int64_t *times;

	for (size_t i = 0; i < o->nlogs; i++)
		most += o->logs[i].events / CHECKPOINT_EVENTS + 1;
	times = malloc((most / checkpoints + 1) * sizeof *times);
	*n = 0;
	for (size_t i = 0; times && i < o->nlogs; i++) {
		const struct log *log = &o->logs[i];

		if (log->used == 0)
			continue;
		for (; skip < log->ncheckpoints; skip += checkpoints)
			times[(*n)++] = log_checkpoint_time(log, skip);
		skip -= log->ncheckpoints;
	}
	if (times)
		qsort(times, *n, sizeof *times, time_compare);
	return times;
}

/* Returns how many events a section should have; merging takes 16 bytes for each. */
static size_t events_wanted(const struct opened *o)
{
	size_t most = spill_limit() / SHARE, events = section_events;
	size_t share = o->trace.events / SECTIONS > SMALL ? o->trace.events / SECTIONS : SMALL;

	events = events < share ? events : share;
	events = events < most ? events : most;
	return events > LEAST * o->nlogs ? events : LEAST * o->nlogs;
}

static size_t at_least_1(size_t n)
{
	return n ? n : 1;
}

static bool sections_cut(const struct opened *o, struct sections *s)
{
	size_t events = events_wanted(o), n;
	size_t checkpoints = at_least_1(events / SAMPLES / CHECKPOINT_EVENTS);
	size_t step = at_least_1(events / (checkpoints * CHECKPOINT_EVENTS));
	int64_t *times = times_sample(o, checkpoints, &n);
	int64_t last = o->trace.origin + o->trace.duration;
	bool good = times && section_new(s, o->nlogs);

	if (good)
		positions_find(o, s->list[0].positions, INT64_MIN);
	for (size_t i = step; good && i < n; i += step)
		if (times[i] > times[i - step])
			good = section_close(o, s, times[i], times[i] - 1);
	good = good && section_close(o, s, last + 1, last);
	free(times);
	return good;
}

/* Returns whether the records between two positions have the distances of their places. */
static bool in_one_piece(const struct log *log, const struct position *from,
			 const struct position *to)
{
	const struct log_segment *p = &log->segments[log->nsegments - 1];

	if (log->merged)
		return from->at && from->next == to->next;
	while (from->unit << 2 < p->place)
		p--;
	return from->at && to->unit << 2 <= ((p->place + p->size + 3) & ~UINT64_C(3));
}

static bool section_logs_fill(const struct opened *o, struct section *s)
{
	s->logs = malloc(o->nlogs * sizeof *s->logs);
	for (size_t i = 0; s->logs && i < o->nlogs; i++) {
		const struct log *log = &o->logs[i];
		bool simple =
		    log->used && in_one_piece(log, &s[0].positions[i], &s[1].positions[i]);

		s->logs[i] =
		    (struct section_log){simple ? s->positions[i].at : NULL, o->threads[i].number};
	}
	return s->logs;
}

static void sections_free(struct sections *s)
{
	for (size_t i = 0; s->list && i <= s->count; i++) {
		free(s->list[i].positions);
		free(s->list[i].logs);
	}
	free(s->list);
	free(s);
}

static struct sections *sections_new(const struct opened *o)
{
	struct sections *s = array_zero(1, sizeof *s);
	bool good = sections_cut(o, s);

	for (size_t i = 0; good && i < s->count; i++)
		good = section_logs_fill(o, &s->list[i]);
	if (good)
		return s;
	sections_free(s);
	return NULL;
}

const struct sections *trace_sections(struct trace *t)
{
	struct opened *o = opened_of(t);
	const struct sections *s;

	pthread_mutex_lock(&o->making);
	if (!o->sections) {
		o->sections = sections_new(o);
		o->sections_free = sections_free;
	}
	s = o->sections;
	pthread_mutex_unlock(&o->making);
	return s;
}

/* ---- events of a section ---- */

bool section_cursor(const struct section *s, const struct log *log, size_t number,
		    struct log_cursor *c)
{
	return position_cursor(&s[0].positions[number], &s[1].positions[number], log, c);
}

size_t section_size(const struct trace *t, const struct section *s)
{
	const struct opened *o = opened_of(t);
	size_t n = 0;

	for (size_t i = 0; i < o->nlogs; i++)
		if (o->logs[i].used)
			n += s[1].positions[i].events - s[0].positions[i].events;
	return n;
}

const unsigned char *section_record(const struct section *s, const struct log *logs,
				    uint64_t number)
{
	size_t i = section_log(s, number);
	uint64_t unit = s->positions[i].unit + section_unit(s, number);

	return log_record(&logs[i], unit << 2);
}

uint64_t section_seq(const struct section *s, const struct log *logs, uint64_t number)
{
	size_t i = section_log(s, number);
	uint64_t unit = s->positions[i].unit + section_unit(s, number);

	return position_seq(&s[0].positions[i], &s[1].positions[i], &logs[i], unit);
}
