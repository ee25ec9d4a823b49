/*
 * Instances of one interval in the order of their starts, with what makes questions about many of
 * them cheap: sums, and the extremes of blocks.
 */
#ifndef GLIMPSE_GORGE_PIECES_H
#define GLIMPSE_GORGE_PIECES_H

#include "viewers/gorge/scene.h"
#include "viewers/vector.h"

struct piece {
	int64_t start, end;
	double before;          /* nanoseconds that those before it take */
	size_t anchor;
};

/* The shortest and the longest of a block. */
struct extent {
	int64_t shortest, longest;
};

struct pieces {
	VECTOR(struct piece) list;
	struct extent *blocks;
	int64_t longest;
	bool loose;             /* they overlap */
};

void pieces_add(struct pieces *p, int64_t start, int64_t end, size_t anchor);
/* All are added. */
void pieces_end(struct pieces *p);
void pieces_free(struct pieces *p);

/* The first piece at i or behind that starts at the time or later; cheap when it is near. */
size_t pieces_seek(const struct pieces *p, size_t i, int64_t time);
/* The first that may reach into a window that begins there; of loose ones some may not. */
size_t pieces_from(const struct pieces *p, int64_t from);
/* Adds one instance to the statistics. */
void key_count(struct interval_key *key, int64_t length);
/* Adds what is in the window to the statistics. */
void pieces_count(const struct pieces *p, const struct window *w, struct interval_key *key);

static inline int64_t piece_length(const struct piece *p)
{
	return p->end - p->start;
}

#endif
