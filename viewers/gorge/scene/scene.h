/*
 * Describes a picture: lanes, marks, bars and lines, at the resolution of the pixels. A scene's
 * size depends on the pixels and not on the trace; counts say how many events or intervals each
 * thing stands for, so nothing is lost. Columns are pixels of the plot's width: times in [from, to]
 * are in columns [0, columns).
 */
#ifndef GLIMPSE_GORGE_SCENE_SCENE_H
#define GLIMPSE_GORGE_SCENE_SCENE_H

#include "analysis/activity/roles.h"
#include "base/array.h"
#include "spec/spec.h"
#include "viewers/gorge/index/band.h"
#include "viewers/gorge/index/layer.h"
#include "viewers/gorge/index/spans.h"
#include "viewers/gorge/query/view.h"
#include "viewers/nibble/track.h"

/* The threads with the numbers from first to last. */
struct thread_run {
	uint32_t first, last;
};

/* One of the threads that follow each other on a lane. */
struct lane_life {
	char *name;
	int64_t born, died;
};

/*
 * A thread; or several, when there are more threads than lanes; or the heading of a group, whose
 * lanes follow unless they were folded: then it stands for its threads.
 */
struct lane {
	char *name;
	VECTOR(struct thread_run) threads; /* no number is in two of all lanes' */
	bool heading, collapsed;
	char *group; /* what a page knows its group by */
	bool small;  /* as low as what is in it allows */
	bool grown;  /* as high as the lane of a single thread */
	bool shared; /* its threads follow each other: */
	VECTOR(struct lane_life) lives;
	/* of its bars it has one thing: the states of its threads, merged */
	bool merged;
	unsigned most;   /* of a merged lane: the threads that fill its height */
	bool processors; /* it is merged, and shows the processors */
	/*
	 * By interval of BAND_STATES: its nanoseconds in the window, of all threads; NULL: not
	 * known.
	 */
	double *shares;
	unsigned indent;       /* of the name: pixels */
	uint64_t events;       /* drawn in this lane */
	uint64_t lost;         /* events that the runtime could not write */
	uint64_t skipped;      /* bytes of the logs that could not be read */
	bool alive;            /* it has events at all: */
	int64_t born, died;    /* the times of its first and last event */
	unsigned rows;         /* of bars, one below the other */
	unsigned bands[BANDS]; /* of these rows, from the top */
	bool marked;           /* it has room for symbols, even where the window has none */
	bool object;           /* of an object, or the heading of some, */
	unsigned kind;         /* which are of this kind */
};

/* An event type, as in the legend. */
struct event_key {
	char *name, *label;
	enum symbol symbol;
	rgba colour;
	uint64_t count;
	bool shifted;   /* by an attribute */
	bool absent;    /* the whole trace has none */
	unsigned track; /* its line in a lane, counted from the top */
};

enum form { FORM_LINE, FORM_BAR };

/* An interval type, as in the legend. */
struct interval_key {
	char *name, *label;
	rgba colour;
	enum form form;
	enum band band;
	enum thread_state state; /* of band BAND_STATES */
	enum layer layer;
	enum wait_class wait;
	bool explains; /* a wait: its bars are the blocked states that it explains */
	bool few;      /* its lines are drawn only where there are few */
	bool across;   /* it has links */
	bool backwards;
	bool absent;               /* the whole trace has no anchors of it */
	uint64_t count, unmatched; /* instances in the window */
	bool waiting;              /* they are still being looked for: nothing is known of them */
	int64_t shortest, longest; /* nanoseconds; when count is 0 the longest is less */
	double total;
	bool named; /* bars say its name rather than their durations */
};

/*
 * Events of one type (or unmatched anchors of one interval) in one lane. Apart from others it is a
 * symbol in the column x0; marks closer together than symbols are wide form a strip over the
 * columns [x0, x1).
 */
struct scene_mark {
	uint32_t lane, key;
	int32_t x0, x1;
	uint64_t count;
	uint64_t first; /* the first of them: see viewers/gorge/query/lookup.h */
	uint8_t shift;  /* of a shifted event */
	uint8_t level;  /* 0: a symbol; strips: 1 one in each column, 2 a few, 3 many */
};

struct mark_list {
	struct scene_mark *at;
	size_t n, room;
};

/* The function of a call or of samples; or what a thread waits for, or runs in. */
struct bar_name {
	char *text;
	uint8_t hue; /* of a function: see style/function_colour.h */
};

/* How many threads of a merged lane are in a state, on average of each column. */
struct merged_state {
	uint32_t lane, key;
	float *threads;
};

/*
 * The height of a row of states has so many parts. A bar there takes [slice, slice + slices) of
 * them, from the bottom. It takes all if the thread is active or another one holds it up, and a few
 * if it waits for work or a time. Bars narrower than a pixel take their share of the pixel.
 */
enum { STATE_PARTS = 12, LOW_PARTS = 4 };

/*
 * Intervals within one lane. A single one spans [x0, x1]; several that are narrower than a pixel
 * are a run of columns, and where different intervals meet in one pixel each has its slice of the
 * row's height.
 */
struct bar {
	uint32_t lane, key, row;
	const struct bar_name *name; /* NULL: not known */
	double x0, x1;
	uint64_t count;
	uint64_t anchor; /* of the first of them: see viewers/gorge/query/lookup.h */
	uint8_t level;   /* 0: a single one; 1 to 4: so many quarters of the time are covered */
	uint8_t slice, slices;    /* of states: see STATE_PARTS; 0: there is no room for it */
	bool cut_left, cut_right; /* it goes on outside of the window */
	bool violates;            /* a single one that breaks an assertion */
	bool picked;              /* a single one that is */
};

/* The place of one end of a line. */
struct link_end {
	uint32_t lane;
	uint32_t event; /* index of the event's key; NO_KEY: it is not drawn */
	uint8_t shift;
	double x; /* columns; may lie outside of the window */
};

#define NO_KEY UINT32_MAX

/* Intervals between two lanes; count > 1: a bundle. */
struct link {
	uint32_t key;
	/* earlier and later event; of a bundle, those of one of it */
	struct link_end start, end;
	bool passing; /* it begins before the window and ends after it */
	uint64_t count;
	uint64_t anchor; /* of the one that is drawn */
	bool violates;   /* a single one that breaks an assertion */
};

/* Where events are missing. */
struct gap {
	uint32_t lane; /* NO_KEY: in all of them */
	bool off;      /* they were switched off; else they were lost */
	double x0, x1; /* columns, within the window */
	char *type;    /* which were switched off; NULL: all */
};

/* Whether an interval's bars are low: the thread is not active, and no other one holds it up. */
static inline bool key_is_low(const struct interval_key *key)
{
	return key->state == STATE_BLOCKED || (key->explains && key->wait != WAIT_HELD);
}

/* Returns the place of a state among those of a thread: running, ready, others, held up, waits. */
static inline unsigned key_rank(const struct interval_key *key)
{
	if (key->explains)
		return NSTATES + (unsigned)key->wait;
	if (key->state == STATE_BLOCKED)
		return NSTATES + WAIT_REST;
	return key->state == STATE_OTHER ? NSTATES : (unsigned)key->state;
}

#define NO_LANE UINT32_MAX

/* A stretch of the critical path in a lane, in columns. */
struct path_part {
	double x0, x1;
	uint32_t lane;
	uint32_t before; /* the lane from which the path came; NO_LANE */
	bool runs;       /* the thread runs */
};

/* A note of a reader, in columns; lane NO_LANE: it is of all. */
struct scene_remark {
	double x0, x1;
	uint32_t lane;
	char *text;
};

struct scene {
	char *title, *subtitle;
	char *headline[2]; /* what limits the run; NULL: no such line */
	/* of a picture with states: what there is and is not shown; or NULL */
	char *hidden;
	char *absent; /* what is chosen and not in the trace: "events A, B"; "" */
	const struct theme *theme;
	struct window window;
	bool logical;        /* of columns by what happens before what, not of time */
	bool states;         /* lanes have rows of states */
	double names_least;  /* the names of lanes have at least this room */
	bool full_legend;    /* with tables of counts, also where a line would do */
	unsigned processors; /* which the program may run on; 0: not known */
	unsigned columns;
	unsigned tracks; /* lines of symbols in a lane */
	bool stubbed;    /* there are unmatched anchors, if not in the window */
	int stub_track;  /* the one of unmatched anchors; -1: none */
	int near;        /* symbols less than so many columns apart would hide each other */
	struct lane *lanes;
	unsigned nlanes;
	struct event_key *events;
	unsigned nevents;
	struct interval_key *intervals;
	unsigned nintervals;
	struct mark_list marks, stubs; /* stubs: unmatched anchors; their keys are intervals' */
	/* anchors of instances that break assertions; their keys are intervals' */
	struct mark_list violations;
	VECTOR(struct bar) bars; /* lane by lane */
	VECTOR(struct bar_name *) names;
	VECTOR(struct merged_state) merges; /* lane by lane, from the bottom up */
	VECTOR(struct link) links;
	VECTOR(struct gap) gaps;
	unsigned bundle;       /* lines nearer than this many pixels are one; 1: none are bundled */
	unsigned bundle_lanes; /* the same for lanes */
	uint64_t linked;       /* intervals that the links stand for */
	/* intervals in the last row because there were no more rows; calls apart */
	uint64_t deep, deep_calls;
	struct {              /* instances that take so long: */
		uint32_t key; /* of this interval; NO_KEY: none */
		int64_t least, most;
	} pick;
	bool picking;                         /* it is still being counted: nothing is picked */
	struct object_scene *objects;         /* in the lanes of objects; NULL: there are none */
	struct stack_scene *stacks;           /* sampled stacks; NULL: there are none */
	struct scene *picked;                 /* the picked bars and links; NULL: nothing */
	VECTOR(struct path_part) path;        /* the critical path, if it is drawn */
	VECTOR(struct scene_remark) remarks;  /* notes.txt, in the window */
	VECTOR(struct series_track *) series; /* tracks, below the lanes */
	VECTOR(char *) notes;                 /* what the reader must know beyond the legend */
};

/* Returns where the bars of a lane, or of those after it, begin. */
size_t scene_bars(const struct scene *s, uint32_t lane);

struct scene *scene_new(const struct theme *theme, struct window window, unsigned nlanes,
			unsigned nevents, unsigned nintervals);
void scene_free(struct scene *s);

/*
 * Returns the same scene without its things, for bars and links that are drawn on it. All else
 * belongs to the scene, which frees the part once the part is in picked.
 */
struct scene *scene_part(const struct scene *s);

/* Adds the sums of some instances to a key. */
void key_add(struct interval_key *key, const struct span_sums *sums);

/*
 * Returns how many columns a picture of the width has beside the names of its lanes; and the pixels
 * that these names may take.
 */
unsigned scene_columns_for(const struct scene *s, double width);
/* Returns the pixels at the right of the lanes for what threads did in the window; 0: none. */
double scene_shares_width(const struct scene *s, double width);
double scene_names_width(const struct scene *s, double width);
/* Returns what the names need, whatever room they have. */
double scene_names_need(const struct scene *s, double width);

/* Returns the colour of a track's curve: that of its event or interval, or its own. */
rgba scene_track_colour(const struct scene *s, const struct series_track *t, size_t curve);

/* Adds a note; takes the text. */
void scene_note(struct scene *s, char *text);

/*
 * Returns the place of a time in columns, with fractions; outside of the window it is less than 0
 * or beyond the last.
 */
double scene_x(const struct scene *s, int64_t time);
/* Returns the column of a time in the window. */
int32_t scene_column(const struct scene *s, int64_t time);
/* Returns the first time after a column; after the last column, the first one after the window. */
int64_t scene_column_end(const struct scene *s, int32_t column);

#endif
