/*
 * Several comparisons at once, where the index is poor: queries are answered in the order of the
 * stream by a tree over the candidates that stand by their words (boxtree.c).
 */
#ifndef GLIMPSE_TRACE_BOXES_H
#define GLIMPSE_TRACE_BOXES_H

#include "trace/questions.h"

/* How many blocks a question may look at on average, where there is another way; tests make it
 * small. */
extern unsigned boxes_patience;

/*
 * Answers the questions; false when it took too long: what is left then are those without an
 * answer. patient: it may take as long as it likes.
 */
bool boxes_answer(struct questions *q, bool patient);

#endif
