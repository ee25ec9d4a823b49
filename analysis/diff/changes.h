/*
 * What changed from one run to another. A table of a run has rows, known by their names: intervals,
 * functions, threads, locks, call paths that take memory. Rows of the same name are compared,
 * measure by measure, each with the probability that chance did it.
 */
#ifndef GLIMPSE_ANALYSIS_DIFF_CHANGES_H
#define GLIMPSE_ANALYSIS_DIFF_CHANGES_H

#include "base/array.h"
#include "base/hash.h"
#include "match/stats/significance.h"
#include "trace/trace.h"

enum diff_table {DIFF_INTERVALS, DIFF_FUNCTIONS, DIFF_THREADS, DIFF_LOCKS, DIFF_MEMORY, NDIFF_TABLES};
/* "interval", "function", "thread", "lock", "memory". */
extern const char *const diff_row_names[NDIFF_TABLES];

enum diff_unit {DIFF_COUNT, DIFF_TIME, DIFF_BYTES, NDIFF_UNITS};

enum verdict {
	VERDICT_NOISE,          /* chance may have done it */
	VERDICT_SMALL,          /* it is too small to matter */
	VERDICT_UNTESTED,       /* there are too few values to tell */
	VERDICT_LESS, VERDICT_MORE
};

struct change {
	enum diff_table table;
	char *name;
	const char *measure;
	enum diff_unit unit;
	double before, after;   /* NaN: there is none */
	double p;               /* that chance changes it so; NaN: it cannot be told */
	bool estimated;         /* the next two are known */
	double low, high;       /* the 95 % interval of after - before */
	/* What it comes to altogether: that of a mean times their number. Decides about smallness. */
	double weight_before, weight_after;
	enum verdict verdict;
};

/* What is less probable than this is no chance. */
#define DIFF_NOISE 0.01

struct changes {
	VECTOR(struct change) all;
	double floor[NDIFF_UNITS];      /* what changes by less is small */
};

/* Takes over the name; gives the change its verdict. */
void change_add(struct changes *c, struct change change);
/* Returns after / before: infinite if there was nothing before, NaN if there is nothing to compare. */
double change_factor(const struct change *c);
/* Returns whether it grew by more than the share `limit`, not by chance and not by little. */
bool change_exceeds(const struct change *c, double limit);
/* Puts first what changed, by the factor, damped where it is near the floor. */
void changes_sort(struct changes *c);
void changes_free(struct changes *c);

/* ---- tables of sums ---- */

/* What a measure tells of a sample. */
enum aspect {ASPECT_COUNT, ASPECT_TOTAL, ASPECT_MEAN, ASPECT_VALUE};

struct diff_measure {
	const char *name;
	enum diff_unit unit;
	enum aspect aspect;     /* ASPECT_VALUE: a sum of which chance is not known */
	unsigned sample;
};

enum { DIFF_SAMPLES = 4 };

struct diff_row {
	char *name;
	struct sample samples[2][DIFF_SAMPLES]; /* before and after */
	bool has[2];
};

struct diff_rows {
	VECTOR(struct diff_row) all;
	struct hash_table known;
};

/* Returns the row of a name, which is valid until the next call; copies the name. run: 0, 1. */
struct diff_row *diff_row_find(struct diff_rows *r, const char *name, unsigned run);
/* Compares all rows, and frees them. */
void diff_rows_compare(struct diff_rows *r, struct changes *c, enum diff_table table,
		       const struct diff_measure *measures, unsigned n);

#endif
