/*
 * Buckets in which equal keys alone decide: one pass, with the newest candidate of each key, or a
 * stack or queue of those that are open.
 */
#include "trace/search.h"

bool chain_can(const struct plan *plan)
{
	return plan->exact && plan->norder == 0 && program_empty(plan->rest);
}

/* The last earlier candidate; with the stream read from its end, the first later one. */
static void chain_newest(const struct search *s, const uint64_t *row, struct slot *slot, uint32_t i,
			 const uint64_t *rows)
{
	if (!row_is_query(row))
		slot->head = i;
	else if (slot->head != TABLE_NOTHING)
		search_pair(s, row_place(rows + slot->head * (size_t)s->rows->width),
			    row_place(row));
}

/* The last earlier candidate that is not taken: the top of a stack. */
static void chain_stack(const struct search *s, const uint64_t *row, struct slot *slot, uint32_t i,
			const uint64_t *rows, uint32_t *link)
{
	if (!row_is_query(row)) {
		link[i] = slot->head;
		slot->head = i;
	} else if (slot->head != TABLE_NOTHING) {
		search_pair(s, row_place(rows + slot->head * (size_t)s->rows->width),
			    row_place(row));
		slot->head = link[slot->head];
	}
}

/* The first later candidate that is not taken: each goes to the query that has waited longest. */
static void chain_queue(const struct search *s, const uint64_t *row, struct slot *slot, uint32_t i,
			const uint64_t *rows, uint32_t *link)
{
	if (row_is_query(row)) {
		link[i] = TABLE_NOTHING;
		if (slot->head == TABLE_NOTHING)
			slot->head = i;
		else
			link[slot->tail] = i;
		slot->tail = i;
	} else if (slot->head != TABLE_NOTHING) {
		search_pair(s, row_place(row),
			    row_place(rows + slot->head * (size_t)s->rows->width));
		slot->head = link[slot->head];
	}
}

void chain_bucket(const struct search *s, const uint64_t *rows, size_t n, struct scratch *scratch)
{
	const struct plan *plan = s->plan;
	bool backwards = plan->later && !plan->take;
	unsigned width = s->rows->width;

	table_reset(&scratch->table);
	if (plan->take)
		scratch->link =
		    large_room(scratch->link, &scratch->room_link, n, sizeof *scratch->link);
	for (size_t k = 0; k < n; k++) {
		uint32_t i = (uint32_t)(backwards ? n - 1 - k : k);
		const uint64_t *row = rows + i * (size_t)width;
		struct slot *slot = table_slot(&scratch->table, row_key(s->rows, row),
						row_key_rest(s->rows, row));

		if (!plan->take)
			chain_newest(s, row, slot, i, rows);
		else if (plan->later)
			chain_queue(s, row, slot, i, rows, scratch->link);
		else
			chain_stack(s, row, slot, i, rows, scratch->link);
	}
}
