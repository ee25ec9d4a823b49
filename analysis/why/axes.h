/*
 * Lists the axes along which a focus is refined: the value of a span on each, and the focus of one
 * value.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_AXES_H
#define GLIMPSE_ANALYSIS_WHY_AXES_H

#include "analysis/why/search.h"
#include "base/hash.h"

/* Returns the value of a span on an axis, as a key; NO_KEY: it has none. */
int64_t axis_key(const struct evidence *g, enum axis a, const struct span_of_time *s);

struct axis_value {
	int64_t key;
	int64_t time;
};
typedef VECTOR(struct axis_value) axis_values;

/* Times by value while they are summed; zeros: none yet. */
struct axis_sums {
	struct hash_table known;
	axis_values values;
};
/* Adds time to a value; NO_KEY: to none. */
void axis_sums_add(struct axis_sums *s, int64_t key, int64_t time);
/*
 * Ends the summing, and returns the values, that with most time first. The caller frees them; the
 * sums are empty then.
 */
axis_values axis_sums_end(struct axis_sums *s);

/* The values that the selected spans of a focus have on an axis, that with most time first. */
void axis_values_of(const struct evidence *g, const struct focus *f, const bool *places,
		    enum axis a, axis_values *values);
/* The spans of a focus that have a value on an axis. */
struct focus focus_narrow(const struct evidence *g, const struct focus *f, const bool *places,
			  enum axis a, int64_t key);

#endif
