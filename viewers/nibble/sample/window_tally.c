#include "base/array.h"
#include "viewers/nibble/sample/tally_cells.h"
#include "viewers/nibble/series/pooled.h"
#include "viewers/nibble/series/step_source.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

/* Where the events are in lists, a pass over all is for no less than this part of them. */
enum { LEAST_PART = 8 };

uint64_t tally_least = 1 << 16;
size_t tally_most = 1 << 23;

static bool keep_find(const struct node *n, enum tally_use use, enum tally_keep *keep)
{
	switch (n->function->kind) {
	case FUNCTION_COUNT:
		*keep = use == TALLY_STEPS ? KEEP_TIMES : KEEP_ENDS;
		return use != TALLY_COMPUTED;
	case FUNCTION_VALUE:
		*keep = KEEP_POINTS;
		return use == TALLY_DRAWN;
	case FUNCTION_RATE:
		*keep = KEEP_COUNT;
		return true;
	case FUNCTION_MEAN:
	case FUNCTION_SUM:
		*keep = KEEP_SUM;
		return true;
	case FUNCTION_MIN:
	case FUNCTION_MAX:
		*keep = KEEP_EXTREMES;
		return true;
	case FUNCTION_QUANTILE:
	case FUNCTION_HIST:
	case FUNCTION_CDF:
	case FUNCTION_HEAT:
		*keep = KEEP_VALUES;
		return true;
	default:
		return false;
	}
}

static struct windows windows_of(const struct evaluation *v, const struct node *n)
{
	if (source_needs_values(v, n, SIZE_MAX))
		return source_value_windows(v, n);
	if (n->function->kind == FUNCTION_COUNT)
		return windows_even(v->range, STEP_PIECES);
	return windows_make(v->range, evaluation_window(v, n));
}

/* The same in whole nanoseconds: the last window includes its end. */
static void edges_round(struct window_tally *y)
{
	const struct windows *g = &y->windows;

	y->from = (int64_t)ceil(g->edges[0]);
	y->until = array_zero(g->n, sizeof *y->until);
	for (size_t w = 0; w + 1 < g->n; w++)
		y->until[w] = (int64_t)ceil(g->edges[w + 1]);
	y->until[g->n - 1] = (int64_t)floor(g->edges[g->n]) + 1;
}

static bool is_worth_it(const struct evaluation *v, const struct node *n)
{
	const struct event_type *type = n->source.subject.event;
	uint64_t events = type ? evaluation_events(v, type) : 0;

	return type && events >= tally_least &&
	       events >= v->trace->events_of_type[type->index] / LEAST_PART &&
	       (v->range.to - v->range.from) / evaluation_window(v, n) <= (double)tally_most;
}

bool tally_plan(struct evaluation *v, const struct node *n, enum tally_use use)
{
	struct window_tally *y;
	struct windows windows;
	enum tally_keep keep;

	if (!v->drawing || v->canvas.log_x)
		use = TALLY_COMPUTED;
	if (!is_worth_it(v, n) || !keep_find(n, use, &keep))
		return false;
	windows = windows_of(v, n);
	if (windows.n > tally_most / v->trace->nthreads ||
	    (keep == KEEP_TIMES && v->range.to - v->range.from >= (double)UINT32_MAX * windows.n)) {
		windows_free(&windows);
		return false;
	}
	y = *vector_add(&v->tallies) = array_zero(1, sizeof *y);
	*y = (struct window_tally){.node = n, .trace = v->trace, .keep = keep, .windows = windows};
	edges_round(y);
	y->conditions = conditions_of(&n->source);
	y->selected = evaluation_threads(v, &n->source);
	y->threads = array_zero(v->trace->nthreads, sizeof *y->threads);
	return true;
}

static void take_all(void *context, const struct event_chunk *b)
{
	const struct evaluation *v = context;

	for (size_t i = 0; i < v->tallies.n; i++)
		if (v->tallies.at[i]->node->source.subject.event == b->type)
			tally_take(v->tallies.at[i], b);
}

static void tally_free(struct window_tally *y)
{
	tally_parts_free(y);
	conditions_free(&y->conditions);
	free(y->threads);
	free(y->selected);
	free(y->until);
	windows_free(&y->windows);
	free(y);
}

/* Those that have got all their events are kept. */
static void tallies_settle(struct evaluation *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->tallies.n; i++) {
		struct window_tally *y = v->tallies.at[i];

		if (y->ncells > tally_most) {
			trace_announce(v->trace, y->node->source.subject.event);
			tally_free(y);
			continue;
		}
		for (unsigned k = 0; k < y->trace->nthreads; k++)
			v->faults += y->threads[k].faults;
		tally_settle(y);
		v->tallies.at[kept++] = y;
	}
	v->tallies.n = kept;
}

void tallies_fill(struct evaluation *v)
{
	bool *wanted = array_zero(v->trace->spec->nevents, sizeof *wanted);

	for (size_t i = 0; i < v->tallies.n; i++)
		wanted[v->tallies.at[i]->node->source.subject.event->index] = true;
	if (v->tallies.n > 0)
		trace_visit_events(v->trace, wanted, take_all, v);
	free(wanted);
	tallies_settle(v);
}

void tallies_free(struct evaluation *v)
{
	for (size_t i = 0; i < v->tallies.n; i++)
		tally_free(v->tallies.at[i]);
	free(v->tallies.at);
}

const struct window_tally *tally_find(const struct evaluation *v, const struct node *n)
{
	for (size_t i = 0; i < v->tallies.n; i++)
		if (v->tallies.at[i]->node == n)
			return v->tallies.at[i];
	return NULL;
}
