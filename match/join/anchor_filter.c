#include "match/join/anchor_filter.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/spill.h"
#include <stdatomic.h>
#include <stdlib.h>

struct anchor_choice {
	const struct plan *plan;
	const struct moments *moments;
	bool *asked; /* by moment */
	atomic_size_t n;
	atomic_uint_fast64_t faults;
};

static void chunk_choose(void *context, size_t from, size_t to)
{
	struct anchor_choice *c = context;
	struct moment_walk w = moment_walk_begin(c->moments, from, to);
	struct operand operands[2];
	uint64_t faults = 0;
	size_t n = 0;

	for (; w.rank != MOMENT_WALK_OVER; moment_walk_next(&w)) {
		struct event e;
		enum truth truth;

		moment_walk_event(&w, &e);
		if (c->plan->names)
			operands[SIDE_ANCHOR] = event_operand(c->moments->trace, &e);
		else
			operands[SIDE_ANCHOR] =
			    (struct operand){e.type, e.record, e.time, e.thread, NULL, 0};
		truth = program_holds(c->plan->asks, operands);
		faults += truth == TRUTH_FAULT;
		n += c->asked[w.at] = truth == TRUTH_TRUE;
	}
	c->n += n;
	c->faults += faults;
}

static uint32_t *places_of(const struct moments *m, const bool *asked, size_t n)
{
	uint32_t *places = array_new(n, sizeof *places);

	n = 0;
	for (size_t i = 0; i < m->count; i++)
		if (asked[i])
			places[n++] = (uint32_t)moments_place(m, i);
	return places;
}

size_t anchors_choose(struct plan *plan, struct moments *anchors, uint64_t *faults)
{
	struct anchor_choice c = {.plan = plan, .moments = anchors};
	size_t all = anchors->count;

	if (program_empty(plan->asks))
		return 0;
	c.asked = spill_new(all, sizeof *c.asked);
	parallel_chunks(all, chunk_choose, &c);
	if (c.n < all) {
		uint32_t *places = places_of(anchors, c.asked, c.n);

		free(anchors->pick);
		anchors->pick = places;
		anchors->count = c.n;
	}
	spill_free(c.asked);
	*faults += c.faults;
	plan_asked(plan);
	return all - c.n;
}
