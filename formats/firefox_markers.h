/* Markers of a profile for Firefox: instances of intervals, in the threads of their anchors. */
#ifndef GLIMPSE_FORMATS_FIREFOX_MARKERS_H
#define GLIMPSE_FORMATS_FIREFOX_MARKERS_H

#include "analysis/activity/roles.h"
#include "formats/firefox_tables.h"
#include "match/join/match.h"

struct firefox_marker {
	int64_t start;
	uint32_t interval, anchor; /* in the markers' list, and in its matches */
};

struct firefox_interval {
	struct role role;
	struct matches *matches;
};

struct firefox_markers {
	struct trace *trace;
	VECTOR(struct firefox_interval) intervals;
	VECTOR(struct firefox_marker) * threads; /* as the trace's threads, by their starts */
};

/* Finds the instances of intervals, a list that ends with NULL, in the threads (NULL: all). */
void firefox_markers_make(struct firefox_markers *m, struct trace *t, const bool *threads,
			  const struct interval *const *intervals);
void firefox_markers_free(struct firefox_markers *m);

/* Writes "markerSchema", which says what the markers of each interval have. */
void firefox_schema_write(struct json *j, const struct firefox_markers *m);
/* Writes the table of a thread's markers. */
void firefox_markers_write(struct json *j, const struct firefox_markers *m, size_t thread,
			   struct firefox_tables *f);

#endif
