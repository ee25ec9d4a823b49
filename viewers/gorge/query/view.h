/* Declares a request to a trace: a window of time, some threads, events and intervals. */
#ifndef GLIMPSE_GORGE_QUERY_VIEW_H
#define GLIMPSE_GORGE_QUERY_VIEW_H

#include "viewers/gorge/style/theme.h"

/*
 * The order of the lanes: as the specification has it, and then by name and creation, which is the
 * same in each run; as the threads began to log; or by what the name says.
 */
enum sort { SORT_SPEC, SORT_LOGGED, SORT_START, SORT_NAME, SORT_ACTIVITY };
enum { NSORTS = SORT_ACTIVITY + 1 };
extern const char *const sort_names[NSORTS];

/* Returns the order of that name: "spec", "logged", "start", "name" or "activity"; -1: none. */
int sort_find(const char *name);
const char *sort_name(enum sort sort);

/* What groups of threads have in common; a group has a heading. */
enum grouping { GROUP_PROCESS, GROUP_CREATOR, GROUP_NAME, GROUP_NONE };
enum { NGROUPINGS = GROUP_NONE + 1 };
extern const char *const grouping_names[NGROUPINGS];

/* Returns the grouping of that name: "process", "creator", "name" or "none"; -1: it is no name. */
int grouping_find(const char *name);
const char *grouping_name(enum grouping grouping);

/* What goes right: time, or columns by what happens before what (index/logical.h). */
enum view_order { ORDER_TIME, ORDER_LOGICAL };
enum { NORDERS = ORDER_LOGICAL + 1 };
extern const char *const order_names[NORDERS];

const char *order_name(enum view_order order);

/* Nanoseconds, from < to. */
struct window {
	int64_t from, to;
};

/* The instances of an interval that take from least to most. */
struct duration_selection {
	const char *interval; /* NULL: none are picked */
	int64_t least, most;  /* nanoseconds */
};

/* Lanes, counted from 0. */
struct viewport {
	unsigned first, last;
};

struct violations;
struct object_lanes;
struct event_index;

/* So many threads have a lane each, unless the view says what lanes there are. */
enum { FEW_THREADS = 100 };
/* Stacks of samples have no more frames than this in most programs. */
enum { MOST_FUNCTION_ROWS = 100 };

struct view {
	const char *title;     /* NULL: the command, or the program's name */
	const char *command;   /* that was recorded; NULL: it is not known */
	bool has_from, has_to; /* the window's ends are given; else those of the trace */
	struct window window;
	const char *lanes; /* "threads", kinds of objects, objects; NULL: threads */
	const struct object_lanes *objects; /* what it comes to: see build/object_lanes.h */
	const char *threads;                /* lists as select.h has them; NULL: all threads, and */
	const char *events;                 /* all events that have a symbol in the specification */
	const char *intervals;              /* or all that have a connection; if none has, all */
	/* of a trace with states, without these lists: layer.h; NULL: the usual */
	const char *layers;
	double width, height; /* pixels; height 0: as high as it needs */
	unsigned functions;   /* rows of functions that were sampled, by lane; 0: the usual */
	double names;         /* the names of lanes have at least this room */
	const struct theme *theme;
	enum sort sort;
	const unsigned *places; /* of the threads, by index, for SORT_SPEC */
	enum view_order order;
	const struct event_index *logical; /* has the times then; NULL: the trace has them */
	enum grouping group;               /* by process: if there are several */
	const char *fold;                  /* groups and threads by names; NULL: none is folded */
	const uint32_t *creators;          /* of all threads; NULL: not known */
	/* ns of each thread, by which lanes are folded; NULL: they are not */
	const int64_t *running;
	const char *tracks;    /* expressions, one a line; NULL: none */
	const char *collapsed; /* folded lanes: "p1" of a process, "7" of a thread;
					   "+7": this one is grown; NULL: none */
	bool has_viewport;     /* lanes out of sight are counted, but not drawn */
	struct viewport viewport;
	struct duration_selection pick;      /* what the scene shows apart from the rest */
	bool complete;                       /* the scene waits for all that is still being found */
	const struct violations *violations; /* to be shown; NULL: none */
	const char *notes;                   /* a text as query/notes.h has it; NULL: none */
	const char *open; /* what a new page shows, as in its address; NULL: this view */
	bool full_legend; /* tables of counts, also where a line would do */
	bool switched;    /* the intervals are those of the page's switches */
};

#endif
