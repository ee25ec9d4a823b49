/*
 * The instances of one interval between threads, by the power of two that their length is: those
 * that touch a window then lie next to each other. Above them are levels in which neighbours are
 * one, so that there is always a level with few enough of them for a picture.
 */
#ifndef GLIMPSE_GORGE_WEB_H
#define GLIMPSE_GORGE_WEB_H

#include "trace/match.h"
#include "viewers/gorge/pieces.h"

/* So many instances, shown as one of them. */
struct strand {
	int64_t start, end;
	size_t anchor;
	uint32_t from, to;      /* threads, by index */
	uint32_t count;
};

struct level {
	VECTOR(struct strand) strands;
};

enum { WEB_CLASSES = 64, WEB_LEVELS = 24 };

struct web_class {
	struct pieces pieces;
	struct level levels[WEB_LEVELS];        /* [0]: each instance for itself */
	unsigned nlevels;
};

struct web {
	struct web_class classes[WEB_CLASSES];
	bool any;
};

struct web *web_new(const struct trace *t, const struct matches *m);
void web_free(struct web *w);

/* Adds what is in the window to the statistics. */
void web_count(const struct web *w, const struct window *window, struct interval_key *key);

/*
 * Calls take for the strands that touch the window, some thousands at most for each length; each:
 * for each instance, however many they are.
 */
void web_visit(const struct web *w, const struct window *window, bool each,
	       void (*take)(void *context, const struct strand *s), void *context);

#endif
