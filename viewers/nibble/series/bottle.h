/*
 * Bottle graphs: how the time in which at least one of several members (threads) is active is
 * shared between them. While p instances are open, each has 1/p of the time; the shares add up to
 * the whole of it. (Du Bois, Eyerman, Sartor and Eeckhout: Bottle graphs, OOPSLA 2013.)
 */
#ifndef GLIMPSE_NIBBLE_SERIES_BOTTLE_H
#define GLIMPSE_NIBBLE_SERIES_BOTTLE_H

#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"

/* Of one member: area / share is its mean parallelism. */
struct bottle_box {
	double share; /* its share of the time, in nanoseconds */
	double area;  /* how long its instances are open, together */
};

/* Fills in the boxes of n members, whose samples have ends. */
void bottle_fill(const struct value_samples *members, size_t n, struct limits r,
		 struct bottle_box *boxes);

#endif
