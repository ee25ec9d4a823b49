#include "viewers/gorge/document/payload.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/path.h"
#include "spec/layout.h"
#include "spec/qualified.h"
#include "trace/address.h"
#include "trace/format/varint_put.h"
#include "trace/stream/losses.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/document/analyses.h"
#include <stdlib.h>
#include <string.h>

static void put_step(FILE *out, uint64_t n, uint64_t *before)
{
	varint_put_signed(out, (int64_t)(n - *before));
	*before = n;
}

/* ---- columns ---- */

struct payload_column {
	const struct event_list *list;
	const bool *kept;
	const uint32_t *ranks;
	const struct trace *trace;
};

enum place_column { COLUMN_TIME, COLUMN_RANK, COLUMN_THREAD };

static uint64_t place_value(const struct payload_column *c, enum place_column which, size_t i)
{
	struct event e;

	switch (which) {
	case COLUMN_TIME:
		return (uint64_t)event_list_time(c->list, i);
	case COLUMN_RANK:
		return c->ranks[i];
	case COLUMN_THREAD:
		event_list_look(c->list, i, &e);
		return trace_thread_index(c->trace, e.thread);
	}
	return 0;
}

static void put_place_column(FILE *out, const struct payload_column *c, enum place_column which)
{
	uint64_t before = 0;

	for (size_t i = 0, n = event_list_size(c->list); i < n; i++)
		if (c->kept[i])
			put_step(out, place_value(c, which, i), &before);
}

/* Writes sequence numbers, which count within a thread. */
static void put_sequences(FILE *out, const struct payload_column *c)
{
	uint64_t *before = array_zero(c->trace->nthreads, sizeof *before);
	struct event e;

	for (size_t i = 0, n = event_list_size(c->list); i < n; i++) {
		if (!c->kept[i])
			continue;
		event_list_get(c->list, i, &e);
		put_step(out, e.seq, &before[trace_thread_index(c->trace, e.thread)]);
	}
	free(before);
}

static void put_value(FILE *out, const struct event *e, unsigned attribute, uint64_t *before)
{
	struct value v = record_value(e->type, attribute, e->record);
	uint64_t bits;

	switch (v.kind) {
	case VALUE_STRING:
		varint_put_bytes(out, v.string.bytes, v.string.length);
		break;
	case VALUE_REAL:
		memcpy(&bits, &v.real, sizeof bits);
		varint_put(out, __builtin_bswap64(bits ^ *before));
		*before = bits;
		break;
	default:
		put_step(out, (uint64_t)v.integer, before);
	}
}

static void put_attribute_column(FILE *out, const struct payload_column *c, unsigned attribute)
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

/* The browser has none of the files that give addresses their names. */
static void put_address_texts(FILE *out, const struct payload_column *c, unsigned attribute,
			      struct hash_table *written)
{
	char buffer[ADDRESS_TEXT];
	struct event e;

	for (size_t i = 0, n = event_list_size(c->list); i < n; i++) {
		struct hash_slot *slot;
		uint64_t key;

		if (!c->kept[i])
			continue;
		event_list_get(c->list, i, &e);
		key = (uint64_t)address_key(c->trace, &e, attribute);
		slot = hash_table_slot(written, hash_mix(key), key);
		varint_put(out, slot->head == HASH_NOTHING ? written->nkeys - 1 : slot->head);
		if (slot->head != HASH_NOTHING)
			continue;
		slot->head = (uint32_t)(written->nkeys - 1);
		varint_put_text(out, address_text(c->trace, buffer, &e, attribute));
	}
}

static size_t payload_count(const bool *kept, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += kept[i];
	return sum;
}

static void put_events(FILE *out, const struct trace_slice *x, struct trace *t,
		       const struct event_type *type, struct hash_table *texts)
{
	struct payload_column c = {.list = trace_events(t, type),
				   .kept = x->events[type->index],
				   .ranks = x->ranks[type->index],
				   .trace = t};

	varint_put(out, payload_count(c.kept, event_list_size(c.list)));
	put_place_column(out, &c, COLUMN_TIME);
	put_place_column(out, &c, COLUMN_RANK);
	put_place_column(out, &c, COLUMN_THREAD);
	put_sequences(out, &c);
	for (unsigned i = 0; i < type->nattributes; i++) {
		put_attribute_column(out, &c, i);
		if (type_is_symbolic(type->attributes[i].type))
			put_address_texts(out, &c, i, texts);
	}
}

/* Returns for each event its place among those that are kept; to be freed. */
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

/* Writes the anchors; then, for each, whether it has a partner, and which. */
static void put_instances(FILE *out, const struct trace_slice *x, struct trace *t,
			  const struct interval *interval)
{
	const struct matches *found = x->matches[interval->index];
	const bool *kept = x->anchors[interval->index];
	uint32_t *anchors = places_of(x, t, end_event(&interval->anchor));
	uint32_t *partners = places_of(x, t, end_event(&interval->partner));
	uint64_t anchor = 0, partner = 0;

	varint_put(out, payload_count(kept, found->count));
	for (size_t a = 0; a < found->count; a++)
		if (kept[a])
			put_step(out, anchors[moments_place(&found->anchors, a)], &anchor);
	for (size_t a = 0; a < found->count; a++) {
		if (!kept[a])
			continue;
		varint_put(out, found->partner_of[a] != UNMATCHED);
		if (found->partner_of[a] != UNMATCHED)
			put_step(out,
				 partners[moments_place(&found->partners, found->partner_of[a])],
				 &partner);
	}
	free(anchors);
	free(partners);
}

/* ---- what was asked for ---- */

static void put_list(FILE *out, const char *list)
{
	varint_put(out, list != NULL);
	if (list)
		varint_put_text(out, list);
}

/* A document has one specification, which does not tell what it was joined from. */
static void put_names(FILE *out, const struct spec *spec, const char *list)
{
	char *plain = list ? qualified_replace(spec, list) : NULL;

	put_list(out, plain);
	free(plain);
}

static void put_view(FILE *out, const struct view *v, const struct spec *spec)
{
	varint_put(out, v->has_from);
	varint_put_signed(out, v->window.from);
	varint_put(out, v->has_to);
	varint_put_signed(out, v->window.to);
	put_list(out, v->title ? v->title : v->command);
	put_list(out, v->threads);
	put_names(out, spec, v->events);
	put_names(out, spec, v->intervals);
	put_names(out, spec, v->tracks);
	put_list(out, v->lanes);
	varint_put_text(out, v->theme->name);
	varint_put(out, v->sort);
	varint_put(out, v->group);
	put_list(out, v->fold);
	put_list(out, v->open);
	put_list(out, v->notes);
}

/* ---- threads ---- */

static void put_threads(FILE *out, const struct trace *t)
{
	varint_put(out, t->nthreads);
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];
		varint_put(out, thread->number);
		varint_put_text(out, thread->name);
		varint_put_text(out, thread->owner);
		varint_put(out, thread->process);
		varint_put(out, thread->tid);
		varint_put(out, thread->events);
		varint_put(out, thread->lost);
		varint_put(out, thread->skipped);
		varint_put_signed(out, thread->first);
		varint_put_signed(out, thread->last);
	}
}

/* Writes the processes, each with the name of its directory without the path, which is private. */
static void put_processes(FILE *out, const struct trace *t)
{
	varint_put(out, t->nprocesses);
	for (unsigned i = 0; i < t->nprocesses; i++) {
		char *name = trace_process_name(&t->processes[i]);

		varint_put_text(out, name);
		free(name);
		varint_put_text(out, t->processes[i].program);
		varint_put(out, t->processes[i].pid);
		varint_put(out, t->processes[i].first_thread);
		varint_put(out, t->processes[i].nthreads);
	}
}

static void put_gaps(FILE *out, const struct trace *t)
{
	varint_put(out, t->ngaps);
	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *gap = &t->gaps[i];
		varint_put(out, gap->kind);
		varint_put(out, gap->type ? gap->type->index + 1 : 0);
		varint_put(out, gap->thread);
		varint_put_signed(out, gap->from);
		varint_put_signed(out, gap->to);
	}
}

/* The sentence alone, as what it counts is not in a part of the trace. */
static void put_losses(FILE *out, const struct trace *t)
{
	char *text = losses_text(t);

	varint_put_text(out, text ? text : "");
	free(text);
}

static void put_trace(FILE *out, const struct trace *t)
{
	varint_put_text(out, t->spec->text);
	varint_put(out, t->events);
	varint_put_signed(out, t->origin);
	varint_put_signed(out, t->origin_real);
	varint_put_signed(out, t->duration);
	varint_put(out, t->lost);
	put_losses(out, t);
	put_threads(out, t);
	put_processes(out, t);
	put_gaps(out, t);
}

void payload_write(const struct trace_slice *x, const struct view *v, struct trace *t,
		   const char *directory, FILE *out)
{
	const struct spec *spec = t->spec;
	struct hash_table texts = {0};

	varint_put_text(out, PAYLOAD_MAGIC);
	put_view(out, v, t->spec);
	varint_put(out, x->whole);
	put_trace(out, t);
	for (unsigned i = 0; i < spec->nevents; i++)
		put_events(out, x, t, spec->events[i], &texts);
	for (unsigned i = 0; i < spec->nintervals; i++)
		put_instances(out, x, t, spec->intervals[i]);
	hash_table_free(&texts);
	analyses_write(x, t, directory, out);
}
