/*
 * What makes a picture's cost depend on its pixels alone, made once when a trace is opened: the
 * census of its events; and, as they are found in the background, the instances of its intervals.
 *
 * In a scene that is made from it things are told by the event with which they begin (census.h);
 * elsewhere by their index: how many events of the same type stand before that event in the stream.
 */
#ifndef GLIMPSE_GORGE_INDEX_TRACE_INDEX_H
#define GLIMPSE_GORGE_INDEX_TRACE_INDEX_H

#include "viewers/gorge/index/generation.h"
#include "viewers/gorge/index/instances.h"
#include "viewers/gorge/index/matcher.h"
#include "viewers/gorge/index/rows.h"

struct pyramid;
/* NULL: the trace is too large; else it is closed with the pyramid, or when nothing is matched in it any more. */
struct pyramid *pyramid_new(struct trace *t);
/* Of the same age under other definitions, which it takes; what is found in the one is shared by the other. */
struct pyramid *pyramid_retell(struct pyramid *p, struct age *a);
void pyramid_free(struct pyramid *p);

/*
 * The trace has grown: takes its age. What instances were found before are shown until they are looked for again
 * and pyramid_renew() takes up what was found. Both while nobody else uses the pyramid.
 */
struct age *pyramid_age(const struct pyramid *p);
void pyramid_grow(struct pyramid *p, struct age *a);
void pyramid_renew(struct pyramid *p);

const struct census *pyramid_census(const struct pyramid *p);
struct searcher *pyramid_searcher(const struct pyramid *p);
/*
 * All instances of the interval; waits for them. Until the same thread says that they are used, their
 * sheaves stay as they are; then pictures of other intervals may change them.
 */
struct instances *pyramid_use(struct pyramid *p, const struct interval *interval);
void pyramid_used(struct pyramid *p);

/* The search for intervals is for one caller at a time; these are its begin and end. */
void pyramid_lock(struct pyramid *p);
void pyramid_unlock(struct pyramid *p);

/*
 * chosen: by interval.index; the tiers' keys count those. To be freed by the same thread.
 */
struct tiers *pyramid_tiers(struct pyramid *p, const bool *chosen);

#endif
