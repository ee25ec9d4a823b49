#include "recorder/merge/delays.h"
#include "base/array.h"
#include "recorder/share.h"
#include <stdlib.h>

#define CAUSE_EARLY 20000 /* ns from an event to the wake-up of which it tells */

static bool is_caused(const struct cause_wait *w)
{
	return w->from != INT64_MIN;
}

static int64_t ready_of(const struct cause_wait *w)
{
	return w->ran - w->readied;
}

/* Returns for how long a wait may be ready longer; or shorter, if that is asked. */
static int64_t room_of(const struct cause_wait *w, bool longer)
{
	return longer ? w->readied - w->blocked : ready_of(w);
}

/*
 * Lets the waits with a cause, or the others, be ready longer by `sum` ns altogether (negative:
 * shorter), in equal parts as far as each has room. Returns how much is left.
 */
static int64_t change(struct cause_wait *at, size_t n, bool caused, int64_t sum)
{
	int64_t *rooms = array_new(n + 1, sizeof *rooms), share, rest = llabs(sum);
	bool longer = sum > 0;
	size_t some = 0;

	for (size_t i = 0; i < n; i++)
		if (is_caused(&at[i]) == caused)
			rooms[some++] = room_of(&at[i], longer);
	share = share_equally(rooms, some, rest);
	free(rooms);
	/* The second time each gets one of the ns that are left of the division. */
	for (int pass = 0; pass < 2; pass++, share = 1)
		for (size_t i = 0; i < n && rest; i++) {
			int64_t room = room_of(&at[i], longer), by = room < share ? room : share;

			if (is_caused(&at[i]) != caused)
				continue;
			at[i].readied -= longer ? by : -by;
			rest -= by;
		}
	return longer ? rest : -rest;
}

static void group_settle(struct cause_wait *at, size_t n)
{
	int64_t sum = 0, left;

	for (size_t i = 0; i < n; i++)
		sum += ready_of(&at[i]);
	left = sum;
	for (size_t i = 0; i < n; i++) {
		struct cause_wait *w = &at[i];

		if (is_caused(w) && w->ran - w->from > sum + CAUSE_EARLY)
			w->from = INT64_MIN;
		w->readied = is_caused(w) ? w->from : w->ran;
		left -= ready_of(w);
	}
	if (left > 0)
		left = change(at, n, false, left);
	change(at, n, true, left);
}

void delays_settle(struct causes *c)
{
	size_t n;

	for (size_t i = 0; i < c->n; i += n) {
		struct cause_wait *w = &c->at[i];

		for (n = 1; w->group && i + n < c->n && w[n].group == w->group; n++)
			;
		if (w->group)
			group_settle(w, n);
		else if (is_caused(w))
			w->readied = w->from;
	}
}
