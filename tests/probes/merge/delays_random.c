/*
 * Random groups of waits, some with causes, settled by delays_settle(), against rules that are counted
 * out wait by wait: the sum of being ready stays, what is shared out is equal up to where it has room,
 * and causes that the sum makes impossible do not count.
 * tested: oracles with random cases, rounds groups of waits: how waits share a run delay, and a
 * count wait by wait.
 */
#include "base/array.h"
#include "recorder/merge/delays.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 12
#define IMPOSSIBLE 20000 /* ns that a wait may be ready by its cause longer than the whole group */

static struct random r;

static int64_t ready_of(const struct cause_wait *w)
{
	return w->ran - w->readied;
}

/* Appends a group (or waits of none, if it is 0). */
static void group_make(struct causes *c, uint32_t group, size_t n, int64_t *now)
{
	int64_t part = random_below(&r, 50000);
	uint32_t caused = random_below(&r, 3) * 50;

	for (size_t i = 0; i < n; i++) {
		int64_t blocked = *now + random_below(&r, 1000);
		int64_t span = random_below(&r, random_chance(&r, 20) ? 200000 : 20000);
		struct cause_wait *w;

		*now = blocked + span;
		causes_ask(c, 7, blocked, *now - (group ? (part < span ? part : span) : 0), *now);
		w = &c->at[c->n - 1];
		w->group = group;
		if (random_chance(&r, caused))
			w->from = *now - random_below(&r, (uint32_t)span + 1);
	}
}

/* Moves ns one by one: always to (or from) those with the least change so far that have room. */
static void plain_change(int64_t ready[], const struct cause_wait *w, size_t n, const bool may[],
			 int64_t sum)
{
	int64_t by = sum > 0 ? 1 : -1;
	bool moved = true;

	while (sum && moved) {
		moved = false;
		for (size_t i = 0; i < n && sum; i++) {
			int64_t room = by > 0 ? w[i].ran - w[i].blocked - ready[i] : ready[i];

			if (!may[i] || room <= 0)
				continue;
			ready[i] += by;
			sum -= by;
			moved = true;
		}
	}
}

static void plain_settle(int64_t ready[], const struct cause_wait *w, size_t n)
{
	int64_t sum = 0, left;
	bool caused[MOST], others[MOST];

	for (size_t i = 0; i < n; i++)
		sum += ready_of(&w[i]);
	left = sum;
	for (size_t i = 0; i < n; i++) {
		caused[i] = w[i].from != INT64_MIN && w[i].ran - w[i].from <= sum + IMPOSSIBLE;
		others[i] = !caused[i];
		ready[i] = caused[i] ? w[i].ran - w[i].from : 0;
		left -= ready[i];
	}
	for (int pass = 0; pass < 2; pass++) {
		int64_t before = 0, after = 0;

		if (pass == 0 && left < 0)
			continue;
		for (size_t i = 0; i < n; i++)
			before += ready[i];
		plain_change(ready, w, n, pass ? caused : others, left);
		for (size_t i = 0; i < n; i++)
			after += ready[i];
		left -= after - before;
	}
}

static bool group_is_right(const struct cause_wait *was, const struct cause_wait *is, size_t n)
{
	int64_t plain[MOST], before = 0, after = 0;

	plain_settle(plain, was, n);
	for (size_t i = 0; i < n; i++) {
		before += ready_of(&was[i]);
		after += ready_of(&is[i]);
		if (is[i].readied < is[i].blocked || is[i].readied > is[i].ran)
			return false;
		if (llabs(ready_of(&is[i]) - plain[i]) > 1)
			return false;
	}
	return before == after;
}

static bool alone_is_right(const struct cause_wait *was, const struct cause_wait *is)
{
	return is->readied == (was->from == INT64_MIN ? was->readied : was->from) &&
	       is->from == was->from;
}

static bool all_is_right(const struct cause_wait *was, const struct causes *c)
{
	size_t n;

	for (size_t i = 0; i < c->n; i += n) {
		for (n = 1; was[i].group && i + n < c->n && was[i + n].group == was[i].group; n++)
			;
		if (was[i].group ? !group_is_right(&was[i], &c->at[i], n)
				 : !alone_is_right(&was[i], &c->at[i]))
			return false;
	}
	return true;
}

static bool round_try(void)
{
	struct causes c = {.n = 0};
	struct cause_wait *was;
	int64_t now = 1000;
	bool right;

	for (uint32_t group = 1; group < 6; group++) {
		if (random_chance(&r, 30))
			group_make(&c, 0, 1 + random_below(&r, 3), &now);
		group_make(&c, group, 1 + random_below(&r, MOST), &now);
	}
	was = array_new(c.n, sizeof *was);
	memcpy(was, c.at, c.n * sizeof *was);
	delays_settle(&c);
	right = all_is_right(was, &c);
	free(was);
	causes_free(&c);
	return right;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, rounds = argc > 1 ? 1 : 300;

	for (uint64_t i = seed; i < seed + rounds; i++) {
		r = (struct random){i};
		if (round_try())
			continue;
		printf("not ok 1 - run delays that waits share: seed %" PRIu64 "\n1..1\n", i);
		return 1;
	}
	printf("ok 1 - run delays that waits share are as if counted ns by ns: seeds %" PRIu64
	       " to %" PRIu64 "\n1..1\n",
	       seed, seed + rounds - 1);
	return 0;
}
