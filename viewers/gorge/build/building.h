/* What the parts of scene_build() share. */
#ifndef GLIMPSE_GORGE_BUILD_BUILDING_H
#define GLIMPSE_GORGE_BUILD_BUILDING_H

#include "match/join/match.h"
#include "viewers/gorge/scene/marks.h"
#include "viewers/gorge/index/event_index.h"
#include "viewers/gorge/build/build.h"

/* More lines than this nobody can tell apart. */
enum { MOST_LINES = 2000 };

/* A lane before it is filled: some of the threads in their order. */
struct lane_plan {
	unsigned first, n;
	bool heading, collapsed, small;
	uint32_t process;
	unsigned indent;
};

struct gather {
	const struct view *view;
	struct trace_index *index;
	struct trace *trace;
	struct diag *diag;
	struct scene *scene;
	struct grid *grid;
	struct choice chosen;
	bool *threads, *events, *intervals;     /* chosen ones */
	unsigned *order;                /* chosen threads by their indices, as lanes show them */
	VECTOR(struct lane_plan) plan;
	uint32_t *lane_of;              /* for each of the trace's threads its lane, or NO_KEY */
	uint32_t *event_key;            /* for each event type its key, or NO_KEY */
	struct shift_range *ranges;           /* for each event key */
	uint64_t hidden;                /* intervals with one end in a thread that is not shown */
};

/*
 * Begins a scene: its window, its lanes and keys without counts, and where events are missing. Returns
 * false, and diag is told, if the view asks for what is not there.
 */
bool gather_begin(struct gather *g, const struct view *v, struct trace *t, struct diag *diag);
/* Returns the scene, when it has its things, with its tracks of symbols and its texts. */
struct scene *gather_end(struct gather *g);

/* The lanes of the chosen threads: which there are, and then they themselves. */
void gather_order(struct gather *g);
void gather_lanes(struct gather *g);
/* Where events are missing. */
void gather_gaps(struct gather *g);
/* The legend's keys, without counts. */
void gather_keys(struct gather *g);
/* Which of the chosen intervals is picked of; and what of it, of the scene that is complete but for that. */
void gather_pick_begin(struct gather *g);
void gather_pick(struct gather *g);
/* What of them breaks assertions, for a view that shows it. */
void gather_violations(struct gather *g);
/*
 * Marks and counts of the chosen events; bars, links and stubs of the chosen intervals, and what the
 * legend says of them. The grid stays until the end.
 */
void gather_pyramid(struct gather *g);
void gather_pyramid_end(struct gather *g);

/* Whether the lane is in sight. */
static inline bool gather_sees(const struct gather *g, uint32_t lane)
{
	return !g->view->has_viewport || (g->view->viewport.first <= lane && lane <= g->view->viewport.last);
}

/* Title, subtitle and the notes below the picture. */
void gather_words(struct gather *g);

#endif
