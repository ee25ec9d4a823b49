/*
 * Buckets in which equal keys alone decide: one pass, with the newest candidate of each key, or a
 * stack or queue of those that are open.
 */
#include "match/join/search.h"

bool chain_can(const struct plan *plan)
{
	return plan->exact && plan->norder == 0 && program_empty(plan->rest);
}

/* A bucket, and how it is gone through. */
struct chain {
	const struct search *search;
	const uint64_t *rows;
	struct scratch *scratch;
};

static const uint64_t *chain_row(const struct chain *c, uint32_t i)
{
	return c->rows + i * (size_t)c->search->rows->width;
}

/* By the numbers of their rows. */
static void chain_pair(const struct chain *c, uint32_t candidate, uint32_t query)
{
	if (c->search->partner_of)
		search_pair(c->search, row_place(chain_row(c, candidate)),
			    row_place(chain_row(c, query)));
	else
		c->scratch->mate[query] = candidate;
}

/* The last earlier candidate; with the stream read from its end, the first later one. */
static void chain_newest(const struct chain *c, struct slot *slot, uint32_t i)
{
	if (!row_is_query(chain_row(c, i)))
		slot->head = i;
	else if (slot->head != TABLE_NOTHING)
		chain_pair(c, slot->head, i);
}

/* The last earlier candidate that is not taken: the top of a stack. */
static void chain_stack(const struct chain *c, struct slot *slot, uint32_t i)
{
	uint32_t *link = c->scratch->link;

	if (!row_is_query(chain_row(c, i))) {
		link[i] = slot->head;
		slot->head = i;
	} else if (slot->head != TABLE_NOTHING) {
		chain_pair(c, slot->head, i);
		slot->head = link[slot->head];
	}
}

/* The first later candidate that is not taken: each goes to the query that has waited longest. */
static void chain_queue(const struct chain *c, struct slot *slot, uint32_t i)
{
	uint32_t *link = c->scratch->link;

	if (row_is_query(chain_row(c, i))) {
		link[i] = TABLE_NOTHING;
		if (slot->head == TABLE_NOTHING)
			slot->head = i;
		else
			link[slot->tail] = i;
		slot->tail = i;
	} else if (slot->head != TABLE_NOTHING) {
		chain_pair(c, i, slot->head);
		slot->head = link[slot->head];
	}
}

void chain_bucket(const struct search *s, const uint64_t *rows, size_t n, struct scratch *scratch)
{
	const struct plan *plan = s->plan;
	const struct chain chain = {s, rows, scratch};
	bool backwards = plan->later && !plan->take;

	table_reset(&scratch->table);
	if (plan->take)
		scratch->link =
		    large_room(scratch->link, &scratch->room_link, n, sizeof *scratch->link);
	for (size_t k = 0; k < n; k++) {
		uint32_t i = (uint32_t)(backwards ? n - 1 - k : k);
		const uint64_t *row = chain_row(&chain, i);
		struct slot *slot =
		    table_slot(&scratch->table, row_key(s->rows, row), row_key_rest(s->rows, row));

		if (!plan->take)
			chain_newest(&chain, slot, i);
		else if (plan->later)
			chain_queue(&chain, slot, i);
		else
			chain_stack(&chain, slot, i);
	}
}
