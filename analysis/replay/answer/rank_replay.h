/*
 * Predicts what fixing the first rows of a rank gains: functions and threads compute twice as fast,
 * locks are held half as long, input, output and sleeps take half the time. For a wait, the threads
 * that end it do everything in half the time.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_RANK_REPLAY_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_RANK_REPLAY_H

#include "analysis/rank/rank.h"
#include "analysis/replay/answer/prediction.h"
#include "analysis/replay/answer/sweep.h"

/*
 * So many rows are looked at, and threads beside them, of a trace with so few events if nobody
 * asked.
 */
enum { RANK_REPLAYED_ROWS = 20, RANK_REPLAYED_THREADS = 8, RANK_REPLAYED_EVENTS = 1000000 };
/* In a trace of more events, and so many at most, so many locks are removed. */
enum { RANK_REMOVED_LOCKS = 2, RANK_REMOVED_EVENTS = 30000000 };

/*
 * Puts what gains most first; of what gains about the same, what says most precisely what to fix.
 * Says and does nothing where the replay misses the run by too much. p: of the same set. Counts a
 * step for each event and row, at most RANK_REPLAYED_ROWS and RANK_REPLAYED_THREADS, of a task that
 * has planned them.
 */
void rank_replay(struct rank *r, struct prediction *p);

/*
 * Predicts the run without each of the first locks of the rank that threads wait for. A lock that
 * is acquired very often costs most in the calls, which zeroing its hold time leaves. Puts what
 * gains most first. Counts steps as rank_replay() does, one for each lock. set: of the rank; with
 * more than RANK_REPLAYED_EVENTS events.
 */
void rank_remove_locks(struct rank *r, const struct instance_set *set);

/*
 * Returns what fixes a row, and sets row->fix. *kinds: of the intervals that a row of sites or
 * intervals is about, as bits 1 << enum interval_kind; else 0. The caller frees the threads of the
 * result.
 */
struct gain rank_row_gain(const struct model *m, struct rank_row *row, unsigned *kinds);

#endif
