/*
 * gorge_lanes DIR: in windows by lot, the merged states of folded groups are those that a walk over
 * all instances finds; and groups by creator are those whose creation is in the trace. SEED=N repeats
 * a run. Prints TAP.
 */
#include "analysis/roles.h"
#include "match/join/match.h"
#include "tests/viewers/gorge_scenes.h"
#include "viewers/gorge/build/groups.h"
#include <math.h>
#include <string.h>

/* The columns of a time that a window has; times outside of it are at its ends. */
static double column_of(const struct scene *s, int64_t time)
{
	return fmin(fmax(scene_x(s, time), 0), s->columns);
}

/* Adds to each column how much of it an instance covers. */
static void add_cover(double *cover, unsigned columns, double x0, double x1)
{
	for (unsigned c = (unsigned)x0; c < columns && c < x1; c++)
		cover[c] += fmin(x1, c + 1) - fmax(x0, c);
}

static bool lane_has(const struct lane *lane, uint32_t thread)
{
	for (size_t i = 0; i < lane->threads.n; i++)
		if (lane->threads.at[i].first <= thread && thread <= lane->threads.at[i].last)
			return true;
	return false;
}

/* The threads of a lane in a state, by columns, from all instances. */
static double *walk_states(struct trace *t, const struct scene *s, const struct merge *merge)
{
	const struct interval *interval = spec_interval(t->spec, s->intervals[merge->key].name);
	double *cover = array_zero(s->columns, sizeof *cover);
	struct matches *m = match_interval(t, interval);
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		matches_get(m, a, &i);
		if (!i.partner.record || !lane_has(&s->lanes[merge->lane], i.anchor.thread) ||
		    i.end < s->window.from || i.start > s->window.to)
			continue;
		add_cover(cover, s->columns, column_of(s, i.start), column_of(s, i.end));
	}
	matches_free(m);
	return cover;
}

/*
 * Instances narrower than a pixel count where they begin: up to any column the sums differ by what
 * one pixel has of each thread.
 */
static bool same_merge(struct trace *t, const struct scene *s, const struct merge *merge)
{
	double *cover = walk_states(t, s, merge), difference = 0;
	bool good = true;

	for (unsigned c = 0; c < s->columns; c++) {
		difference += cover[c] - (double)merge->threads[c];
		good = good && fabs(difference) <= t->nthreads + 0.01 * (c + 1);
	}
	free(cover);
	return good;
}

static void merges(struct trace_index *m, uint64_t *state)
{
	bool good = true, whole = true;

	for (int n = 0; n < WINDOWS; n++) {
		int64_t from = (int64_t)(lot(state) % (uint64_t)m->trace->duration);
		struct window w = {from, from + 700 + (int64_t)(lot(state) % (uint64_t)m->trace->duration)};
		struct view v = view_of(n ? &w : NULL, NULL, NULL);
		struct scene *s;
		v.group = n % 2 ? GROUP_NAME : GROUP_CREATOR;
		v.fold = "all";
		s = scene_build(&v, m, &(struct diag){0});
		for (size_t i = 0; i < s->merges.n; i++)
			good = same_merge(m->trace, s, &s->merges.at[i]) && good;
		whole = whole && (n || s->merges.n >= 6);
		scene_free(s);
	}
	ok(whole, "each folded group has its states");
	ok(good, "as many threads in each column as all instances say");
}

static void creators(const struct trace_index *m)
{
	uint32_t *of = trace_creators(m);
	bool good = of[0] == NO_CREATOR;

	for (unsigned i = 1; i < m->trace->nthreads; i++)
		good = good && of[i] == (i < 5 ? 0 : 1);
	ok(good, "threads are created by whom the trace says");
	free(of);
}

/* A folded group and its unfolded lanes have the same statistics. */
static void same_sums(struct trace_index *m)
{
	struct view v = view_of(NULL, NULL, NULL);
	struct scene *open, *folded;
	bool good = true;

	v.group = GROUP_NAME;
	open = scene_build(&v, m, &(struct diag){0});
	v.fold = "all";
	folded = scene_build(&v, m, &(struct diag){0});
	for (unsigned i = 0; i < open->nintervals; i++)
		good = good && open->intervals[i].count == folded->intervals[i].count &&
		       fabs(open->intervals[i].total - folded->intervals[i].total) < 1;
	ok(good, "what is folded is counted as before");
	scene_free(open);
	scene_free(folded);
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "gorge_lanes"};
	const char *directory[] = {argc > 1 ? argv[1] : "lanes"};
	struct trace *t = trace_open(directory, 1, NULL, &diag);
	struct trace_index *m = t ? trace_index_new(t, &diag) : NULL;
	uint64_t state = seed_said() | 1;

	if (!m)
		return 2;
	merges(m, &state);
	creators(m);
	same_sums(m);
	trace_index_free(m);
	return tap_end();
}
