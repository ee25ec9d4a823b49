/* From columns to records. Whatever the columns say, no more than the block's size is written. */
#include "base/array.h"
#include "trace/format/record.h"
#include "trace/pack/records.h"
#include <stdlib.h>

#define KINDS_MOST (1u << 18)

struct told {
	enum telling telling;
	bool wide;
	unsigned kind;
	uint64_t last;
	const uint64_t *next;
};

struct joined {
	uint32_t id;
	unsigned nfields, nstrings;
	struct told *fields; /* then the strings' lengths */
	size_t fixed;	     /* bytes of the record without strings */
	size_t count;	     /* of its events in the block */
};

struct join {
	struct view *from;
	struct view text;
	struct joined *events;
	size_t nevents;
	const unsigned char *symbols;
	size_t nrecords;
	uint64_t *kinds;
	size_t nkinds;
	size_t ncolumns; /* that layouts have told of */
	const uint64_t *time, *uppers, *notes;
	size_t ntimes, nuppers, nnotes;
	uint64_t upper, ticks;
	unsigned char *to, *end;
};

/* ---- what the columns are ---- */

/* How many columns an event has is believed as far as there is a byte for each. */
static bool fields_count(struct join *j, unsigned *n)
{
	uint64_t told = view_number(j->from);

	if (told > RECORD_IDS)
		return false;
	j->ncolumns += told;
	*n = (unsigned)told;
	return j->ncolumns <= view_left(j->from);
}

static bool field_read(struct join *j, struct joined *e, struct told *t)
{
	uint64_t told = view_number(j->from);

	t->wide = told & 1;
	t->kind = (unsigned)(told >> 1);
	e->fixed += t->wide ? 8 : 4;
	if (told >> 1 >= KINDS_MOST)
		return false;
	if (t->kind >= j->nkinds)
		j->nkinds = t->kind + 1;
	return true;
}

static bool layout_read(struct join *j, struct joined *e)
{
	uint64_t id = view_number(j->from);
	bool good = id >= RECORD_FIRST_EVENT && id < RECORD_IDS;

	*e = (struct joined){.id = (uint32_t)id, .fixed = 4};
	if (!good || !fields_count(j, &e->nfields))
		return false;
	e->fields = array_zero(e->nfields, sizeof *e->fields);
	for (unsigned i = 0; good && i < e->nfields; i++)
		good = field_read(j, e, &e->fields[i]);
	if (!good || !fields_count(j, &e->nstrings))
		return false;
	e->fixed += 4 * (size_t)e->nstrings;
	e->fields = array_resize(e->fields, e->nfields + e->nstrings, sizeof *e->fields);
	return !j->from->bad;
}

static bool layouts_read(struct join *j, size_t size)
{
	uint64_t n;

	j->nrecords = view_number(j->from);
	n = view_number(j->from);
	if (j->from->bad || j->nrecords > size / 4 || n > RECORD_IDS)
		return false;
	j->events = array_zero(n, sizeof *j->events);
	for (; j->nevents < n; j->nevents++)
		if (!layout_read(j, &j->events[j->nevents])) {
			free(j->events[j->nevents].fields);
			return false;
		}
	j->kinds = array_zero(j->nkinds, sizeof *j->kinds);
	return true;
}

/* Counts the records of each sort, whose least sizes must not be more than there is room for. */
static bool symbols_read(struct join *j, size_t size)
{
	size_t least = 0;

	j->symbols = j->from->at;
	for (size_t i = 0; i < j->nrecords && least <= size; i++) {
		uint64_t symbol = view_number(j->from);

		if (symbol == SYMBOL_TIME) {
			j->nuppers++;
			least += TIME_SIZE;
		} else if (symbol == SYMBOL_NOTE) {
			j->nnotes += 2;
			least += NOTE_HEADER;
		} else if (symbol - SYMBOL_EVENT < j->nevents) {
			j->events[symbol - SYMBOL_EVENT].count++;
			j->ntimes++;
			least += j->events[symbol - SYMBOL_EVENT].fixed;
		} else {
			return false;
		}
	}
	return !j->from->bad && least <= size;
}

static const uint64_t *column_read(struct join *j, uint64_t **values, size_t n)
{
	uint64_t *list = *values;

	*values += n;
	return numbers_read(j->from, list, n) ? list : NULL;
}

static bool event_columns_read(struct join *j, struct joined *e, uint64_t **values)
{
	for (unsigned i = 0; i < e->nfields + e->nstrings; i++) {
		struct told *t = &e->fields[i];
		const unsigned char *telling = i < e->nfields ? view_take(j->from, 1) : NULL;

		if (i < e->nfields && (!telling || *telling > AS_KIND))
			return false;
		if (telling)
			t->telling = *telling;
		t->next = column_read(j, values, e->count);
		if (!t->next)
			return false;
	}
	return true;
}

static bool columns_read(struct join *j, struct records_scratch *scratch)
{
	size_t n = j->ntimes + j->nuppers + j->nnotes;
	uint64_t *values;

	for (size_t i = 0; i < j->nevents; i++)
		n += j->events[i].count * (j->events[i].nfields + j->events[i].nstrings);
	while (scratch->values.room <= n)
		numbers_grow(&scratch->values);
	values = scratch->values.list;
	j->time = column_read(j, &values, j->ntimes);
	j->uppers = column_read(j, &values, j->nuppers);
	j->notes = column_read(j, &values, j->nnotes);
	if (!j->time || !j->uppers || !j->notes)
		return false;
	for (size_t i = 0; i < j->nevents; i++)
		if (!event_columns_read(j, &j->events[i], &values))
			return false;
	j->text = *j->from;
	return true;
}

/* ---- records ---- */

static bool text_join(struct join *j, size_t size)
{
	const unsigned char *bytes = view_take(&j->text, size);

	if (!bytes || (size_t)(j->end - j->to) < padded_size(size))
		return false;
	memcpy(j->to, bytes, size);
	memset(j->to + size, 0, padded_size(size) - size);
	j->to += padded_size(size);
	return true;
}

static bool time_join(struct join *j, uint64_t upper)
{
	if (j->end - j->to < TIME_SIZE)
		return false;
	j->upper = upper;
	upper >>= TIME_LOW_BITS;
	write_32(j->to, RECORD_TIME | (uint32_t)(upper >> 32) << 12);
	write_32(j->to + 4, (uint32_t)upper);
	j->to += TIME_SIZE;
	return true;
}

static bool note_join(struct join *j)
{
	uint32_t word = (uint32_t)j->notes[1];

	if (j->end - j->to < NOTE_HEADER)
		return false;
	write_32(j->to, RECORD_NOTE | (uint32_t)j->notes[0] << 12);
	write_32(j->to + 4, word);
	j->to += NOTE_HEADER;
	j->notes += 2;
	return text_join(j, padded_size(NOTE_SIZE(word)));
}

static inline void field_join(struct join *j, struct told *t)
{
	uint64_t value = *t->next++;

	if (t->telling == AS_STEP)
		value += t->last;
	else if (t->telling == AS_KIND)
		value += j->kinds[t->kind];
	t->last = j->kinds[t->kind] = value;
	if (t->wide)
		write_64(j->to, value);
	else
		write_32(j->to, (uint32_t)value);
	j->to += t->wide ? 8 : 4;
}

static bool event_join(struct join *j, struct joined *e)
{
	uint64_t upper;

	j->ticks += *j->time++;
	upper = j->ticks >> TIME_LOW_BITS << TIME_LOW_BITS;
	if (upper != j->upper && !time_join(j, upper))
		return false;
	if ((size_t)(j->end - j->to) < e->fixed)
		return false;
	write_32(j->to, e->id | (uint32_t)j->ticks << 12);
	j->to += 4;
	for (unsigned i = 0; i < e->nfields; i++)
		field_join(j, &e->fields[i]);
	for (unsigned i = 0; i < e->nstrings; i++) {
		uint32_t word = (uint32_t)*e->fields[e->nfields + i].next++;

		if (j->end - j->to < 4)
			return false;
		write_32(j->to, word);
		j->to += 4;
		if (!text_join(j, STRING_LENGTH(word)))
			return false;
	}
	return true;
}

static bool records_write(struct join *j)
{
	struct view symbols = {j->symbols, j->from->end, false};
	bool good = true;

	for (size_t i = 0; good && i < j->nrecords; i++) {
		uint64_t symbol = view_number(&symbols);

		if (symbol == SYMBOL_TIME)
			good = time_join(j, j->upper + (*j->uppers++ << TIME_LOW_BITS));
		else if (symbol == SYMBOL_NOTE)
			good = note_join(j);
		else
			good = event_join(j, &j->events[symbol - SYMBOL_EVENT]);
	}
	return good && j->to == j->end;
}

bool records_join(struct view *from, uint64_t upper, unsigned char *to, size_t size,
		  struct records_scratch *scratch)
{
	struct join j = {.from = from, .upper = upper, .ticks = upper, .to = to, .end = to + size};
	bool good = layouts_read(&j, size) && symbols_read(&j, size) && columns_read(&j, scratch) &&
		    records_write(&j);

	for (size_t i = 0; i < j.nevents; i++)
		free(j.events[i].fields);
	free(j.events);
	free(j.kinds);
	return good;
}
