/*
 * lanes DIR: in windows by lot, the merged states of folded groups are those that a walk over
 * all instances finds; groups by creator are those whose creation is in the trace; and threads that
 * follow each other share as few lanes as can be. SEED=N repeats a run. Prints TAP.
 */
#include "analysis/activity/roles.h"
#include "match/join/match.h"
#include "tests/viewers/gorge/scene/scenes.h"
#include "viewers/gorge/build/groups.h"
#include "viewers/gorge/build/lane_sharing.h"
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
	if (lane->processors)
		return true;
	for (size_t i = 0; i < lane->threads.n; i++)
		if (lane->threads.at[i].first <= thread && thread <= lane->threads.at[i].last)
			return true;
	return false;
}

/* The threads of a lane in a state, by columns, from all instances. */
static double *walk_states(struct trace *t, const struct scene *s, const struct merged_state *merge)
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
static bool same_merge(struct trace *t, const struct scene *s, const struct merged_state *merge)
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

/* Of blocked states, and of waits that explain them, see reasons.c. */
static bool is_explained(const struct scene *s, const struct merged_state *merge)
{
	return key_is_low(&s->intervals[merge->key]) || s->intervals[merge->key].explains;
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
			good = good && (is_explained(s, &s->merges.at[i]) || same_merge(m->trace, s, &s->merges.at[i]));
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

/* ---- threads that follow each other ---- */

enum { SHARINGS = 300, MOST_TENANTS = 60 };

static unsigned tenants_by_lot(struct tenant *tenants, uint64_t *state)
{
	static char *const patterns[] = {"serve-*", "worker-*", "main"};
	unsigned n = (unsigned)(lot(state) % MOST_TENANTS) + 1;
	uint64_t time = lot(state) % 300 + 2, length = lot(state) % 40 + 1;

	for (unsigned i = 0; i < n; i++) {
		int64_t from = (int64_t)(lot(state) % time);

		tenants[i] = (struct tenant){.thread = i, .pattern = patterns[lot(state) % 3],
					     .from = from,
					     .to = from + (int64_t)(lot(state) % length)};
	}
	return n;
}

/* The most lives at one moment, which is the start of one of them. */
static unsigned most_at_once(const struct tenant *tenants, unsigned n)
{
	unsigned most = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned now = 0;
		for (unsigned k = 0; k < n; k++)
			now += tenants[k].from <= tenants[i].from && tenants[i].from <= tenants[k].to;
		most = now > most ? now : most;
	}
	return most;
}

/* Threads come lane by lane, on a lane one after the other; lanes in the order of their first thread. */
static bool in_order(const struct tenant *tenants, unsigned n)
{
	unsigned first[MOST_TENANTS], lanes = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct tenant *a = &tenants[i];

		if (i == 0 || a->lane != a[-1].lane) {
			if (a->lane != lanes)
				return false;
			first[lanes++] = a->thread;
		} else if (a->from <= a[-1].to) {
			return false;
		}
		first[a->lane] = a->thread < first[a->lane] ? a->thread : first[a->lane];
	}
	for (unsigned i = 1; i < lanes; i++)
		if (first[i] < first[i - 1])
			return false;
	return true;
}

static void sharing(uint64_t *state)
{
	bool few = true, order = true, refused = true, all = true;

	for (int round = 0; round < SHARINGS; round++) {
		struct tenant tenants[MOST_TENANTS];
		unsigned n = tenants_by_lot(tenants, state), most = most_at_once(tenants, n);
		uint64_t threads = 0;

		refused = refused && (most < 2 || !lanes_share(tenants, n, most - 1));
		few = few && lanes_share(tenants, n, most) == most;
		order = order && in_order(tenants, n);
		for (unsigned i = 0; i < n; i++)
			threads |= UINT64_C(1) << tenants[i].thread;
		all = all && threads == (UINT64_C(1) << n) - 1;
	}
	ok(few, "as few lanes as lives at one time");
	ok(order, "on which lives follow each other");
	ok(refused, "or none, if these are too many");
	ok(all, "each thread has one");
}

/* What shared lanes show of the whole trace is what lanes of single threads do. */
static void shared_sums(struct trace_index *m)
{
	struct view v = view_of(NULL, NULL, NULL);
	struct scene *each, *shared;
	uint64_t events[2] = {0};
	bool good;

	v.lanes = "threads";
	each = scene_build(&v, m, &(struct diag){0});
	v.lanes = "alive";
	shared = scene_build(&v, m, &(struct diag){0});
	good = shared->nlanes <= each->nlanes && bars_of(shared) == bars_of(each);
	for (unsigned i = 0; i < each->nintervals; i++)
		good = good && each->intervals[i].count == shared->intervals[i].count &&
		       each->intervals[i].unmatched == shared->intervals[i].unmatched &&
		       fabs(each->intervals[i].total - shared->intervals[i].total) < 1;
	for (unsigned i = 0; i < each->nlanes; i++)
		events[0] += each->lanes[i].events;
	for (unsigned i = 0; i < shared->nlanes; i++)
		events[1] += shared->lanes[i].events;
	ok(good && events[0] == events[1], "what shares lanes is counted as before");
	scene_free(each);
	scene_free(shared);
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "lanes"};
	const char *directory[] = {argc > 1 ? argv[1] : "lanes"};
	struct trace *t = trace_open(directory, 1, NULL, &diag);
	struct trace_index *m = t ? trace_index_new(t, &diag) : NULL;
	uint64_t state = seed_said() | 1;

	if (!m)
		return 2;
	merges(m, &state);
	creators(m);
	same_sums(m);
	sharing(&state);
	shared_sums(m);
	trace_index_free(m);
	return tap_end();
}
