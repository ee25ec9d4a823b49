#include "analysis/replay/program/schedule.h"
#include "analysis/replay/program/operation_lists.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"static", "dynamic", "guided"};

const char *schedule_name(enum schedule_kind kind)
{
	return names[kind];
}

bool schedule_parse(const char *text, struct schedule *s)
{
	size_t n = strcspn(text, ",");
	char *end;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strlen(names[i]) != n || strncmp(names[i], text, n) != 0)
			continue;
		*s = (struct schedule){.kind = (enum schedule_kind)i};
		if (!text[n])
			return true;
		errno = 0;
		s->chunk = strtoll(text + n + 1, &end, 10);
		return !*end && end != text + n + 1 && s->chunk > 0 && !errno;
	}
	return false;
}

/* ---- the recorded chunks of a loop, read iteration after iteration ---- */

struct tape {
	const operation_list *operations; /* of all pieces */
	struct piece *chunks;             /* by iteration */
	size_t n;
	int64_t handing;
	/* where it is */
	size_t chunk, operation;
	int64_t iteration; /* of the chunk's: before it is what was read */
	int64_t passed;    /* of the chunk's work */
	int64_t work,
	    /* of the operation's work what is left; all of the chunk's, but for the hand-out */
	    whole;
	unsigned depth; /* locks that are held there */
};

static int by_iteration(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return (x->first_iteration > y->first_iteration) -
	       (x->first_iteration < y->first_iteration);
}

/* Returns a pool's pieces by iteration; the caller frees them. */
static struct piece *chunks_of(const struct operations *o, uint32_t pool)
{
	const struct pool *p = &o->pools.at[pool];
	size_t n = p->end - p->first;
	struct piece *chunks = array_new(n, sizeof *chunks);

	if (n) {
		memcpy(chunks, &o->pieces.at[p->first], n * sizeof *chunks);
		qsort(chunks, n, sizeof *chunks, by_iteration);
	}
	return chunks;
}

/* Returns the work of an operation of a piece, but for that of the hand-out of the next one. */
static int64_t own_work(const struct tape *t, const struct operation *o)
{
	if (o->kind != OPERATION_BACK)
		return o->work;
	return o->work > t->handing ? o->work - t->handing : 0;
}

static void operation_begin(struct tape *t, size_t operation)
{
	t->operation = operation;
	t->work = own_work(t, &t->operations->at[operation]);
}

static void chunk_begin(struct tape *t, size_t chunk)
{
	const struct operation *o;

	t->chunk = chunk;
	t->iteration = t->passed = t->whole = 0;
	t->depth = 0;
	if (chunk == t->n)
		return;
	o = &t->operations->at[t->chunks[chunk].first];
	for (; o->kind != OPERATION_BACK; o++)
		t->whole += own_work(t, o) + operation_waiting(o);
	t->whole += own_work(t, o);
	operation_begin(t, t->chunks[chunk].first);
}

static struct tape tape_of(const struct operations *o, uint32_t pool, const operation_list *pieces,
			   int64_t handing)
{
	const struct pool *p = &o->pools.at[pool];
	struct tape t = {.operations = pieces, .n = p->end - p->first, .handing = handing};

	t.chunks = chunks_of(o, pool);
	chunk_begin(&t, 0);
	return t;
}

static int64_t tape_iterations(const struct tape *t)
{
	int64_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += t->chunks[i].iterations;
	return n;
}

/* Operations that come one after the other, and the work before the next one. */
struct operation_sequence {
	operation_list list;
	int64_t work;
};

static void work_pass(struct tape *t, struct operation_sequence *to, int64_t work)
{
	t->work -= work;
	t->passed += work;
	to->work += work;
}

static void operation_pass(struct tape *t, struct operation_sequence *to)
{
	struct operation o = t->operations->at[t->operation];

	work_pass(t, to, t->work);
	t->passed += operation_waiting(&o);
	o.work = to->work;
	to->work = 0;
	*vector_add(&to->list) = o;
	t->depth += o.kind == OPERATION_TAKE;
	t->depth -= o.kind == OPERATION_RELEASE && t->depth;
	operation_begin(t, t->operation + 1);
}

/* Whether half of a wait comes before a time, with what its thread computes before it. */
static bool comes_before(const struct tape *t, int64_t until)
{
	const struct operation *o = &t->operations->at[t->operation];

	return t->passed + t->work + operation_waiting(o) / 2 <= until;
}

/*
 * Reads on in a chunk until so much of its time has passed and no lock is held. Waits are not
 * divided.
 */
static void tape_read(struct tape *t, struct operation_sequence *to, int64_t until)
{
	while (t->operations->at[t->operation].kind != OPERATION_BACK &&
	       (t->depth || comes_before(t, until)))
		operation_pass(t, to);
	if (t->passed < until)
		work_pass(t, to, until - t->passed < t->work ? until - t->passed : t->work);
}

/* Reads so many iterations, or all that there are. */
static void tape_take(struct tape *t, struct operation_sequence *to, int64_t iterations)
{
	while (iterations && t->chunk < t->n) {
		int64_t all = t->chunks[t->chunk].iterations, left = all - t->iteration;
		int64_t n = iterations < left ? iterations : left;

		t->iteration += n;
		iterations -= n;
		tape_read(t, to, (int64_t)((__int128)t->whole * t->iteration / all));
		if (t->iteration < all)
			continue;
		/* what has no length comes with the last iteration, at the latest */
		while (t->operations->at[t->operation].kind != OPERATION_BACK)
			operation_pass(t, to);
		chunk_begin(t, t->chunk + 1);
	}
}

/* ---- who computes what ---- */

struct scheduling {
	struct operations *o;
	const struct schedule *schedule;
	int64_t handing;
	struct operation_lists lists;
	/* the new ones */
	operation_list operations;
	VECTOR(struct piece) pieces;
	/* of one loop */
	uint32_t pool;
	VECTOR(uint32_t) threads;
};

static bool takes_of(const struct operation *o, uint32_t pool)
{
	return o->kind == OPERATION_NEXT && o->what == pool;
}

static void threads_find(struct scheduling *s)
{
	s->threads.n = 0;
	for (uint32_t t = 0; t < s->lists.nthreads; t++)
		for (size_t i = 0; i < s->lists.threads[t].n; i++)
			if (takes_of(&s->lists.threads[t].at[i], s->pool)) {
				*vector_add(&s->threads) = t;
				break;
			}
}

/* A thread does what was written where it came for the pieces of the pool. */
static void block_insert(operation_list *list, uint32_t pool,
			 const struct operation_sequence *block)
{
	operation_list longer = {0};
	int64_t work = 0; /* before the next operation */
	bool done = false;

	for (size_t i = 0; i < list->n; i++) {
		bool here = takes_of(&list->at[i], pool);
		size_t first = longer.n;

		if (!here)
			*vector_add(&longer) = list->at[i];
		else if (!done && block->list.n)
			vector_append(&longer, block->list.at, block->list.n);
		if (longer.n > first) {
			longer.at[first].work += work;
			work = 0;
		}
		if (here && !done) {
			work += block->work;
			done = true;
		}
	}
	free(list->at);
	*list = longer;
}

/* A thread that has a pace of its own has it in its block, as in pieces. */
static void block_pace(struct operation_sequence *block, double pace)
{
	for (size_t i = 0; i < block->list.n; i++)
		block->list.at[i].work = (int64_t)((double)block->list.at[i].work * pace + 0.5);
	block->work = (int64_t)((double)block->work * pace + 0.5);
}

/* The iterations of a block: as even as can be, the first threads have one more. */
static int64_t block_size(int64_t iterations, int64_t threads, int64_t number)
{
	return iterations / threads + (number < iterations % threads);
}

static void static_make(struct scheduling *s, struct tape *t)
{
	int64_t iterations = tape_iterations(t), chunk = s->schedule->chunk;
	size_t n = s->threads.n;
	struct operation_sequence *blocks = array_zero(n, sizeof *blocks);

	for (size_t i = 0; t->chunk < t->n; i++)
		tape_take(t, &blocks[i % n],
			  chunk ? chunk : block_size(iterations, (int64_t)n, (int64_t)i));
	for (size_t i = 0; i < n; i++) {
		uint32_t thread = s->threads.at[i];

		if (s->lists.pace)
			block_pace(&blocks[i], s->lists.pace[thread]);
		block_insert(&s->lists.threads[thread], s->pool, &blocks[i]);
		free(blocks[i].list.at);
	}
	free(blocks);
}

static int64_t chunk_size(const struct schedule *s, int64_t left, int64_t threads)
{
	int64_t chunk = s->chunk ? s->chunk : 1, share = (left + threads - 1) / threads;

	if (s->kind == SCHEDULE_GUIDED && share > chunk)
		chunk = share;
	return chunk < left ? chunk : left;
}

static void pieces_make(struct scheduling *s, struct tape *t)
{
	int64_t left = tape_iterations(t), next = t->n ? t->chunks[0].first_iteration : 0;
	struct operation back = {.kind = OPERATION_BACK, .latency = NO_LATENCY, .core = NO_CORE};

	while (left) {
		int64_t n = chunk_size(s->schedule, left, (int64_t)s->threads.n);
		struct operation_sequence to = {0};

		*vector_add(&s->pieces) = (struct piece){
		    .first = s->operations.n, .first_iteration = next, .iterations = n};
		to.list = s->operations;
		tape_take(t, &to, n);
		back.work = to.work + s->handing;
		*vector_add(&to.list) = back;
		s->operations = to.list;
		next += n;
		left -= n;
	}
}

static void pieces_keep(struct scheduling *s)
{
	const struct pool *p = &s->o->pools.at[s->pool];

	for (size_t i = p->first; i < p->end; i++) {
		struct piece piece = s->o->pieces.at[i];
		const struct operation *o = &s->lists.pieces.at[piece.first];

		piece.first = s->operations.n;
		*vector_add(&s->pieces) = piece;
		for (; o->kind != OPERATION_BACK; o++)
			*vector_add(&s->operations) = *o;
		*vector_add(&s->operations) = *o;
	}
}

static void pool_change(struct scheduling *s)
{
	struct tape t = tape_of(s->o, s->pool, &s->lists.pieces, s->handing);

	threads_find(s);
	if (!t.n)
		; /* a loop without iterations */
	else if (s->schedule->kind == SCHEDULE_STATIC)
		static_make(s, &t);
	else
		pieces_make(s, &t);
	free(t.chunks);
}

/* ---- all ---- */

/* Returns why a pool's pieces cannot be shared out in another way, or NULL. */
static char *not_a_loop(const struct operations *o, uint32_t pool)
{
	size_t n = o->pools.at[pool].end - o->pools.at[pool].first;
	struct piece *chunks = chunks_of(o, pool);
	bool loop = true, whole = true;

	for (size_t i = 0; i < n; i++) {
		loop &= chunks[i].iterations > 0;
		whole &= !i || chunks[i - 1].first_iteration + chunks[i - 1].iterations ==
				   chunks[i].first_iteration;
	}
	free(chunks);
	if (loop && whole)
		return NULL;
	return text_format("%s", loop ? "the trace lacks some of its chunks"
				      : "its items are not chunks of a loop");
}

char *schedule_change(struct operations *o, const bool *pools, const struct schedule *schedule,
		      int64_t handing)
{
	struct scheduling s = {.o = o, .schedule = schedule, .handing = handing};
	char *reason = NULL;

	for (uint32_t i = 0; i < o->pools.n && !reason; i++)
		reason = pools[i] ? not_a_loop(o, i) : NULL;
	if (reason)
		return reason;
	s.lists = operation_lists_of(o);
	for (s.pool = 0; s.pool < o->pools.n; s.pool++) {
		size_t first = s.pieces.n;

		if (pools[s.pool])
			pool_change(&s);
		else
			pieces_keep(&s);
		o->pools.at[s.pool].first = first;
		o->pools.at[s.pool].end = s.pieces.n;
	}
	free(o->pieces.at);
	o->pieces.at = s.pieces.at;
	o->pieces.n = s.pieces.n;
	o->pieces.room = s.pieces.room;
	free(s.lists.pieces.at);
	s.lists.pieces = s.operations;
	operation_lists_put(&s.lists, o);
	free(s.threads.at);
	return NULL;
}
