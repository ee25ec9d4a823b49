/* Events and instances, column by column. */
#include "viewers/gorge/document/payload_columns.h"
#include "spec/layout.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/document/payload_bytes.h"
#include <stdlib.h>
#include <string.h>

struct column {
	const struct event_list *list;
	const bool *kept;
	const uint32_t *ranks;
	const struct trace *trace;
};

enum place_column { COLUMN_TIME, COLUMN_RANK, COLUMN_THREAD };

static uint64_t place_value(const struct column *c, enum place_column which, size_t i)
{
	struct event e;

	switch (which) {
	case COLUMN_TIME:
		return (uint64_t)event_list_time(c->list, i);
	case COLUMN_RANK:
		return c->ranks[i];
	case COLUMN_THREAD:
		event_list_look(c->list, i, &e);
		return thread_index(c->trace, e.thread);
	}
	return 0;
}

static void put_place_column(FILE *out, const struct column *c, enum place_column which)
{
	uint64_t before = 0;

	for (size_t i = 0, n = event_list_size(c->list); i < n; i++)
		if (c->kept[i])
			payload_step(out, place_value(c, which, i), &before);
}

/* Sequences run within a thread. */
static void put_sequences(FILE *out, const struct column *c)
{
	uint64_t *before = array_zero(c->trace->nthreads, sizeof *before);
	struct event e;

	for (size_t i = 0, n = event_list_size(c->list); i < n; i++) {
		if (!c->kept[i])
			continue;
		event_list_get(c->list, i, &e);
		payload_step(out, e.seq, &before[thread_index(c->trace, e.thread)]);
	}
	free(before);
}

static void put_value(FILE *out, const struct event *e, unsigned attribute, uint64_t *before)
{
	struct value v = record_value(e->type, attribute, e->record);
	uint64_t bits;

	switch (v.kind) {
	case VALUE_STRING:
		payload_bytes(out, v.string.bytes, v.string.length);
		break;
	case VALUE_REAL:
		memcpy(&bits, &v.real, sizeof bits);
		payload_number(out, __builtin_bswap64(bits ^ *before));
		*before = bits;
		break;
	default:
		payload_step(out, (uint64_t)v.integer, before);
	}
}

static void put_attribute_column(FILE *out, const struct column *c, unsigned attribute)
{
	uint64_t before = 0;
	struct event e;

	for (size_t i = 0, n = event_list_size(c->list); i < n; i++) {
		if (!c->kept[i])
			continue;
		event_list_look(c->list, i, &e);
		put_value(out, &e, attribute, &before);
	}
}

static size_t count(const bool *kept, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += kept[i];
	return sum;
}

void payload_events(FILE *out, const struct trace_slice *x, struct trace *t,
		    const struct event_type *type)
{
	struct column c = {.list = trace_events(t, type), .kept = x->events[type->index],
			   .ranks = x->ranks[type->index], .trace = t};

	payload_number(out, count(c.kept, event_list_size(c.list)));
	put_place_column(out, &c, COLUMN_TIME);
	put_place_column(out, &c, COLUMN_RANK);
	put_place_column(out, &c, COLUMN_THREAD);
	put_sequences(out, &c);
	for (unsigned i = 0; i < type->nattributes; i++)
		put_attribute_column(out, &c, i);
}

/* For each event its place among those that are kept; to be freed. */
static uint32_t *places_of(const struct trace_slice *x, struct trace *t,
			   const struct event_type *type)
{
	size_t n = event_list_size(trace_events(t, type));
	uint32_t *places = array_zero(n, sizeof *places);

	for (size_t i = 0, place = 0; i < n; i++) {
		places[i] = (uint32_t)place;
		place += x->events[type->index][i];
	}
	return places;
}

/* The anchors; then for each whether it has a partner, and which. */
void payload_instances(FILE *out, const struct trace_slice *x, struct trace *t,
		       const struct interval *interval)
{
	const struct matches *found = x->matches[interval->index];
	const bool *kept = x->anchors[interval->index];
	uint32_t *anchors = places_of(x, t, end_event(&interval->anchor));
	uint32_t *partners = places_of(x, t, end_event(&interval->partner));
	uint64_t anchor = 0, partner = 0;

	payload_number(out, count(kept, found->count));
	for (size_t a = 0; a < found->count; a++)
		if (kept[a])
			payload_step(out, anchors[moments_place(&found->anchors, a)], &anchor);
	for (size_t a = 0; a < found->count; a++) {
		if (!kept[a])
			continue;
		payload_number(out, found->partner_of[a] != UNMATCHED);
		if (found->partner_of[a] != UNMATCHED)
			payload_step(out,
				     partners[moments_place(&found->partners,
							    found->partner_of[a])], &partner);
	}
	free(anchors);
	free(partners);
}
