/* Models durations. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_DISTRIBUTION_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum distribution_kind {
	DISTRIBUTION_CONSTANT,    /* a */
	DISTRIBUTION_UNIFORM,     /* from a to b */
	DISTRIBUTION_NORMAL,      /* mean a, standard deviation b; what is below 0 is 0 */
	DISTRIBUTION_LOGNORMAL,   /* median a, b: the standard deviation of the logarithm */
	DISTRIBUTION_EXPONENTIAL, /* mean a */
	DISTRIBUTION_MEASURED,    /* one of those of the trace */
	DISTRIBUTION_FIT,         /* by an attribute of what begins it: fit.h draws it */
};

struct distribution {
	enum distribution_kind kind;
	double a, b; /* ns */
	/* the attribute and its new value, as fit_value.h reads them; else NULL */
	const char *fit;
};

/*
 * Parses 5ms, constant(5ms), uniform(1ms,3ms), normal(5ms,1ms), lognormal(5ms,0.5),
 * exponential(5ms), measured, fit(size / 2). Returns false for any other text.
 */
bool distribution_parse(const char *text, struct distribution *d);

/* Returns a length, at least 0; of the n > 0 measured ones. The same for the same seed. */
double distribution_draw(const struct distribution *d, uint64_t seed, const double *measured,
			 size_t n);

#endif
