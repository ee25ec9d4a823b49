#include "match/join/candidate_filter.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "match/join/end_values.h"
#include "match/plan/row.h"
#include "trace/open/opened.h"
#include "trace/stream/merge.h"
#include <stdlib.h>

size_t candidate_filter_many = 4;

#define DROPPED UINT64_MAX
#define NO_VALUES UINT32_MAX
enum { MOST_ALIKE = 8 }; /* partners with the same key and other values that are tried */

/* Partners with the same values have the same key, and the same to say to any anchor. */
struct sieved_values {
	uint64_t newest; /* where the last of them was kept */
	uint32_t key;
	uint32_t next; /* others with the same key; NO_VALUES */
	enum { VALUES_FIT, VALUES_NEVER_FIT, VALUES_UNKNOWN } are;
};

struct sieved_key {
	uint64_t anchor; /* how many were kept before its last anchor */
	uint32_t values; /* the first that have it; NO_VALUES */
};

/* Places are counted through all sections that a worker has, from 1 on. */
struct sieve_worker {
	struct hash_table known, known_keys;
	VECTOR(struct sieved_values) values;
	VECTOR(struct sieved_key) keys;
	uint64_t base;              /* the place of the section's first */
	bool unknown;               /* it is not known which partners some values fit */
	bool open;                  /* anchors of the section may have any partner of it */
	VECTOR(uint32_t) values_of; /* by place of the section */
	VECTOR(uint32_t) answers;   /* as match_known() wants them; places are the section's */
	uint32_t *moved;            /* by place of the section: that without what is dropped */
	size_t room;
};

/* What is known of the anchors of a section, and which of its partners those of others may have. */
struct sieved_answers {
	uint32_t *list, *last;
	size_t n, nlast;
};

struct sieve {
	const struct interval *interval;
	const struct opened *opened;
	struct plan *plan;
	struct end_values values; /* of the partner */
	struct sieve_worker *workers;
	struct sieved_answers *answers; /* by section */
};

/* ---- which conditions ---- */

static bool plan_is_sieved(const struct plan *p)
{
	return p->candidates == SIDE_PARTNER && !p->later && !p->take && !p->norder && !p->names;
}

static bool sieve_open(struct sieve *s, struct trace *t, const struct interval *i)
{
	const struct event_type *anchor = i->anchor.event, *partner = i->partner.event;

	*s = (struct sieve){.interval = i, .opened = opened_of(t)};
	if (!anchor || !partner || anchor == partner ||
	    t->events_of_type[partner->index] <=
		candidate_filter_many * t->events_of_type[anchor->index] ||
	    /* both must come by in one pass: what is listed already does not */
	    trace_events_made(t, partner) || trace_events_made(t, anchor) ||
	    !end_values_find(&s->values, i->condition, SIDE_PARTNER))
		return false;
	s->plan = plan_new(i);
	if (!plan_is_sieved(s->plan)) {
		plan_free(s->plan);
		return false;
	}
	s->workers = array_zero(parallel_workers(), sizeof *s->workers);
	if (!trace_sections(t))
		array_exhausted();
	s->answers = array_zero(s->opened->sections->count, sizeof *s->answers);
	for (unsigned w = 0; w < parallel_workers(); w++)
		s->workers[w].base = 1;
	return true;
}

static void sieve_close(struct sieve *s)
{
	for (unsigned w = 0; w < parallel_workers(); w++) {
		hash_table_free(&s->workers[w].known);
		hash_table_free(&s->workers[w].known_keys);
		free(s->workers[w].values.at);
		free(s->workers[w].keys.at);
		free(s->workers[w].answers.at);
		free(s->workers[w].values_of.at);
		free(s->workers[w].moved);
	}
	for (size_t i = 0; i < s->opened->sections->count; i++) {
		free(s->answers[i].list);
		free(s->answers[i].last);
	}
	free(s->answers);
	free(s->workers);
	plan_free(s->plan);
}

/* ---- events ---- */

static struct operand operand_of(const struct sieve *s, const struct section *section,
				 uint64_t number, const struct event_type *type,
				 const unsigned char *record)
{
	return (struct operand){.event = type,
				.record = record,
				.time = section_time(section, number) - s->opened->trace.origin,
				.thread = section->logs[section_log(section, number)].thread};
}

/*
 * Returns the number of the key of an event; HASH_NOTHING if it has none, or does not pass. Events
 * that can meet have the same key; where others have it, too, more is kept than need be.
 */
static uint32_t key_of(const struct sieve *s, struct sieve_worker *w, enum side side,
		       const struct operand *o, enum truth *passes)
{
	uint64_t key[2] = {0, 0}, faults = 0;
	struct operand operands[2];
	struct hash_slot *slot;

	operands[side] = *o;
	*passes = program_empty(s->plan->filter[side])
		      ? TRUTH_TRUE
		      : program_holds(s->plan->filter[side], operands);
	if (*passes != TRUTH_TRUE)
		return HASH_NOTHING;
	if (s->plan->keys && !row_make_key(s->plan, side, operands, 0, key, &faults)) {
		*passes = TRUTH_FAULT;
		return HASH_NOTHING;
	}
	slot = hash_table_slot(&w->known_keys, key[0], key[1]);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)w->keys.n;
		*vector_add(&w->keys) = (struct sieved_key){.values = NO_VALUES};
	}
	return slot->head;
}

static struct sieved_values *values_of(const struct sieve *s, struct sieve_worker *w,
				       const struct operand *o)
{
	struct sieved_values *v;
	struct hash_slot *slot;
	uint64_t values[MOST_VALUES];
	enum truth passes;

	end_values_read(&s->values, o, values);
	slot = hash_table_slot(&w->known, hash_mix(values[0]), values[1]);
	if (slot->head != HASH_NOTHING)
		return &w->values.at[slot->head];
	slot->head = (uint32_t)w->values.n;
	v = vector_add(&w->values);
	v->key = key_of(s, w, SIDE_PARTNER, o, &passes);
	v->are = passes == TRUTH_TRUE    ? VALUES_FIT
		 : passes == TRUTH_FALSE ? VALUES_NEVER_FIT
					 : VALUES_UNKNOWN;
	w->unknown |= v->are == VALUES_UNKNOWN;
	if (v->are == VALUES_FIT) {
		v->next = w->keys.at[v->key].values;
		w->keys.at[v->key].values = slot->head;
	}
	return v;
}

/* Returns how many are kept with this one. */
static size_t partner_keep(const struct sieve *s, struct sieve_worker *w, const struct operand *o,
			   uint64_t number, uint64_t *kept, size_t n)
{
	struct sieved_values *v = values_of(s, w, o);

	if (v->are == VALUES_NEVER_FIT)
		return n;
	if (v->are == VALUES_FIT) {
		if (v->newest >= w->base && v->newest >= w->keys.at[v->key].anchor)
			kept[v->newest - w->base] = DROPPED;
		v->newest = w->base + n;
	}
	*vector_add(&w->values_of) = (uint32_t)(v - w->values.at);
	kept[n] = number;
	return n + 1;
}

/* Returns the values whose last partner is the newest in the section before a place; NULL: none. */
static const struct sieved_values *newest_before(const struct sieve_worker *w, uint32_t key,
						 uint64_t before)
{
	const struct sieved_values *newest = NULL;

	for (uint32_t i = w->keys.at[key].values; i != NO_VALUES; i = w->values.at[i].next) {
		const struct sieved_values *v = &w->values.at[i];

		if (v->newest >= w->base && v->newest < before &&
		    (!newest || v->newest > newest->newest))
			newest = v;
	}
	return newest;
}

/* Returns the place of an anchor's partner, if that is in the section. */
static uint32_t partner_of(const struct sieve *s, struct sieve_worker *w,
			   const struct section *section, const struct operand *anchor,
			   uint32_t key, const uint64_t *kept)
{
	const struct log *logs = s->opened->logs;
	uint64_t before = UINT64_MAX;
	struct operand operands[2];

	operands[SIDE_ANCHOR] = *anchor;
	for (unsigned tried = 0; tried < MOST_ALIKE && !w->unknown; tried++) {
		const struct sieved_values *v = newest_before(w, key, before);
		enum truth truth;
		uint64_t number;

		if (!v)
			return KNOWN_OPEN;
		number = kept[v->newest - w->base];
		operands[SIDE_PARTNER] = operand_of(s, section, number, s->interval->partner.event,
						    section_event_record(section, logs, number));
		truth = program_holds(s->plan->rest, operands);
		if (truth == TRUTH_TRUE)
			return (uint32_t)(v->newest - w->base);
		if (truth == TRUTH_FAULT)
			break;
		before = v->newest;
	}
	w->open = true;
	return KNOWN_OPEN;
}

/* Returns what is known of the partner of an anchor, and what it is the last anchor of. */
static uint32_t anchor_answer(const struct sieve *s, struct sieve_worker *w,
			      const struct section *section, const struct operand *o,
			      const uint64_t *kept, size_t n)
{
	struct operand operands[2];
	enum truth passes;
	uint32_t key = key_of(s, w, SIDE_ANCHOR, o, &passes);

	if (key != HASH_NOTHING) {
		w->keys.at[key].anchor = w->base + n;
		return partner_of(s, w, section, o, key, kept);
	}
	if (passes == TRUTH_FAULT)
		return KNOWN_OPEN;
	operands[SIDE_ANCHOR] = *o;
	switch (program_holds(s->plan->asks, operands)) {
	case TRUTH_TRUE:
		return UNMATCHED;
	case TRUTH_FALSE:
		return KNOWN_UNASKED;
	default:
		return KNOWN_OPEN;
	}
}

static void moved_find(struct sieve_worker *w, const uint64_t *kept, size_t n)
{
	uint32_t left = 0;

	w->moved = vector_reserve(w->moved, n, &w->room, sizeof *w->moved);
	for (size_t i = 0; i < n; i++) {
		w->moved[i] = left;
		left += kept[i] != DROPPED;
	}
}

/* Returns how many are left. */
static size_t dropped_remove(uint64_t *kept, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		if (kept[i] != DROPPED)
			kept[left++] = kept[i];
	return left;
}

/*
 * Lists the partners that anchors of later sections can have, the last of those with the same
 * values. kept still has what is dropped. The caller frees the list.
 */
static uint32_t *last_list(const struct sieve_worker *w, const uint64_t *kept, size_t n,
			   size_t *nlast)
{
	uint32_t *last = array_new(n, sizeof *last);

	*nlast = 0;
	for (size_t i = 0; i < n; i++) {
		const struct sieved_values *v = &w->values.at[w->values_of.at[i]];

		if (kept[i] != DROPPED &&
		    (w->open || v->are == VALUES_UNKNOWN || v->newest == w->base + i))
			last[(*nlast)++] = w->moved[i];
	}
	return array_resize(last, *nlast, sizeof *last);
}

static void answers_keep(const struct sieve *s, struct sieve_worker *w,
			 const struct section *section, const uint64_t *kept, size_t n)
{
	struct sieved_answers *to = &s->answers[section - s->opened->sections->list];

	moved_find(w, kept, n);
	to->last = last_list(w, kept, n, &to->nlast);
	to->n = w->answers.n;
	to->list = array_new(to->n, sizeof *to->list);
	for (size_t i = 0; i < to->n; i++) {
		uint32_t answer = w->answers.at[i];

		to->list[i] = known_is_place(answer) ? w->moved[answer] : answer;
	}
	w->answers.n = w->values_of.n = 0;
	w->open = false;
}

static size_t section_keep(void *context, unsigned worker, const struct section *section,
			   const uint64_t *numbers, size_t count, uint64_t *kept)
{
	const struct sieve *s = context;
	const struct event_type *anchor = s->interval->anchor.event;
	const struct event_type *partner = s->interval->partner.event;
	const struct log *logs = s->opened->logs;
	struct sieve_worker *w = &s->workers[worker];
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const unsigned char *record = section_event_record(section, logs, numbers[i]);
		unsigned type = section_event_type(section, logs, numbers[i]);
		struct operand o;

		if (type == partner->index) {
			o = operand_of(s, section, numbers[i], partner, record);
			n = partner_keep(s, w, &o, numbers[i], kept, n);
		} else if (type == anchor->index) {
			o = operand_of(s, section, numbers[i], anchor, record);
			*vector_add(&w->answers) = anchor_answer(s, w, section, &o, kept, n);
		}
	}
	answers_keep(s, w, section, kept, n);
	w->base += n;
	return dropped_remove(kept, n);
}

/* ---- several intervals ---- */

/* Sets which[] to the sieve of each interval, or n. Returns how many there are. */
static unsigned sieves_choose(struct trace *t, const struct interval *const *intervals, unsigned n,
			      struct sieve *sieves, unsigned *which)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++) {
		which[i] = n;
		if (sieve_open(&sieves[count], t, intervals[i])) {
			which[i] = count++;
			trace_announce(t, intervals[i]->anchor.event);
			continue;
		}
		if (intervals[i]->anchor.event)
			trace_announce(t, intervals[i]->anchor.event);
		if (intervals[i]->partner.event)
			trace_announce(t, intervals[i]->partner.event);
	}
	return count;
}

/* Returns what is known of each anchor, an array that the caller frees; NULL if that is nothing. */
static uint32_t *answers_join(const struct sieve *s, const struct event_list *anchors,
			      const struct event_list *partners)
{
	size_t nsections = s->opened->sections->count;
	uint32_t *known = array_new(anchors->size, sizeof *known);

	for (size_t i = 0; i < nsections; i++) {
		const struct sieved_answers *x = &s->answers[i];

		if (x->n != anchors->first[i + 1] - anchors->first[i]) {
			free(known);
			return NULL;
		}
		for (size_t k = 0; k < x->n; k++)
			known[anchors->first[i] + k] =
			    known_is_place(x->list[k]) ? (uint32_t)partners->first[i] + x->list[k]
						       : x->list[k];
	}
	return known;
}

/* Returns the partners that open anchors can have. */
static struct moments last_join(const struct sieve *s, struct moments partners)
{
	size_t nsections = s->opened->sections->count, n = 0;

	for (size_t i = 0; i < nsections; i++)
		n += s->answers[i].nlast;
	partners.pick = array_new(n, sizeof *partners.pick);
	partners.count = 0;
	for (size_t i = 0; i < nsections; i++)
		for (size_t k = 0; k < s->answers[i].nlast; k++)
			partners.pick[partners.count++] =
			    (uint32_t)partners.list->first[i] + s->answers[i].last[k];
	return partners;
}

static struct matches *match_sieved(struct trace *t, const struct sieve *s, struct event_list *list)
{
	const struct interval *i = s->interval;
	struct moments anchors = moments_of_end(t, &i->anchor, match_interval);
	struct moments partners = {.trace = t, .list = list};
	struct matches *m;
	uint32_t *known;

	if (!list)
		array_exhausted();
	partners.count = event_list_size(list);
	known = answers_join(s, anchors.list, list);
	m = known ? match_known(i, anchors, partners, known, last_join(s, partners))
		  : match_moments(i, anchors, partners);
	m->sieved = list;
	free(known);
	return m;
}

void match_intervals(struct trace *t, const struct interval *const *intervals, unsigned n,
		     struct matches **found)
{
	struct sieve *sieves = array_new(n + 1, sizeof *sieves);
	struct event_sieve *of_events = array_zero(n + 1, sizeof *of_events);
	unsigned *which = array_new(n + 1, sizeof *which), nsieves;

	nsieves = sieves_choose(t, intervals, n, sieves, which);
	for (unsigned i = 0; i < nsieves; i++)
		of_events[i] = (struct event_sieve){.type = sieves[i].interval->partner.event,
						    .keep = section_keep,
						    .context = &sieves[i]};
	if (nsieves)
		trace_events_sieved(t, of_events, nsieves);
	for (unsigned i = 0; i < n; i++)
		found[i] = which[i] == n
			       ? match_interval(t, intervals[i])
			       : match_sieved(t, &sieves[which[i]], of_events[which[i]].list);
	for (unsigned i = 0; i < nsieves; i++)
		sieve_close(&sieves[i]);
	free(of_events);
	free(sieves);
	free(which);
}
