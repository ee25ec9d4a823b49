/* Builds the scene of a view from the trace index. */
#ifndef GLIMPSE_GORGE_BUILD_BUILD_H
#define GLIMPSE_GORGE_BUILD_BUILD_H

#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/scene/scene.h"

/*
 * Returns the scene of a view. Returns NULL, and diag is told, if the view asks for what is not
 * there.
 */
struct scene *scene_build(const struct view *v, struct trace_index *m, struct diag *diag);
/* Finds the window of a view. Returns false, and diag is told, if the window is empty. */
bool view_window(const struct view *v, const struct trace *t, struct window *w, struct diag *diag);
/* Returns the lanes of a view that names none, as --lanes has them. */
const char *view_lanes(const struct trace *t);
/* Returns the list of what the view folds, as view.collapsed has it; to be freed. */
char *view_folded(const struct view *v, struct trace_index *m);
/* Tests whether the view asks only for what is there; else diag is told. */
bool view_check(const struct view *v, struct trace_index *m, struct diag *diag);

/* What a view shows of a trace, by the indices of the trace and its specification. */
struct chosen {
	bool *threads, *events, *intervals;
	/* Events that the whole trace has none of; intervals whose anchors it has none of. */
	bool *absent_events, *absent_intervals;
	bool good; /* false: the view asks for what is not there; diag was told */
};

struct chosen chosen_new(const struct view *v, const struct trace *t, struct diag *diag);
void chosen_free(struct chosen *c);

/*
 * Returns the track of one expression, in the scene's window and columns. threads: by index, which
 * are shown. Returns NULL, and diag is told with the place in the expression, if the expression has
 * no meaning.
 */
struct series_track *track_build(const char *expression, const struct scene *s,
				 struct trace_index *m, const bool *threads, struct diag *diag);

struct critical_path;
/* Adds the critical path of a trace to the scene, for which its lanes and columns are known. */
void scene_put_path(struct scene *s, const struct trace *t, const struct critical_path *c);

#endif
