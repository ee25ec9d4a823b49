/* Which instances break the assertions of the specification. */
#ifndef GLIMPSE_GORGE_QUERY_VIOLATIONS_H
#define GLIMPSE_GORGE_QUERY_VIOLATIONS_H

#include "base/json.h"
#include "match/stats/check.h"
#include "viewers/gorge/index/event_set.h"
#include "viewers/gorge/index/trace_index.h"

/* The texts of the assertions that an instance with a partner breaks. */
void instance_write_violated(const struct spec *spec, const struct interval *interval,
			     const struct binding *b, struct json *j, const char *key);

/*
 * Checks all assertions of the trace's specification; looks at all of their intervals' instances.
 */
struct violations *violations_new(struct trace_index *m);
void violations_free(struct violations *v);

/* The anchors of instances that break any; NULL: no assertion is of the interval. */
const struct event_set *violations_of(const struct violations *v, const struct interval *interval);

/* The assertions and whether they hold, as an array. */
void violations_write(const struct violations *v, struct json *j, const char *key);
/* The worst violations of an assertion of an interval, as members of the open object. */
void violations_write_worst(const struct violations *v, unsigned assertion, struct json *j);

#endif
