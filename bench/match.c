/*
 * How the engine grows: every form of interval on n and on 10n events, with logs made to be the
 *worst for each; and the thesis' hour, 250,000 events and 5 intervals. Prints a row for each: name,
 *measured, target, detail.
 *
 *	match [N [FORM]]        N: 300,000, more than fit into a cache; only forms whose names
 *contain FORM match --logs DIR        reads logs, finds all their intervals with statistics: events
 *a second
 */
#include "trace/match.h"
#include "trace/stats.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct row {
	uint32_t word;
	int32_t key, x, y, z;
};

struct made {
	struct event *events;
	struct row *rows;
	struct moments moments[2];      /* of the types A and B */
	struct trace trace;
	struct trace_thread threads[16];
};

struct form {
	const char *name;
	const char *interval;           /* what follows "interval I" */
	/* Event i of n: fills in the row, gives the thread, and says whether it is an A or a B. */
	int (*make)(struct row *row, uint32_t *thread, size_t i, size_t n);
};

static uint32_t scramble(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (uint32_t)(x >> 33);
}

/* Messages among 16 threads: sent, and received a little later by another. */
static int make_messages(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	size_t pair = i / 64 * 32 + i % 32;

	(void)n;
	*thread = scramble(pair) % 16;
	if (i % 64 >= 32)
		*thread = (*thread + 1) % 16;
	row->key = (int32_t)pair;
	row->x = (int32_t)(scramble(pair) % 1000);
	row->y = (int32_t)(scramble(pair + 1) % 1000);
	return i % 64 >= 32;
}

/* All of A before all of B, one key. */
static int make_halves(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	bool partner = i >= n / 2;

	*thread = 0;
	row->key = 1;
	row->x = partner ? (int32_t)scramble(i) / 2 : (int32_t)scramble(i);
	row->y = (int32_t)i;
	row->z = (int32_t)scramble(i + n) / 2;
	return partner;
}

/* A and B in turn; half the candidates are great in x, half in y, none in both, and every anchor
 * asks for both. */
static int make_crossed(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	bool partner = i % 2, x = i / 2 % 2;

	(void)n;
	*thread = 0;
	row->key = 1;
	row->x = partner ? (int32_t)(x ? 2000000 + scramble(i) % 1000000 : scramble(i) % 1000) :
			   (int32_t)(1000000 + scramble(i) % 1000);
	row->y = partner ? (int32_t)(x ? scramble(i) % 1000 : 2000000 + scramble(i) % 1000000) :
			   (int32_t)(1000000 + scramble(i) % 1000);
	row->z = (int32_t)scramble(i);
	return partner;
}

/* One thread logs everything but the last event. */
static int make_alone(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	*thread = i + 1 == n;
	row->key = 1;
	row->x = (int32_t)i;
	return i % 2 || i + 1 == n;
}

static const struct form forms[] = {
    {"same thread", "[a:A -> b:B]", make_messages},
    {"same thread, backwards", "[a:A <- b:B]", make_messages},
    {"same thread, nested, all open at once", "[a:A -> b:B] nested", make_halves},
    {"equal attribute, threads crossed", "[a:A -> b:B] where a.key == b.key", make_messages},
    {"equal attribute, backwards", "[a:B <- b:A] where a.key == b.key", make_messages},
    {"equal attribute, all the same, once", "[a:A -> b:B] once where a.key == b.key", make_halves},
    {"two attributes of 64 bits and a comparison",
     "[a:A -> b:B] where a.key == b.key && a.time + a.x == a.x + a.time && a.x <= b.x",
     make_messages},
    {"one comparison, never met", "[a:A -> b:B] where a.x < b.z && a.x > b.x", make_halves},
    {"one comparison, once", "[a:A -> b:B] once where a.x < b.x", make_halves},
    {"one comparison, once, backwards", "[a:B <- b:A] once where a.x < b.x", make_halves},
    {"one comparison, nested", "[a:A -> b:B] nested where a.x < b.x", make_halves},
    {"within a time", "[a:A -> b:B] where b.time - a.time < 1 us && a.thread != b.thread",
     make_alone},
    {"another thread", "[a:A -> b:B] where a.thread != b.thread", make_alone},
    {"another thread, once", "[a:A -> b:B] once where a.thread != b.thread", make_alone},
    {"both greater, crossed", "[a:A -> b:B] where a.x < b.x && a.y < b.y", make_crossed},
    {"both greater, crossed, backwards", "[a:A <- b:B] where a.x < b.x && a.y < b.y", make_crossed},
    {"between two", "[a:A -> b:B] where a.x < b.x && a.y + 1000000 > b.x", make_crossed},
    {"both greater, crossed, once", "[a:A -> b:B] once where a.x < b.x && a.y < b.y", make_crossed},
    {"both greater, crossed, nested", "[a:A -> b:B] nested where a.x < b.x && a.y < b.y",
     make_crossed},
    {"three comparisons", "[a:A -> b:B] where a.x < b.x && a.y < b.y && a.z < b.z", make_crossed},
    {"greater and different, crossed", "[a:A -> b:B] where a.x < b.x && a.y != b.key",
     make_crossed},
};

static struct spec *form_spec(const char *interval)
{
	struct diag diag = {.program = "bench/match"};
	char text[600];

	snprintf(text, sizeof text,
		 "glimpse bench event A(key, x, y, z); event B(key, x, y, z); interval I %s; end",
		 interval);
	return spec_parse("bench.spec", text, &diag);
}

static void make_events(struct made *m, const struct spec *spec, const struct form *form, size_t n)
{
	uint64_t *ranks[2] = {malloc(n * sizeof *ranks[0]), malloc(n * sizeof *ranks[1])};
	struct event *events[2] = {malloc(n * sizeof(struct event)),
				   malloc(n * sizeof(struct event))};

	memset(m, 0, sizeof *m);
	m->rows = calloc(n, sizeof *m->rows);
	m->trace = (struct trace){.spec = spec, .threads = m->threads, .nthreads = 16};
	for (uint32_t i = 0; i < 16; i++)
		m->threads[i] = (struct trace_thread){.number = i, .name = "thread"};
	for (int type = 0; type < 2; type++)
		m->moments[type] = (struct moments){.trace = &m->trace, .events = events[type],
						    .ranks = ranks[type]};
	for (size_t i = 0; i < n; i++) {
		uint32_t thread;
		int type = form->make(&m->rows[i], &thread, i, n);
		struct moments *to = &m->moments[type];

		ranks[type][to->count] = i;
		events[type][to->count++] = (struct event){
			.time = (int64_t)i * 100, .type = spec->events[type],
			.record = (const unsigned char *)&m->rows[i], .thread = thread,
		};
	}
}

static void made_clear(struct made *m)
{
	for (int type = 0; type < 2; type++) {
		free((void *)m->moments[type].events);
		free((void *)m->moments[type].ranks);
	}
	free(m->rows);
}

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The best of some runs, in seconds: of the processors, which other programs do not disturb, or of
 * the wall clock. */
static double measure(const struct spec *spec, const struct made *m, unsigned runs, clockid_t clock)
{
	const struct interval *interval = spec->intervals[0];
	double best = 0;

	for (unsigned i = 0; i < runs; i++) {
		double begin = now(clock), took;

		matches_free(match_moments(interval, m->moments[interval->anchor.event->index],
					   m->moments[interval->partner.event->index]));
		took = now(clock) - begin;
		best = i == 0 || took < best ? took : best;
	}
	return best;
}

static void print_growth(const struct form *form, size_t n)
{
	struct spec *spec = form_spec(form->interval);
	struct made few, many;
	double a, b;

	if (!spec)
		exit(2);
	make_events(&few, spec, form, n);
	make_events(&many, spec, form, 10 * n);
	a = measure(spec, &few, 3, CLOCK_PROCESS_CPUTIME_ID);
	b = measure(spec, &many, 2, CLOCK_PROCESS_CPUTIME_ID);
	printf("match %s: 10 times the events\t%.1f times the time\t13 or less\t%.3f us of "
	       "processor time an event of %zu\n",
	       form->name, b / a, b * 1e6 / (double)(10 * n), 10 * n);
	fflush(stdout);
	made_clear(&few);
	made_clear(&many);
	spec_free(spec);
}

/* The thesis' five: by thread, by Match, backwards, and with parts of the attributes. */
static void print_hour(void)
{
	static const char *const intervals[] = {
	    "[a:A -> b:B]",
	    "[a:A -> b:B] Match",
	    "[a:B <- b:A] Match",
	    "[a:A -> b:B] where a.key == b.key",
	    "[a:A -> b:B] where a.x == b.x && a.key <= b.key",
	};
	struct form form = {.make = make_messages};
	double total = 0;

	for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
		struct spec *spec = form_spec(intervals[i]);
		struct made made;

		make_events(&made, spec, &form, 250000);
		total += measure(spec, &made, 7, CLOCK_MONOTONIC);
		made_clear(&made);
		spec_free(spec);
	}
	printf("match 250,000 events, 5 intervals\t%.1f ms\t50 ms or less\tthe thesis: almost an "
	       "hour\n",
	       total * 1e3);
}

/* From log files to intervals with their statistics. */
static int print_logs(const char *directory)
{
	struct diag diag = {.out = stderr, .program = "bench/match"};
	double begin = now(CLOCK_MONOTONIC), took;
	struct trace *t = trace_open(&directory, 1, NULL, &diag);
	size_t matched = 0;

	if (!t)
		return 2;
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		struct matches *m = match_interval(t, t->spec->intervals[i]);
		struct stats stats;

		stats_of(m, &stats);
		matched += stats.count;
		matches_free(m);
	}
	took = now(CLOCK_MONOTONIC) - begin;
	printf("merge and match, million events/s\t%.1f\t20 or more\t%llu events of %u threads, "
	       "%zu matched, in %.2f s\n",
	       (double)t->events / took / 1e6, (unsigned long long)t->events, t->nthreads, matched,
	       took);
	trace_close(t);
	return 0;
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 300000;

	if (argc == 3 && strcmp(argv[1], "--logs") == 0)
		return print_logs(argv[2]);
	print_hour();
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (argc < 3 || strstr(forms[i].name, argv[2]))
			print_growth(&forms[i], n);
	return 0;
}
