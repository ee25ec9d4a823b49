#include "viewers/gorge/wasm/stored.h"
#include "base/array.h"
#include "match/stats/tally.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/format/bytes.h"
#include "trace/format/schema.h"
#include "trace/stream/losses.h"
#include <stdlib.h>

static const struct stored_events no_events;

/*
 * Fills the lists: events that were not logged have none; those that a definition leaves out are
 * not missed.
 */
static bool lists_fill(struct stored *s, const struct spec *logged,
		       const struct stored_events *events, struct diag *diag)
{
	bool good = true;

	for (unsigned i = 0; i < s->spec->nevents; i++) {
		const struct event_type *type = s->spec->events[i];
		const struct event_type *was = spec_event(logged, type->name);
		s->lists[i] = (struct event_list){type, was ? &events[was->index] : &no_events};
		s->trace.events_of_type[i] = s->lists[i].events->count;
		good &= !was || event_types_agree(type, was, diag);
	}
	return good;
}

struct trace *stored_new(const struct trace *like, struct spec *spec, const struct spec *logged,
			 const struct stored_events *events, struct diag *diag)
{
	struct stored *s = array_zero(1, sizeof *s);

	s->trace = *like;
	s->trace.spec = s->spec = spec;
	s->trace.events_of_type = array_zero(spec->nevents, sizeof *s->trace.events_of_type);
	s->lists = array_zero(spec->nevents, sizeof *s->lists);
	if (lists_fill(s, logged, events, diag))
		return &s->trace;
	trace_close(&s->trace);
	return NULL;
}

void trace_close(struct trace *t)
{
	struct stored *s = (struct stored *)t;

	spec_free(s->spec);
	free(s->trace.events_of_type);
	free(s->lists);
	free(s->instances);
	free(s);
}

const char *stored_losses = "";

char *losses_text(const struct trace *t)
{
	(void)t;
	return *stored_losses ? text_format("%s", stored_losses) : NULL;
}

void trace_announce(struct trace *t, const struct event_type *type)
{
	(void)t, (void)type;
}

const struct event_list *trace_events(struct trace *t, const struct event_type *type)
{
	return &((struct stored *)t)->lists[type->index];
}

size_t event_list_size(const struct event_list *l)
{
	return l->events->count;
}

int64_t event_list_time(const struct event_list *l, size_t i)
{
	return entry_time(l, i);
}

event_rank event_list_rank(const struct event_list *l, size_t i)
{
	return entry_rank(l, i);
}

void event_list_look(const struct event_list *l, size_t i, struct event *e)
{
	entry_look(l, i, e);
}

void event_list_get(const struct event_list *l, size_t i, struct event *e)
{
	entry_look(l, i, e);
}

/* Refuses: a tally is a short cut through logs, which a document does not have. */
bool tally_interval(struct trace *t, const struct interval *interval, struct tally *tally)
{
	(void)t, (void)interval, (void)tally;
	return false;
}

/* ---- addresses ---- */

/* The files with their names are not in the browser: the document has the texts. */
static const char *stored_text(const struct trace *t, const struct event *e, unsigned attribute)
{
	const struct stored_events *s = ((const struct stored *)t)->lists[e->type->index].events;

	return s->texts && s->texts[attribute] ? s->texts[attribute][read_32(e->record)] : NULL;
}

const char *address_text(const struct trace *t, char buffer[ADDRESS_TEXT], const struct event *e,
			 unsigned attribute)
{
	struct value v = record_value(e->type, attribute, e->record);
	const char *text = stored_text(t, e, attribute);

	return text ? text : address_digits(buffer, (uint64_t)v.integer);
}

/* Each text is there once. */
int64_t address_key(const struct trace *t, const struct event *e, unsigned attribute)
{
	return (int64_t)(intptr_t)stored_text(t, e, attribute);
}

/* Texts that are no address's; a document has one trace. */
int64_t text_key(const struct trace *t, const char *text)
{
	static VECTOR(char *) texts;

	(void)t;
	for (size_t i = 0; i < texts.n; i++)
		if (!strcmp(texts.at[i], text))
			return (int64_t)(intptr_t)texts.at[i];
	return (int64_t)(intptr_t)(*vector_add(&texts) = text_format("%s", text));
}

const char *address_key_text(const struct trace *t, int64_t key)
{
	(void)t;
	return (const char *)(intptr_t)key;
}
