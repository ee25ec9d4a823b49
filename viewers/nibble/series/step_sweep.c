#include "viewers/nibble/series/step_sweep.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "viewers/nibble/sample/collect.h"
#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/combine.h"
#include "viewers/nibble/series/distribution.h"
#include "viewers/nibble/series/source.h"
#include "viewers/nibble/series/step_extremes.h"
#include "viewers/nibble/series/tallied.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the steps of one source ---- */

/* Times by their pieces. */
struct times {
	double *at;
	size_t *first; /* of each piece, and the end */
	size_t before; /* how many stand before the range */
};

struct step_source {
	const struct window_tally *tally; /* NULL: the rises are in samples */
	struct windows pieces;
	struct value_samples samples;
	struct times rises, falls;
	double *start; /* the value at the beginning of each piece */
};

/* Returns how many pieces one nanosecond is. */
static double density_of(const struct windows *g)
{
	double length = g->edges[g->n] - g->edges[0];

	return length > 0 ? (double)g->n / length : 0;
}

static size_t piece_of(const struct windows *g, double density, double time)
{
	double guess = (time - g->edges[0]) * density;
	size_t piece = guess < (double)g->n ? (size_t)guess : g->n - 1;

	while (piece > 0 && time < g->edges[piece])
		piece--;
	while (piece + 1 < g->n && time >= g->edges[piece + 1])
		piece++;
	return piece;
}

/* Finds the pieces of times in order. */
static struct times times_in_order(double *at, size_t n, const struct windows *g)
{
	struct times t = {.at = at, .first = array_zero(g->n + 1, sizeof *t.first)};
	size_t i = 0;

	while (i < n && at[i] < g->edges[0])
		i++;
	t.before = i;
	t.at = at + i;
	for (size_t piece = 0; piece < g->n; piece++) {
		bool last = piece + 1 == g->n;

		while (i < n && (at[i] < g->edges[piece + 1] || (last && at[i] == g->edges[g->n])))
			i++;
		t.first[piece + 1] = i - t.before;
	}
	return t;
}

/*
 * Each worker sorts some of the times into pieces: first it counts those of each piece, then it
 * places them.
 */
struct time_partition {
	const double *at;
	size_t n;
	const struct windows *pieces;
	size_t **places; /* of each part: how many of each piece; then where its next one goes */
	size_t *before;  /* of each part */
	double *to;      /* NULL: they are counted */
};

enum { PARTS = 16 };

static void part_times(void *context, size_t part, unsigned worker)
{
	const struct time_partition *p = context;
	const struct windows *g = p->pieces;
	size_t from = p->n * part / PARTS, to = p->n * (part + 1) / PARTS;
	size_t *places = p->places[part];
	double density = density_of(g);

	(void)worker;
	for (size_t i = from; i < to; i++) {
		double time = p->at[i];

		if (time < g->edges[0])
			p->before[part] += !p->to;
		else if (time <= g->edges[g->n] && p->to)
			p->to[places[piece_of(g, density, time)]++] = time;
		else if (time <= g->edges[g->n])
			places[piece_of(g, density, time)]++;
	}
}

/* Turns the counts of each piece and part into the places of their first times. */
static size_t *places_find(struct time_partition *p)
{
	size_t *first = array_zero(p->pieces->n + 1, sizeof *first), place = 0;

	for (size_t piece = 0; piece < p->pieces->n; piece++) {
		first[piece] = place;
		for (size_t part = 0; part < PARTS; part++) {
			size_t count = p->places[part][piece];

			p->places[part][piece] = place;
			place += count;
		}
	}
	first[p->pieces->n] = place;
	return first;
}

static struct times times_by_piece(const double *at, size_t n, const struct windows *g)
{
	size_t *places[PARTS], before[PARTS] = {0};
	struct time_partition p = {at, n, g, places, before, NULL};
	struct times t = {.before = 0};

	for (size_t i = 0; i < PARTS; i++)
		places[i] = array_zero(g->n, sizeof *places[i]);
	parallel_for(PARTS, part_times, &p);
	t.first = places_find(&p);
	t.at = p.to = array_zero(t.first[g->n], sizeof *t.at);
	parallel_for(PARTS, part_times, &p);
	for (size_t i = 0; i < PARTS; i++) {
		t.before += before[i];
		free(places[i]);
	}
	return t;
}

static size_t rises_in(const struct step_source *c, size_t piece)
{
	if (c->tally)
		return tally_window_count(c->tally, piece);
	return c->rises.first[piece + 1] - c->rises.first[piece];
}

static size_t falls_in(const struct step_source *c, size_t piece)
{
	return c->falls.first ? c->falls.first[piece + 1] - c->falls.first[piece] : 0;
}

static void starts_find(struct step_source *c, double value)
{
	c->start = array_zero(c->pieces.n + 1, sizeof *c->start);
	for (size_t i = 0; i <= c->pieces.n; i++) {
		c->start[i] = value;
		if (i < c->pieces.n)
			value += (double)rises_in(c, i) - (double)falls_in(c, i);
	}
}

static void collect_steps(struct step_source *c, struct evaluation *v, const struct node *n)
{
	enum function_kind kind = n->function->kind;

	c->samples.has_end = kind == FUNCTION_OPEN || kind == FUNCTION_PARALLEL;
	c->samples.has_thread = kind == FUNCTION_PARALLEL;
	samples_collect(v, &n->source,
			c->samples.has_end       ? NEED_ALL
			: kind == FUNCTION_COUNT ? NEED_COUNT
						 : NEED_UNMATCHED,
			&c->samples);
	if (c->samples.has_thread)
		samples_unite(&c->samples, v->trace->nthreads);
	c->rises = times_in_order(c->samples.at, c->samples.n, &c->pieces);
	if (c->samples.has_end)
		c->falls = times_by_piece(c->samples.end, c->samples.n, &c->pieces);
}

static struct step_source *step_source_new(struct evaluation *v, const struct node *n)
{
	struct step_source *c = array_zero(1, sizeof *c);

	c->tally = tally_find(v, n);
	c->pieces = windows_even(v->range, STEP_PIECES);
	if (!c->tally)
		collect_steps(c, v, n);
	starts_find(c, c->tally ? (double)tally_before(c->tally)
				: (double)c->samples.before + (double)c->rises.before -
				      (double)c->falls.before);
	source_check_any(v, n,
			 c->tally ? tally_count(c->tally) > 0 : c->rises.first[c->pieces.n] > 0);
	return c;
}

static void step_source_free(struct step_source *c)
{
	free(c->start);
	free(c->rises.first);
	free(c->falls.at);
	free(c->falls.first);
	samples_clear(&c->samples);
	windows_free(&c->pieces);
	free(c);
}

static double step_source_start(const struct step_source *c, size_t piece)
{
	return c->start[piece];
}

static size_t step_source_count(const struct step_source *c, size_t piece)
{
	return rises_in(c, piece) + falls_in(c, piece);
}

static double step_source_base(const struct step_source *c, size_t piece)
{
	return floor(c->pieces.edges[piece]);
}

static uint64_t *write_times(const double *times, size_t n, double base, unsigned source,
			     bool falls, uint64_t *steps)
{
	for (size_t i = 0; i < n; i++)
		*steps++ = step_pack((uint64_t)(times[i] - base), source, falls);
	return steps;
}

static void step_source_write(const struct step_source *c, size_t piece, unsigned source,
			      uint64_t *steps)
{
	double base = step_source_base(c, piece);
	size_t n = falls_in(c, piece);

	if (c->tally)
		tally_steps(c->tally, piece, source, steps);
	else
		steps = write_times(c->rises.at + c->rises.first[piece], rises_in(c, piece), base,
				    source, false, steps);
	if (n > 0)
		write_times(c->falls.at + c->falls.first[piece], n, base, source, true, steps);
}

/* ---- which expressions ---- */

/* Returns how many steps a curve may have, at most; 0: it has no steps. */
static uint64_t step_sweep_steps_of(const struct evaluation *v, const struct node *n)
{
	const struct expr_subject *s = &n->source.subject;

	if (n->source.per != PER_NOTHING)
		return 0;
	switch (n->function->kind) {
	case FUNCTION_OPEN:
		if (s->has_value)
			return 0;
		/* fall through */
	case FUNCTION_COUNT:
	case FUNCTION_PARALLEL:
	case FUNCTION_UNMATCHED:
		return evaluation_events(v, s->event ? s->event : end_event(&s->interval->anchor));
	default:
		return 0;
	}
}

struct reckoning {
	uint64_t steps;
	unsigned sources;
};

/* Adds up the steps of all sources. Returns false if the expression has other parts. */
static bool is_of_steps(const struct evaluation *v, const struct node *n, struct reckoning *r)
{
	uint64_t own;

	switch (n->kind) {
	case NODE_CONSTANT:
		return true;
	case NODE_SOURCE:
		own = step_sweep_steps_of(v, n);
		r->steps += own;
		r->sources++;
		return own > 0;
	case NODE_NEGATE:
		return is_of_steps(v, n->left, r);
	case NODE_TRANSFORM:
		return false;
	default:
		return is_of_steps(v, n->left, r) && is_of_steps(v, n->right, r);
	}
}

/* A count of events alone needs only the ends of each window: KEEP_ENDS. */
static bool is_plain_count(const struct node *n)
{
	return n->kind == NODE_SOURCE && n->function->kind == FUNCTION_COUNT &&
	       n->source.subject.event;
}

bool step_sweep_counts(const struct evaluation *v, const struct node *n)
{
	struct reckoning r = {0};

	return is_of_steps(v, n, &r) && r.sources > 0 && r.sources <= STEP_SOURCES &&
	       r.steps >= tally_least;
}

bool step_sweep_fits(const struct evaluation *v, const struct node *n)
{
	return v->drawing && !v->canvas.log_x && !is_plain_count(n) && step_sweep_counts(v, n);
}

/* ---- the sweep ---- */

/* A worker's memory for the steps of a piece and for sorting them. */
struct room {
	_Alignas(64) uint64_t *steps;
	uint64_t *spare;
	size_t size;
};

struct step_sweep {
	const struct node *node;
	/* of each source, in the order in which the expression names them */
	struct step_source **sources;
	size_t n;
	bool adds;                        /* the sources are only added and subtracted: */
	double changes[2 * STEP_SOURCES]; /* what each one's rise adds, and its fall */
	struct drawn_steps *drawn;        /* of each piece */
	struct room *rooms;               /* of each worker */
};

/*
 * Returns the value of the expression from the values of its sources. next: the first source that
 * was not used.
 */
static double step_sweep_value_of(const struct node *n, const double *values, size_t *next)
{
	double left, right;

	switch (n->kind) {
	case NODE_CONSTANT:
		return n->number;
	case NODE_SOURCE:
		return values[(*next)++];
	case NODE_NEGATE:
		return -step_sweep_value_of(n->left, values, next);
	default:
		left = step_sweep_value_of(n->left, values, next);
		right = step_sweep_value_of(n->right, values, next);
		return operation_apply(n->op, left, right);
	}
}

static void step_sweep_room_make(struct room *r, size_t n)
{
	if (n <= r->size)
		return;
	r->size = n + n / 2;
	free(r->steps);
	free(r->spare);
	r->steps = array_zero(r->size, sizeof *r->steps);
	r->spare = array_zero(r->size, sizeof *r->spare);
}

static struct room *rooms_new(void)
{
	size_t size = parallel_workers() * sizeof(struct room);
	struct room *rooms = aligned_alloc(_Alignof(struct room), size);

	if (!rooms)
		array_exhausted();
	return memset(rooms, 0, size);
}

static void rooms_free(struct room *rooms)
{
	for (unsigned i = 0; i < parallel_workers(); i++) {
		free(rooms[i].steps);
		free(rooms[i].spare);
	}
	free(rooms);
}

/* Gathers the steps of all sources in a piece, in order, in the worker's memory. */
static size_t steps_gather(const struct step_sweep *l, size_t piece, struct room *r)
{
	size_t n = 0;
	uint64_t most = 0;

	for (size_t i = 0; i < l->n; i++)
		n += step_source_count(l->sources[i], piece);
	step_sweep_room_make(r, n);
	n = 0;
	for (size_t i = 0; i < l->n; i++) {
		step_source_write(l->sources[i], piece, (unsigned)i, r->steps + n);
		n += step_source_count(l->sources[i], piece);
	}
	for (size_t i = 0; i < n; i++)
		most = r->steps[i] > most ? r->steps[i] : most;
	sort_bits(r->steps, n, STEP_BITS, most, r->spare);
	return n;
}

/* The greatest constant by which sums of counts stay exact. */
#define MOST_CONSTANT 0x1p50

/*
 * Finds what a step of each source adds to an expression that only adds and subtracts whole
 * numbers. Returns false if the expression is another one.
 */
static bool changes_find(const struct node *n, double sign, double *changes, size_t *next)
{
	switch (n->kind) {
	case NODE_CONSTANT:
		return n->number == floor(n->number) && fabs(n->number) <= MOST_CONSTANT;
	case NODE_SOURCE:
		changes[2 * *next] = sign;
		changes[2 * (*next)++ + 1] = -sign;
		return true;
	case NODE_NEGATE:
		return changes_find(n->left, -sign, changes, next);
	default:
		return (n->op == OPERATION_ADD || n->op == OPERATION_SUB) &&
		       changes_find(n->left, sign, changes, next) &&
		       changes_find(n->right, n->op == OPERATION_SUB ? -sign : sign, changes, next);
	}
}

static bool is_last_at_its_time(const uint64_t *steps, size_t n, size_t i)
{
	return i + 1 == n || steps[i + 1] >> STEP_BITS != steps[i] >> STEP_BITS;
}

static struct step_extremes sums_sweep(const struct step_sweep *l, const uint64_t *steps, size_t n,
				       double base, double y)
{
	struct step_extremes e = {.any = false};

	for (size_t i = 0; i < n; i++) {
		y += l->changes[steps[i] & (2 * STEP_SOURCES - 1)];
		if (is_last_at_its_time(steps, n, i))
			step_extremes_take(
			    &e, (struct step_vertex){base + (double)(steps[i] >> STEP_BITS), y});
	}
	return e;
}

static struct step_extremes values_sweep(const struct step_sweep *l, const uint64_t *steps,
					 size_t n, double base, double *values)
{
	struct step_extremes e = {.any = false};

	for (size_t i = 0; i < n; i++) {
		size_t next = 0;

		values[steps[i] >> 1 & (STEP_SOURCES - 1)] += steps[i] & 1 ? -1 : 1;
		if (is_last_at_its_time(steps, n, i))
			step_extremes_take(
			    &e, (struct step_vertex){base + (double)(steps[i] >> STEP_BITS),
						     step_sweep_value_of(l->node, values, &next)});
	}
	return e;
}

static void piece_sweep(void *context, size_t piece, unsigned worker)
{
	const struct step_sweep *l = context;
	struct room *r = &l->rooms[worker];
	size_t n = steps_gather(l, piece, r), next = 0;
	double values[l->n], base = step_source_base(l->sources[0], piece);
	struct step_extremes e;

	for (size_t i = 0; i < l->n; i++)
		values[i] = step_source_start(l->sources[i], piece);
	if (l->adds)
		e = sums_sweep(l, r->steps, n, base, step_sweep_value_of(l->node, values, &next));
	else
		e = values_sweep(l, r->steps, n, base, values);
	l->drawn[piece] = step_extremes_drawn(&e);
}

static double value_before(const struct step_sweep *l)
{
	double values[l->n + 1];
	size_t next = 0;

	for (size_t i = 0; i < l->n; i++)
		values[i] = step_source_start(l->sources[i], 0);
	return step_sweep_value_of(l->node, values, &next);
}

/* ---- all of it ---- */

/* Returns the curve without its steps: what it measures, and what it is called. */
static struct curve *hollow(const struct node *n)
{
	struct curve *left, *right, *s;

	if (n->kind == NODE_CONSTANT)
		return curve_constant(n->number, n->dimension);
	if (n->kind == NODE_SOURCE) {
		s = curve_new(SHAPE_STEPS, n->dimension);
		curve_set_string(&s->quantity, source_quantity(n));
		return s;
	}
	left = hollow(n->left);
	right = n->right ? hollow(n->right) : NULL;
	s = right ? curve_combine(n->op, left, right) : curve_negate(left);
	curve_free(left);
	curve_free(right);
	return s;
}

static void sources_add(struct step_sweep *l, struct evaluation *v, const struct node *n)
{
	if (n->kind == NODE_SOURCE) {
		l->sources = array_grow(l->sources, l->n, sizeof(struct step_source *));
		l->sources[l->n++] = step_source_new(v, n);
		return;
	}
	if (n->left)
		sources_add(l, v, n->left);
	if (n->right)
		sources_add(l, v, n->right);
}

static void sweep_begin(struct step_sweep *l, struct evaluation *v)
{
	size_t next = 0;

	sources_add(l, v, l->node);
	l->adds = changes_find(l->node, 1, l->changes, &next);
	l->rooms = rooms_new();
}

static void sweep_end(struct step_sweep *l)
{
	for (size_t i = 0; i < l->n; i++)
		step_source_free(l->sources[i]);
	free(l->sources);
	rooms_free(l->rooms);
}

struct curve *step_sweep_drawn(struct evaluation *v, const struct node *n)
{
	struct step_sweep l = {.node = n};
	struct curve *s = hollow(n);

	sweep_begin(&l, v);
	l.drawn = array_zero(STEP_PIECES, sizeof *l.drawn);
	parallel_for(STEP_PIECES, piece_sweep, &l);
	s->before = value_before(&l);
	s->end = v->range.to;
	for (size_t i = 0; i < STEP_PIECES; i++)
		drawn_steps_append(s, &l.drawn[i]);
	sweep_end(&l);
	free(l.drawn);
	return s;
}

/* ---- for how long which values ---- */

/* The values that one worker met, and for how long. */
struct level_list {
	_Alignas(64) VECTOR(struct curve_level) levels;
	struct hash_table places;
	size_t newest;
};

struct level_sweep {
	struct step_sweep sweep;
	struct level_list *lists; /* of each worker */
};

static void level_add(struct level_list *l, double value, double time)
{
	struct hash_slot *slot;
	uint64_t word;

	if (time <= 0 || isnan(value))
		return;
	if (l->newest < l->levels.n && l->levels.at[l->newest].value == value) {
		l->levels.at[l->newest].time += time;
		return;
	}
	value += 0.0; /* both zeros are one */
	memcpy(&word, &value, sizeof word);
	slot = hash_table_slot(&l->places, hash_mix(word), word);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)l->levels.n;
		*vector_add(&l->levels) = (struct curve_level){value, 0};
	}
	l->newest = slot->head;
	l->levels.at[l->newest].time += time;
}

static void piece_count(void *context, size_t piece, unsigned worker)
{
	const struct level_sweep *c = context;
	const struct step_sweep *l = &c->sweep;
	struct room *r = &l->rooms[worker];
	size_t n = steps_gather(l, piece, r), next = 0;
	const double *edges = l->sources[0]->pieces.edges;
	double values[l->n], base = step_source_base(l->sources[0], piece), x = edges[piece], y;

	for (size_t i = 0; i < l->n; i++)
		values[i] = step_source_start(l->sources[i], piece);
	y = step_sweep_value_of(l->node, values, &next);
	for (size_t i = 0; i < n; i++) {
		double time = base + (double)(r->steps[i] >> STEP_BITS);

		level_add(&c->lists[worker], y, time - x);
		x = fmax(time, x);
		next = 0;
		values[r->steps[i] >> 1 & (STEP_SOURCES - 1)] += r->steps[i] & 1 ? -1 : 1;
		if (l->adds)
			y += l->changes[r->steps[i] & (2 * STEP_SOURCES - 1)];
		else if (is_last_at_its_time(r->steps, n, i))
			y = step_sweep_value_of(l->node, values, &next);
	}
	level_add(&c->lists[worker], y, edges[piece + 1] - x);
}

/* Adds up the lists of all workers. Pieces begin between nanoseconds, steps do not. */
static void levels_settle(struct level_list *lists)
{
	for (unsigned i = 1; i < parallel_workers(); i++) {
		for (size_t k = 0; k < lists[i].levels.n; k++)
			level_add(&lists[0], lists[i].levels.at[k].value,
				  lists[i].levels.at[k].time);
		free(lists[i].levels.at);
		hash_table_free(&lists[i].places);
	}
	for (size_t k = 0; k < lists[0].levels.n; k++)
		lists[0].levels.at[k].time = rint(lists[0].levels.at[k].time);
}

struct curve *step_sweep_histogram(struct evaluation *v, const struct node *n, unsigned bins)
{
	size_t size = parallel_workers() * sizeof(struct level_list);
	struct level_sweep c = {.sweep = {.node = n}};
	struct curve *names = hollow(n), *h;

	c.lists = aligned_alloc(_Alignof(struct level_list), size);
	if (!c.lists)
		array_exhausted();
	memset(c.lists, 0, size);
	sweep_begin(&c.sweep, v);
	parallel_for(STEP_PIECES, piece_count, &c);
	sweep_end(&c.sweep);
	levels_settle(c.lists);
	h = histogram_of_levels(names, c.lists[0].levels.at, c.lists[0].levels.n, bins,
				v->canvas.log_x);
	free(c.lists[0].levels.at);
	hash_table_free(&c.lists[0].places);
	free(c.lists);
	curve_free(names);
	return h;
}
