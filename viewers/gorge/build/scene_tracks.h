/*
 * Tracks: series of nibble under the lanes, on the lanes' axis of time, of the threads that are
 * shown.
 */
#ifndef GLIMPSE_GORGE_BUILD_SCENE_TRACKS_H
#define GLIMPSE_GORGE_BUILD_SCENE_TRACKS_H

#include "base/json.h"
#include "viewers/gorge/draw/layout.h"
#include "viewers/gorge/scene/view.h"
#include "viewers/nibble/track.h"

/*
 * The track of one expression for the scene's window and columns; threads: by index, which are
 * shown. NULL, and diag is told with the place in the expression, when it has no meaning.
 */
struct track *tracks_make(const char *expression, const struct scene *s, struct trace_index *m,
			  const bool *threads, struct diag *diag);

/* Adds a track for each of the view's. False, and diag is told, when one has no meaning. */
bool tracks_gather(struct scene *s, const struct view *v, struct trace_index *m, const bool *threads,
		   struct diag *diag);
void tracks_free(struct scene *s);

struct drawing;

/* What n tracks take of the page's height. */
double tracks_height(size_t n);
/* Draws them from top on, below lanes that were laid out: what stays when the view is dragged, and
 * what moves. */
void tracks_ground(struct drawing *d, const struct scene *s, const struct layout *l,
		   struct track *const *tracks, size_t n, double top);
void tracks_plot(struct drawing *d, const struct scene *s, const struct layout *l,
		 struct track *const *tracks, size_t n, double top);

/* The colour of a curve: that of what the track is of, where the picture has it; or its own. */
rgba tracks_colour(const struct scene *s, const struct track *t, size_t curve);

/* What is drawn, as text; and for the page, as members of an open object. */
void tracks_dump(const struct scene *s, FILE *out);
void tracks_write(const struct scene *s, const struct track *t, struct json *j);

#endif
