#include "viewers/nibble/series/bottle.h"
#include "base/array.h"
#include "base/sort.h"
#include <math.h>
#include <stdlib.h>

/*
 * Starts and ends, each a word that rises with its time: the time since the range began, the
 * member, and whether it is an end.
 */
struct ends {
	uint64_t *words, most;
	size_t n;
	unsigned bits; /* of the member and the last one */
	double unit;   /* nanoseconds in a word's unit of time: 1, unless the run takes weeks */
};

static unsigned bits_for(size_t n)
{
	unsigned bits = 0;

	while (n >> bits)
		bits++;
	return bits;
}

static void ends_add(struct ends *e, double since, size_t member, bool end)
{
	uint64_t word = (uint64_t)(since / e->unit) << e->bits | member << 1 | end;

	e->words[e->n++] = word;
	e->most = word > e->most ? word : e->most;
}

static struct ends ends_of(const struct value_samples *members, size_t n, struct limits r)
{
	struct ends e = {.bits = bits_for(n) + 1, .unit = 1};
	size_t room = 0;

	while ((r.to - r.from) / e.unit >= ldexp(1, 63 - (int)e.bits))
		e.unit *= 2;
	for (size_t i = 0; i < n; i++)
		room += 2 * members[i].n;
	e.words = array_new(room + 1, sizeof *e.words);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < members[i].n; k++) {
			double from = fmax(members[i].at[k], r.from);
			double to = fmin(members[i].end[k], r.to);

			if (from < to) {
				ends_add(&e, from - r.from, i, false);
				ends_add(&e, to - r.from, i, true);
			}
		}
	return e;
}

/* A member as the sweep goes on: what it had when its number last changed. */
struct standing {
	double open, portion, time;
};

static void ends_sweep(const struct ends *e, struct standing *standing, struct bottle_box *boxes)
{
	/* what a member would have had that was always open */
	double portion = 0, last = 0, open = 0;

	for (size_t i = 0; i < e->n; i++) {
		size_t member = (e->words[i] & (((uint64_t)1 << e->bits) - 1)) >> 1;
		double time = (double)(e->words[i] >> e->bits) * e->unit;
		double change = e->words[i] & 1 ? -1 : 1;
		struct standing *s = &standing[member];

		if (open > 0)
			portion += (time - last) / open;
		last = time;
		boxes[member].share += s->open * (portion - s->portion);
		boxes[member].area += s->open * (time - s->time);
		*s = (struct standing){s->open + change, portion, time};
		open += change;
	}
}

void bottle_fill(const struct value_samples *members, size_t n, struct limits r,
		 struct bottle_box *boxes)
{
	struct ends e = ends_of(members, n, r);
	struct standing *standing = array_zero(n + 1, sizeof *standing);
	uint64_t *spare = array_new(e.n + 1, sizeof *spare);

	for (size_t i = 0; i < n; i++)
		boxes[i] = (struct bottle_box){0, 0};
	/* by time alone: what happens at one moment has no length */
	sort_bits(e.words, e.n, e.bits, e.most, spare);
	free(spare);
	ends_sweep(&e, standing, boxes);
	free(standing);
	free(e.words);
}
