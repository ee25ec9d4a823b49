/*
 * Turns the items that threads were handed in the recorded run into pieces, which the replay hands
 * out anew.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_PIECES_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_PIECES_H

#include "analysis/replay/items/hand_out.h"
#include "analysis/replay/program/operations.h"

/* At a mark of a thread stands a delay without time. */
struct marked_operation {
	size_t operation;
	const struct hand_out_mark *mark;
};

typedef VECTOR(struct marked_operation) marked_operations;

/*
 * Moves the operations of items behind those of the threads, as pieces in the order in which the
 * items were taken; a thread has OPERATION_NEXT in their place. Pools have the numbers and names
 * of the hand-out, which is needed as long as the operations. Those that are not handed out have
 * no pieces.
 */
void pieces_make(struct operations *o, const struct hand_out *h, const marked_operations *marked);

#endif
