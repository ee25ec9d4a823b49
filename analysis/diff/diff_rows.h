/*
 * Compares tables of several runs side by side. A table has rows, known by their names: intervals,
 * functions, threads, locks, call paths that allocate memory. Rows of the same name are compared,
 * measure by measure.
 */
#ifndef GLIMPSE_ANALYSIS_DIFF_DIFF_ROWS_H
#define GLIMPSE_ANALYSIS_DIFF_DIFF_ROWS_H

#include "analysis/diff/changes.h"
#include "base/hash.h"
#include "match/stats/significance.h"

/* What a measure tells of a sample. */
enum aspect { ASPECT_COUNT, ASPECT_TOTAL, ASPECT_MEAN };

struct diff_measure {
	const char *name;
	enum diff_unit unit;
	enum aspect aspect;
	unsigned sample;
};

enum { DIFF_SAMPLES = 5 };

struct diff_row {
	char *name;
	bool sums, recorder;                 /* as of a change */
	struct sample (*runs)[DIFF_SAMPLES]; /* by run; all zero where it has no such row */
};

struct diff_rows {
	unsigned nruns;
	VECTOR(struct diff_row) all;
	struct hash_table known;
};

/* Returns the row of a name, which is valid until the next call; copies the name. */
struct diff_row *diff_row_find(struct diff_rows *r, const char *name);
/* Returns a run's samples in the row of a name, in the same way. */
struct sample *diff_row_samples(struct diff_rows *r, const char *name, unsigned run);
/* Adds the changes of n measures of a row. */
void diff_row_compare(const struct diff_rows *r, const struct diff_row *row, struct diff_changes *c,
		      enum diff_table table, const struct diff_measure *measures, unsigned n);
/* Does so for all rows, and frees them. */
void diff_rows_compare(struct diff_rows *r, struct diff_changes *c, enum diff_table table,
		       const struct diff_measure *measures, unsigned n);
void diff_rows_free(struct diff_rows *r);

#endif
