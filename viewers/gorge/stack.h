/*
 * The intervals within threads, stacked in rows over the whole trace, so that a row does not change
 * when the window does. In each row the instances of one interval follow one another: what a pixel
 * has of them is found by two searches.
 */
#ifndef GLIMPSE_GORGE_STACK_H
#define GLIMPSE_GORGE_STACK_H

#include "viewers/gorge/bars.h"
#include "viewers/gorge/pieces.h"

/* An instance within one lane. */
struct stretch {
	int64_t start, end;
	uint32_t lane;
	size_t anchor;
};

/* Those of one interval, in the order of their starts, the longest first. */
struct stretches {
	struct stretch *at;
	size_t n, room;
	size_t next;            /* while several are merged */
};

void stretches_sort(struct stretches *s);
/* The stretch that starts next among all intervals, whose next is passed; NULL: none is left. */
const struct stretch *stretches_next(struct stretches *all, unsigned n, unsigned *key);

struct stack {
	unsigned nlanes, rows, nkeys;
	struct pieces *files;   /* by lane, row and key */
	uint64_t deep;          /* instances that found no row of their own */
};

/* The stretches' lanes are threads. */
struct stack *stack_new(unsigned nlanes, unsigned rows, struct stretches *all, unsigned nkeys);
void stack_free(struct stack *s);

/* Whether any thread has instances of the key. */
bool stack_has(const struct stack *s, unsigned key);
/* How many rows of the thread have anything. */
unsigned stack_depth(const struct stack *s, unsigned thread);

/*
 * Puts what is in the scene's window of a thread on a lane, from that row on, and adds it to the
 * keys' statistics. Takes time by the number of columns.
 */
void stack_put(const struct stack *s, unsigned thread, struct bars *bars, struct scene *scene,
	       uint32_t lane, unsigned first_row);

#endif
