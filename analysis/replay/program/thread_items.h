/* What a recorded thread does, one item after the other. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_THREAD_ITEMS_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_THREAD_ITEMS_H

#include "analysis/replay/program/operation_making.h"

/* What happens at one time: what ends comes before what begins. */
enum item_order {
	ITEM_RELEASE,
	ITEM_GIVE,
	ITEM_POST,
	ITEM_WAITED,
	ITEM_NEED,
	ITEM_MARK,
	ITEM_REQUEST,
	ITEM_TAKE,
	ITEM_SLOT,
	ITEM_NONE
};

struct thread_item {
	int64_t time;
	enum item_order order;
	/*
	 * of the hold, the post, the reason, the need, the mark, the request to a device, or the
	 * slot
	 */
	size_t number;
};

/* The thread begins. */
void thread_items_open(struct operation_making *k, uint32_t thread);
/* Finds what a thread does next. Returns false at its end. */
bool thread_item_next(struct operation_making *k, uint32_t thread, struct thread_item *next);

#endif
