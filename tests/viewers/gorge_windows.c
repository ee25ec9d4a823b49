/*
 * gorge_windows DIR...: the pyramid gives the same scenes as a walk over all events and instances.
 * The whole trace: the same text. Windows by lot: the same counts, extremes and marks; bars may lie
 * in other rows, and lines may be bundled otherwise. What is picked of them is what a walk over all
 * instances finds. SEED=N repeats a run. Prints TAP.
 */
#include "tests/viewers/tap.h"
#include "viewers/gorge/dump.h"
#include "viewers/gorge/instances.h"
#include "viewers/gorge/lookup.h"
#include "viewers/gorge/view.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The thread sanitizer looks at threads, not at random cases, and takes long over each. */
#ifdef __SANITIZE_THREAD__
enum { WINDOWS = 15 };
#else
enum { WINDOWS = 60 };
#endif

static struct scene *picked_of(struct model *m, const struct window *w, const struct pick *pick, const char *threads)
{
	struct view v = {.width = 700, .theme = &theme_light, .events = "all", .intervals = "all", .threads = threads};

	if (pick)
		v.pick = *pick;
	if (w) {
		v.window = *w;
		v.has_from = v.has_to = true;
	}
	return view_scene(&v, m, &(struct diag){0});
}

static struct scene *scene_of(struct model *m, const struct window *w)
{
	return picked_of(m, w, NULL, NULL);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in alphabetical order, for bars come row by row or by their starts. */
static char *sorted(char *text)
{
	VECTOR(char *) lines = {0};
	char *joined = text_of("%s", "");

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		*vector_add(&lines) = line;
	qsort(lines.at, lines.n, sizeof *lines.at, compare_lines);
	for (size_t i = 0; i < lines.n; i++) {
		char *before = joined;
		joined = text_of("%s%s\n", before, lines.at[i]);
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

static uint64_t bars_of(const struct scene *s)
{
	uint64_t count = 0;

	for (size_t i = 0; i < s->bars.n; i++)
		count += s->bars.at[i].count;
	return count;
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

static uint64_t links_of(const struct scene *s)
{
	uint64_t count = 0;

	for (size_t i = 0; i < s->links.n; i++)
		count += s->links.at[i].count;
	return count;
}

/* The column where lines start, on the average of all that they stand for. */
static double middle_of(const struct scene *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->links.n; i++)
		sum += s->links.at[i].start.x * (double)s->links.at[i].count;
	return sum / (double)links_of(s);
}

static bool same_numbers(const struct scene *a, const struct scene *b)
{
	for (unsigned i = 0; i < a->nintervals; i++)
		if (!same_key(&a->intervals[i], &b->intervals[i]))
			return false;
	for (unsigned i = 0; i < a->nevents; i++)
		if (a->events[i].count != b->events[i].count)
			return false;
	for (unsigned i = 0; i < a->nlanes; i++)
		if (a->lanes[i].events != b->lanes[i].events)
			return false;
	return same_marks(&a->marks, &b->marks) && same_marks(&a->stubs, &b->stubs) &&
	       same_marks(&a->violations, &b->violations) &&
	       bars_of(a) == bars_of(b) && a->linked == b->linked && links_of(a) == links_of(b);
}

/* ---- what is picked ---- */

static uint32_t lane_of(const struct scene *s, uint32_t thread)
{
	for (uint32_t i = 0; i < s->nlanes; i++)
		for (size_t r = 0; r < s->lanes[i].threads.n; r++)
			if (s->lanes[i].threads.at[r].first <= thread && thread <= s->lanes[i].threads.at[r].last)
				return i;
	return NO_KEY;
}

static bool has(const struct scene *s, const struct instance *i)
{
	return i->partner.record && i->end - i->start >= s->pick.least && i->end - i->start <= s->pick.most &&
	       i->end >= s->window.from && i->start <= s->window.to;
}

/* By lane and column: how many of them begin there; gives how many are between threads. */
static uint64_t count_begins(const struct scene *s, const struct matches *m, uint64_t *begins)
{
	uint64_t across = 0;
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		matches_get(m, a, &i);
		if (!has(s, &i))
			continue;
		across += i.anchor.thread != i.partner.thread;
		if (i.anchor.thread == i.partner.thread && i.start >= s->window.from)
			begins[lane_of(s, i.anchor.thread) * s->columns + (uint32_t)scene_column(s, i.start)]++;
	}
	return across;
}

/* What pieces of the run stand for; or whether a single one is picked. */
static uint64_t expected(const struct scene *s, struct model *fast, const struct matches *m,
			 const struct bar *b, const uint64_t *begins)
{
	struct instance i;
	uint64_t n = 0;

	if (b->count == 1) {
		matches_get(m, lookup_anchor(fast, b->anchor), &i);
		return has(s, &i);
	}
	for (uint32_t c = (uint32_t)b->x0; c < (uint32_t)b->x1; c++)
		n += begins[b->lane * s->columns + c];
	return n;
}

static bool is_picked_right(const struct scene *s, struct model *fast, const struct matches *m)
{
	uint64_t *begins = zeroed((size_t)s->nlanes * s->columns, sizeof *begins), bars = 0,
		 across = count_begins(s, m, begins);
	bool right;

	for (size_t i = 0; i < s->bars.n; i++)
		if (s->bars.at[i].key == s->pick.key)
			bars += expected(s, fast, m, &s->bars.at[i], begins);
	right = bars_of(s->picked) == bars && links_of(s->picked) == across && s->picked->linked == across;
	for (size_t i = 0; right && i < s->picked->bars.n; i++) {
		const struct bar *b = &s->picked->bars.at[i];
		right = b->count == 1 || b->x1 - b->x0 < 1 || begins[b->lane * s->columns + (uint32_t)b->x0] > 0;
	}
	free(begins);
	return right;
}

static void report(bool good, const char *name, const char *what)
{
	char *text = text_of("%s: %s", name, what);

	ok(good, text);
	free(text);
}

static uint64_t lot(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* Some of the threads, but not none; NULL: all. */
static char *threads_of(const struct trace *t, uint64_t *state)
{
	char *list = NULL;

	for (unsigned i = 0; i < t->nthreads && lot(state) % 16; i++) {
		char *before = list;
		if (lot(state) % 2)
			list = text_of("%s%s%u", before ? before : "", before ? "," : "", t->threads[i].number);
		if (list != before)
			free(before);
	}
	return list;
}

static void compare_windows(const char *name, struct model *slow, struct model *fast, uint64_t seed)
{
	uint64_t state = seed * 2 + 1, length = (uint64_t)slow->trace->duration + 100;
	int same = 0;

	for (int i = 0; i < WINDOWS; i++) {
		int64_t from = (int64_t)(lot(&state) % length) - 50;
		struct window w = {from, from + 1 + (int64_t)(lot(&state) % (length / (1 + lot(&state) % 1000) + 1))};
		char *threads = lot(&state) % 2 ? threads_of(slow->trace, &state) : NULL;
		struct scene *a = picked_of(slow, &w, NULL, threads), *b = picked_of(fast, &w, NULL, threads);
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

/* Often about as many as not. */
static void compare_picks(const char *name, struct model *slow, struct model *fast, uint64_t seed)
{
	const struct spec *spec = fast->trace->spec;
	uint64_t state = seed * 2 + 1, length = (uint64_t)fast->trace->duration + 100;
	int right = 0;

	for (int i = 0; i < WINDOWS; i++) {
		const struct interval *interval = spec->intervals[lot(&state) % spec->nintervals];
		int64_t from = (int64_t)(lot(&state) % length) - 50, least = (int64_t)(lot(&state) % length);
		struct window w = {from, from + 1 + (int64_t)(lot(&state) % length)};
		struct pick pick = {interval->name, least / (1 + (int64_t)(lot(&state) % 1000)), least};
		struct scene *s = picked_of(fast, &w, &pick, NULL);
		bool good = is_picked_right(s, fast, model_matches(slow, interval));
		right += good;
		if (!good)
			printf("# %s: from %" PRId64 " to %" PRId64 ", %s of %" PRId64 " to %" PRId64 "\n", name,
			       w.from, w.to, pick.interval, pick.least, pick.most);
		scene_free(s);
	}
	report(right == WINDOWS, name, "what is picked is all that there is");
}

static bool same_scene(const struct scene *a, const struct scene *b)
{
	char *text_a = dump_of(a), *text_b = dump_of(b);
	bool same = !strcmp(text_a, text_b);

	free(text_a);
	free(text_b);
	return same;
}

static void compare_whole(const char *name, struct model *slow, struct model *fast)
{
	struct scene *a = scene_of(slow, NULL), *b = scene_of(fast, NULL);

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
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : (uint64_t)time(NULL);
	struct diag diag = {.out = stderr, .program = "gorge_windows"};

	printf("# SEED=%" PRIu64 "\n", seed);
	for (int i = 1; i < argc; i++) {
		const char *const *directory = (const char *const *)argv + i;
		struct model *slow = model_new(trace_open(directory, 1, NULL, &diag), false);
		struct model *fast = model_new(trace_open(directory, 1, NULL, &diag), true);
		/* with a sheaf for each pair of threads, or a fan for each thread */
		instances_many = (seed + (uint64_t)i) % 2 ? 64 : 1;
		model_violations(fast);
		compare_whole(argv[i], slow, fast);
		compare_windows(argv[i], slow, fast, seed);
		if (fast->trace->spec->nintervals)
			compare_picks(argv[i], slow, fast, seed);
		model_free(slow);
		model_free(fast);
	}
	return tap_end();
}
