/*
 * windows DIR...: the index gives the same scenes as a walk over all events and instances.
 * The whole trace: the same text. Windows by lot: the same counts, extremes and marks; bars may lie
 * in other rows, and lines may be bundled otherwise. SEED=N repeats a run. Prints TAP.
 */
#include "tests/viewers/gorge/scene/oracle.h"
#include "tests/viewers/gorge/scene/scenes.h"
#include "viewers/gorge/index/instances.h"
#include "viewers/gorge/query/violations.h"
#include "viewers/gorge/scene/dump.h"
#include <math.h>
#include <string.h>

/* What a view has of itself but for lanes of locks, which objects-random.test is about. */
static const char *lanes_of(const struct trace *t)
{
	return t->nthreads > FEW_THREADS ? "alive" : "threads";
}

static struct scene *walked(struct trace *t, const struct oracle *o, const struct window *w,
			    const char *threads)
{
	struct view v = view_of(w, NULL, threads);

	v.lanes = lanes_of(t);
	return oracle_scene(o, &v);
}

/* What breaks the assertions of the trace at hand. */
static struct violations *violations;

static struct scene *indexed(struct trace_index *m, const struct window *w, const char *threads)
{
	struct view v = view_of(w, NULL, threads);

	v.violations = violations;
	v.lanes = lanes_of(m->trace);
	return scene_build(&v, m, &(struct diag){0});
}

static struct scene *seen(struct trace_index *m, const struct window *w, const struct viewport *sight)
{
	struct view v = view_of(w, NULL, NULL);

	v.lanes = lanes_of(m->trace);
	v.has_viewport = true;
	v.viewport = *sight;
	return scene_build(&v, m, &(struct diag){0});
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in alphabetical order, for bars come row by row or by their starts. */
static char *sorted(char *text)
{
	VECTOR(char *) lines = {0};
	char *joined = text_format("%s", "");

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		*vector_add(&lines) = line;
	qsort(lines.at, lines.n, sizeof *lines.at, compare_lines);
	for (size_t i = 0; i < lines.n; i++) {
		char *before = joined;
		joined = text_format("%s%s\n", before, lines.at[i]);
		free(before);
	}
	free(lines.at);
	free(text);
	return joined;
}

static char *dump_of(const struct scene *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	scene_dump(s, out);
	fclose(out);
	return sorted(text);
}

static uint64_t count_of(const struct mark_list *l)
{
	uint64_t count = 0;

	for (size_t i = 0; i < l->n; i++)
		count += l->at[i].count;
	return count;
}

static bool same_key(const struct interval_key *a, const struct interval_key *b)
{
	return a->count == b->count && a->unmatched == b->unmatched &&
	       (a->count == 0 || (a->shortest == b->shortest && a->longest == b->longest &&
				  fabs(a->total - b->total) <= 1e-6 * fabs(a->total)));
}

static bool same_marks(const struct mark_list *a, const struct mark_list *b)
{
	if (a->n != b->n || count_of(a) != count_of(b))
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->at[i].lane != b->at[i].lane || a->at[i].x0 != b->at[i].x0 ||
		    a->at[i].count != b->at[i].count || a->at[i].level != b->at[i].level)
			return false;
	return true;
}

/* The column where lines start, on the average of all that they stand for. */
static double middle_of(const struct scene *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->links.n; i++)
		sum += s->links.at[i].start.x * (double)s->links.at[i].count;
	return sum / (double)links_of(s);
}

/* What is said of each interval and event, and of all lines. */
static bool same_sums(const struct scene *a, const struct scene *b)
{
	for (unsigned i = 0; i < a->nintervals; i++)
		if (!same_key(&a->intervals[i], &b->intervals[i]))
			return false;
	for (unsigned i = 0; i < a->nevents; i++)
		if (a->events[i].count != b->events[i].count)
			return false;
	return a->linked == b->linked && links_of(a) == links_of(b);
}

static bool same_numbers(const struct scene *a, const struct scene *b)
{
	for (unsigned i = 0; i < a->nlanes; i++)
		if (a->lanes[i].events != b->lanes[i].events)
			return false;
	return same_sums(a, b) && same_marks(&a->marks, &b->marks) && same_marks(&a->stubs, &b->stubs) &&
	       same_marks(&a->violations, &b->violations) &&
	       bars_of(a) == bars_of(b);
}

static void compare_windows(const char *name, struct trace *slow, const struct oracle *oracle, struct trace_index *fast, uint64_t seed)
{
	uint64_t state = seed * 2 + 1, length = (uint64_t)slow->duration + 100;
	int same = 0;

	for (int i = 0; i < WINDOWS; i++) {
		int64_t from = (int64_t)(lot(&state) % length) - 50;
		struct window w = {from, from + 1 + (int64_t)(lot(&state) % (length / (1 + lot(&state) % 1000) + 1))};
		char *threads = lot(&state) % 2 ? threads_of(slow, &state) : NULL;
		struct scene *a = walked(slow, oracle, &w, threads), *b = indexed(fast, &w, threads);
		same += same_numbers(a, b);
		if (!same_numbers(a, b))
			printf("# %s: from %" PRId64 " to %" PRId64 ", threads %s\n", name, w.from, w.to,
			       threads ? threads : "all");
		free(threads);
		scene_free(a);
		scene_free(b);
	}
	report(same == WINDOWS, name, "windows have the same numbers");
}

/* ---- lanes in sight ---- */

static bool same_lanes(const struct scene *a, const struct scene *b)
{
	for (unsigned i = 0; i < a->nlanes; i++)
		if (a->lanes[i].events != b->lanes[i].events || a->lanes[i].rows != b->lanes[i].rows ||
		    a->lanes[i].marked != b->lanes[i].marked)
			return false;
	return same_sums(a, b);
}

static struct mark_list marks_in(const struct mark_list *l, const struct viewport *in)
{
	struct mark_list some = {0};

	for (size_t i = 0; i < l->n; i++)
		if (in->first <= l->at[i].lane && l->at[i].lane <= in->last)
			*vector_add(&some) = l->at[i];
	return some;
}

static bool same_in_sight(const struct mark_list *a, const struct mark_list *b, const struct viewport *in)
{
	struct mark_list some = marks_in(a, in);
	bool same = same_marks(&some, b);

	free(some.at);
	return same;
}

static bool same_bars(const struct scene *a, const struct scene *b, const struct viewport *in)
{
	size_t i = scene_bars(a, in->first), k = scene_bars(b, in->first), n = scene_bars(a, in->last + 1) - i;
	bool same = n == scene_bars(b, in->last + 1) - k;

	for (; same && n--; i++, k++)
		same = a->bars.at[i].x0 == b->bars.at[k].x0 && a->bars.at[i].x1 == b->bars.at[k].x1 &&
		       a->bars.at[i].count == b->bars.at[k].count && a->bars.at[i].anchor == b->bars.at[k].anchor;
	return same;
}

/* What is in sight is the same, and all is counted, whatever is. */
static void compare_sights(const char *name, struct trace_index *fast, uint64_t seed)
{
	uint64_t state = seed * 2 + 1, length = (uint64_t)fast->trace->duration + 100;
	int same = 0;

	for (int i = 0; i < WINDOWS; i++) {
		int64_t from = (int64_t)(lot(&state) % length) - 50;
		struct window w = {from, from + 1 + (int64_t)(lot(&state) % length)};
		unsigned first = (unsigned)(lot(&state) % fast->trace->nthreads);
		struct viewport in = {first, first + (unsigned)(lot(&state) % fast->trace->nthreads)};
		struct scene *a = indexed(fast, &w, NULL), *b = seen(fast, &w, &in);
		bool good = same_lanes(a, b) && same_in_sight(&a->marks, &b->marks, &in) &&
			    same_in_sight(&a->stubs, &b->stubs, &in) && same_bars(a, b, &in);
		same += good;
		if (!good)
			printf("# %s: from %" PRId64 " to %" PRId64 ", lanes %u to %u\n", name, w.from, w.to, in.first, in.last);
		scene_free(a);
		scene_free(b);
	}
	report(same == WINDOWS, name, "what is in sight is as if all were");
}

static bool same_scene(const struct scene *a, const struct scene *b)
{
	char *text_a = dump_of(a), *text_b = dump_of(b);
	bool same = !strcmp(text_a, text_b);

	free(text_a);
	free(text_b);
	return same;
}

/* Takes away what the oracle does not know: words in rows of states, and what lanes compares, the processors. */
static void forget_others(struct scene *s)
{
	for (size_t i = 0; i < s->merges.n; i++)
		free(s->merges.at[i].threads);
	s->merges.n = 0;
	for (unsigned i = 0; i < s->nlanes; i++)
		if (s->lanes[i].processors && s->lanes[i].shares)
			memset(s->lanes[i].shares, 0, s->nintervals * sizeof *s->lanes[i].shares);
	for (size_t i = 0; i < s->bars.n; i++)
		if (s->intervals[s->bars.at[i].key].band == BAND_STATES)
			s->bars.at[i].name = NULL;
}

static void compare_whole(const char *name, struct trace *slow, const struct oracle *oracle, struct trace_index *fast)
{
	struct scene *a = walked(slow, oracle, NULL, NULL), *b = indexed(fast, NULL, NULL);

	forget_others(b);

	report(same_numbers(a, b), name, "the whole trace has the same numbers");
	if (a->linked == a->links.n)
		report(same_scene(a, b), name, "the whole trace is the same scene");
	else
		report(fabs(middle_of(a) - middle_of(b)) < a->columns / 16.0, name,
		       "lines that stand for others are from everywhere");
	scene_free(a);
	scene_free(b);
}

int main(int argc, char **argv)
{
	uint64_t seed = seed_said();
	struct diag diag = {.out = stderr, .program = "windows"};

	for (int i = 1; i < argc; i++) {
		const char *const *directory = (const char *const *)argv + i;
		struct trace *slow = trace_open(directory, 1, NULL, &diag);
		struct oracle *oracle = oracle_new(slow);
		struct trace_index *fast = trace_index_new(trace_open(directory, 1, NULL, &diag), &diag);
		/* with spans for each pair of threads, or a fan for each thread */
		instances_fan_threads = (seed + (uint64_t)i) % 2 ? 64 : 1;
		violations = violations_new(fast);
		compare_whole(argv[i], slow, oracle, fast);
		compare_windows(argv[i], slow, oracle, fast, seed);
		if (fast->trace->nthreads)
			compare_sights(argv[i], fast, seed);
		oracle_free(oracle);
		trace_close(slow);
		violations_free(violations);
		trace_index_free(fast);
	}
	return tap_end();
}
