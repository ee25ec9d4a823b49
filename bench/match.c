/*
 * How the engine grows: every form of interval on n and on 10n events, with logs made to be its
 * worst; and the thesis' hour, 250,000 events and 5 intervals. Prints a row for each: name,
 * measured, target, detail.
 *
 *	match [N [FORM]]                only forms whose names contain FORM; N: 300,000, of
 *					which little fits into a cache
 *	match --random [N [FORM]]       a table: random logs of N, 10 N and 100 N events; N:
 *					1,000,000
 *	match --logs DIR                reads logs, finds all their intervals with statistics:
 *					events a second
 */
#include "bench/forms.h"
#include "bench/median.h"
#include "match/stats/series.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 5 };

static void lower(double *least, double took)
{
	*least = *least == 0 || took < *least ? took : *least;
}

/* Of n events, in seconds; the best of some runs. */
static double measure(const struct spec *spec, const struct form *form, size_t n, unsigned runs)
{
	struct made made;
	double best = 0;

	made_init(&made, spec, form, n);
	for (unsigned i = 0; i < runs; i++)
		lower(&best, made_match_alone(spec, &made));
	made_clear(&made);
	return best;
}

static struct spec *spec_or_exit(const struct form *form)
{
	struct spec *spec = form_spec(form->interval);

	if (!spec)
		exit(2);
	return spec;
}

/*
 * Few and many in turn, since what others do to the machine comes in spells; the median of what
 * neighbouring runs make.
 */
static void print_ratio(const struct form *form, size_t n, const char *target)
{
	struct spec *spec = spec_or_exit(form);
	struct made few, many;
	double ratio[TURNS], best = 0;

	made_init(&few, spec, form, n);
	made_init(&many, spec, form, 10 * n);
	for (unsigned turn = 0; turn < TURNS; turn++) {
		double before = made_match_alone(spec, &few);
		double took = made_match_alone(spec, &many);

		ratio[turn] = 2 * took / (before + made_match_alone(spec, &few));
		lower(&best, took);
	}
	printf("match %s: 10 times the events, times the time\t%.1f\t%s\t%.3f us of processor "
	       "time an event of %zu\n",
	       form->name, median(ratio, TURNS), target, best * 1e6 / (double)(10 * n), 10 * n);
	fflush(stdout);
	made_clear(&few);
	made_clear(&many);
	spec_free(spec);
}

static void print_growth(const struct form *form, size_t n)
{
	print_ratio(form, n, "<=13");
}

static void print_unbounded(const struct form *form, size_t n)
{
	print_ratio(form, n, "-");
}

/* More than this an event were never seen to need, the log and what finds the interval together. */
enum { BYTES_NEEDED = 160 };

static bool has_room(size_t n)
{
	return (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) >
	       (uint64_t)n * BYTES_NEEDED;
}

/* What was not measured is nought. */
static void print_cell(const char *format, double value)
{
	if (value > 0)
		printf(format, value);
	else
		printf(" %8s", "-");
}

static void print_sizes(const struct form *form, size_t n)
{
	struct spec *spec = spec_or_exit(form);
	double before = 0;

	printf("%-34s", form->name);
	for (size_t size = n; size <= 100 * n; size *= 10) {
		double took = has_room(size) ? measure(spec, form, size, size > n ? 1 : 2) : 0;

		print_cell(" %8.2f", took);
		if (size > n)
			print_cell(" %8.1f", before > 0 ? took / before : 0);
		fflush(stdout);
		before = took;
	}
	putchar('\n');
	spec_free(spec);
}

/* In this process, by the wall clock. */
static double best_of(const struct spec *spec, const struct made *made, unsigned runs)
{
	double best = 0;

	for (unsigned i = 0; i < runs; i++)
		lower(&best, made_match(spec, made, CLOCK_MONOTONIC));
	return best;
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
	struct form form = {.make = form_messages};
	double total = 0;

	for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
		struct spec *spec = form_spec(intervals[i]);
		struct made made;

		made_init(&made, spec, &form, 250000);
		total += best_of(spec, &made, 7);
		made_clear(&made);
		spec_free(spec);
	}
	printf("match 250,000 events, 5 intervals, ms\t%.1f\t<=50\tthe thesis: almost an "
	       "hour\n",
	       total * 1e3);
}

/* From log files to intervals with their statistics. */
static int print_logs(const char *directory)
{
	struct diag diag = {.out = stderr, .program = "bench/match"};
	double begin = made_now(CLOCK_MONOTONIC), took;
	struct trace *t = trace_open(&directory, 1, NULL, &diag);
	size_t matched = 0;

	if (!t)
		return 2;
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		static const double wanted[] = {0, 0.5, 0.9, 0.99, 1};
		struct matches *m = match_interval(t, t->spec->intervals[i]);
		struct series durations = series_of_durations(m);
		struct value found[5];

		if (durations.n)
			series_quantiles(&durations, wanted, 5, found);
		matched += durations.n;
		series_clear(&durations);
		matches_free(m);
	}
	took = made_now(CLOCK_MONOTONIC) - begin;
	printf("merge and match, million events/s\t%.1f\t>=20\t%llu events of %u threads, "
	       "%zu matched, in %.2f s\n",
	       (double)t->events / took / 1e6, (unsigned long long)t->events, t->nthreads, matched,
	       took);
	trace_close(t);
	return 0;
}

static void each(const struct form *form, size_t n, const char *wanted,
		 void (*print)(const struct form *, size_t))
{
	for (; form->name; form++)
		if (!wanted || strstr(form->name, wanted))
			print(form, n);
}

int main(int argc, char **argv)
{
	bool random = argc > 1 && strcmp(argv[1], "--random") == 0;
	char **rest = argv + 1 + random;
	size_t n = *rest ? strtoull(*rest, NULL, 10) : random ? 1000000 : 300000;

	if (argc == 3 && strcmp(argv[1], "--logs") == 0)
		return print_logs(argv[2]);
	if (random) {
		printf("%-34s %8s %17s %17s\n", "seconds, and times the time before", "N", "10 N",
		       "100 N");
		each(forms_random, n, *rest ? rest[1] : NULL, print_sizes);
		return 0;
	}
	print_hour();
	each(forms_worst, n, *rest ? rest[1] : NULL, print_growth);
	each(forms_unbounded, n, *rest ? rest[1] : NULL, print_unbounded);
	return 0;
}
