/*
 * matched_once DIRECTORY: whether the whole way from a trace to its findings, with their ranks and replays,
 * matches each interval once. Linked with wrappers around all that finds instances.
 */
#include "analysis/why/why.h"
#include "match/join/candidate_filter.h"
#include "match/join/thread_join.h"
#include <stdio.h>
#include <stdlib.h>

static unsigned *matched; /* by interval */

struct matches *__real_match_interval(struct trace *t, const struct interval *interval);
struct matches *__wrap_match_interval(struct trace *t, const struct interval *interval);
void __real_match_intervals(struct trace *t, const struct interval *const *intervals, unsigned n,
			    struct matches **found);
void __wrap_match_intervals(struct trace *t, const struct interval *const *intervals, unsigned n,
			    struct matches **found);
const struct join_source *__real_join_sources_add(struct join_sources *s,
						  const struct interval *interval, uint32_t number);
const struct join_source *__wrap_join_sources_add(struct join_sources *s,
						  const struct interval *interval, uint32_t number);

struct matches *__wrap_match_interval(struct trace *t, const struct interval *interval)
{
	matched[interval->index]++;
	return __real_match_interval(t, interval);
}

/* Those that are not sieved are matched by match_interval(). */
void __wrap_match_intervals(struct trace *t, const struct interval *const *intervals, unsigned n,
			    struct matches **found)
{
	__real_match_intervals(t, intervals, n, found);
	for (unsigned i = 0; i < n; i++)
		matched[intervals[i]->index] += found[i]->sieved != NULL;
}

const struct join_source *__wrap_join_sources_add(struct join_sources *s,
						  const struct interval *interval, uint32_t number)
{
	const struct join_source *added = __real_join_sources_add(s, interval, number);

	matched[interval->index] += added != NULL;
	return added;
}

static bool is_replayed(const struct why *w)
{
	for (size_t i = 0; w->rank && i < w->rank->n; i++)
		if (w->rank->rows[i].replayed)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "matched_once"};
	const char *directory = argc == 2 ? argv[1] : "";
	struct trace *t = trace_open(&directory, 1, NULL, &diag);
	struct why_options o = {.search = true, .rank = true};
	unsigned n = 0;
	bool once = true;
	struct why *w;

	if (!t)
		return 2;
	matched = array_zero(t->spec->nintervals, sizeof *matched);
	o.to = t->duration;
	w = why_of(t, &o, &diag);
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		n += matched[i] > 0;
		once &= matched[i] <= 1;
		if (matched[i] > 1)
			printf("# %s is matched %u times\n", t->spec->intervals[i]->name,
			       matched[i]);
	}
	printf("%u intervals, %zu findings, %s\n", n, w->search->findings.n,
	       is_replayed(w) ? "replayed" : "not replayed");
	why_free(w);
	trace_close(t);
	free(matched);
	return !once;
}
