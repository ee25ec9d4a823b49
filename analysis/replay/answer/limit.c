#include "analysis/replay/answer/limit.h"
#include "base/search.h"
#include <stdlib.h>
#include <string.h>

struct limit_search {
	const struct model *model;
	const struct operations *operations;
	const struct replay *replay;
	const bool *gone; /* locks; NULL: none */
	/* by operation: the lock held innermost before it; NULL: the path alone is asked for */
	uint32_t *locks;
	/* pieces: the last of each thread; the one before each, of its thread. NO_PIECE */
	size_t *last, *before;
	uint32_t thread, group; /* that the path is in, and the first of its name */
	/* what the path has; by thread the first of its name */
	int64_t *of_thread, *of_lock, *waiting;
	int64_t ready;
	limit_visit *visit; /* NULL: nobody asks for the path */
	void *context;
};

/* Threads of one name count together, as the first of them. */
static uint32_t group_of(const struct limit_search *f, uint32_t thread)
{
	const struct trace_thread *threads = f->model->trace->threads;
	const char *name = threads[operations_thread(f->operations, thread)].name;

	for (uint32_t i = 0; i < thread; i++)
		if (strcmp(threads[operations_thread(f->operations, i)].name, name) == 0)
			return i;
	return thread;
}

static void thread_enter(struct limit_search *f, uint32_t thread)
{
	f->thread = thread;
	f->group = group_of(f, thread);
}

/* Parts of locks come after the model's, and are there. */
static bool is_gone(const struct limit_search *f, uint32_t lock)
{
	return f->gone && lock < f->model->locks->locks.n && f->gone[lock];
}

static bool ends_list(const struct operation *o)
{
	return o->kind == OPERATION_END || o->kind == OPERATION_BACK;
}

/* Finds the locks held before each operation of a thread or a piece, at whose beginning none is. */
static void held_find(struct limit_search *f, size_t first)
{
	const struct operations *o = f->operations;
	VECTOR(uint32_t) held = {0};

	for (size_t i = first; i == first || !ends_list(&o->all.at[i - 1]); i++) {
		const struct operation *op = &o->all.at[i];

		f->locks[i] = held.n ? held.at[held.n - 1] : NO_LOCK;
		if (op->kind == OPERATION_TAKE && !is_gone(f, op->what))
			*vector_add(&held) = op->what;
		for (size_t k = held.n; op->kind == OPERATION_RELEASE && k; k--)
			if (held.at[k - 1] == op->what) {
				held.n--;
				memmove(&held.at[k - 1], &held.at[k],
					(held.n - (k - 1)) * sizeof *held.at);
				break;
			}
	}
	free(held.at);
}

/*
 * Finds which pieces a thread had one after the other: those of a pool in their order, the pools in
 * that of the thread.
 */
static void pieces_find(struct limit_search *f)
{
	const struct operations *o = f->operations;

	for (uint32_t t = 0; t < o->nthreads; t++)
		f->last[t] = NO_PIECE;
	for (size_t p = 0; p < o->pools.n; p++)
		for (size_t i = o->pools.at[p].first; i < o->pools.at[p].end; i++) {
			uint32_t runner = f->replay->runners[i];

			f->before[i] = NO_PIECE;
			if (runner == NO_NUMBER)
				continue;
			if (f->last[runner] != NO_PIECE && f->last[runner] >= o->pools.at[p].first)
				f->before[i] = f->last[runner];
			f->last[runner] = i;
		}
}

static uint32_t thread_of(const struct limit_search *f, size_t i)
{
	const struct operations *o = f->operations;
	size_t piece = operations_piece(o, i);

	if (piece != NO_PIECE)
		return f->replay->runners[piece];
	return lower_bound(t, (uint32_t)0, o->nthreads, o->first[t + 1] <= i);
}

static uint32_t pool_of(const struct operations *o, size_t piece)
{
	return lower_bound(k, (uint32_t)0, (uint32_t)o->pools.n, o->pools.at[k].end <= piece);
}

/* Returns where a thread asks for pieces of a pool. */
static size_t next_of(const struct limit_search *f, uint32_t thread, uint32_t pool)
{
	const struct operations *o = f->operations;
	size_t i = o->first[thread];

	while (o->all.at[i].kind != OPERATION_NEXT || o->all.at[i].what != pool)
		i++;
	return i;
}

static size_t piece_end(const struct operations *o, size_t piece)
{
	size_t i = o->pieces.at[piece].first;

	while (o->all.at[i].kind != OPERATION_BACK)
		i++;
	return i;
}

/* Returns the last piece of a pool that a thread had. */
static size_t last_piece(const struct limit_search *f, uint32_t thread, uint32_t pool)
{
	const struct pool *p = &f->operations->pools.at[pool];

	for (size_t i = p->end; i-- > p->first;)
		if (f->replay->runners[i] == thread)
			return i;
	return NO_PIECE;
}

/* Returns what the thread of an operation did before it; the operation is not its first. */
static size_t operation_before(const struct limit_search *f, size_t i)
{
	const struct operations *o = f->operations;
	size_t piece = operations_piece(o, i);

	if (piece == NO_PIECE && o->all.at[i - 1].kind == OPERATION_NEXT) {
		piece = last_piece(f, f->thread, o->all.at[i - 1].what);
		return piece == NO_PIECE ? i - 1 : piece_end(o, piece);
	}
	if (piece == NO_PIECE || i > o->pieces.at[piece].first)
		return i - 1;
	if (f->before[piece] != NO_PIECE)
		return piece_end(o, f->before[piece]);
	return next_of(f, f->thread, pool_of(o, piece)) - 1;
}

static double pace_of(const struct limit_search *f, size_t i)
{
	const struct operations *o = f->operations;

	return o->pace && i >= o->first[o->nthreads] ? o->pace[f->thread] : 1;
}

/*
 * What a thread did before an operation, after the one before it; waited: in it, for no other
 * thread. While other programs had its processor it waited with its computing.
 */
static void computing_add(struct limit_search *f, size_t i, int64_t from, int64_t waited)
{
	const struct operation *o = &f->operations->all.at[i];
	int64_t time = f->replay->begun[i] - from;
	int64_t ready = time - (int64_t)((double)o->work * pace_of(f, i) + 0.5);

	f->ready += ready > 0 ? ready : 0;
	time -= ready > 0 ? ready : 0;
	if (o->lost) {
		time += waited;
		waited = 0;
	}
	f->waiting[f->group] += waited;
	if (f->visit)
		f->visit(f->context, i, time, waited);
	f->of_thread[f->group] += time;
	if (f->locks && f->locks[i] != NO_LOCK)
		f->of_lock[f->locks[i]] += time;
}

/* A device or an object that served another thread first serves it from then on. */
static void served_add(struct limit_search *f, size_t i)
{
	const struct replay *r = f->replay;
	int64_t waited = r->done[i] - r->done[r->wakers[i]];

	if (f->operations->all.at[i].kind != OPERATION_SERVE || waited <= 0)
		return;
	f->waiting[f->group] += waited;
	if (f->visit)
		f->visit(f->context, i, 0, waited);
}

/* From the end of the run on back to its beginning. */
static void path_walk(struct limit_search *f)
{
	const struct operations *o = f->operations;
	const struct replay *r = f->replay;
	size_t i = o->first[1] - 1;

	thread_enter(f, 0);
	for (uint32_t t = 1; t < o->nthreads; t++)
		if (r->done[o->first[t + 1] - 1] > r->done[i]) {
			i = o->first[t + 1] - 1;
			thread_enter(f, t);
		}
	for (size_t steps = 0; steps < 2 * o->all.n; steps++) {
		bool begins = i == o->first[f->thread];
		size_t before = begins ? i : operation_before(f, i);
		int64_t from = begins ? 0 : r->done[before], waited = 0;

		if (r->done[i] > r->begun[i] && r->wakers[i] != NO_NUMBER) {
			served_add(f, i);
			i = r->wakers[i];
			thread_enter(f, thread_of(f, i));
			continue;
		}
		if (!begins || o->all.at[i].kind != OPERATION_DELAY)
			waited = r->done[i] - r->begun[i];
		computing_add(f, i, from, waited);
		if (begins)
			return;
		i = before;
	}
}

static void limit_offer(struct limit *best, enum limit_kind kind, uint32_t number, double share)
{
	if (share > best->share)
		*best = (struct limit){kind, number, share};
}

/* A lock that is held for half of the path is told rather than who holds it. */
static struct limit most_of(const struct limit_search *f)
{
	double whole = (double)f->replay->duration;
	struct limit best = {.kind = LIMIT_NOTHING}, lock = best;

	if (whole <= 0)
		return best;
	for (uint32_t i = 0; i < f->model->locks->locks.n; i++)
		limit_offer(&lock, LIMIT_LOCK, i, (double)f->of_lock[i] / whole);
	if (lock.share >= 0.5)
		return lock;
	for (uint32_t t = 0; t < f->operations->nthreads; t++) {
		uint32_t origin = operations_thread(f->operations, t);

		limit_offer(&best, LIMIT_THREAD, origin, (double)f->of_thread[t] / whole);
		limit_offer(&best, LIMIT_WAITING, origin, (double)f->waiting[t] / whole);
	}
	limit_offer(&best, LIMIT_PROCESSORS, 0, (double)f->ready / whole);
	return best;
}

static void all_held_find(struct limit_search *f)
{
	const struct operations *o = f->operations;

	f->locks = array_new(o->all.n, sizeof *f->locks);
	for (uint32_t t = 0; t < o->nthreads; t++)
		held_find(f, o->first[t]);
	for (size_t i = 0; i < o->pieces.n; i++)
		held_find(f, o->pieces.at[i].first);
}

/* Walks the path, and returns what there is most of on it; not of locks if it is visited. */
static struct limit path_limit(struct limit_search *f)
{
	const struct operations *o = f->operations;
	struct limit found = {.kind = LIMIT_NOTHING};

	if (!o->nthreads)
		return found;
	f->of_thread = array_zero(o->nthreads, sizeof *f->of_thread);
	f->waiting = array_zero(o->nthreads, sizeof *f->waiting);
	f->of_lock = array_zero(o->nlocks, sizeof *f->of_lock);
	f->last = array_new(o->nthreads, sizeof *f->last);
	f->before = array_new(o->pieces.n, sizeof *f->before);
	if (!f->visit)
		all_held_find(f);
	pieces_find(f);
	path_walk(f);
	found = most_of(f);
	free(f->locks);
	free(f->last);
	free(f->before);
	free(f->of_thread);
	free(f->waiting);
	free(f->of_lock);
	return found;
}

struct limit limit_of(const struct model *m, const struct operations *o, const struct replay *r,
		      const bool *gone)
{
	struct limit_search f = {.model = m, .operations = o, .replay = r, .gone = gone};

	return path_limit(&f);
}

void limit_path(const struct model *m, const struct operations *o, const struct replay *r,
		limit_visit *visit, void *context)
{
	struct limit_search f = {
	    .model = m, .operations = o, .replay = r, .visit = visit, .context = context};

	path_limit(&f);
}
