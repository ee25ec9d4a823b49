/* The instances of a thread's sheaves in the order in which they are stacked: of their starts, at one time the longest first. */
#ifndef GLIMPSE_GORGE_INDEX_STACKING_MERGE_H
#define GLIMPSE_GORGE_INDEX_STACKING_MERGE_H

#include "viewers/gorge/index/spans.h"

/* A sheaf while those of a thread are merged. */
struct feed {
	const struct sheaf *sheaf;
	unsigned key;
	size_t i;               /* the next instance */
	int64_t *starts;        /* of all */
	int64_t start, length;  /* of the next one */
};

/* The feeds that are not through, in the order of their next instances. */
struct merging {
	struct feed *feeds, **order;
	unsigned n, left;
};

/* Room for n sheaves, all of which are added before it begins. */
struct merging merging_new(unsigned n);
void merging_add(struct merging *m, const struct sheaf *sheaf, unsigned key, const struct census *c);
void merging_begin(struct merging *m);
/* Behind the next instance of order[0]. */
void merging_step(struct merging *m);
void merging_end(struct merging *m);

#endif
