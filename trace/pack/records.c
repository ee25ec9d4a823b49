#include "trace/pack/records.h"
#include "base/array.h"
#include "trace/format/record.h"
#include "trace/pack/pack_format.h"
#include <stdlib.h>
#include <string.h>

/* ---- layouts ---- */

struct attribute_kinds {
	const struct attribute **list;
	unsigned count;
};

static unsigned kind_of(struct attribute_kinds *k, const struct attribute *a)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->list[i]->type == a->type && strcmp(k->list[i]->name, a->name) == 0)
			return i;
	k->list = array_grow(k->list, k->count, sizeof *k->list);
	k->list[k->count] = a;
	return k->count++;
}

static void layout_fill(struct record_layout *l, const struct event_type *e,
			struct attribute_kinds *kinds)
{
	*l = (struct record_layout){.fields = array_new(e->nattributes, sizeof *l->fields)};
	for (unsigned i = 0; i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];

		if (a->type == TYPE_STRING)
			l->nstrings++;
		else
			l->fields[l->nfields++] =
			    (struct layout_field){type_size(a->type) == 8, kind_of(kinds, a)};
	}
}

struct record_layouts *record_layouts_new(const struct id_table *ids)
{
	struct record_layouts *l = array_zero(1, sizeof *l);
	struct attribute_kinds kinds = {NULL, 0};

	for (unsigned i = 0; i < ids->nclaims; i++) {
		const struct spec *spec = ids->claims[i].schema->spec;

		for (unsigned k = 0; k < spec->nevents; k++)
			layout_fill(&l->of_id[ids->claims[i].base + k], spec->events[k], &kinds);
	}
	l->nkinds = kinds.count;
	free(kinds.list);
	return l;
}

void record_layouts_free(struct record_layouts *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < RECORD_IDS; i++)
		free(l->of_id[i].fields);
	free(l);
}

/* ---- from records to columns ---- */

/*
 * An event type of the block. Its columns: two for each field (values, steps by kind), then one for
 * each string.
 */
struct used_event {
	uint32_t id;
	const struct record_layout *layout;
	size_t first; /* column */
};

struct splitting {
	const struct record_layouts *layouts;
	struct records_scratch *scratch;
	struct used_event used[RECORD_IDS];
	unsigned nused;
	uint16_t symbol[RECORD_IDS]; /* by id: its index in used, and 1; 0: none */
	uint64_t *kinds;             /* the last number of each */
	uint64_t upper, ticks;
	size_t nrecords;
};

/* The columns that every block has. */
enum { TIMES, UPPERS, NOTES, FIRST_OF_EVENTS };

/* Returns a difference, in the width of the attribute, as a signed number. */
static inline uint64_t step_between(uint64_t before, uint64_t value, bool wide)
{
	uint64_t step = value - before;

	return wide ? step : (uint64_t)(int64_t)(int32_t)step;
}

static struct number_column *column_at(struct splitting *s, size_t i)
{
	return &s->scratch->columns[i];
}

static size_t columns_add(struct records_scratch *s, size_t used, size_t n)
{
	size_t before = s->ncolumns;

	if (used + n > before) {
		s->columns = array_resize(s->columns, used + n, sizeof *s->columns);
		s->ncolumns = used + n;
	}
	for (size_t i = used; i < used + n; i++) {
		if (i >= before)
			s->columns[i] = (struct number_column){NULL, 0, 0};
		s->columns[i].count = 0;
	}
	return used;
}

static size_t columns_end(const struct splitting *s)
{
	const struct used_event *u;

	if (s->nused == 0)
		return FIRST_OF_EVENTS;
	u = &s->used[s->nused - 1];
	return u->first + 2 * u->layout->nfields + u->layout->nstrings;
}

static struct used_event *event_used(struct splitting *s, uint32_t id)
{
	struct used_event *u;
	size_t end = columns_end(s);

	if (s->symbol[id])
		return &s->used[s->symbol[id] - 1];
	u = &s->used[s->nused++];
	*u = (struct used_event){.id = id, .layout = &s->layouts->of_id[id]};
	u->first = columns_add(s->scratch, end, 2 * u->layout->nfields + u->layout->nstrings);
	s->symbol[id] = (uint16_t)s->nused;
	return u;
}

static const unsigned char *fields_split(struct splitting *s, struct used_event *u,
					 const unsigned char *at)
{
	for (unsigned i = 0; i < u->layout->nfields; i++) {
		const struct layout_field *f = &u->layout->fields[i];
		uint64_t value = f->wide ? read_64(at) : (uint64_t)(int64_t)(int32_t)read_32(at);

		column_add(column_at(s, u->first + 2 * i), value);
		column_add(column_at(s, u->first + 2 * i + 1),
			   step_between(s->kinds[f->kind], value, f->wide));
		s->kinds[f->kind] = value;
		at += f->wide ? 8 : 4;
	}
	return at;
}

static const unsigned char *event_split(struct splitting *s, const unsigned char *at)
{
	struct used_event *u = event_used(s, RECORD_ID(read_32(at)));
	uint64_t ticks = s->upper | RECORD_LOW_TIME(read_32(at));

	buffer_put_varint(&s->scratch->symbols, SYMBOL_EVENT + (uint64_t)(u - s->used));
	column_add(column_at(s, TIMES), ticks - s->ticks);
	s->ticks = ticks;
	at = fields_split(s, u, at + 4);
	for (unsigned i = 0; i < u->layout->nstrings; i++) {
		uint32_t word = read_32(at);

		column_add(column_at(s, u->first + 2 * u->layout->nfields + i), word);
		buffer_put(&s->scratch->text, at + 4, STRING_LENGTH(word));
		at += 4 + padded_size(STRING_LENGTH(word));
	}
	return at;
}

/* A TIME that changes the upper bits just before an event is implied by the event's time. */
static const unsigned char *time_split(struct splitting *s, const unsigned char *at,
				       const unsigned char *end)
{
	uint64_t upper = time_upper(at);
	const unsigned char *next = at + TIME_SIZE;

	if (upper == s->upper || end - next < 4 || RECORD_ID(read_32(next)) < RECORD_FIRST_EVENT) {
		buffer_put_varint(&s->scratch->symbols, SYMBOL_TIME);
		column_add(column_at(s, UPPERS), (upper - s->upper) >> TIME_LOW_BITS);
		s->nrecords++;
	}
	s->upper = upper;
	return next;
}

static const unsigned char *note_split(struct splitting *s, const unsigned char *at)
{
	size_t size = note_size(at);

	buffer_put_varint(&s->scratch->symbols, SYMBOL_NOTE);
	column_add(column_at(s, NOTES), read_32(at) >> 12);
	column_add(column_at(s, NOTES), read_32(at + 4));
	buffer_put(&s->scratch->text, at + NOTE_HEADER, size - NOTE_HEADER);
	s->nrecords++;
	return at + size;
}

static void records_gather(struct splitting *s, const unsigned char *at, const unsigned char *end)
{
	while (at < end) {
		switch (RECORD_ID(read_32(at))) {
		case RECORD_TIME:
			at = time_split(s, at, end);
			break;
		case RECORD_NOTE:
			at = note_split(s, at);
			break;
		default:
			at = event_split(s, at);
			s->nrecords++;
		}
	}
}

/* ---- writing ---- */

static void layout_write(struct byte_buffer *to, const struct used_event *u)
{
	buffer_put_varint(to, u->id);
	buffer_put_varint(to, u->layout->nfields);
	for (unsigned i = 0; i < u->layout->nfields; i++)
		buffer_put_varint(to, u->layout->fields[i].kind << 1 | u->layout->fields[i].wide);
	buffer_put_varint(to, u->layout->nstrings);
}

static void column_put(struct splitting *s, struct byte_buffer *to, size_t i)
{
	column_write(to, column_at(s, i)->list, column_at(s, i)->count);
}

/* Writes a field in the coding that takes the fewest bits. */
static void field_write(struct splitting *s, struct byte_buffer *to, size_t i, bool wide)
{
	struct number_column *values = column_at(s, i), *kinds = column_at(s, i + 1);
	struct number_column *steps = &s->scratch->values;
	double value, step, kind;
	unsigned char coding;
	uint64_t last = 0;

	steps->count = 0;
	for (size_t k = 0; k < values->count; k++) {
		column_add(steps, step_between(last, values->list[k], wide));
		last = values->list[k];
	}
	value = column_cost(values->list, values->count);
	step = column_cost(steps->list, values->count);
	kind = column_cost(kinds->list, values->count);
	coding = value < step && value < kind ? AS_VALUE : step <= kind ? AS_STEP : AS_KIND;
	buffer_put(to, &coding, 1);
	values = coding == AS_VALUE ? values : coding == AS_STEP ? steps : kinds;
	column_write(to, values->list, values->count);
}

static void columns_write(struct splitting *s, struct byte_buffer *to)
{
	buffer_put_varint(to, s->nrecords);
	buffer_put_varint(to, s->nused);
	for (unsigned i = 0; i < s->nused; i++)
		layout_write(to, &s->used[i]);
	buffer_put(to, s->scratch->symbols.bytes, s->scratch->symbols.size);
	for (size_t i = 0; i < FIRST_OF_EVENTS; i++)
		column_put(s, to, i);
	for (unsigned i = 0; i < s->nused; i++) {
		const struct record_layout *l = s->used[i].layout;

		for (unsigned k = 0; k < l->nfields; k++)
			field_write(s, to, s->used[i].first + 2 * k, l->fields[k].wide);
		for (unsigned k = 0; k < l->nstrings; k++)
			column_put(s, to, s->used[i].first + 2 * l->nfields + k);
	}
	buffer_put(to, s->scratch->text.bytes, s->scratch->text.size);
}

void records_split(struct byte_buffer *to, const struct record_layouts *layouts,
		   const unsigned char *start, const unsigned char *end, uint64_t upper,
		   struct records_scratch *scratch)
{
	struct splitting *s = array_zero(1, sizeof *s);

	s->layouts = layouts;
	s->scratch = scratch;
	s->kinds = array_zero(layouts->nkinds, sizeof *s->kinds);
	s->upper = s->ticks = upper;
	columns_add(scratch, 0, FIRST_OF_EVENTS);
	scratch->symbols.size = scratch->text.size = 0;
	records_gather(s, start, end);
	columns_write(s, to);
	free(s->kinds);
	free(s);
}

void records_scratch_free(struct records_scratch *s)
{
	for (size_t i = 0; i < s->ncolumns; i++)
		free(s->columns[i].list);
	free(s->columns);
	free(s->values.list);
	free(s->symbols.bytes);
	free(s->text.bytes);
}

/* ---- from columns to records ---- */

/* The columns are not trusted: no more than the size of the block is written. */

#define KINDS_MOST (1u << 18)

struct field_column {
	enum number_coding coding;
	bool wide;
	unsigned kind;
	uint64_t last;
	const uint64_t *next;
};

struct joined_event {
	uint32_t id;
	unsigned nfields, nstrings;
	struct field_column *fields; /* then the lengths of strings */
	size_t fixed;                /* bytes of the record without strings */
	size_t count;                /* of its events in the block */
};

struct joining {
	struct byte_view *from;
	struct byte_view text;
	struct joined_event *events;
	size_t nevents;
	const unsigned char *symbols;
	size_t nrecords;
	uint64_t *kinds;
	size_t nkinds;
	size_t ncolumns; /* of the layouts read so far */
	const uint64_t *time, *uppers, *notes;
	size_t ntimes, nuppers, nnotes;
	uint64_t upper, ticks;
	bool swapped; /* the records are of the other byte order */
	unsigned char *to, *end;
};

/* Reads how many columns an event has; there must be at least one byte for each. */
static bool fields_count(struct joining *j, unsigned *n)
{
	uint64_t count = byte_view_varint(j->from);

	if (count > RECORD_IDS)
		return false;
	j->ncolumns += count;
	*n = (unsigned)count;
	return j->ncolumns <= byte_view_left(j->from);
}

static bool field_read(struct joining *j, struct joined_event *e, struct field_column *f)
{
	uint64_t field = byte_view_varint(j->from);

	f->wide = field & 1;
	f->kind = (unsigned)(field >> 1);
	e->fixed += f->wide ? 8 : 4;
	if (field >> 1 >= KINDS_MOST)
		return false;
	if (f->kind >= j->nkinds)
		j->nkinds = f->kind + 1;
	return true;
}

static bool layout_read(struct joining *j, struct joined_event *e)
{
	uint64_t id = byte_view_varint(j->from);
	bool good = id >= RECORD_FIRST_EVENT && id < RECORD_IDS;

	*e = (struct joined_event){.id = (uint32_t)id, .fixed = 4};
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

static bool layouts_read(struct joining *j, size_t size)
{
	uint64_t n;

	j->nrecords = byte_view_varint(j->from);
	n = byte_view_varint(j->from);
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

/* Counts the records of each symbol; their least sizes must fit into the block. */
static bool symbols_read(struct joining *j, size_t size)
{
	size_t least = 0;

	j->symbols = j->from->at;
	for (size_t i = 0; i < j->nrecords && least <= size; i++) {
		uint64_t symbol = byte_view_varint(j->from);

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

static const uint64_t *column_get(struct joining *j, uint64_t **values, size_t n)
{
	uint64_t *list = *values;

	*values += n;
	return column_read(j->from, list, n) ? list : NULL;
}

static bool event_columns_read(struct joining *j, struct joined_event *e, uint64_t **values)
{
	for (unsigned i = 0; i < e->nfields + e->nstrings; i++) {
		struct field_column *f = &e->fields[i];
		const unsigned char *coding = i < e->nfields ? byte_view_take(j->from, 1) : NULL;

		if (i < e->nfields && (!coding || *coding > AS_KIND))
			return false;
		if (coding)
			f->coding = *coding;
		f->next = column_get(j, values, e->count);
		if (!f->next)
			return false;
	}
	return true;
}

static bool columns_read(struct joining *j, struct records_scratch *scratch)
{
	size_t n = j->ntimes + j->nuppers + j->nnotes;
	uint64_t *values;

	for (size_t i = 0; i < j->nevents; i++)
		n += j->events[i].count * (j->events[i].nfields + j->events[i].nstrings);
	while (scratch->values.room <= n)
		column_grow(&scratch->values);
	values = scratch->values.list;
	j->time = column_get(j, &values, j->ntimes);
	j->uppers = column_get(j, &values, j->nuppers);
	j->notes = column_get(j, &values, j->nnotes);
	if (!j->time || !j->uppers || !j->notes)
		return false;
	for (size_t i = 0; i < j->nevents; i++)
		if (!event_columns_read(j, &j->events[i], &values))
			return false;
	j->text = *j->from;
	return true;
}

static bool text_join(struct joining *j, size_t size)
{
	const unsigned char *bytes = byte_view_take(&j->text, size);

	if (!bytes || (size_t)(j->end - j->to) < padded_size(size))
		return false;
	memcpy(j->to, bytes, size);
	memset(j->to + size, 0, padded_size(size) - size);
	j->to += padded_size(size);
	return true;
}

static bool time_join(struct joining *j, uint64_t upper)
{
	if (j->end - j->to < TIME_SIZE)
		return false;
	j->upper = upper;
	upper >>= TIME_LOW_BITS;
	write_swapped_32(j->to, RECORD_TIME | (uint32_t)(upper >> 32) << 12, j->swapped);
	write_swapped_32(j->to + 4, (uint32_t)upper, j->swapped);
	j->to += TIME_SIZE;
	return true;
}

static bool note_join(struct joining *j)
{
	uint32_t word = (uint32_t)j->notes[1];

	if (j->end - j->to < NOTE_HEADER)
		return false;
	write_swapped_32(j->to, RECORD_NOTE | (uint32_t)j->notes[0] << 12, j->swapped);
	write_swapped_32(j->to + 4, word, j->swapped);
	j->to += NOTE_HEADER;
	j->notes += 2;
	return text_join(j, padded_size(NOTE_SIZE(word)));
}

static inline void field_join(struct joining *j, struct field_column *f)
{
	uint64_t value = *f->next++;

	if (f->coding == AS_STEP)
		value += f->last;
	else if (f->coding == AS_KIND)
		value += j->kinds[f->kind];
	f->last = j->kinds[f->kind] = value;
	if (f->wide)
		write_swapped_64(j->to, value, j->swapped);
	else
		write_swapped_32(j->to, (uint32_t)value, j->swapped);
	j->to += f->wide ? 8 : 4;
}

static bool event_join(struct joining *j, struct joined_event *e)
{
	uint64_t upper;

	j->ticks += *j->time++;
	upper = j->ticks >> TIME_LOW_BITS << TIME_LOW_BITS;
	if (upper != j->upper && !time_join(j, upper))
		return false;
	if ((size_t)(j->end - j->to) < e->fixed)
		return false;
	write_swapped_32(j->to, e->id | (uint32_t)j->ticks << 12, j->swapped);
	j->to += 4;
	for (unsigned i = 0; i < e->nfields; i++)
		field_join(j, &e->fields[i]);
	for (unsigned i = 0; i < e->nstrings; i++) {
		uint32_t word = (uint32_t)*e->fields[e->nfields + i].next++;

		if (j->end - j->to < 4)
			return false;
		write_swapped_32(j->to, word, j->swapped);
		j->to += 4;
		if (!text_join(j, STRING_LENGTH(word)))
			return false;
	}
	return true;
}

static bool records_write(struct joining *j)
{
	struct byte_view symbols = {j->symbols, j->from->end, false};
	bool good = true;

	for (size_t i = 0; good && i < j->nrecords; i++) {
		uint64_t symbol = byte_view_varint(&symbols);

		if (symbol == SYMBOL_TIME)
			good = time_join(j, j->upper + (*j->uppers++ << TIME_LOW_BITS));
		else if (symbol == SYMBOL_NOTE)
			good = note_join(j);
		else
			good = event_join(j, &j->events[symbol - SYMBOL_EVENT]);
	}
	return good && j->to == j->end;
}

bool records_join(struct byte_view *from, uint64_t upper, bool swapped, unsigned char *to,
		  size_t size, struct records_scratch *scratch)
{
	struct joining j = {.from = from,
			    .upper = upper,
			    .ticks = upper,
			    .swapped = swapped,
			    .to = to,
			    .end = to + size};
	bool good = layouts_read(&j, size) && symbols_read(&j, size) && columns_read(&j, scratch) &&
		    records_write(&j);

	for (size_t i = 0; i < j.nevents; i++)
		free(j.events[i].fields);
	free(j.events);
	free(j.kinds);
	return good;
}
