#include "viewers/gorge/query/model.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/violations.h"
#include "base/array.h"
#include <stdlib.h>

static struct model *model_of(struct pyramid *p)
{
	struct model *m = p ? array_zero(1, sizeof *m) : NULL;

	if (!m)
		return NULL;
	m->trace = age_trace(pyramid_age(p));
	m->holders = 1;
	m->matches = array_zero(m->trace->spec->nintervals, sizeof *m->matches);
	m->pyramid = p;
	return m;
}

struct model *model_new(struct trace *trace, struct diag *diag)
{
	struct model *m = model_of(pyramid_new(trace));

	if (m)
		return m;
	trace_close(trace);
	diag_error(diag, DIAG_NOWHERE, "the log of a thread has 16 GiB or more, which is more than "
				       "gorge can show");
	return NULL;
}

struct model *model_retell(struct model *m, struct spec *spec)
{
	struct age *a = age_retell(pyramid_age(m->pyramid), spec);

	return a ? model_of(pyramid_retell(m->pyramid, a)) : NULL;
}

void model_search(struct model *m)
{
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
	pyramid_free(m->pyramid);
	free(m);
}

const struct matches *model_matches(struct model *m, const struct interval *interval)
{
	struct matches **found = &m->matches[interval->index];

	pyramid_lock(m->pyramid);
	if (!*found)
		*found = match_interval(m->trace, interval);
	pyramid_unlock(m->pyramid);
	return *found;
}

struct violations *model_violations(struct model *m)
{
	if (!m->violations)
		m->violations = violations_new(m);
	return m->violations;
}
