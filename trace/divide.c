#include "trace/divide.h"
#include "trace/large.h"
#include <stdlib.h>
#include <string.h>

enum { FEW = 16 }; /* so many candidates are not divided any more */

/* A stretch of the ops, and how many of them are candidates. */
struct list {
	size_t begin, n, candidates;
};

/* Which part of a list is taken when it is cut: the questions that the upper half meets, with that
 * half; or what goes on with either half. */
enum portion { MET, UPPER, LOWER };

/* The candidates of a part so far, by the second comparison. */
struct seen {
	uint32_t top; /* the greatest word; where another is wanted: the first one */
	bool several; /* not all the same */
};

static void see(struct seen *s, uint32_t word)
{
	s->several |= s->top != 0 && s->top != word;
	s->top = word > s->top ? word : s->top;
}

static bool seen_meets(const struct seen *s, uint32_t word, bool other)
{
	return other ? s->several || (s->top != 0 && s->top != word) : s->top >= word;
}

static void make_room(struct divide *d, size_t used, size_t n)
{
	struct op *ops = large_new(2 * n, sizeof *ops);

	memcpy(ops, d->ops, used * sizeof *ops);
	large_free(d->ops);
	d->ops = ops;
	d->room = 2 * n;
}

static struct list list_after(struct divide *d, const struct list *l)
{
	struct list next = {.begin = l->begin + l->n};

	if (next.begin + l->n > d->room)
		make_room(d, next.begin, next.begin + l->n);
	return next;
}

/*
 * The candidates on one side of the middle, and the questions for which there is one of them. What
 * comes next in the list cannot be foreseen: where it can, the code computes and does not branch.
 */
static inline struct list half_of(struct divide *d, const struct list *all, uint32_t middle,
				  bool right, bool other)
{
	struct list half = list_after(d, all);
	const struct op *op = d->ops + all->begin, *end = op + all->n;
	struct op *to = d->ops + half.begin;
	struct seen seen = {0, false};

	for (; op < end; op++) {
		bool asks = op->question != NO_QUESTION, left = op->place < middle;
		bool here =
		    asks ? seen_meets(&seen, op->word, other) & (left | right) : left != right;

		*to = *op;
		if (asks & here) {
			to->place = (right & left) ? middle : op->place;
			here = d->best[op->question] > to->place;
		}
		see(&seen, (here & !asks) ? op->word : seen.top);
		half.candidates += here & !asks;
		to += here;
	}
	half.n = (size_t)(to - (d->ops + half.begin));
	return half;
}

static struct list portion_of(struct divide *d, const struct list *all, uint32_t cut,
			      enum portion which)
{
	struct list part = list_after(d, all);
	const struct op *op = d->ops + all->begin, *end = op + all->n;
	struct op *to = d->ops + part.begin;

	for (; op < end; op++) {
		bool asks = op->question != NO_QUESTION;
		bool here = asks ? (op->cut > cut) == (which == UPPER) && part.candidates
				 : (op->cut >= cut) == (which != LOWER);

		*to = *op;
		if (asks & here)
			here = d->best[op->question] > op->place;
		part.candidates += here & !asks;
		to += here;
	}
	part.n = (size_t)(to - (d->ops + part.begin));
	return part;
}

/* ---- few candidates ---- */

struct few {
	uint32_t place[FEW], word[FEW];
	unsigned n;
};

static void few_add(struct few *f, const struct op *op)
{
	unsigned i = f->n++;

	for (; i > 0 && f->place[i - 1] > op->place; i--) {
		f->place[i] = f->place[i - 1];
		f->word[i] = f->word[i - 1];
	}
	f->place[i] = op->place;
	f->word[i] = op->word;
}

static bool cuts_met(const struct divide *d, unsigned ncuts, uint32_t place, uint32_t question)
{
	const uint32_t *candidate = d->candidates + place * (size_t)d->ncuts;
	const uint32_t *asked = d->questions + question * (size_t)d->ncuts;

	for (unsigned i = 0; i < ncuts; i++)
		if (candidate[i] < asked[i])
			return false;
	return true;
}

static void few_ask(const struct divide *d, const struct few *f, const struct op *op,
		    unsigned ncuts)
{
	uint32_t *best = &d->best[op->question];

	for (unsigned i = 0; i < f->n && f->place[i] < *best; i++)
		if (f->place[i] >= op->place &&
		    (d->other ? f->word[i] != op->word : f->word[i] >= op->word) &&
		    cuts_met(d, ncuts, f->place[i], op->question) &&
		    d->test(d->context, op->question, f->place[i]))
			*best = f->place[i];
}

static void list_try(struct divide *d, const struct list *l, unsigned ncuts)
{
	struct few few = {.n = 0};

	for (const struct op *op = d->ops + l->begin, *end = op + l->n; op < end; op++) {
		if (op->question == NO_QUESTION)
			few_add(&few, op);
		else
			few_ask(d, &few, op, ncuts);
	}
}

/* ---- many ---- */

/* The middle between the least and the greatest place of the candidates; above the least. */
static uint32_t middle_of(const struct divide *d, const struct list *l)
{
	uint32_t low = UINT32_MAX, high = 0;

	for (const struct op *op = d->ops + l->begin, *end = op + l->n; op < end; op++) {
		bool asks = op->question != NO_QUESTION;

		low = (!asks & (op->place < low)) ? op->place : low;
		high = (!asks & (op->place > high)) ? op->place : high;
	}
	return low + (high - low) / 2 + 1;
}

/* From left to right: who has found something has no need of what comes later. */
static void solve_places(struct divide *d, const struct list *l)
{
	uint32_t middle;

	d->visited += l->n;
	if (l->candidates == l->n)
		return;
	if (l->candidates <= FEW) {
		list_try(d, l, 0);
		return;
	}
	middle = middle_of(d, l);
	for (int right = 0; right < 2; right++) {
		struct list half = d->other ? half_of(d, l, middle, right, true)
					    : half_of(d, l, middle, right, false);

		solve_places(d, &half);
	}
}

/* Puts the ranks by a cut into the list. */
static void list_load(struct divide *d, const struct list *l, unsigned cut)
{
	for (struct op *op = d->ops + l->begin, *end = op + l->n; op < end; op++)
		op->cut = op->question == NO_QUESTION
			      ? d->candidates[op->place * (size_t)d->ncuts + cut]
			      : d->questions[op->question * (size_t)d->ncuts + cut];
}

static void solve_columns(struct divide *d, const struct list *l, unsigned ncuts);

/* The candidates' ranks by the cut are from low to high. */
static void solve_cut(struct divide *d, const struct list *l, unsigned ncuts, uint32_t low,
		      uint32_t high)
{
	uint32_t cut = low + (high - low) / 2 + 1;

	d->visited += l->n;
	if (l->candidates == l->n)
		return;
	if (l->candidates <= FEW) {
		list_try(d, l, ncuts);
		return;
	}
	for (enum portion which = MET; which <= LOWER; which++) {
		struct list part = portion_of(d, l, cut, which);

		if (which == MET)
			solve_columns(d, &part, ncuts - 1);
		else
			solve_cut(d, &part, ncuts, which == UPPER ? cut : low,
				  which == UPPER ? high : cut - 1);
	}
}

static void solve_columns(struct divide *d, const struct list *l, unsigned ncuts)
{
	if (ncuts == 0) {
		solve_places(d, l);
		return;
	}
	list_load(d, l, ncuts - 1);
	solve_cut(d, l, ncuts, 1, d->most);
}

struct op *divide_begin(struct divide *d, size_t n)
{
	d->room = 3 * n;
	d->ops = large_new(d->room, sizeof *d->ops);
	return d->ops;
}

void divide_solve(struct divide *d, size_t n)
{
	struct list all = {.n = n};

	for (size_t i = 0; i < n; i++)
		all.candidates += d->ops[i].question == NO_QUESTION;
	d->most = (uint32_t)all.candidates;
	solve_columns(d, &all, d->ncuts);
}

void divide_end(struct divide *d)
{
	large_free(d->ops);
	d->ops = NULL;
}
