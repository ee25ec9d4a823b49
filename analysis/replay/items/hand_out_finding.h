/* Declares what the ways to find handed-out work share. For hand_out.c and its parts only. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ITEMS_HAND_OUT_FINDING_H
#define GLIMPSE_ANALYSIS_REPLAY_ITEMS_HAND_OUT_FINDING_H

#include "analysis/graph/timeline.h"
#include "analysis/replay/items/hand_out.h"

typedef VECTOR(struct hand_out_mark) hand_out_marks;

/*
 * A thread comes for items of one pool from a time to another; nothing else is handed out to it
 * then.
 */
struct hand_out_turn {
	int64_t from, to;
};

typedef VECTOR(struct hand_out_turn) hand_out_turns;

struct hand_out_finding {
	const struct model *model;
	struct hand_out *result;
	hand_out_marks *marks; /* by thread */
	hand_out_turns *turns; /* by thread, then time: those of the pools that are handed out */
};

/* Adds a mark of a thread; those of a pool in the order of time. */
void hand_out_mark_add(struct hand_out_finding *f, uint32_t thread, int64_t time, size_t item);
/* Adds a time in which a thread comes for items, and which has nothing of another such time. */
void hand_out_turn_add(struct hand_out_finding *f, uint32_t thread, int64_t from, int64_t to);
/* Whether a thread comes for items of another pool between two times. */
bool hand_out_is_taken(const struct hand_out_finding *f, uint32_t thread, int64_t from, int64_t to);

/* Returns where spans of a class begin in the program, or NULL. The trace keeps the text. */
const char *hand_out_site(const struct model *m, uint32_t class);

/* Returns the name of the members, by thread, or NULL if they have several. */
const char *hand_out_group(const struct model *m, const bool *members);

/* Whether a thread met others between two times. */
bool hand_out_has_met(const struct model *m, uint32_t thread, int64_t from, int64_t to);

/* Announces the events that hand_out_find_chunks() needs. */
void hand_out_announce_chunks(struct trace *t);

/* Add the pools of each sort, those that are sure with their items and marks. */
void hand_out_find_chunks(struct hand_out_finding *f);
void hand_out_find_items(struct hand_out_finding *f);
void hand_out_find_locks(struct hand_out_finding *f);

#endif
