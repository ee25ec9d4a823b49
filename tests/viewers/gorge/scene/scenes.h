/* Scenes of windows, threads and picks that come by lot, for the tests that hold the index against a walk over all. */
#ifndef GLIMPSE_TESTS_VIEWERS_GORGE_SCENES_H
#define GLIMPSE_TESTS_VIEWERS_GORGE_SCENES_H

#include "tests/tap.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/build/build.h"
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

/* Sanitizers look at addresses and threads, not at random cases, and take long over each. */
#if defined __SANITIZE_THREAD__
enum { WINDOWS = 5 };
#elif defined __SANITIZE_ADDRESS__
enum { WINDOWS = 20 };
#else
enum { WINDOWS = 60 };
#endif

/* From SEED, or the clock. */
static inline uint64_t seed_said(void)
{
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : (uint64_t)time(NULL);

	printf("# SEED=%" PRIu64 "\n", seed);
	return seed;
}

static inline uint64_t lot(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* Some of the threads, but not none; NULL: all. */
static inline char *threads_of(const struct trace *t, uint64_t *state)
{
	char *list = NULL;

	for (unsigned i = 0; i < t->nthreads && lot(state) % 16; i++) {
		char *before = list;
		if (lot(state) % 2)
			list = text_format("%s%s%u", before ? before : "", before ? "," : "",
					   t->threads[i].number);
		if (list != before)
			free(before);
	}
	return list;
}

static inline struct view view_of(const struct window *w, const struct duration_selection *pick, const char *threads)
{
	struct view v = {.width = 700, .theme = &theme_light, .events = "all", .intervals = "all", .threads = threads};

	if (pick)
		v.pick = *pick;
	if (w) {
		v.window = *w;
		v.has_from = v.has_to = true;
	}
	return v;
}

static inline struct scene *picked_of(struct trace_index *m, const struct window *w, const struct duration_selection *pick, const char *threads)
{
	struct view v = view_of(w, pick, threads);

	return scene_build(&v, m, &(struct diag){0});
}

static inline uint64_t bars_of(const struct scene *s)
{
	uint64_t count = 0;

	for (size_t i = 0; i < s->bars.n; i++)
		count += s->bars.at[i].count;
	return count;
}

static inline uint64_t links_of(const struct scene *s)
{
	uint64_t count = 0;

	for (size_t i = 0; i < s->links.n; i++)
		count += s->links.at[i].count;
	return count;
}

static inline void report(bool good, const char *name, const char *what)
{
	char *text = text_format("%s: %s", name, what);

	ok(good, text);
	free(text);
}

#endif
