#include "viewers/gorge/query/model.h"
#include "base/array.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/subset.h"
#include "viewers/gorge/query/violations.h"
#include <stdlib.h>

static struct model *model_of(struct trace *trace, bool keep, struct pyramid *p)
{
	struct model *m = array_zero(1, sizeof *m);

	m->trace = trace;
	m->holders = 1;
	m->keep = keep;
	m->matches = array_zero(trace->spec->nintervals, sizeof *m->matches);
	m->pyramid = p;
	return m;
}

struct model *model_new(struct trace *trace, bool keep)
{
	return model_of(trace, keep, keep ? pyramid_new(trace) : NULL);
}

struct model *model_retell(struct model *m, struct spec *spec)
{
	struct age *a = m->pyramid ? age_retell(pyramid_age(m->pyramid), spec) : NULL;

	return a ? model_of(age_trace(a), true, pyramid_retell(m->pyramid, a)) : NULL;
}

void model_search(struct model *m)
{
	if (m->pyramid)
		searcher_begin(pyramid_searcher(m->pyramid));
}

struct model *model_hold(struct model *m)
{
	m->holders++;
	return m;
}

/* What was found in the trace as it was. */
static void forget(struct model *m)
{
	violations_free(m->violations);
	m->violations = NULL;
	subset_free(m->picked);
	m->picked = NULL;
	for (unsigned i = 0; i < m->trace->spec->nintervals; i++) {
		matches_free(m->matches[i]);
		m->matches[i] = NULL;
	}
}

void model_grow(struct model *m, struct age *a)
{
	forget(m);
	pyramid_grow(m->pyramid, a);
	m->trace = age_trace(a);
}

void model_renew(struct model *m)
{
	forget(m);
	pyramid_renew(m->pyramid);
}

void model_free(struct model *m)
{
	if (!m || --m->holders)
		return;
	forget(m);
	free(m->matches);
	if (m->pyramid)
		pyramid_free(m->pyramid);
	else
		trace_close(m->trace);
	free(m);
}

const struct matches *model_matches(struct model *m, const struct interval *interval)
{
	struct matches **found = &m->matches[interval->index];

	if (m->pyramid)
		pyramid_lock(m->pyramid);
	if (!*found)
		*found = match_interval(m->trace, interval);
	if (m->pyramid)
		pyramid_unlock(m->pyramid);
	return *found;
}

static struct subset *pick_matches(struct model *model, const struct interval *interval,
				   int64_t least, int64_t most)
{
	const struct matches *m = model_matches(model, interval);
	struct subset *picked = subset_new(model, m);

	for (size_t a = 0; a < m->count; a++) {
		int64_t duration;
		if (m->partner_of[a] == UNMATCHED)
			continue;
		duration = matches_duration(m, a);
		if (duration >= least && duration <= most)
			subset_add(picked, a);
	}
	subset_end(picked);
	return picked;
}

const struct subset *model_pick(struct model *m, const struct interval *interval, int64_t least,
				int64_t most)
{
	if (m->picked && m->picked_of == interval && m->picked_least == least &&
	    m->picked_most == most)
		return m->picked;
	subset_free(m->picked);
	m->picked = pick_matches(m, interval, least, most);
	m->picked_of = interval;
	m->picked_least = least;
	m->picked_most = most;
	return m->picked;
}

struct violations *model_violations(struct model *m)
{
	if (!m->violations)
		m->violations = violations_new(m);
	return m->violations;
}

void model_done(struct model *m, const struct interval *interval)
{
	struct matches **found = &m->matches[interval->index];

	/* violations are told by the matches that they were found in */
	if (m->keep || (m->violations && violations_of(m->violations, interval)))
		return;
	matches_free(*found);
	*found = NULL;
}
