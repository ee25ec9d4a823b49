/*
 * Moments of one kind, thread by thread in the order of time: how many there are in a pixel is the
 * distance between two places, however many they are. Those that are shifted by an attribute are
 * parted by their shift, too.
 */
#ifndef GLIMPSE_GORGE_SHEET_H
#define GLIMPSE_GORGE_SHEET_H

#include "trace/match.h"
#include "viewers/gorge/marks.h"

/* The values of an attribute that shifts a symbol. */
struct range {
	double low, high;
};

struct sheet {
	struct moments moments; /* whose indices the sheet holds; not owned */
	unsigned nthreads, shifts;
	struct range range;     /* of the attribute, when they are shifted */
	size_t *first;          /* where a thread's moments of one shift begin in order; and the end */
	uint32_t *order;
};

struct sheet *sheet_of_events(struct trace *t, const struct event_type *type);
struct sheet *sheet_of_unmatched(const struct trace *t, const struct matches *m);
void sheet_free(struct sheet *s);

/*
 * Puts the moments of a thread that are in the scene's window on a lane. Takes time by the number of
 * columns. Gives how many they are.
 */
uint64_t sheet_put(const struct sheet *s, unsigned thread, const struct scene *scene,
		   struct marks *marks, uint32_t lane);

/* The value of the attribute that shifts an event's symbol, and its place among all values. */
struct range shift_range(const struct event_list *list);
uint8_t range_shift(const struct range *r, const struct event *e);

/* Index in the trace's threads; threads stand in the order of their numbers, mostly without gaps. */
unsigned thread_index(const struct trace *t, uint32_t number);

#endif
