/*
 * Several comparisons at once, where candidates stay: all queries of a group are known, and can be
 * answered in another order than that of the stream. One comparison gives that order, in which
 * divide.c answers the others.
 *
 * An inequality is the same as one comparison or another: of the two that it could be, each is
 * tried. One of them, though, is left to be the last comparison, where it can be asked as it is.
 */
#ifndef GLIMPSE_TRACE_SWEEP_H
#define GLIMPSE_TRACE_SWEEP_H

#include "trace/questions.h"

void sweep_answer(const struct questions *q);

#endif
