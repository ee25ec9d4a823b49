#include "trace/scan.h"
#include "trace/ground.h"
#include "trace/record.h"
#include "trace/turn.h"
#include <inttypes.h>
#include <stdlib.h>

/*
 * So many records in a row, the first a TIME, must be intact for us to believe that a log goes on
 * behind a damaged place.
 */
#define BELIEVED 3
/*
 * How far, in units of 2^20 ticks, the time may have stepped back or gone on there: a second;
 * days.
 */
#define BACKWARD 4096
#define FORWARD (UINT64_C(1) << 30)

/* A log that has not said yet what its ids mean. */
static const struct id_table nothing;

static const char cut_off[] = "a record is cut off";

struct scan {
	const struct scanner *scanner;
	struct log *log;
	const struct part *part; /* at hand */
	size_t room;		 /* for stops */
	const struct id_table *ids;
	uint64_t upper;	 /* in place */
	uint64_t newest; /* ticks of the event before */
	uint64_t before; /* events of the log that were not read */
	bool timed;	 /* upper is known */
	bool claimed;	 /* the log itself has said what its ids mean */
	const unsigned char *at; /* where the scan stopped last, and */
	const char *why; /* what is wrong with the record there */
	bool failed;	 /* no memory */
};

bool pairs_add(struct pairs *p, const struct clock_pair *pair)
{
	if (p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 64;
		struct clock_pair *list = realloc(p->list, room * sizeof *list);

		if (!list)
			return false;
		p->list = list;
		p->room = room;
	}
	p->list[p->count++] = *pair;
	return true;
}

/* ---- notes ---- */

/* The table when the log has a note SCHEMA; NULL, and *why is set, when it cannot be true. */
static const struct id_table *claim_take(struct scan *s, uint64_t identity, uint32_t base,
					 const char **why)
{
	struct schemas *schemas = s->scanner->schemas;
	struct claim claim = {schemas_find(schemas, identity), base};
	const struct id_table *ids = NULL;

	if (claim.schema)
		ids = schemas_claim(schemas, s->ids, claim, why);
	/* What other logs of the process say does not bind a log that says otherwise. */
	if (!ids && claim.schema && !s->claimed)
		ids = schemas_claim(schemas, NULL, claim, why);
	return ids;
}

static void take_schema(struct scan *s, const unsigned char *content, size_t size)
{
	const struct scanner *scanner = s->scanner;
	const struct id_table *ids;
	const char *why = "is unknown: no .spec beside the log has it, -s FILE can give it";
	uint64_t identity;

	if (size < 16)
		return;
	identity = read_64(content);
	if (scanner->lock)
		pthread_mutex_lock(scanner->lock);
	ids = claim_take(s, identity, read_32(content + 8), &why);
	if (scanner->lock)
		pthread_mutex_unlock(scanner->lock);
	s->claimed = true;
	if (ids)
		s->ids = s->log->ids = ids;
	else if (!scanner->diag)
		*scanner->told = true;
	else
		diag_warning(scanner->diag, "log", DIAG_NOWHERE,
			     "%s: the schema %016" PRIx64 " of '%.*s' %s", s->log->files[0].path,
			     identity, (int)(size - 16 < 64 ? size - 16 : 64),
			     (const char *)content + 16, why);
}

static void take_name(struct scan *s, const unsigned char *content, size_t size)
{
	char *name = strndup((const char *)content, size);

	if (!name) {
		s->failed = true;
		return;
	}
	free(s->log->name);
	s->log->name = name;
}

static void take_clock(struct scan *s, const unsigned char *content, size_t size)
{
	struct clock_pair pair;

	if (size < 24 || s->log->clock != CLOCK_COUNTER)
		return;
	pair = (struct clock_pair){read_64(content), (int64_t)read_64(content + 8),
				   (int64_t)read_64(content + 16)};
	s->failed |= !pairs_add(s->scanner->pairs, &pair);
}

/* Here events are missing, up to the next that there is. */
static void mark_lost(struct scan *s)
{
	s->failed |= !marks_add(&s->log->marks, (struct mark){MARK_LOST, s->newest, UINT64_MAX});
}

static void take_switch(struct scan *s, const unsigned char *content, size_t size)
{
	/* other ids stand in the file "switches" */
	if (size >= 16 && read_32(content) == 0)
		s->failed |= !marks_add(&s->log->marks,
					(struct mark){read_32(content + 4) ? MARK_ON : MARK_OFF,
						      read_64(content + 8), UINT64_MAX});
}

static void take_lost(struct scan *s, const unsigned char *content, size_t size)
{
	mark_lost(s);
	if (size >= 12 && __builtin_add_overflow(s->log->lost, read_64(content), &s->log->lost))
		s->log->lost = UINT64_MAX;
}

static void take_note(struct scan *s, unsigned char *record)
{
	static void (*const take[])(struct scan *, const unsigned char *, size_t) = {
	    [NOTE_SCHEMA] = take_schema, [NOTE_NAME] = take_name,     [NOTE_CLOCK] = take_clock,
	    [NOTE_LOST] = take_lost,	 [NOTE_SWITCH] = take_switch,
	};
	uint32_t word = read_32(record + 4);

	if (s->log->swapped)
		note_turn(record);
	if (NOTE_KIND(word) <= NOTE_SWITCH && take[NOTE_KIND(word)])
		take[NOTE_KIND(word)](s, record + NOTE_HEADER, NOTE_SIZE(word));
}

/* ---- records ---- */

static __attribute__((noinline)) void take_stop(struct scan *s, const unsigned char *record)
{
	struct log *log = s->log;

	if (log->nstops == s->room) {
		size_t room = s->room ? 2 * s->room : 16;
		struct stop *stops = realloc(log->stops, room * sizeof *stops);

		if (!stops) {
			s->failed = true;
			return;
		}
		log->stops = stops;
		s->room = room;
	}
	log->stops[log->nstops++] = (struct stop){
	    .place = s->part->place + (uint64_t)(record - s->part->bytes),
	    .upper = s->upper,
	    .seq = s->before + log->events,
	    .extent = log->nextents,
	};
}

static void take_event(struct scan *s, const struct id_row *row, unsigned char *record)
{
	struct log *log = s->log;
	uint64_t ticks = s->upper | RECORD_LOW_TIME(read_32(record));

	if (__builtin_expect(log->events % STOP_EVENTS == 0, 0))
		take_stop(s, record);

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

/*
 * The size of the record that is not an event of the table; 0 and s->why when it cannot be one.
 * What is reserved, or is an event that nothing announced, has no size that we could know.
 */
static size_t other_size(struct scan *s, const unsigned char *at, size_t room)
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

/* ---- behind damaged places ---- */

/* Whether enough records follow on each other here; the end of the log may come sooner. */
static bool believable(struct scan *s, const unsigned char *at, const unsigned char *end)
{
	for (int i = 0; i < BELIEVED && at < end; i++) {
		const struct id_row *row;
		size_t room = (size_t)(end - at), size;

		if (room < 4)
			return false;
		row = &s->ids->rows[RECORD_ID(read_32(at))];
		size = row->size ? event_size_within(row, at, room) : other_size(s, at, room);
		if (size == 0)
			return i > 1 && RECORD_ID(read_32(at)) == RECORD_NONE;
		at += size;
	}
	return true;
}

static bool time_believable(const struct scan *s, const unsigned char *at)
{
	uint64_t upper = time_upper(at) >> TIME_LOW_BITS;
	uint64_t known = (s->timed ? s->upper : s->log->files[0].pair.ticks) >> TIME_LOW_BITS;

	return upper + BACKWARD >= known && upper <= known + FORWARD;
}

/* The next record TIME that records follow, or end. */
static unsigned char *records_find(struct scan *s, unsigned char *at, const unsigned char *end)
{
	for (; end - at >= TIME_SIZE; at += 4)
		if (RECORD_ID(read_32(at)) == RECORD_TIME && time_believable(s, at) &&
		    believable(s, at, end))
			return at;
	return (unsigned char *)end;
}

static bool is_zero(const unsigned char *at, const unsigned char *end)
{
	while (at < end && *at == 0)
		at++;
	return at == end;
}

/* ---- a log ---- */

static void extent_add(struct scan *s, const struct extent *extent)
{
	struct log *log = s->log;
	struct extent *list;

	if (extent->end == extent->start)
		return;
	/* Doubled at the powers of two. */
	if ((log->nextents & (log->nextents - 1)) == 0) {
		list =
		    realloc(log->extents, (log->nextents ? 2 * log->nextents : 1) * sizeof *list);
		if (!list) {
			s->failed = true;
			return;
		}
		log->extents = list;
	}
	log->extents[log->nextents++] = *extent;
}

/* A block that was not filled ends in zeros; that is no damage. */
static void part_scan(struct scan *s, const struct part *part)
{
	unsigned char *at = part->bytes, *end = at + part->size, *next;

	while (at < end && !s->failed) {
		struct extent extent = {.start = at, .upper = s->upper, .seq = s->before + s->log->events};
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

static void part_begin(struct scan *s, const struct part *part)
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
	struct ground *g = s->log->ground;

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
	struct ground *g = log->ground;
	struct part *part = log->parts;
	struct scan s = {
	    .scanner = scanner,
	    .log = log,
	    .part = part,
	    .ids = log->ids ? log->ids : &nothing,
	    .room = g->nstops,
	    .upper = g->place.upper,
	    .newest = g->place.newest,
	    .timed = g->place.timed,
	    .claimed = g->place.claimed,
	};
	unsigned char *at = part->bytes + g->place.done, *end = part->bytes + part->size;
	struct extent extent = {.start = at, .upper = s.upper, .seq = log->events};
	bool cut;

	if (log->nextents)
		extent = log->extents[0];
	log->nextents = 0;
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
	struct ground *g = log->ground;

	if (g) {
		log->stops = g->stops;
		s.room = g->nstops;
	}
	log->first = UINT64_MAX;
	for (unsigned i = 0; i < log->nfiles && log->clock == CLOCK_COUNTER; i++)
		if (!pairs_add(scanner->pairs, &log->files[i].pair))
			return false;
	for (unsigned i = 0; i < log->nparts; i++) {
		part_begin(&s, &log->parts[i]);
		part_scan(&s, &log->parts[i]);
	}
	if (g)
		place_keep(&s);
	log->ids = s.ids;
	return !s.failed;
}
