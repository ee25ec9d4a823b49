/* The definition of an interval's instances, in quadratic time: what the engine is measured by. */
#include "base/array.h"
#include "match/join/match.h"
#include "match/plan/plan.h"
#include <stdlib.h>

static bool pair_holds(struct matches *m, size_t anchor, size_t partner)
{
	struct binding b = {
	    .side = {moments_operand(&m->anchors, anchor), moments_operand(&m->partners, partner)}};

	m->tested++;
	return expr_holds(m->interval->condition, &b, &m->faults);
}

/* Whether all holds that the condition says of the anchor alone. */
static bool is_asked(const struct expr *e, const struct binding *b, uint64_t *faults)
{
	if (e->op == EXPR_AND)
		return is_asked(e->left, b, faults) && is_asked(e->right, b, faults);
	return !conjunct_asks(e) || expr_holds(e, b, faults);
}

/* Takes the moments out that are no anchors. */
static void select_anchors(const struct interval *interval, struct moments *m, uint64_t *faults)
{
	uint32_t *pick = array_new(m->count, sizeof *pick);
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++) {
		struct binding b = {.side = {moments_operand(m, i)}};

		if (is_asked(interval->condition, &b, faults))
			pick[n++] = (uint32_t)moments_place(m, i);
	}
	free(m->pick);
	m->pick = pick;
	m->count = n;
}

/* Each anchor takes the nearest partner, in its direction, with which the condition holds. */
static void search_partners(struct matches *m)
{
	bool *taken = array_zero(m->partners.count, sizeof *taken);
	bool forwards = m->interval->direction == FORWARDS;

	for (size_t a = 0; a < m->count; a++) {
		for (size_t k = 0; k < m->partners.count && m->partner_of[a] == UNMATCHED; k++) {
			size_t p = forwards ? k : m->partners.count - 1 - k;
			event_rank rank = moments_rank(&m->partners, p),
				   own = moments_rank(&m->anchors, a);

			if ((forwards ? rank > own : rank < own) &&
			    !(m->interval->once && taken[p]) && pair_holds(m, a, p)) {
				m->partner_of[a] = (uint32_t)p;
				taken[p] = true;
			}
		}
	}
	free(taken);
}

/* Each partner closes the latest open anchor with which the condition holds. */
static void search_nested(struct matches *m)
{
	for (size_t p = 0; p < m->partners.count; p++) {
		size_t a = moments_from(&m->anchors, moments_rank(&m->partners, p));

		while (a-- > 0)
			if (m->partner_of[a] == UNMATCHED && pair_holds(m, a, p)) {
				m->partner_of[a] = (uint32_t)p;
				break;
			}
	}
}

struct matches *oracle_moments(const struct interval *interval, struct moments anchors,
			       struct moments partners)
{
	size_t all = anchors.count;
	uint64_t faults = 0;
	struct matches *m;

	select_anchors(interval, &anchors, &faults);
	m = matches_new(interval, anchors, partners);
	m->not_asked = all - anchors.count;
	m->faults = faults;
	if (interval->nested)
		search_nested(m);
	else
		search_partners(m);
	matches_count(m);
	return m;
}
