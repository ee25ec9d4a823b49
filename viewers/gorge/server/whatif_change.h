/* Reads the change that a what-if of the page asks for. */
#ifndef GLIMPSE_GORGE_SERVER_WHATIF_CHANGE_H
#define GLIMPSE_GORGE_SERVER_WHATIF_CHANGE_H

#include "viewers/web/server.h"

/* The longest name, with its end. */
enum { LONGEST_WHAT = 8192 };

/* At most one of each; it goes to another process as it is. */
struct whatif_change {
	bool exact;  /* names are names, not patterns */
	bool anyway; /* an answer is wanted however far the unchanged replay is off */
	bool has_speed, has_lock;
	bool waits_too; /* not only what runs is faster, but also what waits for no other thread */
	double factor;
	unsigned discipline; /* an enum discipline (analysis/replay/changes/lock_plan.h) */
	unsigned cores;      /* 0: as many as were there */
	char faster[LONGEST_WHAT], lock[LONGEST_WHAT];
};

/*
 * Reads the values of a request: speed=WHAT=FACTOR or all=WHAT=FACTOR,
 * lock=WHAT=none|fifo|lifo|free, cores=N, exact, anyway. Returns NULL, or what is wrong, which the
 * caller frees.
 */
char *whatif_change_read(const struct http_request *request, struct whatif_change *c);

#endif
