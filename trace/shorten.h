/*
 * Words of 64 bits as words of 32 that compare as they do: less a common least one, or, where they
 * are too far apart, their ranks.
 */
#ifndef GLIMPSE_TRACE_SHORTEN_H
#define GLIMPSE_TRACE_SHORTEN_H

#include "trace/questions.h"

/*
 * Writes the words of the candidates, by place, and of the questions, each stride behind the one
 * before. The candidates' lie between BOX_LEAST and BOX_MOST. A question that is beyond them all
 * has BOX_LEAST or BOX_MOST; when the column is one of an inequality, always BOX_LEAST.
 */
void shorten_column(const struct questions *q, unsigned column, bool differs, int32_t *candidates,
		    int32_t *questions, unsigned stride);

#endif
