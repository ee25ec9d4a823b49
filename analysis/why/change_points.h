/*
 * Finds where a series changes permanently: binary segmentation (Scott and Knott 1974; Vostrikova
 * 1981). A split is where the squared differences from the means of both sides are least. It holds
 * if the means differ enough, and if hardly any permutation of the series' blocks has an equally
 * good split.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_CHANGE_POINTS_H
#define GLIMPSE_ANALYSIS_WHY_CHANGE_POINTS_H

#include "base/array.h"

struct change_rule {
	/* bins between two changes; what is shorter at an end is in no mean */
	size_t least;
	double size;  /* by which the means of one measure differ at least */
	double level; /* of the test: how often it is wrong where nothing changes */
};

typedef VECTOR(size_t) change_points;

/*
 * Adds to `found`, in their order, the bins before which something changes. values: of n bins, each
 * with its measures one after the other. The same series gives the same answer each time.
 */
void change_points_find(const double *values, size_t n, size_t measures,
			const struct change_rule *rule, change_points *found);

/*
 * Finds the best split of the bins from `first` to before `last`. Returns by how much it reduces
 * the sum of squares, and sets *at to its position; 0 if there is no split.
 */
double change_gain(const double *values, size_t n, size_t measures, size_t first, size_t last,
		   size_t *at);

#endif
