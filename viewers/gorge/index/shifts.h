/* The attribute that shifts an event's symbol inside its lane. */
#ifndef GLIMPSE_GORGE_INDEX_SHIFTS_H
#define GLIMPSE_GORGE_INDEX_SHIFTS_H

#include "trace/trace.h"

/* A symbol that is shifted has this many places in its lane; 0 is at the bottom. */
enum { SHIFTS = 16 };

/* The values of such an attribute. */
struct shift_range {
	double low, high;
};

/* None so far; one more. */
struct shift_range shift_range_empty(void);
void shift_range_add(struct shift_range *r, const struct event *e);

/* The place of the event's value among all: below SHIFTS. */
uint8_t shift_range_place(const struct shift_range *r, const struct event *e);

/* Index in the trace's threads; threads stand in the order of their numbers, mostly without gaps. */
unsigned thread_index(const struct trace *t, uint32_t number);

#endif
