#include "trace/boxes.h"
#include "trace/array.h"
#include "trace/boxtree.h"
#include "trace/shorten.h"
#include <stdlib.h>
#include <string.h>

unsigned boxes_patience = 64;

enum {
	STAIR_BITS = 10,
	TOGETHER = 16, /* questions that are looked for at once */
	AHEAD = 16,    /* so many places before it is woken or sleeps, a candidate is fetched */
};

struct boxes {
	struct questions *questions;
	struct boxtree tree;
	unsigned ncolumns;
	uint32_t differs;
	int32_t *wanted; /* words of each question */
	/*
	 * What lies before all that is asked for sleeps. Questions whose places rise, and whose
	 * candidates stay, are answered from the last to the first: to wake is less work.
	 */
	bool rising, reversed;
	uint32_t border;
	uint32_t *low; /* rising: the least `from` of each sixteenth question, and of all later ones */
	size_t together;
	struct boxtree_search searches[TOGETHER];
};

static bool test(const void *context, uint32_t question, uint32_t place)
{
	return questions_test(context, question, place);
}

static void find_low(struct boxes *b)
{
	const struct questions *q = b->questions;
	size_t n = q->n / TOGETHER + 1;
	uint32_t low = UINT32_MAX;

	b->low = array_new(n, sizeof *b->low);
	for (size_t k = n; k-- > 0; b->low[k] = low)
		for (size_t i = k * TOGETHER; i < (k + 1) * TOGETHER && i < q->n; i++)
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
static void add_places(struct boxes *b, int32_t *words)
{
	const struct questions *q = b->questions;
	unsigned n = b->ncolumns;

	for (size_t i = 0; i < q->group->ncandidates; i++)
		words[i * n + n - 1] = BOX_LEAST + 1 + (int32_t)i;
	for (size_t i = 0; i < q->n; i++)
		b->wanted[i * n + n - 1] = BOX_LEAST + 1 + (int32_t)q->from[i];
}

struct stairs {
	unsigned shift;
	int32_t top[(1 << STAIR_BITS) + 1]; /* the last one: above all candidates */
};

static uint32_t stair_of(const struct stairs *s, int32_t word)
{
	uint32_t stair = ((uint32_t)word ^ 1u << 31) >> s->shift;

	return stair < 1 << STAIR_BITS ? stair : 1 << STAIR_BITS;
}

/* The greatest second word among the candidates whose first is on a stair, or above it. */
static void stairs_init(struct stairs *s, const int32_t *words, size_t n, unsigned stride)
{
	int32_t most = BOX_LEAST;

	for (size_t i = 0; i < n; i++)
		most = words[i * stride] > most ? words[i * stride] : most;
	s->shift = 0;
	while (((uint32_t)most ^ 1u << 31) >> s->shift >= 1 << STAIR_BITS)
		s->shift++;
	for (size_t i = 0; i <= 1 << STAIR_BITS; i++)
		s->top[i] = BOX_LEAST;
	for (size_t i = 0; i < n; i++, words += stride) {
		int32_t *top = &s->top[stair_of(s, words[0])];

		*top = words[1] > *top ? words[1] : *top;
	}
	for (size_t i = 1 << STAIR_BITS; i-- > 0;)
		s->top[i] = s->top[i + 1] > s->top[i] ? s->top[i + 1] : s->top[i];
}

/*
 * Forgets questions that no candidate meets in the first two columns, wherever it stands: where
 * candidates are great in one and small in the other, that can be all of them.
 */
static void forget_hopeless(struct boxes *b, const int32_t *words)
{
	struct questions *q = b->questions;
	unsigned stride = b->ncolumns;
	struct stairs stairs;
	size_t n = 0;

	stairs_init(&stairs, words, q->group->ncandidates, stride);
	for (size_t i = 0; i < q->n; i++) {
		const int32_t *wanted = b->wanted + i * stride;

		if (wanted[1] > stairs.top[stair_of(&stairs, wanted[0])])
			continue;
		memmove(b->wanted + n * stride, wanted, stride * sizeof *wanted);
		questions_move(q, n++, i);
	}
	questions_skip(q, q->n - n, true);
}

static void boxes_init(struct boxes *b, struct questions *q)
{
	const struct index *x = &q->group->scratch->index;
	size_t count = q->group->ncandidates;
	unsigned ncompared = x->nactive - x->take;
	int32_t *words;

	*b = (struct boxes){.questions = q,
			    .ncolumns = ncompared + !is_ordered(q),
			    .differs = x->active_differs,
			    .together = TOGETHER};
	words = array_new(count * b->ncolumns, sizeof *words);
	b->wanted = array_new(q->n * b->ncolumns, sizeof *b->wanted);
	for (unsigned c = 0; c < ncompared; c++)
		shorten_column(q, x->active[c], (b->differs | b->differs << 1) >> c & 1, words + c,
			       b->wanted + c, b->ncolumns);
	if (b->ncolumns > ncompared)
		add_places(b, words);
	if (b->ncolumns > 1 && !(b->differs & 3))
		forget_hopeless(b, words);
	b->reversed = !q->mirrored && !q->taken;
	b->rising = !q->mirrored && q->taken;
	if (q->n > 0)
		boxtree_init(&b->tree, words, count, b->ncolumns, b->differs, b->rising);
	free(words);
	b->border = b->rising ? 0 : (uint32_t)count;
	if (!b->rising || q->n == 0)
		return;
	find_low(b);
	for (uint32_t place = 0; place < count; place++)
		if (questions_is_taken(q, place))
			boxtree_sleep(&b->tree, place);
}

static void boxes_drop(struct boxes *b)
{
	boxtree_drop(&b->tree);
	free(b->wanted);
	free(b->low);
}

static void sleep_until(struct boxes *b, uint32_t border)
{
	for (; b->border < border; b->border++) {
		boxtree_expect(&b->tree, (size_t)b->border + AHEAD);
		if (!questions_is_taken(b->questions, b->border))
			boxtree_sleep(&b->tree, b->border);
	}
}

static void wake_from(struct boxes *b, uint32_t border)
{
	while (b->border > border) {
		/* where there is none, the number is greater than all */
		boxtree_expect(&b->tree, (size_t)b->border - AHEAD);
		if (!questions_is_taken(b->questions, --b->border))
			boxtree_wake(&b->tree, b->border);
	}
}

static void begin(const struct boxes *b, struct boxtree_search *s, size_t question)
{
	const struct questions *q = b->questions;

	*s = (struct boxtree_search){
	    .wanted = b->wanted + question * b->ncolumns,
	    .from = (int32_t)q->from[question],
	    .limit = (int32_t)q->to[question],
	    .question = (uint32_t)question,
	    .test = test,
	    .context = q,
	};
}

/* Whether it found what another question had taken since. */
static bool commit(struct boxes *b, struct boxtree_search *s)
{
	struct questions *q = b->questions;
	uint32_t to = q->to[s->question];
	bool again = (uint32_t)s->limit != to && questions_is_taken(q, (uint32_t)s->limit);

	if (again) {
		begin(b, s, s->question);
		boxtree_find(&b->tree, s, 1);
	}
	if ((uint32_t)s->limit == to)
		return again;
	if (q->taken) {
		boxtree_sleep(&b->tree, (uint32_t)s->limit);
		questions_take(q, (uint32_t)s->limit);
	}
	questions_pair(q, s->question, (uint32_t)s->limit);
	return again;
}

/* Most questions of a kind want the same candidate: then they are better asked one by one. */
static void answer(struct boxes *b, size_t first, size_t n)
{
	const struct questions *q = b->questions;
	size_t again = 0;

	for (size_t k = 0; k < n; k++) {
		size_t question = b->reversed ? q->n - 1 - first - k : first + k;

		begin(b, &b->searches[k], question);
		if (!b->rising)
			wake_from(b, q->from[question]);
	}
	if (b->rising)
		sleep_until(b, b->low[first / TOGETHER]);
	boxtree_find(&b->tree, b->searches, n);
	for (size_t k = 0; k < n; k++)
		again += commit(b, &b->searches[k]);
	if (2 * again > n)
		b->together = 1;
	else if (b->together < TOGETHER)
		b->together *= 2;
}

static bool is_poor(const struct boxes *b, size_t asked)
{
	return b->tree.visited > (uint64_t)boxes_patience * (asked + boxes_patience);
}

bool boxes_answer(struct questions *q, bool patient)
{
	struct boxes b;
	size_t first = 0;

	boxes_init(&b, q);
	while (first < q->n && (patient || !is_poor(&b, first))) {
		size_t left = q->n - first, n = left < b.together ? left : b.together;

		answer(&b, first, n);
		first += n;
	}
	q->group->scratch->index.visited += b.tree.visited;
	boxes_drop(&b);
	questions_skip(q, first, b.reversed);
	return q->n == 0;
}
