/* What of a trace shall be shown, and how; and the scene that shows it. */
#ifndef GLIMPSE_GORGE_SCENE_VIEW_H
#define GLIMPSE_GORGE_SCENE_VIEW_H

#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/scene/scene.h"

/* The order of the lanes: as the threads began to log, or by this. */
enum sort { SORT_LOGGED, SORT_START, SORT_NAME, SORT_ACTIVITY };

/* "logged", "start", "name" or "activity"; -1: none of them. */
int sort_find(const char *name);
const char *sort_name(enum sort sort);

/* Instances of an interval that take so long. */
struct pick {
	const char *interval;           /* NULL: none are picked */
	int64_t least, most;            /* nanoseconds */
};

/* Lanes, counted from 0. */
struct sight {
	unsigned first, last;
};

struct violations;
struct view {
	const char *title;              /* NULL: the program's name */
	bool has_from, has_to;          /* the window's ends are given; else those of the trace */
	struct window window;
	const char *threads;            /* lists as select.h has them; NULL: all threads, and */
	const char *events;             /* all events that have a symbol in the specification */
	const char
	    *intervals; /* or all intervals that have a connection; if none has, all of them */
	double width, height;           /* pixels; height 0: as high as it needs */
	const struct theme *theme;
	enum sort sort;
	bool flat;                      /* several processes are no groups with headings */
	const char *tracks;             /* expressions, one a line; NULL: none */
	const char *collapsed;          /* what is: "p1" for a process, "7" for a thread; NULL: nothing */
	bool has_sight;                 /* only these lanes are in sight: what is in others is counted, but not drawn */
	struct sight sight;
	struct pick pick;               /* what the scene shows apart from the rest */
	bool complete;                  /* all of it is waited for */
	const struct violations *violations;    /* to be shown; NULL: none */
	bool steady;                    /* colours do not depend on what is chosen */
};

/* Whether it asks for what is there; else diag is told. */
bool view_check(const struct view *v, struct trace_index *m, struct diag *diag);
/* NULL, and diag is told, when it does not. */
struct scene *view_scene(const struct view *v, struct trace_index *m, struct diag *diag);

#endif
