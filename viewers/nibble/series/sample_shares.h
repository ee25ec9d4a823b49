/* Computes shares of samples over time: share(sample(function "parse")). */
#ifndef GLIMPSE_NIBBLE_SERIES_SAMPLE_SHARES_H
#define GLIMPSE_NIBBLE_SERIES_SAMPLE_SHARES_H

#include "viewers/nibble/sample/evaluation.h"
#include "viewers/nibble/series/curve.h"

struct time_window;

/*
 * Returns in each window the share of the selected threads' running time that the samples of a
 * source stand for, of all whose function is known; a window without any is a gap. A thread that
 * logs its calls has these instead of samples. Where nothing fits, diag is told. times: a struct
 * time_window *, of the trace, or NULL, and then it is made for the caller to free.
 */
struct family sample_shares(void *times, struct evaluation *v, const struct node *n);

#endif
