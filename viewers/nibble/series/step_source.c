#include "viewers/nibble/series/step_source.h"

#include "base/array.h"
#include "base/parallel.h"
#include "viewers/nibble/sample/collect.h"
#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/source.h"

#include <math.h>
#include <stdlib.h>

/* Times by the piece that they are in. */
struct times {
	double *at;
	size_t *first; /* of each piece, and the end */
	size_t before; /* how many stand before the range */
};

struct step_source {
	const struct window_tally *tally; /* NULL: the rises are in samples */
	struct windows pieces;
	struct samples samples;
	struct times rises, falls;
	double *start; /* the value at the beginning of each piece */
};

/* How many pieces one nanosecond is. */
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

/* Times that are in order. */
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

/* Each processor parts some of the times: first it counts those of each piece, then it puts them
 * there. */
struct parting {
	const double *at;
	size_t n;
	const struct windows *pieces;
	size_t **places; /* of each part: how many of each piece; then where its next one goes */
	size_t *before;	 /* of each part */
	double *to;	 /* NULL: they are counted */
};

enum { PARTS = 16 };

static void part_times(void *context, size_t part, unsigned worker)
{
	const struct parting *p = context;
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

/* From how many there are in each piece and part to where the first of them goes. */
static size_t *places_find(struct parting *p)
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
	struct parting p = {at, n, g, places, before, NULL};
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

	c->samples.has_end = kind == FUNCTION_OPEN;
	samples_collect(v, &n->source,
		kind == FUNCTION_OPEN	 ? NEED_ALL
		: kind == FUNCTION_COUNT ? NEED_COUNT
					 : NEED_UNMATCHED,
		&c->samples);
	c->rises = times_in_order(c->samples.at, c->samples.n, &c->pieces);
	if (kind == FUNCTION_OPEN)
		c->falls = times_by_piece(c->samples.end, c->samples.n, &c->pieces);
}

struct step_source *step_source_new(struct evaluation *v, const struct node *n)
{
	struct step_source *c = array_zero(1, sizeof *c);

	c->tally = tally_find(v, n);
	c->pieces = windows_even(v->range, STEP_PIECES);
	if (!c->tally)
		collect_steps(c, v, n);
	starts_find(c, c->tally ? (double)tally_before(c->tally)
				: (double)c->samples.before + (double)c->rises.before -
				      (double)c->falls.before);
	source_check(v, n, c->tally ? tally_count(c->tally) > 0 : c->rises.first[c->pieces.n] > 0);
	return c;
}

void step_source_free(struct step_source *c)
{
	free(c->start);
	free(c->rises.first);
	free(c->falls.at);
	free(c->falls.first);
	samples_clear(&c->samples);
	windows_free(&c->pieces);
	free(c);
}

double step_source_start(const struct step_source *c, size_t piece)
{
	return c->start[piece];
}

size_t step_source_count(const struct step_source *c, size_t piece)
{
	return rises_in(c, piece) + falls_in(c, piece);
}

double step_source_base(const struct step_source *c, size_t piece)
{
	return floor(c->pieces.edges[piece]);
}

static uint64_t *write_times(const double *times, size_t n, double base, unsigned source,
			     bool falls, uint64_t *steps)
{
	for (size_t i = 0; i < n; i++)
		*steps++ = step_pack_time(times[i] - base, source, falls);
	return steps;
}

void step_source_write(const struct step_source *c, size_t piece, unsigned source, uint64_t *steps)
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
