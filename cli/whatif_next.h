/* Prints what limits a predicted run, and what its range rests on. */
#ifndef GLIMPSE_CLI_WHATIF_NEXT_H
#define GLIMPSE_CLI_WHATIF_NEXT_H

#include "analysis/replay/answer/next_bottleneck.h"
#include <stdio.h>

/*
 * "then: limited by computing in encode in worker (61 % of the critical path); if also twice as
 * fast: -22.0 % in all (-25 to -19 %)"; a line for each step.
 */
void next_text(FILE *out, const struct prediction *p, const struct next_steps *steps);

/* "range: identity 0.4 %, lengths -1.2 % +2.0 % (20 replays), ..." */
void range_text(FILE *out, const struct prediction *p);

#endif
