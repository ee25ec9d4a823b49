/* From records to columns. */
#include "base/array.h"
#include "trace/format/record.h"
#include "trace/pack/records.h"
#include <stdlib.h>

/* One event type of the block. */
struct used {
	uint32_t id;
	const struct layout *layout;
	size_t first; /* its columns: two for each field (values, steps by kind), then one for each
			 string */
};

struct split {
	const struct layouts *layouts;
	struct records_scratch *scratch;
	struct used used[RECORD_IDS];
	unsigned nused;
	uint16_t symbol[RECORD_IDS]; /* of each id: its place in used and 1; 0: none */
	uint64_t *kinds;	     /* the last number of each */
	uint64_t upper, ticks;
	size_t nrecords;
};

/* The columns that every block has. */
enum { TIMES, UPPERS, NOTES, FIRST_OF_EVENTS };

static struct numbers *column(struct split *s, size_t i)
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
			s->columns[i] = (struct numbers){NULL, 0, 0};
		s->columns[i].count = 0;
	}
	return used;
}

static size_t columns_end(const struct split *s)
{
	const struct used *u;

	if (s->nused == 0)
		return FIRST_OF_EVENTS;
	u = &s->used[s->nused - 1];
	return u->first + 2 * u->layout->nfields + u->layout->nstrings;
}

static struct used *event_used(struct split *s, uint32_t id)
{
	struct used *u;
	size_t end = columns_end(s);

	if (s->symbol[id])
		return &s->used[s->symbol[id] - 1];
	u = &s->used[s->nused++];
	*u = (struct used){.id = id, .layout = &s->layouts->of_id[id]};
	u->first = columns_add(s->scratch, end, 2 * u->layout->nfields + u->layout->nstrings);
	s->symbol[id] = (uint16_t)s->nused;
	return u;
}

static const unsigned char *fields_split(struct split *s, struct used *u, const unsigned char *at)
{
	for (unsigned i = 0; i < u->layout->nfields; i++) {
		const struct field *f = &u->layout->fields[i];
		uint64_t value = f->wide ? read_64(at) : (uint64_t)(int64_t)(int32_t)read_32(at);

		numbers_add(column(s, u->first + 2 * i), value);
		numbers_add(column(s, u->first + 2 * i + 1),
			    step_between(s->kinds[f->kind], value, f->wide));
		s->kinds[f->kind] = value;
		at += f->wide ? 8 : 4;
	}
	return at;
}

static const unsigned char *event_split(struct split *s, const unsigned char *at)
{
	struct used *u = event_used(s, RECORD_ID(read_32(at)));
	uint64_t ticks = s->upper | RECORD_LOW_TIME(read_32(at));

	blob_put_number(&s->scratch->symbols, SYMBOL_EVENT + (uint64_t)(u - s->used));
	numbers_add(column(s, TIMES), ticks - s->ticks);
	s->ticks = ticks;
	at = fields_split(s, u, at + 4);
	for (unsigned i = 0; i < u->layout->nstrings; i++) {
		uint32_t word = read_32(at);

		numbers_add(column(s, u->first + 2 * u->layout->nfields + i), word);
		blob_put(&s->scratch->text, at + 4, STRING_LENGTH(word));
		at += 4 + padded_size(STRING_LENGTH(word));
	}
	return at;
}

/*
 * A TIME that sets other bits than before and stands before an event goes without saying; any other
 * is told.
 */
static const unsigned char *time_split(struct split *s, const unsigned char *at,
				       const unsigned char *end)
{
	uint64_t upper = time_upper(at);
	const unsigned char *next = at + TIME_SIZE;

	if (upper == s->upper || end - next < 4 || RECORD_ID(read_32(next)) < RECORD_FIRST_EVENT) {
		blob_put_number(&s->scratch->symbols, SYMBOL_TIME);
		numbers_add(column(s, UPPERS), (upper - s->upper) >> TIME_LOW_BITS);
		s->nrecords++;
	}
	s->upper = upper;
	return next;
}

static const unsigned char *note_split(struct split *s, const unsigned char *at)
{
	size_t size = note_size(at);

	blob_put_number(&s->scratch->symbols, SYMBOL_NOTE);
	numbers_add(column(s, NOTES), read_32(at) >> 12);
	numbers_add(column(s, NOTES), read_32(at + 4));
	blob_put(&s->scratch->text, at + NOTE_HEADER, size - NOTE_HEADER);
	s->nrecords++;
	return at + size;
}

static void records_take(struct split *s, const unsigned char *at, const unsigned char *end)
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

static void layout_write(struct blob *to, const struct used *u)
{
	blob_put_number(to, u->id);
	blob_put_number(to, u->layout->nfields);
	for (unsigned i = 0; i < u->layout->nfields; i++)
		blob_put_number(to, u->layout->fields[i].kind << 1 | u->layout->fields[i].wide);
	blob_put_number(to, u->layout->nstrings);
}

static void column_write(struct split *s, struct blob *to, size_t i)
{
	numbers_write(to, column(s, i)->list, column(s, i)->count);
}

/* In whichever way takes the fewest bits. */
static void field_write(struct split *s, struct blob *to, size_t i, bool wide)
{
	struct numbers *values = column(s, i), *kinds = column(s, i + 1);
	struct numbers *steps = &s->scratch->values;
	double value, step, kind;
	unsigned char telling;
	uint64_t last = 0;

	steps->count = 0;
	for (size_t k = 0; k < values->count; k++) {
		numbers_add(steps, step_between(last, values->list[k], wide));
		last = values->list[k];
	}
	value = numbers_cost(values->list, values->count);
	step = numbers_cost(steps->list, values->count);
	kind = numbers_cost(kinds->list, values->count);
	telling = value < step && value < kind ? AS_VALUE : step <= kind ? AS_STEP : AS_KIND;
	blob_put(to, &telling, 1);
	values = telling == AS_VALUE ? values : telling == AS_STEP ? steps : kinds;
	numbers_write(to, values->list, values->count);
}

static void columns_write(struct split *s, struct blob *to)
{
	blob_put_number(to, s->nrecords);
	blob_put_number(to, s->nused);
	for (unsigned i = 0; i < s->nused; i++)
		layout_write(to, &s->used[i]);
	blob_put(to, s->scratch->symbols.bytes, s->scratch->symbols.size);
	for (size_t i = 0; i < FIRST_OF_EVENTS; i++)
		column_write(s, to, i);
	for (unsigned i = 0; i < s->nused; i++) {
		const struct layout *l = s->used[i].layout;

		for (unsigned k = 0; k < l->nfields; k++)
			field_write(s, to, s->used[i].first + 2 * k, l->fields[k].wide);
		for (unsigned k = 0; k < l->nstrings; k++)
			column_write(s, to, s->used[i].first + 2 * l->nfields + k);
	}
	blob_put(to, s->scratch->text.bytes, s->scratch->text.size);
}

void records_split(struct blob *to, const struct layouts *layouts, const unsigned char *start,
		   const unsigned char *end, uint64_t upper, struct records_scratch *scratch)
{
	struct split *s = array_zero(1, sizeof *s);

	s->layouts = layouts;
	s->scratch = scratch;
	s->kinds = array_zero(layouts->nkinds, sizeof *s->kinds);
	s->upper = s->ticks = upper;
	columns_add(scratch, 0, FIRST_OF_EVENTS);
	scratch->symbols.size = scratch->text.size = 0;
	records_take(s, start, end);
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
