#include "match/comparisons/kd_answer.h"
#include "base/array.h"
#include "base/spill.h"
#include "match/comparisons/kd_batch.h"
#include "match/comparisons/kd_moves.h"
#include "match/comparisons/shorten.h"
#include <stdlib.h>

enum {
	FEW = 16,   /* questions that are looked for at once, at first */
	SHARE = 16, /* at most so many of the candidates are asked for at once: one in sixteen */
};

struct boxes {
	struct questions *questions;
	struct boxtree tree;
	struct boxbatch batch;
	unsigned ncolumns;
	uint32_t differs;
	int32_t *wanted; /* words of each question */
	/*
	 * What lies before all that is asked for sleeps. Questions whose places rise, and whose
	 * candidates stay, are answered from the last to the first: to wake is less work.
	 */
	bool rising, reversed;
	uint32_t border;
	struct boxmoves sleeping, waking;
	uint32_t *low;	 /* rising: the least `from` of some questions, and of all later ones */
	size_t together; /* so many are looked for at once */
	double usual;	 /* blocks that a question looks at, when things are well */
	uint64_t visited;
};

static void find_low(struct boxes *b)
{
	const struct questions *q = b->questions;
	size_t n = q->n / FEW + 1;
	uint32_t low = UINT32_MAX;

	b->low = array_new(n, sizeof *b->low);
	for (size_t k = n; k-- > 0; b->low[k] = low)
		for (size_t i = k * FEW; i < (k + 1) * FEW && i < q->n; i++)
			low = q->from[i] < low ? q->from[i] : low;
}

/* Whether what one question's places begin after, all later ones' do. */
static bool is_ordered(const struct questions *q)
{
	for (size_t i = 1; i < q->n; i++)
		if (q->mirrored ? q->from[i] > q->from[i - 1] : q->from[i] < q->from[i - 1])
			return false;
	return true;
}

/* The places as a column like others, where sleep does not say enough of them. */
static void add_places(struct boxes *b, struct shortened to)
{
	const struct questions *q = b->questions;

	for (size_t i = 0; i < q->group->ncandidates; i++)
		to.candidates[i * to.candidate_stride] = BOX_LEAST + 1 + (int32_t)i;
	for (size_t i = 0; i < q->n; i++)
		to.questions[i * to.question_stride] = BOX_LEAST + 1 + (int32_t)q->from[i];
}

/* The words of the questions, and rows for the tree. */
static int32_t *make_words(struct boxes *b, unsigned ncompared)
{
	struct questions *q = b->questions;
	const struct index *x = &q->group->scratch->index;
	size_t count = q->group->ncandidates;
	unsigned width = b->ncolumns + 1;
	int32_t *rows = spill_new(count * width, sizeof *rows);
	struct shortened to = {rows, NULL, width, b->ncolumns};

	to.questions = b->wanted = spill_new(q->n * b->ncolumns, sizeof *b->wanted);
	for (unsigned c = 0; c < ncompared; c++, to.candidates++, to.questions++)
		shorten_column(q, x->active[c], (b->differs | b->differs << 1) >> c & 1, to);
	if (b->ncolumns > ncompared)
		add_places(b, to);
	for (size_t i = 0; i < count; i++)
		rows[i * width + b->ncolumns] = (int32_t)i;
	return rows;
}

static void boxes_init(struct boxes *b, struct questions *q)
{
	struct index *x = &q->group->scratch->index;
	size_t count = q->group->ncandidates;
	unsigned ncompared = x->nactive - x->take;
	int32_t *rows;

	*b = (struct boxes){.questions = q,
			    .ncolumns = ncompared + !is_ordered(q),
			    .differs = x->active_differs,
			    .together = FEW};
	index_forget_tree(x);
	rows = make_words(b, ncompared);
	index_forget_words(x);
	b->reversed = !q->mirrored && !q->taken;
	b->rising = !q->mirrored && q->taken;
	if (q->n > 0)
		boxtree_init(&b->tree, rows, count, b->ncolumns, b->differs, b->rising,
			     (struct boxasked){b->wanted, q->n});
	spill_free(rows);
	boxbatch_init(&b->batch, q, &b->tree, b->wanted);
	boxmoves_init(&b->sleeping, &b->tree, boxtree_sleep);
	boxmoves_init(&b->waking, &b->tree, boxtree_wake);
	b->border = b->rising ? 0 : (uint32_t)count;
	if (!b->rising || q->n == 0)
		return;
	find_low(b);
	for (uint32_t place = 0; place < count; place++)
		if (questions_is_taken(q, place))
			boxmoves_add(&b->sleeping, place);
}

static void boxes_drop(struct boxes *b)
{
	boxtree_drop(&b->tree);
	boxbatch_drop(&b->batch);
	boxmoves_drop(&b->sleeping);
	boxmoves_drop(&b->waking);
	spill_free(b->wanted);
	free(b->low);
}

static void sleep_until(struct boxes *b, uint32_t border)
{
	for (; b->border < border; b->border++)
		if (!questions_is_taken(b->questions, b->border))
			boxmoves_add(&b->sleeping, b->border);
}

static void wake_from(struct boxes *b, uint32_t border)
{
	while (b->border > border)
		if (!questions_is_taken(b->questions, --b->border))
			boxmoves_add(&b->waking, b->border);
}

/* What n questions from the first on can find is awake. */
static void prepare(struct boxes *b, size_t first, size_t n)
{
	if (b->rising)
		sleep_until(b, b->low[first / FEW]);
	else
		for (size_t i = first; i < first + n; i++)
			wake_from(b, b->questions->from[i]);
	boxmoves_end(&b->sleeping);
	boxmoves_end(&b->waking);
}

/* Whether it found what another question had taken since. */
static bool commit(struct boxes *b, size_t question, uint32_t found)
{
	struct questions *q = b->questions;
	uint32_t to = q->to[question];
	bool again = found != to && questions_is_taken(q, found);

	if (again)
		found = boxbatch_again(&b->batch, question);
	if (found == to)
		return again;
	if (q->taken) {
		boxmoves_add(&b->sleeping, found);
		questions_take(q, found);
	}
	questions_pair(q, question, found);
	return again;
}

static size_t commit_all(struct boxes *b, size_t first, size_t n)
{
	size_t again = 0;

	for (size_t k = 0; k < n; k++)
		again += commit(b, first + k, b->batch.found[k]);
	return again;
}

/*
 * Questions that are asked at once lie near each other when they are sorted, and are parted among
 * processors. But they do not see what the others take, and do not know the places from which the
 * others look but when they meet them. So many are asked at once as that costs little.
 */
static void adapt(struct boxes *b, size_t n, size_t again, uint64_t visited)
{
	size_t share = b->tree.n / SHARE, most = share < BOXBATCH_MOST ? share : BOXBATCH_MOST;
	double each = (double)visited / (double)n;

	if (2 * again > n)
		b->together = 1;
	else if (n < FEW)
		b->together *= 2;
	if (n < FEW || b->together == 1)
		return;
	b->usual = b->usual == 0 || each < b->usual ? each : b->usual + (each - b->usual) / 64;
	if (8 * again > n || each > 1.2 * b->usual)
		b->together = n > FEW ? n / 2 : FEW;
	else if (each <= 1.1 * b->usual && 2 * b->together <= most)
		b->together *= 2;
}

/* Asks n questions, before which others have been asked. */
static void answer(struct boxes *b, size_t asked, size_t n)
{
	size_t first = b->reversed ? b->questions->n - asked - n : asked, again;
	uint64_t visited;

	prepare(b, first, n);
	visited = boxbatch_find(&b->batch, first, n);
	again = commit_all(b, first, n);
	b->visited += visited;
	adapt(b, n, again, visited);
	questions_step(b->questions, asked, asked + n);
}

void boxes_answer(struct questions *q)
{
	struct boxes b;
	size_t asked = 0;

	boxes_init(&b, q);
	while (asked < q->n) {
		size_t left = q->n - asked, n = left < b.together ? left : b.together;

		answer(&b, asked, n);
		asked += n;
	}
	q->group->scratch->index.visited += b.visited;
	boxes_drop(&b);
}
