#include "viewers/nibble/series/bottle.h"
#include "base/array.h"
#include "base/sort.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Starts or ends, each a word: the time since the range began, above the member. */
struct moments_of_members {
	uint64_t *words, most;
};

struct bottle {
	struct limits range;
	size_t members, n;
	struct moments_of_members starts, ends;
	unsigned bits; /* of the member */
	double unit;   /* nanoseconds in a word's unit of time: 1, unless the run takes weeks */
};

static unsigned bits_for(size_t n)
{
	unsigned bits = 0;

	while (n >> bits)
		bits++;
	return bits;
}

struct bottle *bottle_new(size_t members, size_t room, struct limits r)
{
	struct bottle *b = array_zero(1, sizeof *b);

	*b = (struct bottle){.range = r, .members = members, .bits = bits_for(members), .unit = 1};
	while ((r.to - r.from) / b->unit >= ldexp(1, 63 - (int)b->bits))
		b->unit *= 2;
	b->starts.words = array_new(room + 1, sizeof *b->starts.words);
	b->ends.words = array_new(room + 1, sizeof *b->ends.words);
	return b;
}

static void moment_put(struct moments_of_members *m, size_t i, uint64_t word)
{
	m->words[i] = word;
	m->most = word > m->most ? word : m->most;
}

void bottle_add(struct bottle *b, size_t member, double from, double to)
{
	from = (from < b->range.from ? b->range.from : from) - b->range.from;
	to = (to > b->range.to ? b->range.to : to) - b->range.from;
	if (!(from < to))
		return;
	moment_put(&b->starts, b->n, (uint64_t)(from / b->unit) << b->bits | member);
	moment_put(&b->ends, b->n++, (uint64_t)(to / b->unit) << b->bits | member);
}

/* A member as the sweep goes on: what it had when its number last changed. */
struct standing {
	double open, portion, time;
};

static void bottle_sweep(const struct bottle *b, struct standing *standing,
			 struct bottle_box *boxes)
{
	/* what a member would have had that was always open */
	double portion = 0, last = 0, open = 0;

	for (size_t started = 0, ended = 0; ended < b->n;) {
		bool starts = started < b->n && b->starts.words[started] >> b->bits <=
						    b->ends.words[ended] >> b->bits;
		uint64_t word = starts ? b->starts.words[started++] : b->ends.words[ended++];
		size_t member = word & (((uint64_t)1 << b->bits) - 1);
		double time = (double)(word >> b->bits) * b->unit;
		double change = starts ? 1 : -1;
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

void bottle_fill(struct bottle *b, struct bottle_box *boxes)
{
	struct standing *standing = array_zero(b->members + 1, sizeof *standing);
	uint64_t *spare = array_new(b->n + 1, sizeof *spare);

	for (size_t i = 0; i < b->members; i++)
		boxes[i] = (struct bottle_box){0, 0};
	/* by time alone: what happens at one moment has no length */
	sort_bits(b->starts.words, b->n, b->bits, b->starts.most, spare);
	sort_bits(b->ends.words, b->n, b->bits, b->ends.most, spare);
	free(spare);
	bottle_sweep(b, standing, boxes);
	free(standing);
	free(b->starts.words);
	free(b->ends.words);
	free(b);
}
