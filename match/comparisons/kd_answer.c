#include "match/comparisons/kd_answer.h"
#include "base/array.h"
#include "base/sort.h"
#include "base/spill.h"
#include "match/comparisons/kd_batch.h"
#include <stdlib.h>

enum {
	FIRST = 16, /* queries of the first batch */
	SHARE = 16, /* a batch has at most one in so many of the candidates */
};

struct answering {
	struct queries *queries;
	struct kd_tree tree;
	struct kd_batch batch;
	unsigned ncolumns;
	uint32_t differs;
	int32_t *wanted; /* words of each query */
	/*
	 * Candidates that lie before all that is still asked for are inactive. Where candidates are
	 * taken, the border of these rises with the queries. Else it falls: queries whose ranges
	 * rise are answered from the last to the first, as activating takes less time.
	 */
	bool rising, reversed;
	uint32_t border;
	struct kd_changes activate, deactivate;
	uint32_t *low;   /* rising: the least `from` of FIRST queries, and of all after them */
	size_t together; /* queries of the next batch */
	double usual;    /* nodes that a query of a good batch looks at */
	uint64_t visited;
};

/* ---- words of 32 bits ---- */

/* Where the words of a column go: each a stride after the one before. */
struct shortened {
	int32_t *candidates, *queries;
	unsigned candidate_stride, query_stride;
};

/* Makes words of 32 bits by their distance from the least one. A query beyond all candidates has
 * KD_LEAST or KD_MOST; of a column that is one of an inequality, always KD_LEAST. */
static void shorten_by_distance(const struct queries *q, unsigned column, bool differs,
				uint64_t least, uint64_t most, struct shortened to)
{
	const struct max_tree *t = q->tree;

	for (size_t i = 0; i < t->n; i++)
		to.candidates[queries_position(q, i) * (size_t)to.candidate_stride] =
		    (int32_t)((int64_t)(t->words[i * t->ncolumns + column] - least) + KD_LEAST + 1);
	for (size_t i = 0; i < q->n; i++) {
		uint64_t word = q->hooks->words(q->context, q->rows[i])[column];
		int32_t *query = &to.queries[i * to.query_stride];

		if (word < least)
			*query = KD_LEAST;
		else if (word > most)
			*query = differs ? KD_LEAST : KD_MOST;
		else
			*query = (int32_t)((int64_t)(word - least) + KD_LEAST + 1);
	}
}

/* The same by the ranks of all words, where they are too far apart. */
static void shorten_by_rank(const struct queries *q, unsigned column, struct shortened to)
{
	const struct max_tree *t = q->tree;
	size_t n = t->n + q->n;
	struct keyed *list = spill_new(n, sizeof *list);
	int32_t rank = KD_LEAST + 1;

	for (size_t i = 0; i < t->n; i++)
		list[i] =
		    (struct keyed){t->words[i * t->ncolumns + column], queries_position(q, i)};
	for (size_t i = 0; i < q->n; i++)
		list[t->n + i] =
		    (struct keyed){q->hooks->words(q->context, q->rows[i])[column], t->n + i};
	sort_keyed(list, n);
	for (size_t k = n; k-- > 0;) {
		size_t i = list[k].i;

		rank += k + 1 < n && list[k].key != list[k + 1].key;
		if (i < t->n)
			to.candidates[i * to.candidate_stride] = rank;
		else
			to.queries[(i - t->n) * to.query_stride] = rank;
	}
	spill_free(list);
}

static void shorten_column(const struct queries *q, unsigned column, bool differs,
			   struct shortened to)
{
	const struct max_tree *t = q->tree;
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < t->n; i++) {
		uint64_t word = t->words[i * t->ncolumns + column];

		least = word < least ? word : least;
		most = word > most ? word : most;
	}
	if (most - least < UINT32_MAX - 2)
		shorten_by_distance(q, column, differs, least, most, to);
	else
		shorten_by_rank(q, column, to);
}

/* Makes the words of the queries, and returns rows for the tree. The positions are a column more,
 * where the border says too little of them. */
static int32_t *make_words(struct answering *a, unsigned ncompared)
{
	const struct queries *q = a->queries;
	const struct max_tree *t = q->tree;
	unsigned width = a->ncolumns + 1;
	int32_t *rows = spill_new(t->n * width, sizeof *rows);
	struct shortened to = {rows, NULL, width, a->ncolumns};

	to.queries = a->wanted = spill_new(q->n * a->ncolumns, sizeof *a->wanted);
	for (unsigned c = 0; c < ncompared; c++, to.candidates++, to.queries++)
		shorten_column(q, t->active[c], (a->differs | a->differs << 1) >> c & 1, to);
	for (size_t i = 0; i < t->n; i++) {
		if (a->ncolumns > ncompared)
			rows[i * width + ncompared] = KD_LEAST + 1 + (int32_t)i;
		rows[i * width + a->ncolumns] = (int32_t)i;
	}
	for (size_t i = 0; i < q->n && a->ncolumns > ncompared; i++)
		a->wanted[i * a->ncolumns + ncompared] = KD_LEAST + 1 + (int32_t)q->from[i];
	return rows;
}

/* ---- what can be found is active ---- */

/* Tells whether the ranges of queries begin in the order of the stream. */
static bool is_ordered(const struct queries *q)
{
	for (size_t i = 1; i < q->n; i++)
		if (q->tree->last ? q->from[i] > q->from[i - 1] : q->from[i] < q->from[i - 1])
			return false;
	return true;
}

static void find_low(struct answering *a)
{
	const struct queries *q = a->queries;
	size_t n = q->n / FIRST + 1;
	uint32_t low = UINT32_MAX;

	a->low = array_new(n, sizeof *a->low);
	for (size_t k = n; k-- > 0; a->low[k] = low)
		for (size_t i = k * FIRST; i < (k + 1) * FIRST && i < q->n; i++)
			low = q->from[i] < low ? q->from[i] : low;
}

/* Moves the border to where n queries from the first on can find candidates. */
static void border_move(struct answering *a, size_t first, size_t n)
{
	const struct queries *q = a->queries;

	for (; a->rising && a->border < a->low[first / FIRST]; a->border++)
		if (!queries_is_taken(q, a->border))
			kd_changes_add(&a->deactivate, a->border);
	for (size_t i = first; i < first + n && !a->rising; i++)
		while (a->border > q->from[i])
			if (!queries_is_taken(q, --a->border))
				kd_changes_add(&a->activate, a->border);
	kd_changes_apply(&a->deactivate);
	kd_changes_apply(&a->activate);
}

/* ---- batches ---- */

/* Takes what a query found. Returns whether another query had taken it, so that it was asked
 * again. */
static bool answer_take(struct answering *a, size_t query, uint32_t found)
{
	struct queries *q = a->queries;
	uint32_t to = q->to[query];
	bool again = found != to && queries_is_taken(q, found);

	if (again)
		found = kd_batch_find_one(&a->batch, query);
	if (found == to)
		return again;
	if (q->taken) {
		kd_changes_add(&a->deactivate, found);
		queries_take(q, found);
	}
	q->hooks->found(q->context, q->rows[query], queries_position(q, found));
	return again;
}

/*
 * Chooses how many queries to ask next. Many at once follow each other through the same nodes, on
 * all processors; but they do not see what the others take, and share one border. The batch grows
 * while that costs little.
 */
static void adapt(struct answering *a, size_t n, size_t again, uint64_t visited)
{
	size_t share = a->tree.n / SHARE, most = share < KD_BATCH ? share : KD_BATCH;
	double each = (double)visited / (double)n;

	if (2 * again > n)
		a->together = 1;
	else if (n < FIRST)
		a->together *= 2;
	if (n < FIRST || a->together == 1)
		return;
	a->usual = a->usual == 0 || each < a->usual ? each : a->usual + (each - a->usual) / 64;
	if (8 * again > n || each > 1.2 * a->usual)
		a->together = n > FIRST ? n / 2 : FIRST;
	else if (each <= 1.1 * a->usual && 2 * a->together <= most)
		a->together *= 2;
}

/* Asks n queries, before which others have been asked. */
static void answer_batch(struct answering *a, size_t asked, size_t n)
{
	struct queries *q = a->queries;
	size_t first = a->reversed ? q->n - asked - n : asked, again = 0;
	uint64_t visited;

	border_move(a, first, n);
	visited = kd_batch_find(&a->batch, first, n);
	for (size_t i = 0; i < n; i++)
		again += answer_take(a, first + i, a->batch.found[i]);
	a->visited += visited;
	adapt(a, n, again, visited);
	q->hooks->step(q->context, n);
}

static void answering_begin(struct answering *a, struct queries *q)
{
	struct max_tree *t = q->tree;
	unsigned ncompared = t->nactive - t->take;
	size_t count = t->n;
	int32_t *rows;

	*a = (struct answering){.queries = q,
				.ncolumns = ncompared + !is_ordered(q),
				.differs = t->active_differs,
				.reversed = !t->last && !t->take,
				.rising = !t->last && t->take,
				.together = FIRST};
	max_tree_drop_nodes(t);
	rows = make_words(a, ncompared);
	max_tree_drop_words(t);
	kd_tree_init(&a->tree, rows, count, a->ncolumns, a->differs, a->rising,
		     (struct kd_queries){a->wanted, q->n});
	spill_free(rows);
	kd_batch_init(&a->batch, q, &a->tree, a->wanted);
	kd_changes_init(&a->deactivate, &a->tree, kd_tree_deactivate);
	kd_changes_init(&a->activate, &a->tree, kd_tree_activate);
	a->border = a->rising ? 0 : (uint32_t)count;
	if (!a->rising)
		return;
	find_low(a);
	for (uint32_t position = 0; position < count; position++)
		if (queries_is_taken(q, position))
			kd_changes_add(&a->deactivate, position);
}

void kd_answer(struct queries *q)
{
	struct answering a;

	if (q->n == 0)
		return;
	answering_begin(&a, q);
	for (size_t asked = 0, n; asked < q->n; asked += n) {
		n = q->n - asked < a.together ? q->n - asked : a.together;
		answer_batch(&a, asked, n);
	}
	q->tree->visited += a.visited;
	kd_tree_clear(&a.tree);
	kd_batch_clear(&a.batch);
	kd_changes_clear(&a.deactivate);
	kd_changes_clear(&a.activate);
	spill_free(a.wanted);
	free(a.low);
}
