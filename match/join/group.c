/* Buckets, group by group, with an index over the candidates of each. */
#include "match/comparisons/kd_answer.h"
#include "match/join/pieces.h"
#include <string.h>

void scratch_clear(struct scratch *s)
{
	hash_table_free(&s->table);
	index_drop(&s->index);
	spill_free(s->rows);
	spill_free(s->group);
	spill_free(s->order);
	spill_free(s->begin);
	spill_free(s->candidates);
}

static void list_candidates(struct group *g)
{
	struct scratch *scratch = g->scratch;
	uint64_t room[ROW_WORDS];
	size_t n = 0;

	scratch->candidates = spill_reserve(scratch->candidates, &scratch->room_candidates,
					    g->ncandidates, sizeof *scratch->candidates);
	for (size_t i = 0; i < g->n; i++)
		if (!group_is_query(g, i))
			scratch->candidates[n++] = (uint32_t)row_place(group_row(g, i, room));
}

void group_make_index(const struct group *g)
{
	struct index *x = &g->scratch->index;
	uint64_t room[ROW_WORDS];
	size_t n = 0;

	index_reset(x, g->ncandidates);
	for (size_t i = 0; i < g->n && x->ncolumns; i++)
		if (!group_is_query(g, i))
			memcpy(x->words + x->ncolumns * n++, row_words(g, group_row(g, i, room)),
			       x->ncolumns * sizeof *x->words);
	index_build(x);
}

static void group_index(struct group *g)
{
	g->ncandidates = 0;
	for (size_t i = 0; i < g->n; i++)
		g->ncandidates += !group_is_query(g, i);
	g->all = g->ncandidates == g->search->moments[g->search->plan->candidates]->count;
	if (!g->all)
		list_candidates(g);
	group_make_index(g);
}

void group_bind(const struct group *g, const uint64_t *row, struct operand *operands)
{
	const struct search *s = g->search;
	enum side side = !s->plan->candidates;

	if (!program_empty(s->plan->rest))
		moments_bind(s->moments[side], row_place(row), s->plan->names, &operands[side]);
}

bool group_test(const struct group *g, size_t candidate, struct operand *operands)
{
	const struct search *s = g->search;
	enum side side = s->plan->candidates;
	enum verdict verdict;

	g->scratch->tested++;
	if (program_empty(s->plan->rest))
		return true;
	moments_bind(s->moments[side], candidate, s->plan->names, &operands[side]);
	verdict = program_holds(s->plan->rest, operands);
	g->scratch->faults += verdict == VERDICT_FAULT;
	return verdict == VERDICT_TRUE;
}

void group_query(const struct group *g, const uint64_t *row, size_t at)
{
	const struct plan *plan = g->search->plan;
	size_t from = plan->later ? at : 0, to = plan->later ? g->ncandidates : at;
	struct operand operands[2];
	size_t i;

	if (from >= to)
		return;
	group_bind(g, row, operands);
	while ((i = index_find(&g->scratch->index, from, to, row_words(g, row))) != INDEX_NONE) {
		size_t candidate = candidate_place(g, i);

		if (group_test(g, candidate, operands)) {
			search_pair(g->search, candidate, row_place(row));
			if (plan->take)
				index_take(&g->scratch->index, i);
			return;
		}
		from = plan->later ? i + 1 : from;
		to = plan->later ? to : i;
	}
}

/* Answers the queries from the begin-th row on, before which there are `at` candidates, where the
 * index is poor. */
static void group_ask(const struct group *g, size_t begin, size_t at)
{
	struct questions q;

	questions_init(&q, g, begin, at);
	boxes_answer(&q);
	questions_drop(&q);
}

/* One query after the other; where the index is poor, in another way. */
static void group_walk(struct group *g)
{
	size_t step = g->search->plan->scans ? 1 : SEARCH_STEP, at = 0;
	uint64_t room[ROW_WORDS];

	for (size_t i = 0; g->ncandidates && i < g->n; i++) {
		if (g->n >= SEARCH_STEP && (i + 1) % step == 0)
			search_step(g->search, step);
		if (!group_is_query(g, i)) {
			at++;
			continue;
		}
		if (index_is_poor(&g->scratch->index)) {
			group_ask(g, i, at);
			return;
		}
		group_query(g, group_row(g, i, room), at);
	}
}

static void group_search(struct group *g)
{
	group_index(g);
	if (!pieces_can(g))
		group_walk(g);
	else if (!pieces_search(g))
		group_ask(g, 0, 0);
}

/* Numbers the bucket's keys in slot heads; scratch->order gets each row's group. Returns how many
 * there are. */
static uint32_t number_groups(const struct rows *r, const uint64_t *row, size_t n,
			      struct scratch *scratch)
{
	uint32_t ngroups = 0;

	hash_table_reset(&scratch->table);
	for (size_t i = 0; i < n; i++, row += r->width) {
		struct hash_slot *slot =
		    hash_table_slot(&scratch->table, row_key(r, row), row_key_rest(r, row));

		if (slot->head == HASH_NOTHING)
			slot->head = ngroups++;
		scratch->group[i] = slot->head;
	}
	return ngroups;
}

/* Puts the rows in order by group; within a group they stay in the order of the stream. */
static uint32_t sort_groups(const struct search *s, const uint64_t *rows, size_t n,
			    struct scratch *scratch)
{
	uint32_t ngroups;

	scratch->order =
	    spill_reserve(scratch->order, &scratch->room_order, n, sizeof *scratch->order);
	scratch->group =
	    spill_reserve(scratch->group, &scratch->room_group, n, sizeof *scratch->group);
	ngroups = number_groups(s->rows, rows, n, scratch);
	scratch->begin =
	    spill_reserve(scratch->begin, &scratch->room_begin, ngroups + 2,
			  sizeof *scratch->begin);
	memset(scratch->begin, 0, (ngroups + 2) * sizeof *scratch->begin);
	for (size_t i = 0; i < n; i++)
		scratch->begin[scratch->group[i] + 2]++;
	for (uint32_t g = 0; g < ngroups; g++)
		scratch->begin[g + 2] += scratch->begin[g + 1];
	for (size_t i = 0; i < n; i++)
		scratch->order[scratch->begin[scratch->group[i] + 1]++] = (uint32_t)i;
	return ngroups;
}

static void index_prepare(struct index *x, const struct plan *plan)
{
	unsigned c = 0;

	x->take = plan->take;
	x->last = !plan->later;
	x->ncolumns = plan_columns(plan);
	x->differs = 0;
	for (unsigned i = 0; i < plan->norder; i++) {
		bool differ = plan->order[i].use == PAIR_DIFFER;

		x->differs |= (uint32_t)differ << c;
		c += differ ? 2 : 1;
	}
}

void group_bucket(const struct search *s, const uint64_t *rows, size_t n, struct scratch *scratch)
{
	uint32_t ngroups = sort_groups(s, rows, n, scratch);
	size_t small = 0;

	index_prepare(&scratch->index, s->plan);
	for (uint32_t k = 0; k < ngroups; k++) {
		struct group g = {
		    .search = s,
		    .scratch = scratch,
		    .rows = rows,
		    .order = scratch->order + scratch->begin[k],
		    .n = scratch->begin[k + 1] - scratch->begin[k],
		};

		group_search(&g);
		small += g.n < SEARCH_STEP ? g.n : 0;
	}
	search_step(s, small);
}

void group_all(const struct search *s, const uint32_t *stored, size_t n, struct scratch *scratch)
{
	struct group g = {.search = s, .scratch = scratch, .stored = stored, .n = n};

	index_prepare(&scratch->index, s->plan);
	group_search(&g);
}
