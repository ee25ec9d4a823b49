/* Questions that no candidate meets, wherever it stands. */
#ifndef GLIMPSE_TRACE_HOPELESS_H
#define GLIMPSE_TRACE_HOPELESS_H

#include "trace/shorten.h"

/*
 * Forgets questions that no candidate meets in the first two columns: where candidates are great in
 * one and small in the other, that can be all of them.
 */
void hopeless_forget(struct questions *q, struct shortened words, unsigned ncolumns);

#endif
