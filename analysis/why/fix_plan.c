#include "analysis/why/fix_plan.h"
#include "analysis/replay/answer/subject_fix.h"
#include "analysis/why/fixes.h"
#include "base/task.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* Whether a step would fix what a row has fixed, if under another name. kinds: of the row. */
static bool is_again(const struct trace *t, const struct rank_row *row, unsigned kinds,
		     const struct bottleneck *step)
{
	if (row->subject.kind == SUBJECT_THREAD)
		return step->thread && symbols_number(t, step->thread) == row->subject.key;
	if (step->kind == BOTTLENECK_IO)
		return kinds & 1u << KIND_IO;
	return step->subject.name && step->subject.kind == row->subject.kind &&
	       step->subject.key == row->subject.key;
}

/* Replays with a row fixed, as its gain says. */
static bool row_fix(struct fix_plan *plan, struct prediction *p, struct rank_row *row)
{
	unsigned kinds;
	struct gain g = subject_fix_of(p->model, &row->subject, &row->fix, &kinds);
	struct span_change span = gain_change(&g);
	struct lock_change none = {.subject = &row->subject, .discipline = DISCIPLINE_NONE};
	struct changes c = {.only = NOT_CHANGED, .next = true};
	const char *unknown;
	bool good;

	if (fix_is_removal(row)) {
		c.locks = &none;
		c.nlocks = 1;
	} else {
		c.spans = &span;
		c.nspans = 1;
	}
	good = prediction_choose(p, &c, &unknown) && prediction_change(p, &c, &unknown) &&
	       !p->changed->stuck && !prediction_is_unknown(p) && !prediction_contradicts(p);
	if (good)
		plan->then = next_steps_of(p, &c);
	free((bool *)g.threads);
	return good && !is_again(p->model->trace, row, kinds, &plan->then.at[0]);
}

/* That the threads which others wait for do everything faster is no fix. */
struct fix_plan fix_plan_of(struct prediction *p, const struct search *s)
{
	const struct finding *f = fix_first(s);
	struct fix_plan plan = {.first = NULL};
	struct rank_row row;

	if (!f || !f->fix || !f->fix->replayed || f->fix->fix == FIX_BLOCKERS || task_cancelled())
		return plan;
	row = *f->fix;
	plan.whole = p->base->duration;
	if (row_fix(&plan, p, &row))
		plan.first = f->fix;
	return plan;
}

double fix_plan_gain(const struct fix_plan *plan, int64_t duration)
{
	return plan->whole > 0 ? 1 - (double)duration / (double)plan->whole : 0;
}
