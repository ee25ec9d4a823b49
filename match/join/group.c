#include "match/join/group.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spill.h"
#include "match/comparisons/kd_answer.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 12 }; /* rows between two looks of the progress bar */

size_t group_chunk = 1 << 14;

/* Tests of the rest of the condition. */
struct test_count {
	uint64_t tested, faults;
};

/* The memory of a worker, which it uses for one bucket after the other. */
struct workspace {
	uint64_t *rows; /* of the bucket */
	struct hash_table numbers;
	uint32_t *group;      /* of each row */
	uint32_t *order;      /* rows, group by group */
	uint32_t *begin;      /* where each group begins in it */
	uint32_t *candidates; /* of one group: which moments they are */
	size_t room_rows, room_group, room_order, room_begin, room_candidates;
	struct max_tree tree;
	struct test_count count;
};

/* The search of a whole partition. */
struct group_search {
	const struct plan *plan;
	const struct partition *partition;
	struct matches *matches;
	const struct moments *moments[2]; /* by side */
	struct workspace *spaces;         /* one for each worker */
	atomic_size_t searched;           /* rows */
	size_t nrows;
};

/* Rows with the same key, in the order of the stream. */
struct row_group {
	struct group_search *search;
	struct max_tree *tree; /* over the candidates */
	struct test_count *count;
	const uint32_t *candidates; /* which moments they are; NULL: all there are */
	size_t ncandidates;
	size_t n;
	const uint64_t *rows;   /* of the bucket */
	const uint32_t *order;  /* which of them are the group's */
	const uint32_t *stored; /* instead of these two: all rows, as they are stored */
};

static void search_step(struct group_search *s, size_t n)
{
	progress_step(atomic_fetch_add(&s->searched, n) + n, s->nrows);
}

/* ---- rows ---- */

static inline bool group_is_query(const struct row_group *g, size_t i)
{
	const struct partition *p = g->search->partition;

	if (g->stored)
		return g->stored[i * p->halves] & 1;
	return row_is_query(g->rows + g->order[i] * (size_t)p->width);
}

/* Returns row i, which lies perhaps in the room. */
static inline const uint64_t *group_row(const struct row_group *g, size_t i,
					uint64_t room[ROW_WORDS])
{
	const struct partition *p = g->search->partition;

	if (!g->stored)
		return g->rows + g->order[i] * (size_t)p->width;
	row_load(p, room, g->stored + i * p->halves);
	return room;
}

/* The words that are compared. */
static inline const uint64_t *row_words(const struct row_group *g, const uint64_t *row)
{
	return row + 1 + g->search->partition->keys;
}

/* ---- one query ---- */

/* Puts the query's moment into the operands, if anything is left to test. */
static void query_bind(const struct row_group *g, const uint64_t *row, struct operand *operands)
{
	const struct plan *plan = g->search->plan;
	enum side side = !plan->candidates;

	if (!program_empty(plan->rest))
		moments_bind(g->search->moments[side], row_moment(row), plan->names,
			     &operands[side]);
}

/* Tells whether the rest of the condition holds with a candidate. */
static bool candidate_test(const struct row_group *g, struct test_count *count, size_t candidate,
			   struct operand *operands)
{
	const struct plan *plan = g->search->plan;
	enum side side = plan->candidates;
	enum truth truth;

	count->tested++;
	if (program_empty(plan->rest))
		return true;
	moments_bind(g->search->moments[side], g->candidates ? g->candidates[candidate] : candidate,
		     plan->names, &operands[side]);
	truth = program_holds(plan->rest, operands);
	count->faults += truth == TRUTH_FAULT;
	return truth == TRUTH_TRUE;
}

static void candidate_found(const struct row_group *g, size_t candidate, const uint64_t *row)
{
	uint32_t *partner_of = g->search->matches->partner_of;
	size_t moment = g->candidates ? g->candidates[candidate] : candidate;

	if (g->search->plan->candidates == SIDE_PARTNER)
		partner_of[row_moment(row)] = (uint32_t)moment;
	else
		partner_of[moment] = (uint32_t)row_moment(row);
}

/* Answers the query of a row, before which there are `at` candidates, by the max tree. */
static void query_answer(const struct row_group *g, const uint64_t *row, size_t at)
{
	const struct plan *plan = g->search->plan;
	size_t from = plan->later ? at : 0, to = plan->later ? g->ncandidates : at, i;
	struct operand operands[2];

	if (from >= to)
		return;
	query_bind(g, row, operands);
	while ((i = max_tree_find(g->tree, from, to, row_words(g, row))) != MAX_TREE_NONE) {
		if (candidate_test(g, g->count, i, operands)) {
			candidate_found(g, i, row);
			if (plan->take)
				max_tree_take(g->tree, i);
			return;
		}
		from = plan->later ? i + 1 : from;
		to = plan->later ? to : i;
	}
}

/* ---- queries that the k-d tree answers ---- */

struct kd_context {
	const struct row_group *group;
	struct test_count *counts; /* one for each worker */
	size_t nrows, nqueries;    /* of the group, that are left */
	size_t answered;
	uint64_t room[ROW_WORDS];
};

static const uint64_t *hook_words(void *context, uint32_t row)
{
	struct kd_context *c = context;

	return row_words(c->group, group_row(c->group, row, c->room));
}

static bool hook_test(void *context, unsigned worker, uint32_t row, size_t candidate)
{
	struct kd_context *c = context;
	const struct row_group *g = c->group;
	struct operand operands[2];
	uint64_t room[ROW_WORDS];

	if (!program_empty(g->search->plan->rest))
		query_bind(g, group_row(g, row, room), operands);
	return candidate_test(g, &c->counts[worker], candidate, operands);
}

static void hook_found(void *context, uint32_t row, size_t candidate)
{
	struct kd_context *c = context;

	candidate_found(c->group, candidate, group_row(c->group, row, c->room));
}

/* Queries stand for all rows that are left. */
static void hook_step(void *context, size_t n)
{
	struct kd_context *c = context;
	size_t before = c->nrows * c->answered / c->nqueries;

	c->answered += n;
	search_step(c->group->search, c->nrows * c->answered / c->nqueries - before);
}

/* Answers the queries from row `begin` on, before which there are `at` candidates. */
static void group_answer(const struct row_group *g, size_t begin, size_t at)
{
	static const struct query_hooks hooks = {hook_words, hook_test, hook_found, hook_step};
	unsigned workers = parallel_workers();
	struct kd_context c = {
	    .group = g, .counts = array_zero(workers, sizeof *c.counts), .nrows = g->n - begin};
	struct queries q;
	uint64_t room[ROW_WORDS];

	queries_init(&q, g->tree, g->n - begin, &hooks, &c);
	for (size_t i = begin; i < g->n; i++)
		if (group_is_query(g, i))
			queries_add(&q, (uint32_t)i, row_words(g, group_row(g, i, room)), at);
		else
			at++;
	c.nqueries = q.n;
	kd_answer(&q);
	queries_clear(&q);
	for (unsigned i = 0; i < workers; i++) {
		g->count->tested += c.counts[i].tested;
		g->count->faults += c.counts[i].faults;
	}
	free(c.counts);
}

/* ---- all queries of a group ---- */

enum { RECORDS_AHEAD = 16 };

/* The records of a group lie far apart; if they are tested, each is fetched before it is needed. */
static inline void record_prefetch(const struct row_group *g, size_t i)
{
	const struct plan *plan = g->search->plan;
	uint64_t room[ROW_WORDS];
	const uint64_t *row = group_row(g, i, room);
	struct event e;

	moments_look(g->search->moments[row_is_query(row) ? !plan->candidates : plan->candidates],
		     row_moment(row), &e);
	__builtin_prefetch(e.record);
}

/*
 * Answers the queries of rows from `begin` on, before which there are `at` candidates. Returns the
 * row where it stopped, since the max tree answers poorly, and how many candidates are before it.
 */
static size_t rows_answer(const struct row_group *g, size_t begin, size_t end, size_t *at)
{
	size_t step = g->search->plan->scans ? 1 : STEP;
	bool tests = !program_empty(g->search->plan->rest);
	uint64_t room[ROW_WORDS];

	for (size_t i = begin; i < end; i++) {
		if (tests && i + RECORDS_AHEAD < end)
			record_prefetch(g, i + RECORDS_AHEAD);
		if (g->n >= STEP && (i + 1) % step == 0)
			search_step(g->search, step);
		if (!group_is_query(g, i))
			++*at;
		else if (max_tree_is_poor(g->tree))
			return i;
		else
			query_answer(g, group_row(g, i, room), *at);
	}
	return end;
}

/* A group whose queries several processors answer. */
struct group_sharing {
	const struct row_group *group;
	size_t *at;             /* how many candidates are before each chunk */
	struct max_tree *trees; /* for each worker: what a search changes is its own */
	struct test_count *counts;
	atomic_bool poor;
};

static void chunk_answer(void *context, size_t number, unsigned worker)
{
	struct group_sharing *s = context;
	struct row_group g = *s->group;
	size_t begin = number * group_chunk, at = s->at[number];
	size_t end = begin + group_chunk < g.n ? begin + group_chunk : g.n;

	g.tree = &s->trees[worker];
	g.count = &s->counts[worker];
	if (!s->poor && rows_answer(&g, begin, end, &at) < end)
		s->poor = true;
}

/* Returns false when the max tree answers poorly, and not all queries are answered. */
static bool group_share(const struct row_group *g)
{
	unsigned workers = parallel_workers();
	size_t nchunks = (g->n + group_chunk - 1) / group_chunk, at = 0;
	struct group_sharing s = {.group = g,
				  .at = array_new(nchunks, sizeof *s.at),
				  .trees = array_new(workers, sizeof *s.trees),
				  .counts = array_zero(workers, sizeof *s.counts)};

	for (size_t i = 0; i < g->n; i++) {
		if (i % group_chunk == 0)
			s.at[i / group_chunk] = at;
		at += !group_is_query(g, i);
	}
	for (unsigned i = 0; i < workers; i++) {
		s.trees[i] = *g->tree;
		s.trees[i].visited = s.trees[i].visited_before = 0;
	}
	parallel_for(nchunks, chunk_answer, &s);
	for (unsigned i = 0; i < workers; i++) {
		g->tree->visited += s.trees[i].visited;
		g->count->tested += s.counts[i].tested;
		g->count->faults += s.counts[i].faults;
	}
	free(s.at);
	free(s.trees);
	free(s.counts);
	return !s.poor;
}

/* Lists the candidates, and builds the tree over them. */
static void group_index(struct row_group *g, struct workspace *space)
{
	struct max_tree *t = &space->tree;
	uint64_t room[ROW_WORDS];
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		g->ncandidates += !group_is_query(g, i);
	if (g->ncandidates != g->search->moments[g->search->plan->candidates]->count)
		g->candidates = space->candidates =
		    spill_reserve(space->candidates, &space->room_candidates, g->ncandidates,
				  sizeof *space->candidates);
	max_tree_reset(t, g->ncandidates);
	for (size_t i = 0; i < g->n && (t->ncolumns || g->candidates); i++) {
		const uint64_t *row;

		if (group_is_query(g, i))
			continue;
		row = group_row(g, i, room);
		if (g->candidates)
			space->candidates[n] = (uint32_t)row_moment(row);
		memcpy(t->words + t->ncolumns * n++, row_words(g, row),
		       t->ncolumns * sizeof *t->words);
	}
	max_tree_build(t);
}

static void group_match(struct row_group *g, struct workspace *space)
{
	bool alone = g->search->partition->nbuckets == 1 && g->n > 2 * group_chunk;
	size_t at = 0, row;

	g->tree = &space->tree;
	g->count = &space->count;
	group_index(g, space);
	if (g->ncandidates == 0)
		return;
	/* where candidates are taken, a query depends on those before it */
	if (alone && !g->search->plan->take) {
		if (!group_share(g))
			group_answer(g, 0, 0);
		return;
	}
	row = rows_answer(g, 0, g->n, &at);
	if (row < g->n)
		group_answer(g, row, at);
}

/* ---- the groups of a bucket ---- */

/* Puts the rows in order by group; within a group they stay in the order of the stream. Returns how
 * many groups there are. */
static uint32_t sort_by_group(const struct partition *p, struct workspace *w, size_t n)
{
	const uint64_t *row = w->rows;
	uint32_t ngroups = 0;

	w->order = spill_reserve(w->order, &w->room_order, n, sizeof *w->order);
	w->group = spill_reserve(w->group, &w->room_group, n, sizeof *w->group);
	hash_table_reset(&w->numbers);
	for (size_t i = 0; i < n; i++, row += p->width) {
		struct hash_slot *slot =
		    hash_table_slot(&w->numbers, row_key(p, row), row_key_rest(p, row));

		if (slot->head == HASH_NOTHING)
			slot->head = ngroups++;
		w->group[i] = slot->head;
	}
	w->begin = spill_reserve(w->begin, &w->room_begin, ngroups + 2, sizeof *w->begin);
	memset(w->begin, 0, (ngroups + 2) * sizeof *w->begin);
	for (size_t i = 0; i < n; i++)
		w->begin[w->group[i] + 2]++;
	for (uint32_t g = 0; g < ngroups; g++)
		w->begin[g + 2] += w->begin[g + 1];
	for (size_t i = 0; i < n; i++)
		w->order[w->begin[w->group[i] + 1]++] = (uint32_t)i;
	return ngroups;
}

static void bucket_match(void *context, size_t bucket, unsigned worker)
{
	struct group_search *s = context;
	const struct partition *p = s->partition;
	struct workspace *w = &s->spaces[worker];
	size_t n = partition_count(p, bucket), small = 0;
	uint32_t ngroups;

	if (n == 0)
		return;
	if (!p->keys) {
		struct row_group all = {.search = s, .stored = partition_stored(p), .n = n};

		group_match(&all, w);
		return;
	}
	w->rows = spill_reserve(w->rows, &w->room_rows, n * p->width, sizeof *w->rows);
	partition_gather(p, bucket, w->rows);
	ngroups = sort_by_group(p, w, n);
	for (uint32_t k = 0; k < ngroups; k++) {
		struct row_group g = {.search = s,
				      .rows = w->rows,
				      .order = w->order + w->begin[k],
				      .n = w->begin[k + 1] - w->begin[k]};

		group_match(&g, w);
		small += g.n < STEP ? g.n : 0;
	}
	search_step(s, small);
}

static void workspace_init(struct workspace *w, const struct plan *plan)
{
	struct max_tree *t = &w->tree;
	unsigned column = 0;

	t->take = plan->take;
	t->last = !plan->later;
	t->ncolumns = plan_columns(plan);
	for (unsigned i = 0; i < plan->norder; i++) {
		bool differ = plan->order[i].kind == COMPARISON_DIFFER;

		t->differs |= (uint32_t)differ << column;
		column += differ ? 2 : 1;
	}
}

static void workspace_clear(struct workspace *w)
{
	hash_table_free(&w->numbers);
	max_tree_clear(&w->tree);
	spill_free(w->rows);
	spill_free(w->group);
	spill_free(w->order);
	spill_free(w->begin);
	spill_free(w->candidates);
}

void groups_match(struct matches *m, const struct plan *plan, const struct partition *p)
{
	unsigned workers = parallel_workers();
	struct group_search s = {.plan = plan,
				 .partition = p,
				 .matches = m,
				 .moments = {&m->anchors, &m->partners},
				 .spaces = array_zero(workers, sizeof *s.spaces)};

	for (unsigned i = 0; i < workers; i++)
		workspace_init(&s.spaces[i], plan);
	for (size_t i = 0; i < p->nbuckets; i++)
		s.nrows += partition_count(p, i);
	parallel_for(p->nbuckets, bucket_match, &s);
	for (unsigned i = 0; i < workers; i++) {
		m->tested += s.spaces[i].count.tested;
		m->faults += s.spaces[i].count.faults;
		m->visited += s.spaces[i].tree.visited;
		workspace_clear(&s.spaces[i]);
	}
	free(s.spaces);
}
