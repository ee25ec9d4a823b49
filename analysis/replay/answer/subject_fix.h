/*
 * Says how a subject is fixed. A function or a thread computes twice as fast. A lock is held half
 * as long. Input, output and sleeps take half the time. Threads that end a wait do everything in
 * half the time.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_SUBJECT_FIX_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_SUBJECT_FIX_H

#include "analysis/rank/rank.h"
#include "analysis/replay/answer/sweep.h"

/*
 * Returns what fixes a subject, which is kept as long as the result, and sets *fix. *kinds: of the
 * intervals that a call site or an interval is about, as bits 1 << enum interval_kind; else 0. The
 * caller frees the threads of the result.
 */
struct gain subject_fix_of(const struct model *m, const struct subject *of, enum rank_fix *fix,
			   unsigned *kinds);

#endif
