#include "analysis/calls/call_table.h"
#include "analysis/calls/call_totals.h"
#include "analysis/diff/diff.h"
#include "analysis/diff/diff_rows.h"
#include "trace/address.h"
#include <stdlib.h>

enum { CPU, REAL, ALL, SAMPLED, LOGGED };

/* Adds a function of a run. */
static void function_take(struct diff_rows *rows, unsigned run, const struct call_function *f,
			  const struct call_row *table_row, const struct call_total *total)
{
	size_t before = rows->all.n;
	struct diff_row *row = diff_row_find(rows, f->name);
	struct sample *samples = row->runs[run];
	const struct call_node *n = &table_row->sum;

	sample_join(&samples[CPU], n->calls, (double)n->cpu.total);
	sample_join(&samples[REAL], n->calls, (double)n->real.total);
	sample_join(&samples[ALL], 0, (double)total->cpu);
	samples[SAMPLED].n += n->sampled;
	samples[LOGGED].n += table_row->logged;
	row->recorder = (row->recorder || rows->all.n > before) && module_is_of_recorder(f->module);
}

/* Returns whether some thread of the run has samples instead of calls. */
static bool run_take(struct diff_rows *rows, struct trace *t, unsigned run)
{
	struct call_table table;
	struct call_total *totals;
	struct calls *c;
	bool sampled = false;

	if (!trace_has_calls(t))
		return false;
	c = calls_of(t, &CALL_PART_ALL);
	totals = call_totals(c);
	for (unsigned i = 0; i < t->nthreads; i++)
		sampled |= c->threads[i].sampled;
	call_table_make(&table, c, CALLS_BY_FUNCTION);
	for (size_t i = 0; i < table.n; i++) {
		uint32_t function = table.rows[i].function;

		function_take(rows, run, &c->functions[function], &table.rows[i],
			      &totals[function]);
	}
	call_table_free(&table);
	free(totals);
	calls_free(c);
	return sampled;
}

/* How often functions were called is not known of samples, and with it what a call takes. */
static bool is_sampled(const struct diff_row *row, const bool *sampled, unsigned nruns)
{
	for (unsigned i = 0; i < nruns; i++) {
		bool there = row->runs[i][LOGGED].n || row->runs[i][SAMPLED].n;

		if (there ? row->runs[i][SAMPLED].n : sampled[i])
			return true;
	}
	return false;
}

void diff_functions(struct diff_changes *c, struct diff_runs runs)
{
	static const struct diff_measure by_calls[] = {
	    {"calls", DIFF_COUNT, ASPECT_COUNT, CPU},
	    {"cpu_total", DIFF_TIME, ASPECT_TOTAL, CPU},
	    {"cpu_mean", DIFF_TIME, ASPECT_MEAN, CPU},
	    {"real_mean", DIFF_TIME, ASPECT_MEAN, REAL},
	};
	static const struct diff_measure by_samples[] = {
	    {"cpu_total", DIFF_TIME, ASPECT_TOTAL, CPU},
	    {"all_total", DIFF_TIME, ASPECT_TOTAL, ALL},
	};
	struct diff_rows rows = {.nruns = runs.n};
	bool *sampled = array_zero(runs.n, sizeof *sampled);

	for (unsigned run = 0; run < runs.n; run++)
		sampled[run] = run_take(&rows, runs.at[run], run);
	for (size_t i = 0; i < rows.all.n; i++) {
		const struct diff_row *row = &rows.all.at[i];

		if (is_sampled(row, sampled, runs.n))
			diff_row_compare(&rows, row, c, DIFF_FUNCTIONS, by_samples,
					 sizeof by_samples / sizeof *by_samples);
		else
			diff_row_compare(&rows, row, c, DIFF_FUNCTIONS, by_calls,
					 sizeof by_calls / sizeof *by_calls);
	}
	diff_rows_free(&rows);
	free(sampled);
}
