/*
 * Bottle graphs: how the time in which at least one of several members (threads) is active is
 * shared between them. While p instances are open, each has 1/p of the time; the shares add up to
 * the whole of it. (Du Bois, Eyerman, Sartor and Eeckhout: Bottle graphs, OOPSLA 2013.)
 */
#ifndef GLIMPSE_NIBBLE_SERIES_BOTTLE_H
#define GLIMPSE_NIBBLE_SERIES_BOTTLE_H

#include "viewers/nibble/sample/windows.h"
#include <stddef.h>

/* Of one member: area / share is its mean parallelism. */
struct bottle_box {
	double share; /* its share of the time, in nanoseconds */
	double area;  /* how long its instances are open, together */
};

struct bottle;

/* Begins with n members that have up to "room" instances together. */
struct bottle *bottle_new(size_t n, size_t room, struct limits r);
/* Adds an instance of a member. They are sorted faster if they are in order of their starts. */
void bottle_add(struct bottle *b, size_t member, double from, double to);
/* Fills in the box of each member, and frees b. */
void bottle_fill(struct bottle *b, struct bottle_box *boxes);

#endif
