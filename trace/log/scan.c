#include "trace/format/record.h"
#include "trace/format/swap.h"
#include "trace/log/growing_log.h"
#include "trace/log/scanning.h"
#include <stdlib.h>

/* A log that has not said yet what its ids mean. */
static const struct id_table nothing;

static const char cut_off[] = "a record is cut off";

/* ---- records ---- */

static __attribute__((noinline)) void checkpoint_add(struct scan *s, const unsigned char *record)
{
	struct log *log = s->log;

	if (log->ncheckpoints == s->room) {
		size_t room = s->room ? 2 * s->room : 16;
		struct checkpoint *checkpoints = realloc(log->checkpoints, room * sizeof *checkpoints);

		if (!checkpoints) {
			s->failed = true;
			return;
		}
		log->checkpoints = checkpoints;
		s->room = room;
	}
	log->checkpoints[log->ncheckpoints++] = (struct checkpoint){
	    .place = s->part->place + (uint64_t)(record - s->part->bytes),
	    .upper = s->upper,
	    .seq = s->before + log->events,
	    .extent = log->nranges,
	};
}

static void take_event(struct scan *s, const struct id_row *row, unsigned char *record)
{
	struct log *log = s->log;
	uint64_t ticks = s->upper | RECORD_LOW_TIME(read_32(record));

	if (__builtin_expect(log->events % CHECKPOINT_EVENTS == 0, 0))
		checkpoint_add(s, record);

	log->disordered |= ticks < s->newest;
	s->newest = ticks;
	if (__builtin_expect(log->marks.open, 0))
		marks_close(&log->marks, ticks);
	if (ticks > log->last)
		log->last = ticks;
	if (ticks < log->first)
		log->first = ticks;
	log->events++;
	if (row->type == NO_TYPE)
		return;
	log->used++;
	s->scanner->counts[row->type]++;
	if (log->swapped)
		event_turn(s->scanner->spec->events[row->type], record);
}

size_t other_size(struct scan *s, const unsigned char *at, size_t room)
{
	switch (RECORD_ID(read_32(at))) {
	case RECORD_TIME:
		s->why = cut_off;
		return room >= TIME_SIZE ? TIME_SIZE : 0;
	case RECORD_NOTE:
		s->why = cut_off;
		return room >= NOTE_HEADER && room >= note_size(at) ? note_size(at) : 0;
	case RECORD_NONE:
		s->why = "there is no record";
		return 0;
	default:
		s->why = "there is an unknown id";
		return 0;
	}
}

static void take_other(struct scan *s, unsigned char *at)
{
	if (RECORD_ID(read_32(at)) == RECORD_NOTE) {
		take_note(s, at);
	} else {
		s->upper = time_upper(at);
		s->timed = true;
	}
}

/* Takes records as long as they are intact; where it stopped. */
static unsigned char *records_take(struct scan *s, unsigned char *at, const unsigned char *end)
{
	size_t stride = 0;

	while (end - at >= 4 && !s->failed) {
		const struct id_row *row = &s->ids->rows[RECORD_ID(read_32(at))];
		size_t room = (size_t)(end - at), size;

		if (row->size) {
			if (stride_fits(stride, row) && stride <= room && s->timed) {
				size = stride_take(stride);
			} else {
				size = event_size_within(row, at, room);
				stride = row->strings ? 0 : size;
				s->why = s->timed ? cut_off : "no time is known";
				if (size == 0 || !s->timed)
					break;
			}
			take_event(s, row, at);
		} else {
			size = other_size(s, at, room);
			if (size == 0)
				break;
			take_other(s, at);
		}
		at += size;
	}
	if (end - at > 0 && end - at < 4)
		s->why = cut_off;
	return at;
}

static bool is_zero(const unsigned char *at, const unsigned char *end)
{
	while (at < end && *at == 0)
		at++;
	return at == end;
}

/* ---- a log ---- */

static void extent_add(struct scan *s, const struct record_range *extent)
{
	struct log *log = s->log;
	struct record_range *list;

	if (extent->end == extent->start)
		return;
	/* Doubled at the powers of two. */
	if ((log->nranges & (log->nranges - 1)) == 0) {
		list =
		    realloc(log->ranges, (log->nranges ? 2 * log->nranges : 1) * sizeof *list);
		if (!list) {
			s->failed = true;
			return;
		}
		log->ranges = list;
	}
	log->ranges[log->nranges++] = *extent;
}

/* A block that was not filled ends in zeros; that is no damage. */
static void part_scan(struct scan *s, const struct log_segment *part)
{
	unsigned char *at = part->bytes, *end = at + part->size, *next;

	while (at < end && !s->failed) {
		struct record_range extent = {.start = at, .upper = s->upper, .seq = s->before + s->log->events};
		const char *why;

		at = records_take(s, at, end);
		extent.end = s->at = at;
		extent_add(s, &extent);
		if (at == end || is_zero(at, end))
			break;
		why = s->why;
		next = records_find(s, at + (end - at >= 4 ? 4 : end - at), end);
		mark_lost(s);
		log_skip(s->log, part, (uint64_t)(at - part->bytes), (uint64_t)(next - at), why);
		at = next;
	}
}

static void part_begin(struct scan *s, const struct log_segment *part)
{
	s->part = part;
	if (part->fresh)
		s->timed = false;
	if (part->lost)
		mark_lost(s);
	if (!part->known)
		return;
	s->upper = part->upper;
	s->timed = true;
	/* a damaged number does not give an event's to a second one */
	if (part->seq > s->before + s->log->events)
		s->before = part->seq - s->log->events;
}

/* ---- what goes on ---- */

static void place_keep(const struct scan *s)
{
	struct growing_log *g = s->log->growing;

	if (s->at)
		g->place.done = (size_t)(s->at - s->part->bytes);
	g->size = s->part->position + g->place.done;
	g->place.upper = s->upper;
	g->place.newest = s->newest;
	g->place.timed = s->timed;
	g->place.claimed = s->claimed;
}

bool log_scan_on(struct log *log, const struct scanner *scanner)
{
	struct growing_log *g = log->growing;
	struct log_segment *part = log->segments;
	struct scan s = {
	    .scanner = scanner,
	    .log = log,
	    .part = part,
	    .ids = log->ids ? log->ids : &nothing,
	    .room = g->ncheckpoints,
	    .upper = g->place.upper,
	    .newest = g->place.newest,
	    .timed = g->place.timed,
	    .claimed = g->place.claimed,
	};
	unsigned char *at = part->bytes + g->place.done, *end = part->bytes + part->size;
	struct record_range extent = {.start = at, .upper = s.upper, .seq = log->events};
	bool cut;

	if (log->nranges)
		extent = log->ranges[0];
	log->nranges = 0;
	s.at = records_take(&s, at, end);
	cut = end - s.at < 4 || s.why == cut_off;
	extent.end = s.at;
	extent_add(&s, &extent);
	place_keep(&s);
	part->size = g->place.done;
	log->ids = s.ids;
	return !s.failed && (s.at == end || cut || is_zero(s.at, end));
}

bool log_scan(struct log *log, const struct scanner *scanner)
{
	struct scan s = {.scanner = scanner, .log = log, .ids = log->ids ? log->ids : &nothing};
	struct growing_log *g = log->growing;

	if (g) {
		log->checkpoints = g->checkpoints;
		s.room = g->ncheckpoints;
	}
	log->first = UINT64_MAX;
	for (unsigned i = 0; i < log->nfiles && log->clock == CLOCK_COUNTER; i++)
		if (!pairs_add(scanner->pairs, &log->files[i].pair))
			return false;
	for (unsigned i = 0; i < log->nsegments; i++) {
		part_begin(&s, &log->segments[i]);
		part_scan(&s, &log->segments[i]);
	}
	if (g)
		place_keep(&s);
	log->ids = s.ids;
	return !s.failed;
}
