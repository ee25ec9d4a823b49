#include "viewers/nibble/sample/evaluation.h"
#include "trace/label.h"
#include "viewers/nibble/sample/window_tally.h"
#include <math.h>
#include <stdlib.h>

struct evaluation *evaluation_new(struct trace *t, struct limits range, struct diag *diag)
{
	struct evaluation *v = array_zero(1, sizeof *v);

	v->trace = t;
	v->range = range;
	v->window = window_width(range);
	v->diag = diag;
	v->matches = array_zero(t->spec->nintervals, sizeof *v->matches);
	return v;
}

void evaluation_free(struct evaluation *v)
{
	for (unsigned i = 0; i < v->trace->spec->nintervals; i++)
		if (v->matches[i])
			matches_free(v->matches[i]);
	free(v->matches);
	tallies_free(v);
	free(v->threads);
	free(v);
}

double evaluation_window(const struct evaluation *v, const struct node *n)
{
	return n->source.window > 0 ? n->source.window : v->window;
}

/* Returns the first whole nanosecond that is not before the time. */
static int64_t time_whole(double time)
{
	if (time <= -0x1p63)
		return INT64_MIN;
	return time < 0x1p63 ? (int64_t)ceil(time) : INT64_MAX;
}

uint64_t evaluation_events(const struct evaluation *v, const struct event_type *type)
{
	const struct event_list *l;

	if (!v->listed)
		return v->trace->events_of_type[type->index];
	l = trace_events(v->trace, type);
	return event_list_from(l, time_whole(v->range.to + 1)) -
	       event_list_from(l, time_whole(v->range.from));
}

const struct matches *evaluation_matches(struct evaluation *v, const struct interval *interval)
{
	struct matches **m = &v->matches[interval->index];

	if (v->lend)
		return v->lend(v->lender, interval);
	if (!*m)
		*m = match_interval(v->trace, interval);
	return *m;
}

static bool thread_selected(const struct trace_thread *t, const struct source_selection *s)
{
	for (; s; s = s->next) {
		if (s->kind == SELECTION_THREAD_NUMBER && s->number != (int64_t)t->number)
			return false;
		if (s->kind == SELECTION_THREAD_NAME && !label_matches(s->pattern, t))
			return false;
	}
	return true;
}

bool *evaluation_threads(const struct evaluation *v, const struct source_node *source)
{
	const struct trace *t = v->trace;
	bool *selected = array_zero(t->nthreads, sizeof *selected);

	for (unsigned i = 0; i < t->nthreads; i++)
		selected[i] = (!v->threads || v->threads[i]) &&
			      thread_selected(&t->threads[i], source->selections);
	return selected;
}
