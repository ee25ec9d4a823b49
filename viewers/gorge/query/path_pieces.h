/* Cuts the critical path into pieces at the resolution of a picture. */
#ifndef GLIMPSE_GORGE_QUERY_PATH_PIECES_H
#define GLIMPSE_GORGE_QUERY_PATH_PIECES_H

#include "analysis/graph/critical_path.h"

/* Is told of pieces in the order of time; count: how many a piece from then to then stands for. */
typedef void path_visit(void *context, const struct path_piece *p, int64_t from, int64_t to,
			uint64_t count);

/*
 * Visits the pieces in [from, to]. Of those shorter than a pixel the longest one of each pixel
 * stands for all.
 */
void path_pieces(const struct critical_path *c, int64_t from, int64_t to, int64_t pixel,
		 path_visit *visit, void *context);

#endif
