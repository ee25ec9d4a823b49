/* Blocks come in any order and leave in the order of their numbers. */
#ifndef PGZ_SEQUENCE_H
#define PGZ_SEQUENCE_H

#include "block.h"
#include <pthread.h>

struct sequence {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct block **slots;           /* the block with number n stands in slot n % room */
	unsigned room;
	bool closed;
};

/*
 * Room for as many blocks as there are: a block that is written is used again only for a later
 * number, so the blocks under way have consecutive numbers and never share a slot. False: there
 * is no memory.
 */
bool sequence_init(struct sequence *s, unsigned room);

void sequence_put(struct sequence *s, struct block *b);

/* Waits for the block of that number, which is the caller's then. NULL: the sequence is closed. */
struct block *sequence_take(struct sequence *s, int number);

/* Ends all waiting, now. */
void sequence_close(struct sequence *s);

/* Frees the sequence and the blocks in it. */
void sequence_free(struct sequence *s);

#endif
