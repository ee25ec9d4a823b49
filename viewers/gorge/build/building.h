/* Declares what the parts of scene_build() share. */
#ifndef GLIMPSE_GORGE_BUILD_BUILDING_H
#define GLIMPSE_GORGE_BUILD_BUILDING_H

#include "match/join/match.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/build/folds.h"
#include "viewers/gorge/build/groups.h"
#include "viewers/gorge/index/event_index.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/scene/links.h"
#include "viewers/gorge/scene/marks.h"

/*
 * More lines than MOST_LINES nobody can tell apart; those that nobody asked for are drawn while
 * there are fewer than FEW_LINES.
 */
enum { MOST_LINES = 2000, FEW_LINES = 60 };

/* A lane to be filled: some of the threads in their order. */
struct lane_plan {
	unsigned first, n;
	bool heading, collapsed, small, grown;
	bool shared;     /* by threads that follow each other */
	bool processors; /* of all of them: how many run and are ready */
	unsigned group;
	unsigned fold; /* of the heading of a fold: its place, from 1 */
	unsigned indent;
	uint32_t object; /* of a lane of an object, or a group of them: its place, from 1 */
};

struct building {
	const struct view *view;
	struct trace_index *index;
	const char *losses; /* what the trace lacks, in a sentence; NULL: nothing */
	struct trace *trace;
	struct diag *diag;
	struct scene *scene;
	struct grid *grid;
	struct chosen chosen;
	struct window window;
	/* chosen threads without a lane, as they do not live in it */
	unsigned dead;
	bool *threads, *events, *intervals; /* chosen ones */
	/*
	 * threads by their indices: all, if a lane shows the processors, and the chosen ones as
	 * lanes show them
	 */
	unsigned *order;
	VECTOR(struct lane_plan) plan;
	struct lane_groups groups;
	struct folds folds;
	bool *folded;               /* by group, if they have headings, then by thread */
	uint32_t *lane_of;          /* for each of the trace's threads its lane, or NO_KEY */
	uint32_t *event_key;        /* for each event type its key, or NO_KEY */
	struct shift_range *ranges; /* for each event key */
	uint64_t hidden;            /* intervals with one end in a thread that is not shown */
};

/*
 * Begins a scene: its window, its lanes and keys without counts, and where events are missing.
 * Returns false, and diag is told, if the view asks for what is not there.
 */
bool building_begin(struct building *g, const struct view *v, struct trace *t, struct diag *diag);
/* Finishes the scene, once it is filled, with its tracks of symbols and its texts; returns it. */
struct scene *building_end(struct building *g);

/*
 * Plans the lanes of the chosen threads; returns false, and diag is told, if the view folds what is
 * not there. Makes the lanes.
 */
bool building_order(struct building *g);
void building_lanes(struct building *g);
/* Finds the lanes that show merged states, once it is known which states are shown. */
void building_merge(struct building *g);
/* Plans the lanes of the objects; names one. */
void building_plan_objects(struct building *g);
char *building_object_name(const struct building *g, const struct lane_plan *p);
unsigned building_object_kind(const struct building *g, const struct lane_plan *p);
/*
 * Waits so many milliseconds for what the lanes of objects need: before rows of spans are held,
 * which would keep others from being found. Fills these lanes.
 */
void building_objects_await(struct building *g, long patience);
void building_objects(struct building *g);
/*
 * Adds the functions of threads whose stacks were sampled. (viewers/gorge/build,
 * viewers/gorge/wasm)
 */
void building_stacks(struct building *g, long patience);
/* Adds the gaps in which events are missing. */
void building_gaps(struct building *g);
/* Makes the keys of the legend, without counts. */
void building_keys(struct building *g);
/* Find the interval whose instances are selected; when all else is built, build these. */
void building_pick_begin(struct building *g);
void building_pick(struct building *g);
/* Writes into the rows of states what threads wait for, and run in. For after building_names(). */
void building_reason_names(struct building *g);
/* Names the bars of calls. */
void building_names(struct building *g);
/* Marks what breaks assertions, for a view that shows violations. */
void building_violations(struct building *g);
/*
 * Builds marks and counts of the chosen events; bars, links and stubs of the chosen intervals, and
 * their statistics. The grid stays until building_release().
 */
void building_fill(struct building *g);
void building_release(struct building *g);

/* Tests whether a lane is in sight. */
static inline bool building_sees(const struct building *g, uint32_t lane)
{
	return !g->view->has_viewport ||
	       (g->view->viewport.first <= lane && lane <= g->view->viewport.last);
}

/* Writes title, subtitle and the notes below the picture. */
void building_words(struct building *g);

/* ---- the pixels' columns of a picture, in time and in the logs ---- */

/* The units of a thread in the window: the first, and the first after them. */
struct unit_range {
	uint32_t first, behind;
};

struct grid {
	struct building *g;
	const struct event_index *event_index;
	struct span_rows *span_rows; /* once there are any */
	struct reasons *reasons;     /* of the blocked states; NULL: none, or not found yet */
	uint32_t blocked;            /* the key of the blocked states; NO_KEY */
	VECTOR(uint32_t) explaining; /* keys of the waits that explain them */
	bool *apart;                 /* by interval.index: these waits */
	bool causes_missing;         /* which the lanes of objects need */
	bool hides;                  /* some threads are not shown */
	unsigned columns;
	/* the first time of each column; and the first one behind them all */
	int64_t *bounds;
	/* by thread: the first unit that is not before each bound; NULL: hidden */
	uint32_t **units;
	struct unit_range *edges; /* by thread, hidden ones too */
	/* by lane and column: how many selected instances begin there; NULL: none is */
	uint64_t *begins;
};

/* Returns the instances of a key; NULL: they are not found yet. */
const struct instances *grid_instances(const struct grid *grid, uint32_t key);
/* Returns the column of an event of the thread that is in the window, at i or later. */
unsigned grid_column(const struct grid *grid, unsigned thread, unsigned i, uint32_t unit);

/* Walks through the visible threads: finds the units of each column, and adds marks. */
void grid_events(struct grid *grid);
/* Tests whether a thread is shown. */
static inline bool grid_shows(const struct grid *grid, unsigned thread)
{
	return grid->g->lane_of[thread] != NO_KEY;
}

/* The instances of spans that start in the window: [i, end). */
struct begun {
	size_t i, end;
};
struct begun grid_begun(const struct grid *grid, const struct spans *s);
/* Visits the instances that begin before the window and reach into it. begun: the end of these. */
void grid_reaching(const struct grid *grid, const struct spans *s, size_t begun, spans_take take,
		   void *context);

/* Begins a walk through the selected instances, from i on. */
static inline struct selection_walk grid_selection(const struct grid *grid, const struct spans *s,
						   size_t i)
{
	return selection_walk_begin(s, i, grid->g->scene->pick.least, grid->g->scene->pick.most);
}

/* Builds the bars of instances within threads. */
void grid_bars(struct grid *grid, const struct span_rows *span_rows);
/* Builds the lines of instances between threads; picked: only of the selected ones. */
void grid_lines(struct grid *grid, const struct instances *n, uint32_t key, bool picked,
		struct links *links);

#endif
