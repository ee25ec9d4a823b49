/* Shares a sum among spans of time, each with an upper limit. */
#ifndef GLIMPSE_RECORDER_SHARE_H
#define GLIMPSE_RECORDER_SHARE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns how much each of n spans (ns) gets at most if in sum they are to get `sum` ns: an equal
 * part, as far as it is long enough. 0 if sum is negative, INT64_MAX if it is more than all spans
 * together. Sorts the spans.
 */
int64_t share_equally(int64_t *spans, size_t n, int64_t sum);

#endif
