#include "match/join/pair_stream.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spill.h"
#include "match/join/end_values.h"
#include "match/plan/row.h"
#include "trace/open/opened.h"
#include "trace/stream/merge.h"
#include <stdlib.h>
#include <string.h>

size_t pair_stream_most = 1 << 20;

enum {
	NOBODY = 0,            /* entries are counted from 1: memory of zeros has none */
	MOST_TESTED = 1 << 12, /* earlier events that a later one is tested with */
};

/* An earlier event that is kept. */
struct kept_event {
	/* all that the condition asks of it, where there is a table */
	uint64_t values[MOST_VALUES];
	uint64_t order, highest; /* what is ordered; of those of the key up to this one */
	int64_t time;
	const unsigned char *record;
	uint32_t thread, interval, key;
	uint32_t older, newer;   /* of the same key */
	uint32_t elder, younger; /* of all, or the next free one */
	uint32_t next;           /* in the table by values */
};

/* Those of an interval whose keys are equal. */
struct kept_key {
	uint64_t words[2];
	uint32_t interval;
	uint32_t newest;
	uint32_t next; /* in the table by key, or the next free one */
};

/* Which earlier events a later one finds. */
enum finds {
	FINDS_NEWEST, /* which stays for others */
	TAKES_NEWEST,
	TAKES_OLDEST,
	TAKES_ALL,
};

struct paired {
	const struct interval *interval;
	struct plan *plan;
	struct program *condition; /* NULL: keys and filters are all there is to it */
	enum finds finds;
	enum side early;
	const struct event_type *types[2]; /* by side */
	bool by_values;           /* of earlier events with the same values the newest is kept */
	bool by_key;              /* of those with the same key */
	struct end_values values; /* of the earlier event */
	uint32_t last;            /* kept with the values of the event before */
	const struct comparison
	    *order;              /* which the order of earlier events must meet; NULL: none */
	bool turned;             /* the lower the better */
	bool forgot;             /* some that were kept */
	uint64_t forgot_highest; /* of their orders */
};

/* What an event of a type is to an interval. */
struct act {
	uint32_t interval;
	bool later;
};

struct pair_stream {
	const struct trace *trace;
	struct paired *paired;
	unsigned n;
	pair_visit *visit;
	void *context;
	bool *wanted;
	VECTOR(struct act) * acts; /* by type */
	struct kept_event *kept;   /* from 1 on */
	struct kept_key *keys;
	uint32_t kept_room, keys_room;
	uint32_t kept_made, keys_made, kept_free, keys_free;
	uint32_t eldest, youngest;
	uint32_t *by_values, *by_key; /* heads */
	uint64_t mask;
	uint64_t unsure;
};

/* ---- memory ---- */

/* Makes room for one item more than `made`, behind the first, which is nobody. */
static void *items_grow(void *items, uint32_t made, uint32_t *room, size_t size)
{
	void *more;

	if (made + 1 < *room)
		return items;
	*room = *room ? 2 * *room : 1024;
	more = spill_new(*room, size);
	if (items)
		memcpy(more, items, (made + 1) * size);
	else
		memset(more, 0, size);
	spill_free(items);
	return more;
}

/* ---- tables ---- */

static uint32_t *values_head(const struct pair_stream *s, uint32_t interval, const uint64_t *values)
{
	uint64_t hash = hash_mix(values[0] ^ (uint64_t)interval << 56);

	return &s->by_values[hash_mix(hash ^ values[1]) & s->mask];
}

static uint32_t *key_head(const struct pair_stream *s, uint32_t interval, const uint64_t *words)
{
	return &s->by_key[(words[0] ^ hash_mix(interval)) & s->mask];
}

static uint32_t values_find(const struct pair_stream *s, uint32_t interval, const uint64_t *values)
{
	uint32_t i = *values_head(s, interval, values);

	while (i != NOBODY &&
	       (s->kept[i].values[0] != values[0] || s->kept[i].values[1] != values[1] ||
		s->kept[i].interval != interval))
		i = s->kept[i].next;
	return i;
}

static uint32_t key_find(const struct pair_stream *s, uint32_t interval, const uint64_t *words)
{
	uint32_t i = *key_head(s, interval, words);

	while (i != NOBODY && (s->keys[i].words[0] != words[0] || s->keys[i].words[1] != words[1] ||
			       s->keys[i].interval != interval))
		i = s->keys[i].next;
	return i;
}

static uint32_t key_add(struct pair_stream *s, uint32_t interval, const uint64_t *words)
{
	uint32_t *head = key_head(s, interval, words), i = s->keys_free;

	if (i != NOBODY) {
		s->keys_free = s->keys[i].next;
	} else {
		s->keys = items_grow(s->keys, s->keys_made, &s->keys_room, sizeof *s->keys);
		i = ++s->keys_made;
	}
	s->keys[i] = (struct kept_key){{words[0], words[1]}, interval, NOBODY, *head};
	return *head = i;
}

static void key_remove(struct pair_stream *s, uint32_t i)
{
	struct kept_key *key = &s->keys[i];
	uint32_t *link = key_head(s, key->interval, key->words);

	while (*link != i)
		link = &s->keys[*link].next;
	*link = key->next;
	key->next = s->keys_free;
	s->keys_free = i;
}

/* ---- what is kept ---- */

static void age_link(struct pair_stream *s, uint32_t i)
{
	s->kept[i].elder = s->youngest;
	s->kept[i].younger = NOBODY;
	if (s->youngest != NOBODY)
		s->kept[s->youngest].younger = i;
	else
		s->eldest = i;
	s->youngest = i;
}

static void age_unlink(struct pair_stream *s, uint32_t i)
{
	const struct kept_event *k = &s->kept[i];

	*(k->elder != NOBODY ? &s->kept[k->elder].younger : &s->eldest) = k->younger;
	*(k->younger != NOBODY ? &s->kept[k->younger].elder : &s->youngest) = k->elder;
}

/* Makes an event the newest of its key. */
static void kept_link(struct pair_stream *s, uint32_t i)
{
	struct kept_event *k = &s->kept[i];
	struct kept_key *key = &s->keys[k->key];

	k->older = key->newest;
	k->newer = NOBODY;
	k->highest = k->order;
	if (k->older != NOBODY) {
		s->kept[k->older].newer = i;
		if (s->kept[k->older].highest > k->highest)
			k->highest = s->kept[k->older].highest;
	}
	key->newest = i;
	age_link(s, i);
}

static void kept_unlink(struct pair_stream *s, uint32_t i)
{
	const struct kept_event *k = &s->kept[i];

	*(k->newer != NOBODY ? &s->kept[k->newer].older : &s->keys[k->key].newest) = k->older;
	if (k->older != NOBODY)
		s->kept[k->older].newer = k->newer;
	age_unlink(s, i);
}

static void kept_remove(struct pair_stream *s, uint32_t i)
{
	struct kept_event *k = &s->kept[i];
	struct paired *p = &s->paired[k->interval];

	kept_unlink(s, i);
	if (s->keys[k->key].newest == NOBODY)
		key_remove(s, k->key);
	if (p->by_values) {
		uint32_t *link = values_head(s, k->interval, k->values);

		while (*link != i)
			link = &s->kept[*link].next;
		*link = k->next;
	}
	if (p->last == i)
		p->last = NOBODY;
	k->younger = s->kept_free;
	s->kept_free = i;
}

static void eldest_forget(struct pair_stream *s)
{
	const struct kept_event *k = &s->kept[s->eldest];
	struct paired *p = &s->paired[k->interval];

	if (!p->forgot || k->order > p->forgot_highest)
		p->forgot_highest = k->order;
	p->forgot = true;
	kept_remove(s, s->eldest);
}

static uint32_t kept_new(struct pair_stream *s)
{
	uint32_t i;

	if (s->kept_free == NOBODY && s->kept_made == pair_stream_most)
		eldest_forget(s);
	i = s->kept_free;
	if (i == NOBODY) {
		s->kept = items_grow(s->kept, s->kept_made, &s->kept_room, sizeof *s->kept);
		return ++s->kept_made;
	}
	s->kept_free = s->kept[i].younger;
	return i;
}

/* ---- events ---- */

static struct operand operand_of(const struct pair_stream *s, const struct paired *p,
				 const struct event *e)
{
	if (p->plan->names)
		return event_operand(s->trace, e);
	return (struct operand){
	    .event = e->type, .record = e->record, .time = e->time, .thread = e->thread};
}

static bool passes(const struct paired *p, enum side side, const struct operand *operands)
{
	return program_empty(p->plan->filter[side]) ||
	       program_holds(p->plan->filter[side], operands) == TRUTH_TRUE;
}

/*
 * Finds the order of an event, so that the later one's is at most that of any earlier one that it
 * can find. Returns false if it can find none, or be found.
 */
static bool order_of(const struct paired *p, enum side side, const struct operand *operands,
		     uint64_t *order)
{
	uint64_t faults = 0;

	*order = 0;
	if (!p->order)
		return true;
	if (!comparison_word(p->order, side, operands, 0, order, &faults))
		return false;
	*order = p->turned ? ~*order : *order;
	return true;
}

static void event_set(struct kept_event *k, const struct event *e)
{
	k->time = e->time;
	k->record = e->record;
	k->thread = e->thread;
}

static void kept_refresh(struct pair_stream *s, uint32_t i, const struct event *e)
{
	event_set(&s->kept[i], e);
	if (i == s->youngest)
		return;
	if (s->kept[i].newer == NOBODY) {
		age_unlink(s, i);
		age_link(s, i);
	} else {
		kept_unlink(s, i);
		kept_link(s, i);
	}
}

/* Adds an event with what it has been found to have in common with others. */
static void kept_add(struct pair_stream *s, uint32_t number, const struct event *e,
		     const uint64_t *words, const uint64_t *values, uint64_t order)
{
	struct paired *p = &s->paired[number];
	uint32_t i = kept_new(s), key = key_find(s, number, words);
	struct kept_event *k = &s->kept[i];

	k->interval = number;
	k->key = key != NOBODY ? key : key_add(s, number, words);
	k->order = order;
	event_set(k, e);
	if (p->by_values) {
		uint32_t *head = values_head(s, number, values);

		memcpy(k->values, values, sizeof k->values);
		k->next = *head;
		*head = i;
		p->last = i;
	}
	kept_link(s, i);
}

static bool same_values(const struct pair_stream *s, const struct paired *p, const uint64_t *values)
{
	const struct kept_event *last = &s->kept[p->last];

	return p->last != NOBODY && last->values[0] == values[0] && last->values[1] == values[1];
}

static void earlier_put(struct pair_stream *s, uint32_t number, const struct event *e)
{
	struct paired *p = &s->paired[number];
	uint64_t words[2] = {0, 0}, values[MOST_VALUES] = {0}, order, faults = 0;
	struct operand operands[2];
	uint32_t key;

	operands[p->early] = operand_of(s, p, e);
	if (p->by_values) {
		end_values_read(&p->values, &operands[p->early], values);
		if (!same_values(s, p, values))
			p->last = values_find(s, number, values);
		if (p->last != NOBODY) {
			kept_refresh(s, p->last, e);
			return;
		}
	}
	if (!passes(p, p->early, operands) || !order_of(p, p->early, operands, &order) ||
	    !row_make_key(p->plan, p->early, operands, 0, words, &faults))
		return;
	key = p->by_key ? key_find(s, number, words) : NOBODY;
	if (key != NOBODY)
		kept_refresh(s, s->keys[key].newest, e);
	else
		kept_add(s, number, e, words, values, order);
}

/* ---- pairs ---- */

static struct event kept_event(const struct paired *p, const struct kept_event *k)
{
	return (struct event){
	    .time = k->time, .type = p->types[p->early], .record = k->record, .thread = k->thread};
}

static bool pair_holds(const struct pair_stream *s, const struct paired *p,
		       const struct kept_event *k, struct operand *operands)
{
	struct event e;

	if (!p->condition)
		return true;
	e = kept_event(p, k);
	operands[p->early] = operand_of(s, p, &e);
	return program_holds(p->condition, operands) == TRUTH_TRUE;
}

static void pair_make(struct pair_stream *s, uint32_t i, const struct event *later)
{
	uint32_t interval = s->kept[i].interval;
	const struct paired *p = &s->paired[interval];
	struct event earlier = kept_event(p, &s->kept[i]);

	if (p->finds != FINDS_NEWEST)
		kept_remove(s, i);
	s->visit(s->context, interval, &earlier, later);
}

/* Finds those that a later event pairs with; those of the key are tested from the newest on. */
static void later_find(struct pair_stream *s, const struct paired *p, uint32_t key,
		       const struct event *e, struct operand *operands, uint64_t order)
{
	uint32_t i = key != NOBODY ? s->keys[key].newest : NOBODY, found = NOBODY, older;
	unsigned tested = 0;

	for (; i != NOBODY && s->kept[i].highest >= order; i = older) {
		older = s->kept[i].older;
		if (tested++ == MOST_TESTED) {
			s->unsure++;
			break;
		}
		if (s->kept[i].order < order || !pair_holds(s, p, &s->kept[i], operands))
			continue;
		found = i;
		if (p->finds == TAKES_ALL)
			pair_make(s, i, e);
		else if (p->finds != TAKES_OLDEST)
			break;
	}
	if (p->forgot && p->forgot_highest >= order && tested <= MOST_TESTED &&
	    (found == NOBODY || p->finds == TAKES_OLDEST || p->finds == TAKES_ALL))
		s->unsure++;
	if (found != NOBODY && p->finds != TAKES_ALL)
		pair_make(s, found, e);
}

static void later_put(struct pair_stream *s, uint32_t number, const struct event *e)
{
	struct paired *p = &s->paired[number];
	uint64_t words[2] = {0, 0}, order, faults = 0;
	struct operand operands[2];

	operands[!p->early] = operand_of(s, p, e);
	if (passes(p, !p->early, operands) && order_of(p, !p->early, operands, &order) &&
	    row_make_key(p->plan, !p->early, operands, 0, words, &faults))
		later_find(s, p, key_find(s, number, words), e, operands, order);
}

void pair_stream_put(struct pair_stream *s, const struct event *e)
{
	const struct act *act = s->acts[e->type->index].at;

	for (size_t i = s->acts[e->type->index].n; i > 0; i--, act++)
		if (act->later)
			later_put(s, act->interval, e);
		else
			earlier_put(s, act->interval, e);
}

/* ---- intervals ---- */

static enum finds finds_of(const struct plan *plan)
{
	if (plan->later)
		return plan->take ? TAKES_OLDEST : TAKES_ALL;
	return plan->take ? TAKES_NEWEST : FINDS_NEWEST;
}

/* Chooses an order whose words need no list of all events. */
static void order_choose(struct paired *p)
{
	for (unsigned i = 0; i < p->plan->norder && !p->order; i++) {
		const struct comparison *c = &p->plan->order[i];

		if (c->kind != COMPARISON_ORDER || c->scale == SCALE_STRING ||
		    c->scale == SCALE_WIDE)
			continue;
		p->order = c;
		p->turned = c->rising == (p->early == SIDE_ANCHOR);
	}
}

static bool keys_load(const struct paired *p)
{
	for (unsigned i = 0; i < p->plan->nequal; i++)
		if (p->plan->equal[i].load[p->early] == LOAD_OTHER)
			return false;
	return true;
}

static void paired_open(struct paired *p, const struct interval *interval)
{
	bool forwards = interval->direction == FORWARDS;

	*p = (struct paired){.interval = interval,
			     .plan = plan_new(interval),
			     .early = forwards ? SIDE_ANCHOR : SIDE_PARTNER,
			     .types = {interval->anchor.event, interval->partner.event}};
	p->finds = finds_of(p->plan);
	if (!plan_is_equality(p->plan)) {
		p->condition = program_new();
		program_add(p->condition, interval->condition);
	}
	order_choose(p);
	if (p->finds != FINDS_NEWEST)
		return;
	/* one table is enough, and better if keys are made at once */
	p->by_values = !(plan_is_equality(p->plan) && keys_load(p)) &&
		       end_values_find(&p->values, interval->condition, p->early);
	p->by_key = !p->by_values && plan_is_equality(p->plan);
}

static void acts_add(struct pair_stream *s, uint32_t number)
{
	const struct paired *p = &s->paired[number];

	/* first the later one: an event does not find itself */
	for (int later = 1; later >= 0; later--) {
		unsigned type = p->types[later ? !p->early : p->early]->index;

		*vector_add(&s->acts[type]) = (struct act){number, later};
		s->wanted[type] = true;
	}
}

struct pair_stream *pair_stream_new(const struct trace *t, const struct interval *const *intervals,
				    unsigned n, pair_visit *visit, void *context)
{
	struct pair_stream *s = array_zero(1, sizeof *s);
	size_t heads = 1;

	*s = (struct pair_stream){.trace = t, .n = n, .visit = visit, .context = context};
	s->paired = array_new(n, sizeof *s->paired);
	s->wanted = array_zero(t->spec->nevents + 1, sizeof *s->wanted);
	s->acts = array_zero(t->spec->nevents + 1, sizeof *s->acts);
	for (unsigned i = 0; i < n; i++) {
		paired_open(&s->paired[i], intervals[i]);
		acts_add(s, i);
	}
	while (heads < pair_stream_most)
		heads *= 2;
	s->mask = heads - 1;
	/* memory only where it is used */
	s->by_values = array_zero(heads, sizeof *s->by_values);
	s->by_key = array_zero(heads, sizeof *s->by_key);
	s->kept = items_grow(NULL, 0, &s->kept_room, sizeof *s->kept);
	s->keys = items_grow(NULL, 0, &s->keys_room, sizeof *s->keys);
	return s;
}

uint64_t pair_stream_unsure(const struct pair_stream *s)
{
	return s->unsure;
}

void pair_stream_free(struct pair_stream *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		plan_free(s->paired[i].plan);
		if (s->paired[i].condition)
			program_free(s->paired[i].condition);
	}
	for (unsigned i = 0; i < s->trace->spec->nevents; i++)
		free(s->acts[i].at);
	free(s->acts);
	free(s->paired);
	free(s->wanted);
	free(s->by_values);
	free(s->by_key);
	spill_free(s->kept);
	spill_free(s->keys);
	free(s);
}

/* ---- a trace ---- */

struct stream_reading {
	struct pair_stream *stream;
	const struct opened *opened;
	struct section_merge *merges; /* by worker */
	struct tickets tickets;
};

static void section_put(const struct stream_reading *r, const struct section *s,
			const struct section_merge *m)
{
	const struct opened *o = r->opened;

	for (size_t i = 0; i < m->n; i++) {
		uint64_t number = m->list[i];
		const unsigned char *record = section_event_record(s, o->logs, number);
		struct event e = {.time = section_time(s, number) - o->trace.origin,
				  .record = record,
				  .thread = s->logs[section_log(s, number)].thread};

		e.type = o->trace.spec->events[section_event_type(s, o->logs, number)];
		pair_stream_put(r->stream, &e);
	}
}

/* Sections are merged at the same time, and put one after the other. */
static void section_pair(void *context, size_t number, unsigned worker)
{
	struct stream_reading *r = context;
	const struct section *s = &r->opened->sections->list[number];

	section_merge_read(&r->merges[worker], &r->opened->trace, s, r->stream->wanted);
	tickets_wait(&r->tickets, number);
	section_put(r, s, &r->merges[worker]);
	progress_step(number, r->opened->sections->count);
	tickets_pass(&r->tickets);
}

void pair_stream_read(struct pair_stream *s, struct trace *t)
{
	const struct sections *sections = trace_sections(t);
	struct stream_reading r = {
	    .stream = s, .opened = opened_of(t), .tickets = TICKETS_INITIALIZER};

	if (!sections)
		array_exhausted();
	r.merges = array_new(parallel_workers(), sizeof *r.merges);
	for (unsigned i = 0; i < parallel_workers(); i++)
		section_merge_begin(&r.merges[i], t);
	parallel_for(sections->count, section_pair, &r);
	for (unsigned i = 0; i < parallel_workers(); i++)
		section_merge_end(&r.merges[i]);
	free(r.merges);
}
