/*
 * Loops that are scheduled in another way: replays against the time that each schedule takes by
 * hand, and that nothing of what chunks do is lost. Prints its seed; SEED=N in the environment
 * starts from case N, CASES=N does that many.
 * tested: oracles with random cases, cases loops (CASES=1000000): loops with another schedule, and
 * the time of the schedule by hand.
 */
#include "analysis/replay/machine/replay.h"
#include "analysis/replay/program/schedule.h"
#include "tests/random.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 6, MOST_CHUNKS = 12, MOST_ITERATIONS = MOST_CHUNKS * 8, LENGTH = 10000 };

static struct random numbers;

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

/* A loop, as it was recorded: the iterations of a chunk have one length. */
struct loop {
	unsigned threads, chunks, iterations;
	unsigned sizes[MOST_CHUNKS];
	int64_t lengths[MOST_ITERATIONS];
	int64_t handing, before, after; /* before and after the loop, each thread */
	bool sleeps;                    /* iterations sleep, after they have computed for 1 ns */
};

static struct loop loop_random(void)
{
	struct loop l = {.threads = 1 + dice(MOST_THREADS), .chunks = dice(MOST_CHUNKS + 1)};

	l.handing = dice(LENGTH / 10);
	l.before = dice(LENGTH);
	l.after = dice(LENGTH);
	l.sleeps = dice(2);
	for (unsigned i = 0; i < l.chunks; i++) {
		int64_t length = 2 + dice(LENGTH);

		l.sizes[i] = 1 + dice(8);
		for (unsigned k = 0; k < l.sizes[i]; k++)
			l.lengths[l.iterations++] = length;
	}
	return l;
}

/* ---- its operations ---- */

static struct operation *add(struct operations *o, enum operation_kind kind, uint32_t what,
			     int64_t work)
{
	struct operation *new = vector_add(&o->all);

	*new =
	    (struct operation){.kind = (uint8_t)kind, .what = what, .work = work, .core = NO_CORE};
	return new;
}

/*
 * A chunk, whose work may be divided by operations: posts, which nobody waits for, and holds of
 * locks.
 */
static void chunk_add(struct operations *o, int64_t work, int64_t handing, bool divided)
{
	bool holds = false;

	while (divided && dice(4)) {
		int64_t part = dice((unsigned)work + 1);

		work -= part;
		if (dice(2))
			add(o, OPERATION_POST, o->nposts++, part);
		else
			add(o, (holds = !holds) ? OPERATION_TAKE : OPERATION_RELEASE, 0, part);
	}
	if (holds)
		add(o, OPERATION_RELEASE, 0, 0);
	add(o, OPERATION_BACK, 0, work + handing);
}

static void sleeps_add(struct operations *o, int64_t length, unsigned n, int64_t handing)
{
	for (unsigned i = 0; i < n; i++)
		add(o, OPERATION_DELAY, 0, 1)->time = length - 1;
	add(o, OPERATION_BACK, 0, handing);
}

/* The chunks come in the order in which they were taken, which need not be that of the iterations. */
static void chunks_add(struct operations *o, const struct loop *l, bool divided)
{
	unsigned iteration = 0;

	*vector_add(&o->pools) = (struct pool){.end = l->chunks};
	for (unsigned i = 0; i < l->chunks; i++) {
		*vector_add(&o->pieces) = (struct piece){.first = o->all.n,
							 .first_iteration = 100 + iteration,
							 .iterations = l->sizes[i]};
		if (l->sleeps && !divided)
			sleeps_add(o, l->lengths[iteration], l->sizes[i], l->handing);
		else
			chunk_add(o, l->lengths[iteration] * l->sizes[i], l->handing, divided);
		iteration += l->sizes[i];
	}
	for (unsigned i = l->chunks; i > 1; i--) {
		struct piece *a = &o->pieces.at[i - 1], *b = &o->pieces.at[dice(i)], swap = *a;

		*a = *b;
		*b = swap;
	}
}

static struct operations *operations_make(const struct loop *l, bool divided)
{
	struct operations *o = array_zero(1, sizeof *o);

	o->nthreads = l->threads;
	o->nlocks = 1;
	o->first = array_new(o->nthreads + 1, sizeof *o->first);
	for (uint32_t t = 0; t < o->nthreads; t++) {
		o->first[t] = o->all.n;
		add(o, OPERATION_DELAY, 0, 0);
		add(o, OPERATION_DELAY, 0, l->before);
		add(o, OPERATION_NEXT, 0, 0);
		add(o, OPERATION_DELAY, 0, l->after);
		add(o, OPERATION_END, 0, 0);
	}
	o->first[o->nthreads] = o->all.n;
	chunks_add(o, l, divided);
	return o;
}

/* ---- by hand ---- */

static int64_t sum(const struct loop *l, unsigned from, unsigned n)
{
	int64_t work = 0;

	for (unsigned i = from; i < from + n && i < l->iterations; i++)
		work += l->lengths[i];
	return work;
}

static int64_t longest(const int64_t *times, unsigned n)
{
	int64_t most = 0;

	for (unsigned i = 0; i < n; i++)
		most = times[i] > most ? times[i] : most;
	return most;
}

/* The first n % threads threads have one iteration more. */
static int64_t blocks_time(const struct loop *l)
{
	int64_t most = 0;
	unsigned from = 0;

	for (unsigned t = 0; t < l->threads; t++) {
		unsigned n = l->iterations / l->threads + (t < l->iterations % l->threads);
		int64_t time = sum(l, from, n);

		most = time > most ? time : most;
		from += n;
	}
	return most;
}

static int64_t in_turn_time(const struct loop *l, unsigned chunk)
{
	int64_t times[MOST_THREADS] = {0};

	for (unsigned i = 0; i < l->iterations; i++)
		times[i / chunk % l->threads] += l->lengths[i];
	return longest(times, l->threads);
}

/* Who is free first takes the next chunk. */
static int64_t taken_time(const struct loop *l, const struct schedule *s)
{
	int64_t times[MOST_THREADS] = {0};
	unsigned chunk = s->chunk ? (unsigned)s->chunk : 1, at = 0;

	while (at < l->iterations) {
		unsigned left = l->iterations - at, n = chunk, first = 0;

		if (s->kind == SCHEDULE_GUIDED && (left + l->threads - 1) / l->threads > n)
			n = (left + l->threads - 1) / l->threads;
		n = n < left ? n : left;
		for (unsigned t = 1; t < l->threads; t++)
			if (times[t] < times[first])
				first = t;
		times[first] += sum(l, at, n) + l->handing;
		at += n;
	}
	return longest(times, l->threads);
}

static int64_t time_by_hand(const struct loop *l, const struct schedule *s)
{
	int64_t time = s->kind != SCHEDULE_STATIC ? taken_time(l, s)
		       : s->chunk                 ? in_turn_time(l, (unsigned)s->chunk)
						  : blocks_time(l);

	return time + l->before + l->after;
}

/* ---- cases ---- */

static struct schedule schedule_random(void)
{
	return (struct schedule){(enum schedule_kind)dice(3), dice(3) ? 1 + dice(12) : 0};
}

static bool time_holds(unsigned number)
{
	struct loop l;
	struct schedule s;
	struct operations *o;
	struct replay *r;
	int64_t time, plain;

	numbers.state = number;
	l = loop_random();
	s = schedule_random();
	o = operations_make(&l, false);
	free(schedule_change(o, (bool[]){true}, &s, l.handing));
	r = replay_run(o, &(struct machine){.slice = DEFAULT_SLICE});
	time = r->duration;
	plain = time_by_hand(&l, &s);
	replay_free(r);
	operations_free(o);
	if (time != plain)
		printf(
		    "not ok - schedule %d,%lld: %lld, by hand %lld; SEED=%u CASES=1 does it again\n",
		    s.kind, (long long)s.chunk, (long long)time, (long long)plain, number);
	return time == plain;
}

/* What there is of operations. */
struct count {
	int64_t work;
	uint64_t posts; /* the sum of their numbers */
	unsigned takes;
	bool balanced; /* each piece and each thread releases what it takes */
};

static struct count count_of(const struct operations *o)
{
	struct count c = {.balanced = true};
	int depth = 0;

	for (size_t i = 0; i < o->all.n; i++) {
		const struct operation *op = &o->all.at[i];

		c.work += op->work;
		c.posts += op->kind == OPERATION_POST ? op->what + 1 : 0;
		c.takes += op->kind == OPERATION_TAKE;
		depth += (op->kind == OPERATION_TAKE) - (op->kind == OPERATION_RELEASE);
		c.balanced &= !depth || (op->kind != OPERATION_BACK && op->kind != OPERATION_END);
	}
	return c;
}

/* Without costs of the hand-out nothing gets longer or shorter. */
static bool nothing_is_lost(unsigned number)
{
	struct loop l;
	struct schedule s;
	struct operations *o;
	struct count before, after;
	bool good;

	numbers.state = number;
	l = loop_random();
	l.handing = 0;
	s = schedule_random();
	o = operations_make(&l, true);
	before = count_of(o);
	free(schedule_change(o, (bool[]){true}, &s, 0));
	after = count_of(o);
	good = before.work == after.work && before.posts == after.posts &&
	       before.takes == after.takes && after.balanced;
	if (!good)
		printf(
		    "not ok - schedule %d,%lld: work %lld, before %lld; SEED=%u CASES=1 does it again\n",
		    s.kind, (long long)s.chunk, (long long)after.work, (long long)before.work,
		    number);
	operations_free(o);
	return good;
}

static bool refuses(struct loop *l, int64_t first, int64_t iterations, const char *expected)
{
	struct operations *o = operations_make(l, false);
	struct schedule s = {.kind = SCHEDULE_DYNAMIC};
	char *reason;
	bool good;

	o->pieces.at[0].first_iteration = first;
	o->pieces.at[0].iterations = iterations;
	reason = schedule_change(o, (bool[]){true}, &s, 0);
	good = reason && strstr(reason, expected) && o->pieces.n == l->chunks;
	if (!good)
		printf("# '%s' instead of '%s'\n", reason ? reason : "changed", expected);
	free(reason);
	operations_free(o);
	return good;
}

static bool all_refused(void)
{
	struct loop l = {.threads = 2, .chunks = 2, .iterations = 4, .sizes = {2, 2}};

	return refuses(&l, 100, 0, "not chunks of a loop") &&
	       refuses(&l, 90, 2, "lacks some of its chunks");
}

static bool parses(const char *text, enum schedule_kind kind, int64_t chunk)
{
	struct schedule s = {0};

	return schedule_parse(text, &s) && s.kind == kind && s.chunk == chunk;
}

static bool all_parsed(void)
{
	struct schedule s;

	return parses("static", SCHEDULE_STATIC, 0) && parses("static,25", SCHEDULE_STATIC, 25) &&
	       parses("dynamic", SCHEDULE_DYNAMIC, 0) && parses("guided,1", SCHEDULE_GUIDED, 1) &&
	       !schedule_parse("", &s) && !schedule_parse("static,", &s) &&
	       !schedule_parse("static,0", &s) && !schedule_parse("dynamic,-1", &s) &&
	       !schedule_parse("dynamics", &s) && !schedule_parse("guided,4x", &s) &&
	       !schedule_parse("dynamic,99999999999999999999", &s);
}

static bool report(int number, bool good, const char *what)
{
	printf("%s %d - %s\n", good ? "ok" : "not ok", number, what);
	return good;
}

int main(void)
{
	const char *seed = getenv("SEED"), *cases = getenv("CASES");
	unsigned from = seed ? (unsigned)atoi(seed) : 1, n = cases ? (unsigned)atoi(cases) : 20000;
	bool times = true, kept = true, good;

	for (unsigned i = 0; i < n && times && kept; i++) {
		times = time_holds(from + i);
		kept = nothing_is_lost(from + i);
	}
	printf("# %u random loops from seed %u\n1..4\n", n, from);
	good = report(1, times, "schedules take as long as by hand");
	good &= report(2, kept, "nothing of what chunks do is lost");
	good &= report(3, all_refused(), "what is no whole loop is refused");
	good &= report(4, all_parsed(), "schedules are parsed");
	return !good;
}
