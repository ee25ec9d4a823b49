/*
 * Predicts what fixing the first rows of a rank gains: functions and threads compute twice as fast,
 * locks are held half as long, input, output and sleeps take half the time. For a wait, the threads
 * that end it do everything in half the time.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_RANK_REPLAY_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_RANK_REPLAY_H

#include "analysis/rank/rank.h"
#include "analysis/replay/answer/plan.h"
#include "analysis/replay/answer/prediction.h"
#include "analysis/replay/answer/sweep.h"

/*
 * Predicts what the plan says, and sorts the rank by it. Counts the plan's steps for a task that
 * has planned them.
 *
 * Rows: puts what gains most first; of what gains about the same, what says most precisely what to
 * fix. Leaves the rows unreplayed if the replay misses the run by too much.
 *
 * Locks: predicts the run without each of the first locks of the rank that threads wait for. A lock
 * that is acquired very often costs most in the calls, which zeroing its hold time leaves. Puts
 * what gains most first.
 *
 * set: of the rank. r: NULL: no rank was made; the rows have none. Returns the prediction of the
 * rows, which the caller frees; NULL: no rows are planned.
 */
struct prediction *rank_predict(struct rank *r, const struct instance_set *set,
				const struct replay_plan *plan);

/*
 * Replays a row that rank_predict() has replayed once more, with a range of its own, and sets what
 * glimpse whatif --fix says of it. The first ones of the plan have been.
 */
void rank_row_replay_whole(struct rank_row *row, struct prediction *p);

#endif
