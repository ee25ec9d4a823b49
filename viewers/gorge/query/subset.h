/* Some of an interval's instances, told by their anchors. */
#ifndef GLIMPSE_GORGE_QUERY_SUBSET_H
#define GLIMPSE_GORGE_QUERY_SUBSET_H

#include "match/join/match.h"
#include "viewers/gorge/index/event_set.h"
#include "viewers/gorge/query/model.h"
#include "viewers/gorge/scene/marks.h"

struct subset;
/* Of a model that has a pyramid; takes the anchors. */
struct subset *subset_of(struct model *model, struct anchors *anchors);
/* Of one without, empty; the matches must outlive it. */
struct subset *subset_new(struct model *model, const struct matches *m);
void subset_free(struct subset *s);

/*
 * Of a subset that was empty: one that is added twice is in it once. Then subset_end(), before
 * anything is asked.
 */
void subset_add(struct subset *s, size_t anchor);
void subset_end(struct subset *s);

/* told: as a scene of the model tells it. */
bool subset_has(const struct subset *s, uint64_t told);
/* Puts the anchors of one thread that are in the scene's window on a lane. */
void subset_put(const struct subset *s, unsigned thread, const struct scene *scene,
		struct marks *marks, uint32_t lane);
/*
 * Of a subset of matches: calls take for the anchors of one thread within [from, to]; for each n-th of them, so that it is
 * called some thousand times at most, as standing for n.
 */
void subset_visit(const struct subset *s, unsigned thread, const struct window *w,
		  void (*take)(void *context, size_t anchor, uint64_t count), void *context);

#endif
