/*
 * Crews of another size: replays of random pools of independent items against list scheduling by
 * hand, and what has to be refused. Prints its seed; SEED=N in the environment starts from case N,
 * CASES=N does that many.
 * tested: oracles with random cases, cases crews (CASES=1000000): a pool of another size, and list
 * scheduling by hand.
 */
#include "analysis/replay/machine/replay.h"
#include "analysis/replay/program/crew.h"
#include "tests/random.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST_WORKERS = 8, MOST_ITEMS = 40, LENGTH = 1000000 };

static struct random numbers;

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

/* A program that begins workers, which take items, and waits for their ends. */
struct program {
	uint32_t workers, items;
	int64_t gap, prologue, epilogue; /* of each worker */
	int64_t lengths[MOST_ITEMS];
	bool begun;  /* the first thread waits until all workers have begun */
	bool meets;  /* the workers and the first thread, at the end */
	int64_t end; /* what the first thread does at its end */
	/* what is refused */
	bool copied;      /* there is no pool */
	bool early;       /* the first thread waits for a post of each worker before all meet */
	uint32_t locking; /* the first thread and so many workers take a lock */
	bool awaited;     /* the first item waits for the end of the first worker */
};

static struct program program_random(void)
{
	struct program p = {.workers = 1 + dice(MOST_WORKERS), .items = dice(MOST_ITEMS)};

	p.gap = dice(LENGTH / 4);
	p.prologue = dice(2) ? dice(LENGTH / 16) : 0;
	p.epilogue = dice(2) ? dice(LENGTH / 16) : 0;
	p.meets = dice(2);
	p.begun = dice(2);
	p.end = dice(LENGTH);
	for (uint32_t i = 0; i < p.items; i++)
		p.lengths[i] = 2 * LENGTH + dice(LENGTH);
	return p;
}

/* ---- its operations ---- */

static void add(struct operations *o, enum operation_kind kind, uint32_t what, int64_t work)
{
	*vector_add(&o->all) =
	    (struct operation){.kind = (uint8_t)kind, .what = what, .work = work, .core = NO_CORE};
}

static void first_thread(struct operations *o, const struct program *p)
{
	add(o, OPERATION_DELAY, 0, 0);
	for (uint32_t i = 0; i < p->workers; i++)
		add(o, OPERATION_POST, i, i ? p->gap : 0);
	if (p->locking)
		add(o, OPERATION_TAKE, 0, 0), add(o, OPERATION_RELEASE, 0, 0);
	for (uint32_t i = 0; i < p->workers && (p->begun || p->early); i++)
		add(o, OPERATION_WAIT, 2 * p->workers + i, 0);
	if (p->meets)
		add(o, OPERATION_MEET, 0, 0);
	for (uint32_t i = 0; i < p->workers; i++)
		add(o, OPERATION_WAIT, p->workers + i, 0);
	add(o, OPERATION_END, 0, p->end);
}

static void worker(struct operations *o, const struct program *p, uint32_t number)
{
	add(o, OPERATION_WAIT, number, 0);
	if (p->begun)
		add(o, OPERATION_POST, 2 * p->workers + number, 0);
	if (number < p->locking)
		add(o, OPERATION_TAKE, 0, 0), add(o, OPERATION_RELEASE, 0, 0);
	add(o, OPERATION_DELAY, 0, p->prologue); /* the work of a NEXT is done before each item */
	add(o, p->copied ? OPERATION_DELAY : OPERATION_NEXT, 0, 0);
	if (p->early)
		add(o, OPERATION_POST, 2 * p->workers + number, 0);
	if (p->meets)
		add(o, OPERATION_MEET, 0, 0);
	add(o, OPERATION_POST, p->workers + number, p->epilogue);
	add(o, OPERATION_END, 0, 0);
}

static struct operations *operations_make(const struct program *p)
{
	struct operations *o = array_zero(1, sizeof *o);

	o->nthreads = p->workers + 1;
	o->nposts = 3 * p->workers;
	o->nlocks = 1;
	o->nmeetings = 1;
	o->members = array_zero(1, sizeof *o->members);
	o->members[0] = o->nthreads;
	o->first = array_new(o->nthreads + 1, sizeof *o->first);
	for (uint32_t t = 0; t < o->nthreads; t++) {
		o->first[t] = o->all.n;
		if (t)
			worker(o, p, t - 1);
		else
			first_thread(o, p);
	}
	o->first[o->nthreads] = o->all.n;
	*vector_add(&o->pools) = (struct pool){.end = p->items};
	for (uint32_t i = 0; i < p->items; i++) {
		*vector_add(&o->pieces) = (struct piece){.first = o->all.n};
		if (p->awaited && !i)
			add(o, OPERATION_WAIT, p->workers, 0);
		add(o, OPERATION_BACK, 0, p->lengths[i]);
	}
	return o;
}

/* ---- by hand ---- */

/* The one of workers that is free first takes the next item. Returns when the program ends. */
static int64_t list_schedule(const struct program *p, uint32_t workers)
{
	int64_t frees[2 * MOST_WORKERS], last, last_begun, gap = p->workers > 1 ? p->gap : 0;

	for (uint32_t i = 0; i < workers; i++)
		frees[i] = gap * i + p->prologue;
	for (uint32_t i = 0; i < p->items; i++) {
		uint32_t first = 0;

		for (uint32_t k = 1; k < workers; k++)
			if (frees[k] < frees[first])
				first = k;
		frees[first] += p->lengths[i];
	}
	last = frees[0];
	for (uint32_t i = 1; i < workers; i++)
		last = frees[i] > last ? frees[i] : last;
	last_begun = gap * (workers - 1);
	return (last + p->epilogue > last_begun ? last + p->epilogue : last_begun) + p->end;
}

/* ---- cases ---- */

static struct crew crew_of(const struct program *p, uint32_t *threads)
{
	for (uint32_t i = 0; i < p->workers; i++)
		threads[i] = i + 1;
	return (struct crew){threads, p->workers};
}

static int64_t replayed(const struct operations *o, unsigned cores)
{
	struct replay *r = replay_run(o, &(struct machine){.cores = cores, .slice = DEFAULT_SLICE});
	int64_t duration = r->stuck ? -1 : r->duration;

	replay_free(r);
	return duration;
}

static int64_t work_of(const struct operations *o)
{
	int64_t sum = 0;

	for (size_t i = 0; i < o->all.n; i++)
		sum += o->all.at[i].work;
	return sum;
}

static bool case_holds(unsigned number, unsigned *refused)
{
	uint32_t threads[MOST_WORKERS], n;
	struct program p;
	struct operations *o;
	struct crew crew;
	int64_t time, plain, one, work;
	char *reason;

	numbers.state = number;
	p = program_random();
	n = 1 + dice(2 * MOST_WORKERS);
	crew = crew_of(&p, threads);
	o = operations_make(&p);
	reason = crew_resize(o, &crew, n);
	if (reason) {
		/* the prologues are long beside the items */
		*refused += 1;
		free(reason);
		n = p.workers;
	}
	time = replayed(o, 0);
	plain = list_schedule(&p, n);
	one = replayed(o, 1);
	work = work_of(o);
	if (time != plain || one != work || o->nthreads != n + 1)
		printf(
		    "not ok - %u instead of %u workers: %lld, by hand %lld; on one processor %lld, "
		    "by hand %lld; SEED=%u CASES=1 does it again\n",
		    n, p.workers, (long long)time, (long long)plain, (long long)one,
		    (long long)work, number);
	operations_free(o);
	return time == plain && one == work;
}

/* ---- what is refused ---- */

static bool refuses(const struct program *p, uint32_t n, const char *expected)
{
	uint32_t threads[MOST_WORKERS];
	struct operations *o = operations_make(p);
	struct crew crew = crew_of(p, threads);
	size_t before = o->all.n;
	char *reason = crew_resize(o, &crew, n);
	bool good = reason && strstr(reason, expected) && o->all.n == before &&
		    o->nthreads == p->workers + 1;

	if (!good)
		printf("not ok - %u workers: '%s' instead of '%s'\n", n,
		       reason ? reason : "resized", expected);
	free(reason);
	operations_free(o);
	return good;
}

static bool all_refused(void)
{
	struct program plain = {.workers = 3, .items = 2, .lengths = {LENGTH, LENGTH}}, p = plain;
	bool good;

	p.copied = true;
	good = refuses(&p, 2, "its items are copied") && refuses(&p, 4, "its items are copied");
	p = plain, p.early = p.meets = true;
	good = good && refuses(&p, 2, "before it ends") && refuses(&p, 4, "before it ends");
	p = plain, p.prologue = LENGTH;
	good = good && refuses(&p, 4, "60 % of their time on work outside the items");
	p = plain, p.awaited = true, p.workers = 1;
	good = good && refuses(&p, 2, "items wait for its work");
	p = plain, p.locking = 2;
	return good && refuses(&p, 1, "2 of its 3 threads cannot be removed: it acquires a lock");
}

int main(void)
{
	const char *seed = getenv("SEED"), *cases = getenv("CASES");
	unsigned from = seed ? (unsigned)atoi(seed) : 1, n = cases ? (unsigned)atoi(cases) : 20000;
	unsigned refused = 0;
	bool good = true, refusals = all_refused();

	for (unsigned i = 0; i < n && good; i++)
		good = case_holds(from + i, &refused);
	printf(
	    "%s 1 - %u random crews from seed %u are as fast as list scheduling says; %u are refused\n",
	    good ? "ok" : "not ok", n, from, refused);
	printf("%s 2 - a crew is refused with the reason\n1..2\n", refusals ? "ok" : "not ok");
	return !good || !refusals;
}
