/*
 * Cuts the files of a directory into blocks: logs between records, so that a block is read without
 * the one before.
 */
#include "base/array.h"
#include "trace/format/record.h"
#include "trace/write/pack_plan.h"
#include <stdlib.h>

/* Of a log's header and the notes that follow it at once; a log that is no longer is one block. */
#define HEAD_MOST 4096

struct cut {
	struct pack_plan *plan;
	uint32_t member;
	const struct packed_file *file;
	const unsigned char *at; /* where the next block begins */
	/* What is known of the block that is being measured. */
	uint64_t upper, seq;  /* at its beginning */
	uint64_t first, last; /* ticks of its events */
	bool timed, notes;
	uint32_t counts[RECORD_IDS];
	uint16_t ids[RECORD_IDS];
	unsigned nids;
};

static struct pack_entry *block_add(struct cut *c, const unsigned char *end, uint32_t codec)
{
	struct pack_entry *e = pack_index_entry(&c->plan->index);

	e->block = (struct pack_block){.member = c->member,
				       .codec = codec,
				       .size = (uint32_t)(end - c->at),
				       .offset = (uint64_t)(c->at - c->file->bytes)};
	c->at = end;
	return e;
}

static void raw_cut(struct cut *c, const unsigned char *end)
{
	while (c->at < end)
		block_add(c, end - c->at > BLOCK_SIZE ? c->at + BLOCK_SIZE : end, PACK_RAW);
}

static void records_begin(struct cut *c, uint64_t upper, uint64_t seq)
{
	c->upper = upper;
	c->seq = seq;
	c->first = UINT64_MAX;
	c->last = 0;
	c->notes = false;
	c->nids = 0;
}

static void records_cut(struct cut *c, const unsigned char *end)
{
	const struct clock *clock = c->file->log->time;
	struct pack_entry *e;

	if (end == c->at)
		return;
	e = block_add(c, end,
		      PACK_COLUMNS | (c->timed ? PACK_TIMED : 0) | (c->notes ? PACK_NOTES : 0));
	e->block.upper = c->upper;
	e->block.seq = c->seq;
	if (c->last >= c->first) {
		e->from = clock_ns(clock, c->first);
		e->to = clock_ns(clock, c->last);
	}
	for (unsigned i = 0; i < c->nids; i++) {
		pack_index_count(&c->plan->index, e, c->ids[i], c->counts[c->ids[i]]);
		c->counts[c->ids[i]] = 0;
	}
}

static void event_count(struct cut *c, uint32_t id, uint64_t ticks)
{
	if (c->counts[id]++ == 0)
		c->ids[c->nids++] = (uint16_t)id;
	if (ticks < c->first)
		c->first = ticks;
	if (ticks > c->last)
		c->last = ticks;
}

/* Notes that say something of the log, not only of their place. */
static bool note_matters(const unsigned char *at)
{
	return NOTE_KIND(read_32(at + 4)) < NOTE_END;
}

/* Bytes of the record; 0: there is none whole. */
static size_t size_within(const struct id_row *row, const unsigned char *at, size_t room)
{
	size_t size = 0;

	if (room < 4)
		return 0;
	if (row->size)
		return event_size_within(row, at, room);
	if (RECORD_ID(read_32(at)) == RECORD_TIME)
		size = TIME_SIZE;
	else if (RECORD_ID(read_32(at)) == RECORD_NOTE && room >= NOTE_HEADER)
		size = note_size(at);
	return size <= room ? size : 0;
}

/* Intact records up to the end; cut before the one that would make a block too long. */
static void extent_cut(struct cut *c, const struct record_range *extent, const unsigned char *at)
{
	const struct id_row *rows = c->file->log->ids->rows;
	uint64_t upper = extent->upper, seq = extent->seq;
	size_t size;

	records_begin(c, upper, seq);
	for (; at < extent->end; at += size) {
		uint32_t word = read_32(at);

		size = size_within(&rows[RECORD_ID(word)], at, (size_t)(extent->end - at));
		if (size == 0 || size > BLOCK_SIZE)
			break;
		if ((size_t)(at - c->at) + size > BLOCK_SIZE) {
			records_cut(c, at);
			records_begin(c, upper, seq);
		}
		if (rows[RECORD_ID(word)].size) {
			event_count(c, RECORD_ID(word), upper | RECORD_LOW_TIME(word));
			seq++;
		} else if (RECORD_ID(word) == RECORD_TIME) {
			upper = time_upper(at);
			c->timed = true;
		} else {
			c->notes |= note_matters(at);
		}
	}
	records_cut(c, at);
	raw_cut(c, extent->end);
}

/* The header, and the notes that follow at once: without them the log cannot be read. */
static const unsigned char *head_end(const struct cut *c, const struct record_range *extent)
{
	const unsigned char *at = extent->start;

	while (extent->end - at >= NOTE_HEADER && RECORD_ID(read_32(at)) == RECORD_NOTE) {
		size_t size = note_size(at);

		if (size > (size_t)(extent->end - at) ||
		    (size_t)(at - c->file->bytes) + size > HEAD_MOST)
			break;
		at += size;
	}
	return at;
}

static void log_cut(struct cut *c)
{
	const struct log *log = c->file->log;
	const unsigned char *end = c->file->bytes + c->file->size;

	for (size_t i = 0; i < log->nranges; i++) {
		const struct record_range *e = &log->ranges[i];
		const unsigned char *start = e->start;

		if (start < c->at || start >= end)
			continue;
		if (c->at == c->file->bytes)
			start = head_end(c, e);
		else
			c->timed = true;
		raw_cut(c, start);
		extent_cut(c, e, start);
	}
	raw_cut(c, end);
}

void plan_cut(struct pack_plan *p, size_t file)
{
	struct cut *c = array_zero(1, sizeof *c);

	c->plan = p;
	c->member = (uint32_t)file;
	c->file = &p->files[file];
	c->at = c->file->bytes;
	if (c->file->log && c->file->size > HEAD_MOST)
		log_cut(c);
	else
		raw_cut(c, c->at + c->file->size);
	free(c);
}
