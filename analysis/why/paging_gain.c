#include "analysis/why/paging_gain.h"
#include "analysis/why/measures.h"
#include "analysis/why/paging.h"
#include <math.h>
#include <stdlib.h>

/* The unchanged replay may miss that share of the run. */
static const double most_miss = 0.1;

static struct paging_gain gain_of(struct prediction *p, const char **functions, size_t n)
{
	struct span_change spans[MOST_CHANGES];
	struct changes c = {
	    .spans = spans, .nspans = (unsigned)n, .only = NOT_CHANGED, .one_of_many = true};
	double whole = (double)p->base->duration;
	const char *unknown;

	for (size_t i = 0; i < n; i++)
		spans[i] = (struct span_change){
		    .kind = SPAN_SPEED, .what = functions[i], .exact = true, .factor = INFINITY};
	if (p->unchanged->stuck || prediction_miss(p) > most_miss || whole <= 0 ||
	    !prediction_choose(p, &c, &unknown) || !prediction_change(p, &c, &unknown) ||
	    p->changed->stuck || prediction_is_unknown(p) || prediction_contradicts(p))
		return (struct paging_gain){0};
	return (struct paging_gain){.known = true,
				    .gain = 1 - (double)p->changed->duration / whole,
				    .low = 1 - (double)p->high / whole,
				    .high = fmin(1, 1 - (double)p->low / whole)};
}

void paging_gains_find(struct prediction *p, const struct search *s)
{
	struct paging_gain gain = {0};
	const char **functions;
	size_t n = 0;
	bool found = false;

	for (size_t i = 0; i < s->findings.n; i++)
		found |= measure_subject(s->findings.at[i].hypothesis->about) == OF_PAGING;
	if (!found)
		return;
	functions = paging_entries(s->evidence->set->samples, &n);
	if (n)
		gain = gain_of(p, functions, n);
	free(functions);
	for (size_t i = 0; i < s->findings.n; i++)
		if (measure_subject(s->findings.at[i].hypothesis->about) == OF_PAGING)
			s->findings.at[i].without_paging = gain;
}
