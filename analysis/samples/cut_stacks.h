/* Says how many of a trace's samples have truncated stacks, whose outer callers are unknown. */
#ifndef GLIMPSE_ANALYSIS_SAMPLES_CUT_STACKS_H
#define GLIMPSE_ANALYSIS_SAMPLES_CUT_STACKS_H

#include "trace/trace.h"

/*
 * Returns the sentence, with the remedy; NULL: few are truncated, or there are no samples. The
 * caller frees it.
 */
char *cut_stacks_text(const struct trace *t);

#endif
