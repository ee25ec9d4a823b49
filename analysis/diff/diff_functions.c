#include "analysis/calls/call_table.h"
#include "analysis/calls/call_totals.h"
#include "analysis/diff/diff.h"
#include <math.h>
#include <stdlib.h>

/* ---- functions of all runs ---- */

enum { MEASURE_SELF, MEASURE_ALL, NMEASURES };
static const char *const measure_names[NMEASURES] = {"cpu_total", "all_total"};

/* A function in one run. */
struct run_value {
	double time[NMEASURES];
	double samples[NMEASURES];
	bool there, sampled, logged;
};

/* What a run's samples stand for. */
struct run_samples {
	double time, number;
};

struct function_row {
	const char *name;
	struct run_value *runs; /* those before, then those after */
};

struct functions {
	struct diff_rows calls;           /* as they are logged; of two runs */
	VECTOR(struct function_row) rows; /* the same functions */
	struct run_samples *samples;      /* by run */
	unsigned nruns, nbefore;
	double tested[NMEASURES]; /* functions that have samples enough to differ */
};

static struct function_row *row_find(struct functions *f, const char *name, unsigned run,
				     struct diff_row **calls)
{
	struct diff_row *row = diff_row_find(&f->calls, name, run >= f->nbefore);
	size_t i = (size_t)(row - f->calls.all.at);

	if (i == f->rows.n)
		*vector_add(&f->rows) = (struct function_row){
		    row->name, array_zero(f->nruns, sizeof(struct run_value))};
	*calls = row;
	return &f->rows.at[i];
}

static void value_take(struct functions *f, unsigned run, const char *name,
		       const struct call_row *from, const struct call_total *total)
{
	struct diff_row *calls;
	struct run_value *v = &row_find(f, name, run, &calls)->runs[run];
	const struct call_node *n = &from->sum;
	struct sample *samples = calls->samples[run >= f->nbefore];

	v->there = true;
	v->sampled |= n->sampled;
	v->logged |= from->logged;
	v->time[MEASURE_SELF] += (double)n->cpu.total;
	v->samples[MEASURE_SELF] += (double)n->samples;
	v->time[MEASURE_ALL] += (double)total->cpu;
	v->samples[MEASURE_ALL] += (double)total->samples;
	sample_join(&samples[0], &(struct sample){n->calls, (double)n->cpu.total, n->cpu_squares});
	sample_join(&samples[1],
		    &(struct sample){n->calls, (double)n->real.total, n->real_squares});
}

static void samples_count(struct run_samples *s, const struct calls *c)
{
	for (unsigned i = 0; i < c->trace->nthreads; i++) {
		const struct call_tree *tree = &c->threads[i].tree;

		for (size_t k = 0; k < tree->n && c->threads[i].sampled; k++) {
			s->time += (double)tree->nodes[k].cpu.total;
			s->number += (double)tree->nodes[k].samples;
		}
	}
}

static void run_take(struct functions *f, struct trace *t, unsigned run)
{
	struct call_table table;
	struct call_total *totals;
	struct calls *c;

	if (!trace_has_calls(t))
		return;
	c = calls_of(t, &CALL_PART_ALL);
	totals = call_totals(c);
	samples_count(&f->samples[run], c);
	call_table_make(&table, c, CALLS_BY_FUNCTION);
	for (size_t i = 0; i < table.n; i++) {
		uint32_t function = table.rows[i].function;

		value_take(f, run, c->functions[function].name, &table.rows[i], &totals[function]);
	}
	call_table_free(&table);
	free(totals);
	calls_free(c);
}

/* ---- estimates ---- */

/* What the time of one run's function would vary by if it was `time` in all of them: it has a binomial number of samples. */
static double sampling_variance(const struct functions *f, const struct function_row *row,
				unsigned run, double time)
{
	const struct run_samples *s = &f->samples[run];
	const struct run_value *v = &row->runs[run];
	double each = s->number > 0 ? s->time / s->number : 0;

	if (each <= 0 || (v->there && !v->sampled))
		return 0;
	time = fmin(time, s->time);
	return each * time * (1 - time / s->time);
}

struct run_side {
	unsigned first, n;    /* of the runs */
	double mean, spread;  /* spread: the variance from run to run, as seen; of one run 0 */
	double samples, step; /* step: what one sample more changes the mean by */
};

static struct run_side side_of(const struct functions *f, const struct function_row *row,
			       unsigned measure, bool after)
{
	struct run_side s = {.first = after ? f->nbefore : 0,
			     .n = after ? f->nruns - f->nbefore : f->nbefore};
	double squares = 0;

	for (unsigned i = s.first; i < s.first + s.n; i++) {
		const struct run_samples *all = &f->samples[i];

		s.mean += row->runs[i].time[measure] / s.n;
		s.samples += row->runs[i].samples[measure];
		if (all->number > 0)
			s.step = fmax(s.step, all->time / all->number / s.n);
	}
	for (unsigned i = s.first; i < s.first + s.n; i++)
		squares +=
		    (row->runs[i].time[measure] - s.mean) * (row->runs[i].time[measure] - s.mean);
	s.spread = s.n > 1 ? squares / (s.n - 1) : 0;
	return s;
}

/* The value that a sum of so many squares of normal deviates exceeds in 5 of 100 cases (Wilson and Hilferty). */
static double squares_limit(double freedom)
{
	double part = 2 / (9 * freedom);

	return freedom * pow(1 - part + 1.644853626951473 * sqrt(part), 3);
}

/*
 * What the mean of a side's runs varies by. time: what each run had in the mean. Few runs may be alike by chance: they
 * vary at least as the number of samples and DIFF_SPREAD say. If they vary by clearly more, that was found from
 * these runs alone.
 */
static struct estimate estimate_of(const struct functions *f, const struct function_row *row,
				   const struct run_side *s, double time)
{
	struct estimate e = {.value = s->mean, .freedom = INFINITY};
	double n = s->n;

	e.variance = DIFF_SPREAD * DIFF_SPREAD * time * time / n;
	for (unsigned i = s->first; i < s->first + s->n; i++)
		e.variance += sampling_variance(f, row, i, time) / (n * n);
	if (s->n > 1 && s->spread / n * (n - 1) > squares_limit(n - 1) * e.variance)
		e.freedom = n - 1;
	e.variance = fmax(e.variance, s->spread / n);
	return e;
}

/* ---- changes ---- */

static void estimate_add(struct changes *c, const struct functions *f,
			 const struct function_row *row, unsigned measure)
{
	struct run_side a = side_of(f, row, measure, false), b = side_of(f, row, measure, true);
	double same = (a.mean * a.n + b.mean * b.n) / (a.n + b.n);
	struct estimate before = estimate_of(f, row, &a, same),
			after = estimate_of(f, row, &b, same);
	double p = estimate_test(&before, &after, a.step + b.step), half;

	/* they need not be the same; where no sample was there may be less than one */
	before = estimate_of(f, row, &a, fmax(a.mean, a.step));
	after = estimate_of(f, row, &b, fmax(b.mean, b.step));
	half = estimate_half_width(&before, &after);
	change_add(c, (struct change){
			  .table = DIFF_FUNCTIONS,
			  .name = text_format("%s", row->name),
			  .measure = measure_names[measure],
			  .unit = DIFF_TIME,
			  .before = a.mean,
			  .after = b.mean,
			  .p = fmin(p * fmax(f->tested[measure], 1), 1),
			  .estimated = true,
			  .low = b.mean - a.mean - half,
			  .high = b.mean - a.mean + half,
			  .weight_before = a.mean,
			  .weight_after = b.mean,
		      });
}

/* How often functions were called is not known of samples, and with it what a call takes. */
static bool is_estimated(const struct functions *f, const struct function_row *row)
{
	if (f->nruns > 2)
		return true;
	for (unsigned i = 0; i < f->nruns; i++)
		if (row->runs[i].there ? row->runs[i].sampled : f->samples[i].number > 0)
			return true;
	return false;
}

static void tests_count(struct functions *f)
{
	for (size_t i = 0; i < f->rows.n; i++)
		for (unsigned m = 0; m < NMEASURES && is_estimated(f, &f->rows.at[i]); m++) {
			double samples = 0;
			bool logged = false;

			for (unsigned run = 0; run < f->nruns; run++) {
				samples += f->rows.at[i].runs[run].samples[m];
				logged |= f->rows.at[i].runs[run].logged;
			}
			f->tested[m] += logged || samples >= DIFF_TESTED;
		}
}

/* Compares the functions that are logged in both runs; frees the calls. */
static void calls_compare(struct changes *c, struct functions *f)
{
	static const struct diff_measure measures[] = {
	    {"calls", DIFF_COUNT, ASPECT_COUNT, 0},
	    {"cpu_total", DIFF_TIME, ASPECT_TOTAL, 0},
	    {"cpu_mean", DIFF_TIME, ASPECT_MEAN, 0},
	    {"real_mean", DIFF_TIME, ASPECT_MEAN, 1},
	};
	struct diff_rows rows = {.known = f->calls.known};

	for (size_t i = 0; i < f->rows.n; i++) {
		if (is_estimated(f, &f->rows.at[i]))
			free(f->calls.all.at[i].name);
		else
			*vector_add(&rows.all) = f->calls.all.at[i];
	}
	free(f->calls.all.at);
	diff_rows_compare(&rows, c, DIFF_FUNCTIONS, measures, sizeof measures / sizeof *measures);
}

void diff_functions(struct changes *c, struct diff_runs before, struct diff_runs after)
{
	struct functions f = {.nruns = before.n + after.n, .nbefore = before.n};

	f.samples = array_zero(f.nruns, sizeof *f.samples);
	for (unsigned i = 0; i < f.nruns; i++)
		run_take(&f, i < before.n ? before.at[i] : after.at[i - before.n], i);
	tests_count(&f);
	for (size_t i = 0; i < f.rows.n; i++)
		for (unsigned m = 0; m < NMEASURES && is_estimated(&f, &f.rows.at[i]); m++)
			estimate_add(c, &f, &f.rows.at[i], m);
	calls_compare(c, &f);
	for (size_t i = 0; i < f.rows.n; i++)
		free(f.rows.at[i].runs);
	free(f.rows.at);
	free(f.samples);
}
