#include "trace/log/scan.h"
#include "base/array.h"
#include "base/visible.h"
#include "trace/format/record.h"
#include "trace/log/growing_log.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct scan {
	const struct scanner *scanner;
	struct log *log;
	const struct log_segment *segment; /* being scanned */
	size_t room;                       /* for checkpoints */
	const struct id_table *ids;
	uint64_t upper;          /* upper bits of the time, in place */
	uint64_t newest;         /* ticks of the event before */
	uint64_t before;         /* events of the log that were not read */
	bool timed;              /* upper is known */
	bool claimed;            /* the log itself has said what its ids mean */
	bool disordered;         /* times of the file step back */
	const unsigned char *at; /* where the scan stopped last, */
	const char *why;         /* and what is wrong with the record there */
	bool failed;             /* no memory */
};

/* The ids of a log that has not said yet what they mean. */
static const struct id_table no_ids;

static const char cut_off[] = "a record is cut off";

/* ---- notes ---- */

/* Returns the table after a note SCHEMA; NULL, with *why set, if the note cannot be true. */
static const struct id_table *claim_take(struct scan *s, uint64_t identity, uint32_t base,
					 const char **why)
{
	struct schemas *schemas = s->scanner->schemas;
	struct claim claim = {schemas_find(schemas, identity), base};
	const struct id_table *ids = NULL;

	if (claim.schema)
		ids = schemas_claim(schemas, s->ids, claim, why);
	/*
	 * A log that contradicts other logs of its process is right about itself, unless its
	 * events have been read by what the others say.
	 */
	if (!ids && claim.schema && !s->claimed && s->log->events == 0)
		ids = schemas_claim(schemas, NULL, claim, why);
	return ids;
}

static void schema_read(struct scan *s, const unsigned char *content, size_t size)
{
	const struct scanner *scanner = s->scanner;
	const struct id_table *ids;
	const char *why = "is unknown: no .spec file beside the log has it; give it with -s FILE";
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
		*scanner->warned = true;
	else
		diag_warning(scanner->diag, "log", DIAG_NOWHERE,
			     "%s: the schema %016" PRIx64 " of '%.*s' %s", s->log->files[0].path,
			     identity, (int)(size - 16 < 64 ? size - 16 : 64),
			     (const char *)content + 16, why);
}

/* The kernel keeps so many bytes of a name. */
enum { KERNEL_NAME = 15 };

/* Returns whether a name is what the kernel keeps of the one that the thread has been given. */
static bool is_cut(const char *name, const struct log *log)
{
	return log->renamed && strlen(name) == KERNEL_NAME &&
	       strncmp(log->name, name, KERNEL_NAME) == 0;
}

static void name_read(struct scan *s, const unsigned char *content, size_t size)
{
	char *name = text_format("%.*s", (int)size, (const char *)content);

	if (is_cut(name, s->log)) {
		free(name);
		return;
	}
	if (s->log->renamed)
		free(s->log->name);
	else
		s->log->first_name = s->log->name;
	s->log->renamed = true;
	s->log->name = visible_text(name);
	free(name);
}

static void clock_read(struct scan *s, const unsigned char *content, size_t size)
{
	struct clock_sample sample;

	if (size < 24 || s->log->clock != CLOCK_COUNTER)
		return;
	sample = (struct clock_sample){read_64(content), (int64_t)read_64(content + 8),
				       (int64_t)read_64(content + 16)};
	s->failed |= !clock_samples_add(s->scanner->samples, &sample);
}

/* Marks that events are missing here, up to the next event; 0: it is not known how many. */
static void mark_lost(struct scan *s, uint64_t events)
{
	s->failed |=
	    !log_mark_add(s->log, (struct log_mark){MARK_LOST, s->newest, UINT64_MAX, events});
}

static void switch_read(struct scan *s, const unsigned char *content, size_t size)
{
	struct log_mark mark = {.to = UINT64_MAX};

	/* other ids are in the file "switches" */
	if (size < 16 || read_32(content) != 0)
		return;
	mark.kind = read_32(content + 4) ? MARK_ON : MARK_OFF;
	mark.from = read_64(content + 8);
	s->failed |= !log_mark_add(s->log, mark);
}

static void lost_read(struct scan *s, const unsigned char *content, size_t size)
{
	uint64_t events = size >= 12 ? read_64(content) : 0;

	mark_lost(s, events);
	if (__builtin_add_overflow(s->log->lost, events, &s->log->lost))
		s->log->lost = UINT64_MAX;
}

static void note_read(struct scan *s, unsigned char *record)
{
	static void (*const read[])(struct scan *, const unsigned char *, size_t) = {
	    [NOTE_SCHEMA] = schema_read, [NOTE_NAME] = name_read,     [NOTE_CLOCK] = clock_read,
	    [NOTE_LOST] = lost_read,     [NOTE_SWITCH] = switch_read,
	};
	uint32_t word = read_32(record + 4);

	if (s->log->swapped)
		note_swap(record);
	if (NOTE_KIND(word) <= NOTE_SWITCH && read[NOTE_KIND(word)])
		read[NOTE_KIND(word)](s, record + NOTE_HEADER, NOTE_SIZE(word));
}

/* ---- records ---- */

static __attribute__((noinline)) void checkpoint_add(struct scan *s, const unsigned char *record)
{
	struct log *log = s->log;

	if (log->ncheckpoints == s->room) {
		size_t room = s->room ? 2 * s->room : 16;
		struct checkpoint *list = realloc(log->checkpoints, room * sizeof *list);

		if (!list) {
			s->failed = true;
			return;
		}
		log->checkpoints = list;
		s->room = room;
	}
	log->checkpoints[log->ncheckpoints++] = (struct checkpoint){
	    .place = s->segment->place + (uint64_t)(record - s->segment->bytes),
	    .upper = s->upper,
	    .seq = s->before + log->events,
	    .range = log->nranges,
	};
}

static void event_read(struct scan *s, const struct id_row *row, unsigned char *record)
{
	struct log *log = s->log;
	uint64_t ticks = s->upper | RECORD_LOW_TIME(read_32(record));

	if (__builtin_expect(log->events % CHECKPOINT_EVENTS == 0, 0))
		checkpoint_add(s, record);
	s->disordered |= ticks < s->newest;
	s->newest = ticks;
	if (__builtin_expect(log->marks.open, 0)) {
		log->marks.list[log->marks.count - 1].to = ticks;
		log->marks.open = false;
	}
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
		event_swap(s->scanner->spec->events[row->type], record);
}

/*
 * Returns the size of a record that is not an event of the table, or 0 with s->why set. Records of
 * reserved ids, and events that no note announced, have no known size.
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

/* Reads records as long as they are intact; returns where it stopped. */
static unsigned char *records_read(struct scan *s, unsigned char *at, const unsigned char *end)
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
			event_read(s, row, at);
		} else {
			size = other_size(s, at, room);
			if (size == 0)
				break;
			if (RECORD_ID(read_32(at)) == RECORD_NOTE) {
				note_read(s, at);
			} else {
				s->upper = time_upper(at);
				s->timed = true;
			}
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

/* ---- damage ---- */

/* After damage a log is believed to continue where so many intact records begin with a TIME. */
#define PLAUSIBLE 3
/* How far the time may have changed there, in units of 2^20 ticks: a second; days. */
#define BACKWARD 4096
#define FORWARD (UINT64_C(1) << 30)

/* Returns whether intact records follow; the end of the log may come sooner. */
static bool records_plausible(struct scan *s, const unsigned char *at, const unsigned char *end)
{
	for (int i = 0; i < PLAUSIBLE && at < end; i++) {
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

static bool time_plausible(const struct scan *s, const unsigned char *at)
{
	uint64_t upper = time_upper(at) >> TIME_LOW_BITS;
	uint64_t known = (s->timed ? s->upper : s->log->files[0].sample.ticks) >> TIME_LOW_BITS;

	return upper + BACKWARD >= known && upper <= known + FORWARD;
}

/* Returns the next record TIME that intact records follow, or end. */
static unsigned char *records_find(struct scan *s, unsigned char *at, const unsigned char *end)
{
	for (; end - at >= TIME_SIZE; at += 4)
		if (RECORD_ID(read_32(at)) == RECORD_TIME && time_plausible(s, at) &&
		    records_plausible(s, at, end))
			return at;
	return (unsigned char *)end;
}

/* ---- a log ---- */

static void range_add(struct scan *s, const struct record_range *range)
{
	struct log *log = s->log;
	struct record_range *list;

	if (range->end == range->start)
		return;
	/* doubled at the powers of two */
	if ((log->nranges & (log->nranges - 1)) == 0) {
		list = realloc(log->ranges, (log->nranges ? 2 * log->nranges : 1) * sizeof *list);
		if (!list) {
			s->failed = true;
			return;
		}
		log->ranges = list;
	}
	log->ranges[log->nranges++] = *range;
}

/* Zeros at the end are the rest of a block that was not filled, no damage. */
static void segment_scan(struct scan *s, const struct log_segment *segment)
{
	unsigned char *at = segment->bytes, *end = at + segment->size, *next;

	while (at < end && !s->failed) {
		struct record_range range = {
		    .start = at, .upper = s->upper, .seq = s->before + s->log->events};
		const char *why;

		at = records_read(s, at, end);
		range.end = s->at = at;
		range_add(s, &range);
		if (at == end || is_zero(at, end))
			break;
		why = s->why;
		next = records_find(s, at + (end - at >= 4 ? 4 : end - at), end);
		mark_lost(s, 0);
		log_skip(s->log, segment, (uint64_t)(at - segment->bytes), (uint64_t)(next - at),
			 why);
		at = next;
	}
}

static void segment_begin(struct scan *s, const struct log_segment *segment)
{
	s->segment = segment;
	if (segment->fresh)
		s->timed = false;
	if (segment->lost)
		mark_lost(s, 0);
	if (!segment->known)
		return;
	s->upper = segment->upper;
	s->timed = true;
	/* two events have the same seq only if it is damaged */
	if (segment->seq > s->before + s->log->events)
		s->before = segment->seq - s->log->events;
}

/* ---- growing logs ---- */

static void resume_save(const struct scan *s)
{
	struct growing_log *g = s->log->growing;

	if (s->at)
		g->resume.done = (size_t)(s->at - s->segment->bytes);
	g->size = s->segment->position + g->resume.done;
	g->resume.upper = s->upper;
	g->resume.newest = s->newest;
	g->resume.timed = s->timed;
	g->resume.claimed = s->claimed;
}

bool log_scan_on(struct log *log, const struct scanner *scanner)
{
	struct growing_log *g = log->growing;
	struct log_segment *segment = log->segments;
	struct scan s = {
	    .scanner = scanner,
	    .log = log,
	    .segment = segment,
	    .ids = log->ids ? log->ids : &no_ids,
	    .room = g->ncheckpoints,
	    .upper = g->resume.upper,
	    .newest = g->resume.newest,
	    .timed = g->resume.timed,
	    .claimed = g->resume.claimed,
	};
	unsigned char *at = segment->bytes + g->resume.done, *end = segment->bytes + segment->size;
	struct record_range range = {.start = at, .upper = s.upper, .seq = log->events};
	bool cut;

	if (log->nranges)
		range = log->ranges[0];
	log->nranges = 0;
	s.at = records_read(&s, at, end);
	cut = end - s.at < 4 || s.why == cut_off;
	range.end = s.at;
	range_add(&s, &range);
	resume_save(&s);
	segment->size = g->resume.done;
	log->disordered |= s.disordered;
	log->ids = s.ids;
	return !s.failed && (s.at == end || cut || is_zero(s.at, end));
}

/* Each file has a time line of its own. */
static void file_begin(struct scan *s, struct log_file *f)
{
	f->range = s->log->nranges;
	f->events = s->log->events;
	s->newest = 0;
	s->disordered = false;
}

static void file_end(struct scan *s, struct log_file *f)
{
	struct log *log = s->log;

	log->disordered |= s->disordered || (f->events && log->events > f->events);
	f->events = log->events - f->events;
	f->disordered = s->disordered;
}

/* Scans the segments from *i on that are of the file. */
static void file_scan(struct scan *s, struct log_file *f, unsigned *i)
{
	struct log *log = s->log;

	file_begin(s, f);
	for (; *i < log->nsegments && log->segments[*i].path == f->path; ++*i) {
		segment_begin(s, &log->segments[*i]);
		segment_scan(s, &log->segments[*i]);
	}
	file_end(s, f);
}

bool log_scan(struct log *log, const struct scanner *scanner)
{
	struct scan s = {.scanner = scanner, .log = log, .ids = log->ids ? log->ids : &no_ids};
	struct growing_log *g = log->growing;

	if (g) {
		log->checkpoints = g->checkpoints;
		s.room = g->ncheckpoints;
	}
	log->first = UINT64_MAX;
	for (unsigned i = 0; i < log->nfiles && log->clock == CLOCK_COUNTER; i++)
		if (!clock_samples_add(scanner->samples, &log->files[i].sample))
			return false;
	for (unsigned file = 0, segment = 0; file < log->nfiles; file++)
		file_scan(&s, &log->files[file], &segment);
	if (g)
		resume_save(&s);
	log->ids = s.ids;
	return !s.failed;
}
