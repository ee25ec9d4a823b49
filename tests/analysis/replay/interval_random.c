/*
 * Varied lengths against the spreads of their classes, found one by one; products of speeds against their values at each
 * moment; and ranges against sums of squares: of random operations. Prints its seed; SEED=N in the environment
 * starts from case N, CASES=N does that many.
 * tested: oracles with random cases, CASES sets of operations (CASES=10000): varied lengths and
 * speeds, and their definition.
 */
#include "analysis/replay/answer/interval.h"
#include "analysis/replay/answer/resampling.h"
#include "base/sort.h"
#include "tests/cases.h"
#include "tests/random.h"
#include <math.h>
#include <stdlib.h>

enum { THREADS = 3, OPERATIONS = 40, LOCKS = 2, DRAWS = 100, CASES = 200 };
enum { MOST_MEMBERS = THREADS * OPERATIONS };

static const double most_spread = 0.05, unknown_spread = 0.02;
static const size_t least_members = 8;

static struct random numbers;

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

/* ---- operations ---- */

struct made {
	struct trace_thread threads[THREADS];
	struct trace trace;
	struct model model;
	struct operations operations;
	size_t first[THREADS + 1];
};

static void made_random(struct made *m)
{
	static const enum operation_kind kinds[] = {OPERATION_TAKE, OPERATION_RELEASE,
						    OPERATION_DELAY, OPERATION_POST};
	unsigned varies = dice(3) ? 1 + dice(300000) : 1;

	*m = (struct made){.operations = {.nthreads = THREADS}};
	for (unsigned t = 0; t < THREADS; t++)
		m->threads[t].name = dice(2) ? "worker" : "main";
	m->trace.threads = m->threads;
	m->trace.nthreads = THREADS;
	m->model.trace = &m->trace;
	m->operations.first = m->first;
	for (unsigned t = 0; t < THREADS; t++) {
		m->first[t] = m->operations.all.n;
		for (unsigned i = 0; i < OPERATIONS; i++)
			*vector_add(&m->operations.all) =
			    (struct operation){.kind = (uint8_t)kinds[dice(4)],
					       .what = dice(LOCKS),
					       .work = 1000000 + dice(varies),
					       .time = 2000000 + dice(varies),
					       .latency = dice(2) ? NO_LATENCY : 20 + dice(5)};
	}
	m->first[THREADS] = m->operations.all.n;
}

/* ---- spreads ---- */

static unsigned thread_of(size_t i)
{
	return (unsigned)(i / OPERATIONS);
}

static bool is_same(const struct made *m, size_t i, size_t k)
{
	const struct operation *a = &m->operations.all.at[i], *b = &m->operations.all.at[k];
	bool of_lock = a->kind == OPERATION_TAKE || a->kind == OPERATION_RELEASE;

	return a->kind == b->kind && (!of_lock || a->what == b->what);
}

/* Whether two operations are of one class. */
static bool is_alike(const struct made *m, size_t i, size_t k)
{
	bool first = i % OPERATIONS == 0, other_first = k % OPERATIONS == 0;

	return strcmp(m->threads[thread_of(i)].name, m->threads[thread_of(k)].name) == 0 &&
	       is_same(m, i, k) && first == other_first && (first || is_same(m, i - 1, k - 1));
}

static double spread_of(const struct made *m, size_t i, bool of_work)
{
	int64_t lengths[MOST_MEMBERS];
	size_t n = 0;
	double spread;

	for (size_t k = 0; k < m->operations.all.n; k++)
		if (is_alike(m, i, k))
			lengths[n++] =
			    of_work ? m->operations.all.at[k].work : m->operations.all.at[k].time;
	if (n < least_members)
		return unknown_spread;
	sort_words(lengths, n);
	spread = (double)(lengths[n - 1 - n / 4] - lengths[n / 4]) / 2 / (double)lengths[n / 2];
	return fmin(spread, most_spread);
}

/* By how much of its own a length differs. */
static double off(int64_t length, int64_t own)
{
	return fabs((double)(length - own)) / (double)own;
}

/* Lengths come close to the ends of their spread, and never leave it, but for a nanosecond. */
static bool is_spread(double most, double spread)
{
	static const double rounding = 1e-6;

	return most <= spread + rounding && most >= 0.8 * spread - rounding;
}

static bool draws_hold(struct made *m)
{
	size_t n = m->operations.all.n;
	struct operation *own = array_new(n, sizeof *own), *at = m->operations.all.at;
	double(*spreads)[2] = array_new(n, sizeof *spreads),
	(*most)[2] = array_zero(n, sizeof *most);
	struct resampling *r;
	bool good = true;

	memcpy(own, at, n * sizeof *own);
	for (size_t i = 0; i < n; i++) {
		spreads[i][0] = spread_of(m, i, true);
		spreads[i][1] = at[i].kind == OPERATION_DELAY ? spread_of(m, i, false) : 0;
	}
	r = resampling_of(&m->model, &m->operations);
	for (unsigned draw = 0; draw < DRAWS; draw++) {
		resampling_draw(r, hash_mix(draw + 1));
		for (size_t i = 0; i < n; i++) {
			most[i][0] = fmax(most[i][0], off(at[i].work, own[i].work));
			most[i][1] = fmax(most[i][1], off(at[i].time, own[i].time));
			good &= own[i].latency == NO_LATENCY || at[i].latency == own[i].latency;
		}
	}
	for (size_t i = 0; i < n; i++)
		good &=
		    is_spread(most[i][0], spreads[i][0]) && is_spread(most[i][1], spreads[i][1]);
	resampling_end(r);
	good &= memcmp(own, at, n * sizeof *own) == 0;
	free(own);
	free(spreads);
	free(most);
	return good;
}

static bool case_of_draws(unsigned seed)
{
	struct made m;
	bool good;

	numbers.state = seed;
	made_random(&m);
	good = draws_hold(&m);
	free(m.operations.all.at);
	return good;
}

/* ---- speeds ---- */

enum { MOMENTS = 30 };

static struct speeds *speeds_random(void)
{
	struct speeds *s = array_zero(1, sizeof *s);

	s->first = array_new(THREADS + 1, sizeof *s->first);
	for (unsigned t = 0; t < THREADS; t++) {
		s->first[t] = s->all.n;
		*vector_add(&s->all) = (struct speed){INT64_MIN, {1 + dice(3), 1 + dice(3)}};
		for (int64_t now = dice(5); now < MOMENTS; now += 1 + dice(9))
			*vector_add(&s->all) = (struct speed){now, {dice(4), dice(4)}};
	}
	s->first[THREADS] = s->all.n;
	return s;
}

static struct kept_time kept_at(const struct speeds *s, unsigned thread, int64_t time)
{
	size_t i = s->first[thread];

	while (i + 1 < s->first[thread + 1] && s->all.at[i + 1].from <= time)
		i++;
	return s->all.at[i].kept;
}

static bool case_of_speeds(unsigned seed)
{
	struct speeds *a, *b, *both;
	bool good = true;

	numbers.state = seed;
	a = speeds_random();
	b = speeds_random();
	both = speeds_product(a, b, THREADS);
	for (unsigned t = 0; t < THREADS; t++)
		for (int64_t time = -2; time < MOMENTS + 2; time++) {
			struct kept_time x = kept_at(a, t, time), y = kept_at(b, t, time);
			struct kept_time is = kept_at(both, t, time);

			good &= is.running == x.running * y.running &&
				is.waiting == x.waiting * y.waiting;
		}
	speeds_free(a);
	speeds_free(b);
	speeds_free(both);
	return good;
}

/* ---- ranges ---- */

static bool case_of_range(unsigned seed)
{
	struct replay base = {0}, changed = {0};
	struct interval_basis basis = {.base = &base, .changed = &changed, .sampling = {1, 1}};
	struct error_interval in;
	double less = 0, more = 0;

	numbers.state = seed;
	base.duration = 100000000 + dice(1000000);
	changed.duration = 100000000 + dice(1000000);
	base.nthreads = changed.nthreads = 1 + dice(9);
	base.ready = dice(1000000);
	changed.ready = dice(1000000);
	basis.recorded = base.duration + dice(10000);
	basis.unchanged = base.duration + dice(10000);
	basis.sampling = (struct effect_range){1 - 0.01 * dice(50), 1 + 0.01 * dice(50)};
	basis.lengths = (struct error_part){dice(100000), dice(100000)};
	basis.others = (struct error_part){dice(100000), dice(100000)};
	basis.sampled_states = dice(2);
	in = error_interval_of(&basis);
	if ((in.parts[ERROR_STATES].less > 0) != basis.sampled_states)
		return false;
	for (unsigned i = 0; i < NERROR_SOURCES; i++) {
		if (in.parts[i].less < 0 || in.parts[i].more < 0)
			return false;
		less = hypot(less, in.parts[i].less);
		more = hypot(more, in.parts[i].more);
	}
	return fabs((double)(changed.duration - in.low) - less) < 2 &&
	       fabs((double)(in.high - changed.duration) - more) < 2;
}

static bool quantiles_hold(void)
{
	int64_t durations[20];
	struct error_part e;

	for (int i = 0; i < 20; i++)
		durations[i] = 100 + i;
	e = durations_error(durations, 20, 110);
	return e.less == 9 && e.more == 8 && durations_error(durations, 20, 90).less == 0;
}

/* ---- all ---- */

int main(void)
{
	cases_hold(case_of_draws, CASES,
		   "lengths vary within the spread of their class, and come back");
	cases_hold(case_of_speeds, CASES, "both speeds hold in a product");
	cases_hold(case_of_range, CASES,
		   "a range is the root of the sum of the squares of its parts");
	ok(quantiles_hold(), "of twenty durations the second and the last but one count");
	return tap_end();
}
