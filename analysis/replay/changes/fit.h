/*
 * Fits durations of instances to an attribute of their begin: the least-squares line through the
 * recorded values, and the duration for another value of the attribute.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_FIT_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_FIT_H

#include "analysis/replay/changes/span_choice.h"
#include "analysis/replay/recorded/model.h"

enum { LEAST_FITTED = 8 };

/* length = intercept + slope * attribute. */
struct fit_line {
	double intercept, slope; /* ns, ns per unit of the attribute */
	double r2;               /* the share of the variance that the line explains */
};

/* The smallest and the largest of some values. */
struct fit_range {
	double low, high;
};

/* The line of one change and one event that begins instances. */
struct fit {
	uint32_t change;
	const struct event_type *start;
	const char *attribute; /* its name */
	struct fit_line line;
	size_t n;          /* instances it rests on: complete ones */
	double *residuals; /* of them, ns */
	/* Of the attribute as it was recorded, and as it is asked for. */
	struct fit_range recorded, asked;
};

struct fits {
	VECTOR(struct fit) all;
	uint32_t *of_label; /* by label of the choice: index; NOT_CHANGED: it has none */
	double *asked;      /* by chosen span: the attribute as it is asked for */
};

/*
 * Finds the line through n > 0 points. Returns false if x does not vary. If y does not vary, r2
 * is 0.
 */
bool fit_line_find(const double *x, const double *y, size_t n, struct fit_line *line);

/*
 * Finds the lines of all changes of DISTRIBUTION_FIT. lengths: of each chosen span, as of
 * span_lengths(). Returns NULL and sets *refusal to the reason, which the caller frees.
 */
struct fits *fits_of(const struct model *m, const struct span_choice *c,
		     const struct span_change *changes, const double *lengths, char **refusal);
void fits_free(struct fits *f);

/*
 * Returns the length of a chosen span (index) with a label that has a fit: the line's at the asked
 * value and a residual, at least 0. The same for the same seed.
 */
double fits_draw(const struct fits *f, size_t span, uint32_t label, uint64_t seed);

#endif
