/*
 * Whether questions are asked of the index before they are asked of boxes. The index was poor, but it
 * may know at once what takes boxes long: most of all where many candidates meet a question, and all
 * but the last of those across a border come before them. Where it does not, it is let alone for
 * twice as long each time.
 */
#ifndef GLIMPSE_TRACE_BOXTRY_H
#define GLIMPSE_TRACE_BOXTRY_H

#include "trace/boxbatch.h"

/* How many blocks a question may look at on average before the index is tried again; tests make it
 * small. */
extern unsigned boxtry_many;

struct boxtry {
	size_t next, pause; /* when it may be tried; how long not, where it failed */
	/* Blocks and questions since that was thought of. */
	uint64_t visited;
	size_t asked;
};

/* The batch has been asked; so many questions have been, with it. */
void boxtry_step(struct boxtry *t, struct boxbatch *b, size_t asked, uint64_t visited);

#endif
