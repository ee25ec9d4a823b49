#include "recorder/merge/sampled_states.h"
#include "recorder/share.h"
#include <stdbool.h>
#include <stdlib.h>

/* So many periods before one are searched for room at most. */
#define BEFORE_MOST 16

/* A part of a period: in a wait, or between waits. */
struct part {
	int64_t from, to;
	bool wait;
	bool begins, ends; /* the wait, in the period */
	int64_t woken;     /* of its time, since another thread let it go on */
	int64_t early;     /* of its ready time, before it was blocked */
	int64_t sums[SAMPLED_STATES];
};

struct period_parts {
	VECTOR(struct part) all;
	VECTOR(size_t) longest; /* those between waits, the longest first */
	VECTOR(int64_t) spans;
	int64_t waits; /* their time */
};

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t length(const struct part *p)
{
	return p->to - p->from;
}

/* ---- time that was counted late ---- */

/* Returns how much of the period is in waits; *next: the first that may be in it; is moved on. */
static int64_t waits_within(const struct sampled_period *p, const struct sampled_wait *waits,
			    size_t nwaits, size_t *next)
{
	int64_t sum = 0;

	while (*next < nwaits && waits[*next].to <= p->from)
		++*next;
	for (size_t i = *next; i < nwaits && waits[i].from < p->to; i++)
		sum +=
		    least(waits[i].to, p->to) - (waits[i].from > p->from ? waits[i].from : p->from);
	return sum;
}

/* Moves time in a state, but no more than was blocked before. Returns what is left. */
static int64_t time_move(struct sampled_period *to, struct sampled_period *from,
			 enum sampled_state state, int64_t time, int64_t room)
{
	int64_t moved = least(time, least(room, to->sums[SAMPLED_BLOCKED]));

	if (moved <= 0)
		return time;
	to->sums[state] += moved;
	to->sums[SAMPLED_BLOCKED] -= moved;
	from->sums[state] -= moved;
	return time - moved;
}

/* Run time that does not fit between the waits is of the periods shortly before. */
static void run_time_settle(struct sampled_period *periods, size_t i, const int64_t *free_times)
{
	struct sampled_period *p = &periods[i];
	int64_t over = p->sums[SAMPLED_RUNS] - free_times[i], sum;

	over = least(over, SAMPLED_LATE);
	for (size_t k = i; over > 0 && k-- > 0 && periods[k].to >= p->from - 2 * SAMPLED_LATE;)
		over = time_move(&periods[k], p, SAMPLED_RUNS, over,
				 free_times[k] - periods[k].sums[SAMPLED_RUNS]);
	p->sums[SAMPLED_RUNS] = least(p->sums[SAMPLED_RUNS], p->to - p->from);
	/* What a wait for a processor has too much began before the period. */
	sum = p->sums[SAMPLED_RUNS] + p->sums[SAMPLED_READY] - (p->to - p->from);
	for (size_t k = i; sum > 0 && k-- > 0 && i - k <= BEFORE_MOST;)
		sum = time_move(&periods[k], p, SAMPLED_READY, sum, sum);
	p->sums[SAMPLED_READY] =
	    least(p->sums[SAMPLED_READY], p->to - p->from - p->sums[SAMPLED_RUNS]);
	p->sums[SAMPLED_BLOCKED] = p->to - p->from - p->sums[SAMPLED_RUNS] - p->sums[SAMPLED_READY];
}

static void sums_settle(struct sampled_period *periods, size_t n, const struct sampled_wait *waits,
			size_t nwaits)
{
	int64_t *free_times = array_new(n + 1, sizeof *free_times);
	size_t next = 0;

	for (size_t i = 0; i < n; i++)
		free_times[i] = periods[i].to - periods[i].from -
				waits_within(&periods[i], waits, nwaits, &next);
	for (size_t i = n; i-- > 0;)
		run_time_settle(periods, i, free_times);
	free(free_times);
}

/* ---- the parts of a period ---- */

/* wait: NULL: it is between waits. */
static void part_add(struct period_parts *p, int64_t from, int64_t to,
		     const struct sampled_wait *wait)
{
	struct part *part;

	if (from >= to)
		return;
	*vector_add(&p->all) = (struct part){.from = from, .to = to, .wait = wait};
	if (!wait) {
		*vector_add(&p->longest) = p->all.n - 1;
		return;
	}
	p->waits += to - from;
	part = &p->all.at[p->all.n - 1];
	part->begins = wait->from == from;
	part->ends = wait->to == to;
	part->woken = wait->caused > from ? wait->caused < to ? to - wait->caused : 0 : to - from;
}

static const struct part *sorted;

static int longest_order(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	if (length(&sorted[x]) != length(&sorted[y]))
		return length(&sorted[x]) > length(&sorted[y]) ? -1 : 1;
	return (x > y) - (x < y);
}

static void parts_find(struct period_parts *p, const struct sampled_period *period,
		       const struct sampled_wait *waits, size_t nwaits, size_t *next)
{
	int64_t at = period->from;

	p->all.n = p->longest.n = 0;
	p->waits = 0;
	while (*next < nwaits && waits[*next].to <= period->from)
		++*next;
	for (size_t i = *next; i < nwaits && waits[i].from < period->to; i++) {
		int64_t from = waits[i].from > at ? waits[i].from : at;

		part_add(p, at, from, NULL);
		at = least(waits[i].to, period->to);
		part_add(p, from, at, &waits[i]);
	}
	part_add(p, at, period->to, NULL);
	sorted = p->all.at;
	if (p->longest.n > 1)
		qsort(p->longest.at, p->longest.n, sizeof *p->longest.at, longest_order);
}

/* ---- rule 1 and 2: waits ---- */

/* A thread runs where a wait begins or ends, and waits for a processor where it ends. */
static bool is_usual(const struct part *w, enum sampled_state state)
{
	return w->ends || (state == SAMPLED_RUNS && w->begins);
}

/* How time in a state is given to waits. */
struct share_rule {
	enum sampled_state state;
	bool usual; /* to those in which the state is usual, or to the others */
	bool early; /* ready: also before another thread let the thread go on */
};

static bool takes(const struct part *w, const struct share_rule *rule)
{
	return w->wait && is_usual(w, rule->state) == rule->usual;
}

static int64_t room_of(const struct part *w, const struct share_rule *rule)
{
	int64_t blocked = w->sums[SAMPLED_BLOCKED];

	if (rule->state != SAMPLED_READY || rule->early)
		return blocked;
	return least(blocked, w->woken - w->sums[SAMPLED_READY]);
}

/* Gives waits equal parts of a time, as far as they have room; returns what is left. */
static int64_t waits_share(struct period_parts *p, struct share_rule rule, int64_t time)
{
	int64_t share;

	p->spans.n = 0;
	for (size_t i = 0; i < p->all.n; i++)
		if (takes(&p->all.at[i], &rule))
			*vector_add(&p->spans) = room_of(&p->all.at[i], &rule);
	share = share_equally(p->spans.at, p->spans.n, time);
	/* what division leaves goes to the first ones that have room */
	for (size_t turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < p->all.n && time > 0; i++) {
			struct part *w = &p->all.at[i];
			int64_t most = turn ? time : least(share, time), given;

			if (!takes(w, &rule))
				continue;
			given = least(most, room_of(w, &rule));
			w->sums[rule.state] += given;
			w->sums[SAMPLED_BLOCKED] -= given;
			w->early += rule.early ? given : 0;
			time -= given;
		}
	return time;
}

/* A wait that goes on has no end here, but for what the ends have no room. */
static void ready_share(struct period_parts *p, int64_t time)
{
	for (int early = 0; early < 2; early++)
		for (int usual = 1; usual >= 0; usual--)
			time =
			    waits_share(p, (struct share_rule){SAMPLED_READY, usual, early}, time);
}

static void runs_share(struct period_parts *p, int64_t time)
{
	for (int usual = 1; usual >= 0; usual--)
		time = waits_share(p, (struct share_rule){SAMPLED_RUNS, usual, false}, time);
}

/* Takes from the sums what is in waits. */
static void waits_fill(struct period_parts *p, int64_t sums[SAMPLED_STATES])
{
	int64_t blocked = least(sums[SAMPLED_BLOCKED], p->waits);
	int64_t ready = least(sums[SAMPLED_READY], p->waits - blocked);
	int64_t runs = p->waits - blocked - ready;

	for (size_t i = 0; i < p->all.n; i++)
		if (p->all.at[i].wait)
			p->all.at[i].sums[SAMPLED_BLOCKED] = length(&p->all.at[i]);
	ready_share(p, ready);
	runs_share(p, runs);
	sums[SAMPLED_BLOCKED] -= blocked;
	sums[SAMPLED_READY] -= ready;
	sums[SAMPLED_RUNS] -= runs;
}

/* ---- rule 3: between waits ---- */

static void rest_fill(struct period_parts *p, int64_t sums[SAMPLED_STATES])
{
	for (size_t i = 0; i < p->longest.n; i++) {
		struct part *x = &p->all.at[p->longest.at[i]];
		int64_t room = length(x);

		for (int state = SAMPLED_BLOCKED; state > SAMPLED_RUNS; state--) {
			x->sums[state] = least(sums[state], room);
			sums[state] -= x->sums[state];
			room -= x->sums[state];
		}
		x->sums[SAMPLED_RUNS] = room;
	}
}

/* ---- all ---- */

static void stretch_add(sampled_stretches *states, size_t first, int64_t from, int64_t to,
			enum sampled_state state)
{
	struct sampled_stretch *last = states->n > first ? &states->at[states->n - 1] : NULL;

	if (from >= to)
		return;
	if (last && last->state == state && last->to == from)
		last->to = to;
	else
		*vector_add(states) = (struct sampled_stretch){from, to, state};
}

/* Returns how long the thread runs before it is blocked; the rest of its running is at the end. */
static int64_t runs_first(const struct part *p, int64_t ready)
{
	int64_t runs = p->sums[SAMPLED_RUNS];

	if (!p->wait)
		return runs / 2;
	return p->ends && !p->begins ? runs - least(runs, p->woken - ready) : runs;
}

static void part_write(sampled_stretches *states, size_t first, const struct part *p)
{
	int64_t ready = p->sums[SAMPLED_READY] - p->early;
	int64_t at = p->from + runs_first(p, ready);

	stretch_add(states, first, p->from, at, SAMPLED_RUNS);
	stretch_add(states, first, at, at + p->early, SAMPLED_READY);
	at += p->early;
	stretch_add(states, first, at, at + p->sums[SAMPLED_BLOCKED], SAMPLED_BLOCKED);
	at += p->sums[SAMPLED_BLOCKED];
	stretch_add(states, first, at, at + ready, SAMPLED_READY);
	stretch_add(states, first, at + ready, p->to, SAMPLED_RUNS);
}

/* Between these times the thread is blocked in its waits alone; *next is moved on. */
static void blocked_add(sampled_stretches *states, size_t first, int64_t from, int64_t to,
			const struct sampled_wait *waits, size_t nwaits, size_t *next)
{
	while (*next < nwaits && waits[*next].to <= from)
		++*next;
	for (size_t i = *next; i < nwaits && waits[i].from < to; i++)
		stretch_add(states, first, waits[i].from > from ? waits[i].from : from,
			    least(waits[i].to, to), SAMPLED_BLOCKED);
}

void sampled_states_make(sampled_stretches *states, struct sampled_period *periods, size_t n,
			 const struct sampled_wait *waits, size_t nwaits)
{
	struct period_parts parts = {.waits = 0};
	size_t first = states->n, next = 0;
	int64_t at = INT64_MIN;

	sums_settle(periods, n, waits, nwaits);
	for (size_t i = 0; i < n; i++) {
		int64_t sums[SAMPLED_STATES];

		for (int k = 0; k < SAMPLED_STATES; k++)
			sums[k] = periods[i].sums[k];
		blocked_add(states, first, at, periods[i].from, waits, nwaits, &next);
		at = periods[i].to;
		parts_find(&parts, &periods[i], waits, nwaits, &next);
		waits_fill(&parts, sums);
		rest_fill(&parts, sums);
		for (size_t k = 0; k < parts.all.n; k++)
			part_write(states, first, &parts.all.at[k]);
	}
	blocked_add(states, first, at, INT64_MAX, waits, nwaits, &next);
	free(parts.all.at);
	free(parts.longest.at);
	free(parts.spans.at);
}

void sampled_states_doubt(sampled_stretches *states, size_t first, int64_t since,
			  const struct sampled_wait *waits, size_t nwaits)
{
	sampled_stretches all = {NULL};
	size_t next = 0;

	for (size_t i = first; i < states->n; i++)
		*vector_add(&all) = states->at[i];
	states->n = first;
	for (size_t i = 0; i < all.n; i++) {
		const struct sampled_stretch *s = &all.at[i];

		if (s->state != SAMPLED_BLOCKED || s->to <= since) {
			*vector_add(states) = *s;
			continue;
		}
		stretch_add(states, first, s->from, since, SAMPLED_BLOCKED);
		blocked_add(states, first, s->from > since ? s->from : since, s->to, waits, nwaits,
			    &next);
	}
	free(all.at);
}
