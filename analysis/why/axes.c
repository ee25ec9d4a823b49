#include "analysis/why/axes.h"
#include "analysis/why/span_walk.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

static int64_t time_in(const struct focus *f, const struct span_of_time *s)
{
	int64_t from = s->from > f->from ? s->from : f->from, to = s->to < f->to ? s->to : f->to;

	return from < to ? to - from : 0;
}

static bool is_of_waits(enum axis a)
{
	return a == AXIS_HOLDER || a == AXIS_PAIR;
}

static bool is_of_threads(enum axis a)
{
	return a == AXIS_THREADS || a == AXIS_THREAD || a == AXIS_PROCESS;
}

/* Returns the value of all spans of a place or, on an axis of threads, of a thread. */
static int64_t common_key(const struct evidence *g, enum axis a, size_t i)
{
	struct span_of_time s = {0};

	*(is_of_threads(a) ? &s.thread : &s.place) = (uint32_t)i;
	return axis_key(g, a, &s);
}

void axis_values_of(const struct evidence *g, const struct focus *f, const bool *places,
		    enum axis a, axis_values *values)
{
	size_t n = is_of_threads(a) ? g->trace->nthreads : evidence_places(g);
	int64_t *times = array_zero(n, sizeof *times);
	bool *seen = array_zero(n, sizeof *seen);
	struct axis_sums sums = {0};
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);) {
		size_t i = is_of_threads(a) ? s.thread : s.place;

		if (is_of_waits(a)) {
			axis_sums_add(&sums, axis_key(g, a, &s), time_in(f, &s));
			continue;
		}
		times[i] += time_in(f, &s);
		seen[i] = true;
	}
	for (size_t i = 0; i < n; i++)
		if (seen[i])
			axis_sums_add(&sums, common_key(g, a, i), times[i]);
	free(times);
	free(seen);
	*values = axis_sums_end(&sums);
}

/* Narrows one of the focus' sets, which may be NULL, to what has a value on an axis. */
static bool *set_narrow(const struct evidence *g, const bool *set, size_t n, enum axis a,
			int64_t key)
{
	bool *in = array_new(n, sizeof *in);

	for (size_t i = 0; i < n; i++)
		in[i] = (!set || set[i]) && common_key(g, a, i) == key;
	return in;
}

/* Picks the waits of a pair: that of the first wait of the focus with the key. */
static void pair_pick(const struct evidence *g, const struct focus *f, int64_t key,
		      struct focus *in)
{
	struct span_of_time s;

	in->of_pair = true;
	in->pair_thread = NO_THREAD;
	for (struct span_walk w = span_walk_begin(g, f, NULL); span_walk_next(&w, &s);)
		if (s.wait && axis_key(g, AXIS_PAIR, &s) == key) {
			in->pair_thread = s.thread;
			in->pair_blocker = s.wait->blocker;
			return;
		}
}

struct focus focus_narrow(const struct evidence *g, const struct focus *f, const bool *places,
			  enum axis a, int64_t key)
{
	struct focus in = focus_copy(g, f);
	struct span_of_time s;
	struct span_walk w;

	if (a == AXIS_HOLDER)
		in.holder = key;
	else if (a == AXIS_PAIR)
		pair_pick(g, f, key, &in);
	else if (is_of_threads(a)) {
		free(in.only_threads);
		in.only_threads = set_narrow(g, f->only_threads, g->trace->nthreads, a, key);
	} else {
		free(in.places);
		in.places = set_narrow(g, f->places, evidence_places(g), a, key);
	}
	in.picks = in.holder != NO_KEY || in.of_pair;
	memset(in.threads, false, g->trace->nthreads);
	for (w = span_walk_begin(g, &in, is_of_threads(a) ? NULL : places);
	     span_walk_next(&w, &s);) {
		in.threads[s.thread] = f->threads[s.thread];
		span_walk_thread_next(&w);
	}
	return in;
}
