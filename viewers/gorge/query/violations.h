/* Finds instances that break the assertions of the specification. */
#ifndef GLIMPSE_GORGE_QUERY_VIOLATIONS_H
#define GLIMPSE_GORGE_QUERY_VIOLATIONS_H

#include "base/json.h"
#include "match/stats/assertions.h"
#include "viewers/gorge/index/event_set.h"
#include "viewers/gorge/index/trace_index.h"

/* Checks all assertions on all instances of their intervals. */
struct violations *violations_new(struct trace_index *t);
void violations_free(struct violations *v);

/* Returns the anchors of instances that break an assertion; NULL if none is of the interval. */
const struct event_set *violations_of(const struct violations *v, const struct interval *interval);

/* Writes the assertions, and whether they hold, as an array. */
void violations_write(const struct violations *v, struct json *j, const char *key);
/* Writes the worst violations of an assertion of an interval, as members of the open object. */
void violations_write_worst(const struct violations *v, unsigned assertion, struct json *j);
/* Writes the texts of the assertions that an instance with a partner breaks, as an array. */
void violations_write_broken(const struct spec *spec, const struct interval *interval,
			     const struct binding *b, struct json *j, const char *key);

#endif
