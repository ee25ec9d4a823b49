#include "analysis/replay/answer/plan.h"

/* Of all replays together: an answer takes some seconds, its range or steps a tenth of that. */
static const uint64_t most_steps[] = {
    [REPLAYS_OF_ANSWER] = 100000000,
    [REPLAYS_OF_INTERVAL] = 10000000,
    [REPLAYS_OF_STEPS] = 10000000,
};

struct replay_plan replay_plan_of(const struct trace *t, bool asked)
{
	struct replay_plan plan = {.scope = REPLAY_NOTHING};

	if (asked || t->events <= PLAN_ROWS_EVENTS)
		plan = (struct replay_plan){
		    .scope = REPLAY_ROWS,
		    .rows = PLAN_ROWS,
		    .threads = PLAN_THREADS,
		    .whole = t->events <= PLAN_WHOLE_EVENTS ? PLAN_WHOLE : PLAN_WHOLE_LONG};
	else if (t->events <= PLAN_LOCKS_EVENTS)
		plan = (struct replay_plan){.scope = REPLAY_LOCKS, .locks = PLAN_LOCKS};
	if (plan.scope != REPLAY_NOTHING)
		plan.steps = (1 + plan.rows + plan.threads + plan.locks) * t->events;
	return plan;
}

size_t replays_within(enum replay_purpose purpose, uint64_t steps, size_t most)
{
	uint64_t least = purpose == REPLAYS_OF_STEPS ? 1 : LEAST_REPLAYS;
	uint64_t n = steps ? most_steps[purpose] / steps : most;

	n = n > least ? n : least;
	return n < most ? n : most;
}
