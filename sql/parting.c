#include "sql/parting.h"
#include <stdlib.h>
#include <string.h>

/* ---- events and their places ---- */

static struct parting_event *event_add(struct parting *p, const struct event_type *e)
{
	struct parting_event *new;

	for (size_t i = 0; i < p->events.n; i++)
		if (p->events.at[i].event == e)
			return &p->events.at[i];
	new = vector_add(&p->events);
	*new = (struct parting_event){.event = e};
	return new;
}

static struct parting_place *place_add(struct parting_event *e, bool anchor)
{
	struct parting_place *place = vector_add(&e->places);

	*place = (struct parting_place){.anchor = anchor};
	return place;
}

static void place_clear(struct parting_place *place)
{
	for (size_t i = 0; i < place->keys.n; i++)
		free(place->keys.at[i]);
	free(place->keys.at);
}

static void events_clear(struct parting *p)
{
	for (size_t i = 0; i < p->events.n; i++) {
		struct parting_event *e = &p->events.at[i];

		for (size_t k = 0; k < e->places.n; k++)
			place_clear(&e->places.at[k]);
		free(e->places.at);
	}
	p->events.n = 0;
}

void parting_free(struct parting *p)
{
	events_clear(p);
	free(p->events.at);
}

/* ---- an interval between events ---- */

static const struct interval_end *end_of(const struct interval *i, enum side side)
{
	return side == SIDE_ANCHOR ? &i->anchor : &i->partner;
}

static char *key_text(const struct interval *i, const struct conjunct_key *k, enum side side)
{
	struct sql_end ends[2] = {sql_end_of(end_event(&i->anchor)),
				  sql_end_of(end_event(&i->partner))};
	struct sql_scope s = {.dialect = DIALECT_SPARK, .ends = ends};
	char *text = query_key(&s, k, side);

	sql_end_free(&ends[SIDE_ANCHOR]);
	sql_end_free(&ends[SIDE_PARTNER]);
	return text;
}

static bool keys_equal(const struct parting_place *a, const struct parting_place *b)
{
	for (size_t i = 0; i < a->keys.n; i++)
		if (strcmp(a->keys.at[i], b->keys.at[i]) != 0)
			return false;
	return true;
}

/*
 * Adds both sides, with all keys. If the two are of one event and have the same keys, they are one
 * place.
 */
static void sides_add(struct parting *p, const struct conjuncts *c)
{
	for (int side = 0; side < 2; side++) {
		struct parting_event *e = event_add(p, end_event(end_of(p->interval, side)));
		struct parting_place *place = place_add(e, side == SIDE_ANCHOR);

		for (size_t k = 0; k < c->keys.n; k++) {
			*vector_add(&place->keys) = key_text(p->interval, &c->keys.at[k], side);
			e->asks_thread |= expr_asks_thread(c->keys.at[k].value[side]);
		}
		if (e->places.n == 2 && p->by == PARTING_BY_KEYS &&
		    keys_equal(&e->places.at[0], &e->places.at[1]))
			place_clear(&e->places.at[--e->places.n]);
	}
}

/* ---- an interval over intervals: one key that all of them have ---- */

static bool key_follow(struct parting *p, const struct interval *i, const struct conjunct_key *k);

static bool end_follow(struct parting *p, const struct interval_end *end, const char *text)
{
	struct conjuncts c;
	bool found = false;

	if (!end->interval)
		return true;
	c = conjuncts_of(end->interval);
	for (size_t k = 0; k < c.keys.n && !found; k++) {
		char *own = key_text(end->interval, &c.keys.at[k],
				     interval_side(end->interval, end->moment));

		found = strcmp(own, text) == 0 && key_follow(p, end->interval, &c.keys.at[k]);
		free(own);
	}
	conjuncts_free(&c);
	return found;
}

/*
 * Gives the events at both ends of an interval the key, and those of the intervals there. False: an
 * event has another one.
 */
static bool key_follow(struct parting *p, const struct interval *i, const struct conjunct_key *k)
{
	bool good = true;

	for (int side = 0; side < 2 && good; side++) {
		struct parting_event *e = event_add(p, end_event(end_of(i, side)));
		char *text = key_text(i, k, side);

		if (!e->places.n) {
			struct parting_place *place = place_add(e, true);

			*vector_add(&place->keys) = text_format("%s", text);
		}
		e->asks_thread |= expr_asks_thread(k->value[side]);
		good = strcmp(e->places.at[0].keys.at[0], text) == 0 &&
		       end_follow(p, end_of(i, side), text);
		free(text);
	}
	return good;
}

static bool key_find(struct parting *p, const struct conjuncts *c)
{
	for (size_t k = 0; k < c->keys.n; k++) {
		if (key_follow(p, p->interval, &c->keys.at[k]))
			return true;
		events_clear(p);
	}
	return false;
}

static void all_add(struct parting *p, const struct interval *i)
{
	for (int side = 0; side < 2; side++) {
		const struct interval_end *end = end_of(i, side);
		struct parting_event *e = event_add(p, end_event(end));

		if (!e->places.n)
			place_add(e, true);
		if (end->interval)
			all_add(p, end->interval);
	}
}

/* ---- all ---- */

static bool asks_owner(const struct interval *i)
{
	bool asks = expr_has(i->condition, EXPR_OWNER);

	for (unsigned k = 0; k < i->nmetrics; k++)
		asks |= expr_has(i->metrics[k].value, EXPR_OWNER);
	for (int side = 0; side < 2; side++)
		asks |= end_of(i, side)->interval && asks_owner(end_of(i, side)->interval);
	return asks;
}

struct parting parting_of(const struct interval *i)
{
	struct parting p = {.interval = i, .by = PARTING_BY_NOTHING, .asks_owner = asks_owner(i)};
	bool flat = !i->anchor.interval && !i->partner.interval;
	struct conjuncts c = conjuncts_of(i);

	if (flat && c.keys.n) {
		p.by = PARTING_BY_KEYS;
		sides_add(&p, &c);
	} else if (flat && c.bound.is_bounded && !i->once && !i->nested) {
		p.by = PARTING_BY_TIME;
		p.reach = c.bound.most > 0 ? c.bound.most : 0;
		sides_add(&p, &c);
	} else if (!flat && key_find(&p, &c)) {
		p.by = PARTING_BY_KEYS;
	} else {
		all_add(&p, i);
	}
	conjuncts_free(&c);
	return p;
}
