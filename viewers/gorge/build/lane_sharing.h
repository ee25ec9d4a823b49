/* Puts threads that follow each other on one lane. */
#ifndef GLIMPSE_GORGE_BUILD_LANE_SHARING_H
#define GLIMPSE_GORGE_BUILD_LANE_SHARING_H

#include <stdbool.h>
#include <stdint.h>

/* A thread that wants a lane, in the order of the lanes. */
struct tenant {
	unsigned thread;
	/* of its name: those of the same one share a lane rather than others */
	char *pattern;
	int64_t from, to; /* when it lives; both belong to it */
	unsigned lane;    /* counted from 0 */
};

/*
 * Gives threads lanes, as few as there are lives at one time, on which no two lives overlap. Brings
 * the threads into the order of the lanes, and on each lane into that of time; a lane is where the
 * first of its threads was. Returns how many lanes there are; 0: more than most, and nothing was
 * done.
 */
unsigned lanes_share(struct tenant *tenants, unsigned n, unsigned most);

#endif
