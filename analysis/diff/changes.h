/*
 * Tests what changed between two groups of runs. Each run has one value of each measure, such as
 * the mean hold time of a lock. Measures are tested between the groups, all of them together.
 */
#ifndef GLIMPSE_ANALYSIS_DIFF_CHANGES_H
#define GLIMPSE_ANALYSIS_DIFF_CHANGES_H

#include "base/array.h"
#include "trace/trace.h"

enum diff_table {
	DIFF_INTERVALS,
	DIFF_FUNCTIONS,
	DIFF_THREADS,
	DIFF_LOCKS,
	DIFF_MEMORY,
	NDIFF_TABLES
};
/* "interval", "function", "thread", "lock", "memory". */
extern const char *const diff_row_names[NDIFF_TABLES];

enum diff_unit { DIFF_COUNT, DIFF_TIME, DIFF_BYTES, NDIFF_UNITS };

enum change_verdict {
	VERDICT_SAME,     /* both means are equal */
	VERDICT_NOISE,    /* chance may have done it */
	VERDICT_SMALL,    /* it is too small to matter */
	VERDICT_UNTESTED, /* too few runs, or some run has no value */
	VERDICT_LESS,
	VERDICT_MORE
};

struct change {
	enum diff_table table;
	char *name;
	const char *measure;
	enum diff_unit unit;
	/* other rows name what it sums, or viewers do not show it: it comes last */
	bool sums;
	bool recorder;  /* it is a function of the recorder in all runs that have it */
	double *values; /* of each run, those before first; NaN: the run has none */
	/* A value times this is what it comes to in all. Decides whether a difference is small. */
	double weight;
	double before, after; /* means of the runs that have a value; NaN: no run has one */
	double p;             /* that chance changes it so, among all tested; NaN: not tested */
	bool estimated;       /* the next two are known */
	double low, high;     /* the 95 % interval of after - before */
	enum change_verdict verdict;
};

/* A change is less probable than this. */
#define DIFF_LIMIT 0.05

struct diff_changes {
	VECTOR(struct change) all;
	double floor[NDIFF_UNITS]; /* what changes by less is small */
	unsigned before, after;    /* runs in each group; at least 1 */
	size_t tested;             /* measures */
};

/* Returns whether the runs are enough: a test of them can reach DIFF_LIMIT. */
bool diff_runs_suffice(unsigned before, unsigned after);

/*
 * Adds a change with table, name, measure, unit, sums, values and weight set; takes over name and
 * values.
 */
void change_add(struct diff_changes *c, struct change change);
/*
 * Tests all changes, if the runs suffice; gives each its verdict; and sorts them: first what
 * changed, then what was not tested. Of both, what names a function or an object comes before what
 * sums many, and the largest factor first, damped where it is near the floor.
 */
void changes_judge(struct diff_changes *c);
/*
 * Returns after / before: infinite if there was nothing before, NaN if there is nothing to compare.
 */
double change_factor(const struct change *c);
/* Returns whether it grew by more than the share `limit`, not by chance and not by little. */
bool change_exceeds(const struct change *c, double limit);
void changes_free(struct diff_changes *c);

#endif
