/* Sums times by the values of an axis. */
#ifndef GLIMPSE_ANALYSIS_WHY_AXIS_SUMS_H
#define GLIMPSE_ANALYSIS_WHY_AXIS_SUMS_H

#include "base/array.h"
#include "base/hash.h"
#include <stdint.h>

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

#endif
