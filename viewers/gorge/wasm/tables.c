#include "viewers/gorge/wasm/tables.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

/* ---- where the events are ---- */

static void read_column(struct reader *r, uint64_t *column, size_t n)
{
	uint64_t before = 0;

	for (size_t i = 0; i < n; i++)
		column[i] = read_step(r, &before);
}

/* Indices of threads, whose numbers are kept; the sequences follow, which run within a thread. */
static void read_places(struct reader *r, const struct trace *t, struct stored_events *s)
{
	uint64_t *before = array_zero(t->nthreads, sizeof *before),
		*index = array_zero(s->count, sizeof *index);

	read_column(r, index, s->count);
	for (size_t i = 0; i < s->count; i++) {
		r->damaged |= index[i] >= t->nthreads;
		index[i] = index[i] < t->nthreads ? index[i] : 0;
		s->threads[i] = t->threads[index[i]].number;
	}
	for (size_t i = 0; i < s->count; i++)
		s->seqs[i] = read_step(r, &before[index[i]]);
	free(before);
	free(index);
}

/* ---- their records ---- */

/* The columns come one after the other, and a record needs all of them. */
struct values {
	uint64_t *numbers;              /* of strings: lengths */
	const unsigned char **strings;
};

static void read_values(struct reader *r, const struct attribute *a, size_t n, struct values *v)
{
	uint64_t before = 0;
	size_t length;

	v->numbers = array_zero(n, sizeof *v->numbers);
	v->strings = a->type == TYPE_STRING ? array_zero(n, sizeof *v->strings) : NULL;
	for (size_t i = 0; i < n; i++) {
		if (a->type == TYPE_STRING) {
			v->strings[i] = read_bytes(r, &length);
			v->numbers[i] = length;
		} else if (a->type == TYPE_DOUBLE) {
			v->numbers[i] = before ^= __builtin_bswap64(read_number(r));
		} else {
			v->numbers[i] = read_step(r, &before);
		}
	}
}

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static size_t sizes_set(const struct event_type *type, const struct values *v,
			struct stored_events *s)
{
	size_t size = 0;

	for (size_t i = 0; i < s->count; i++) {
		s->offsets[i] = (uint32_t)size;
		size += type->fixed_size;
		for (unsigned a = 0; a < type->nattributes; a++)
			if (v[a].strings)
				size += 4 + padded(v[a].numbers[i]);
	}
	return size;
}

/* Both machines have the lowest byte of a number first. */
static void record_set(const struct event_type *type, const struct values *v, size_t i,
		       unsigned char *record)
{
	unsigned char *at = record + type->fixed_size;

	for (unsigned a = 0; a < type->nattributes; a++) {
		const struct attribute *attribute = &type->attributes[a];
		if (!v[a].strings) {
			memcpy(record + attribute->offset, &v[a].numbers[i],
			       type_size(attribute->type));
			continue;
		}
		memcpy(at, &v[a].numbers[i], 4);
		memcpy(at + 4, v[a].strings[i], v[a].numbers[i]);
		at += 4 + padded(v[a].numbers[i]);
	}
}

static void read_records(struct reader *r, const struct event_type *type, struct stored_events *s)
{
	struct values *v = array_zero(type->nattributes, sizeof *v);

	for (unsigned a = 0; a < type->nattributes; a++)
		read_values(r, &type->attributes[a], s->count, &v[a]);
	s->records = array_zero(sizes_set(type, v, s), 1);
	for (size_t i = 0; i < s->count; i++)
		record_set(type, v, i, s->records + s->offsets[i]);
	for (unsigned a = 0; a < type->nattributes; a++) {
		free(v[a].numbers);
		free(v[a].strings);
	}
	free(v);
}

void events_read(struct reader *r, const struct event_type *type, const struct trace *t,
		 struct stored_events *s)
{
	size_t n = s->count = read_count(r);

	s->times = array_zero(n, sizeof *s->times);
	s->ranks = array_zero(n, sizeof *s->ranks);
	s->seqs = array_zero(n, sizeof *s->seqs);
	s->threads = array_zero(n, sizeof *s->threads);
	s->offsets = array_zero(n, sizeof *s->offsets);
	read_column(r, (uint64_t *)s->times, n);
	read_column(r, s->ranks, n);
	read_places(r, t, s);
	read_records(r, type, s);
}

/* ---- instances ---- */

static struct moments moments_all(struct trace *t, const struct interval_end *end)
{
	const struct event_list *list = trace_events(t, end_event(end));

	return (struct moments){.trace = t, .count = event_list_size(list), .list = list};
}

/* A place among the moments; what lies beyond is damage. */
static size_t read_place(struct reader *r, uint64_t *before, const struct moments *m)
{
	uint64_t place = read_step(r, before);

	if (place < m->count)
		return (size_t)place;
	r->damaged = true;
	return 0;
}

struct matches *instances_read(struct reader *r, struct trace *t, const struct interval *interval)
{
	struct moments anchors = moments_all(t, &interval->anchor);
	struct moments partners = moments_all(t, &interval->partner);
	uint64_t anchor = 0, partner = 0;
	size_t n = read_count(r);
	struct matches *m;

	anchors.pick = array_zero(n, sizeof *anchors.pick);
	for (size_t i = 0; i < n; i++)
		anchors.pick[i] = (uint32_t)read_place(r, &anchor, &anchors);
	anchors.count = n;
	m = matches_new(interval, anchors, partners);
	for (size_t i = 0; i < n; i++)
		if (read_number(r))
			m->partner_of[i] = read_place(r, &partner, &partners);
	matches_count(m);
	return m;
}

/* Of a part of a trace not everything that matching would look at is there: what was found is. */
struct matches *__wrap_match_interval(struct trace *t, const struct interval *interval)
{
	const struct stored *s = (const struct stored *)t;
	struct reader r;

	if (!s->found)
		return __real_match_interval(t, interval);
	r = s->found[interval->index];
	return instances_read(&r, t, interval);
}
