#include "analysis/heap/peak.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdlib.h>

/*
 * Parts of the stream, each from some start up to another, are walked at the same time: of each it
 * is known how the bytes change in it, and how far they rise above what they were before it.
 */
struct peak_part {
	int64_t change;
	int64_t rise;       /* INT64_MIN: it has no start */
	size_t start, ends; /* where they have risen so far */
};

struct peak_walk {
	const struct lifetimes *lifetimes;
	const uint64_t *sizes, *freed, *replaced;
	struct moments starts, ends;
	struct peak_part *parts;
	size_t nparts;
};

static event_rank part_rank(const struct peak_walk *w, size_t part)
{
	if (part == 0)
		return 0;
	if (part == w->nparts)
		return MOMENT_WALK_OVER;
	return moments_rank(&w->starts, w->lifetimes->nstarts / w->nparts * part);
}

static void part_walk(void *context, size_t number, unsigned worker)
{
	const struct peak_walk *w = context;
	event_rank from = part_rank(w, number), to = part_rank(w, number + 1);
	struct moment_walk s = moment_walk_begin(&w->starts, moments_from(&w->starts, from),
						 moments_from(&w->starts, to));
	struct moment_walk e =
	    moment_walk_begin(&w->ends, moments_from(&w->ends, from), moments_from(&w->ends, to));
	struct peak_part p = {.rise = INT64_MIN};

	(void)worker;
	while (s.rank != MOMENT_WALK_OVER || e.rank != MOMENT_WALK_OVER) {
		/* an event that is both gives back first */
		if (e.rank <= s.rank) {
			p.change -= (int64_t)w->freed[e.at];
			moment_walk_next(&e);
			continue;
		}
		p.change +=
		    (int64_t)w->sizes[s.at] - (w->replaced ? (int64_t)w->replaced[s.at] : 0);
		if (p.change > p.rise) {
			p.rise = p.change;
			p.start = s.at;
			p.ends = e.at;
		}
		moment_walk_next(&s);
	}
	w->parts[number] = p;
}

struct peak peak_find(const struct lifetimes *l, const uint64_t *sizes, const uint64_t *freed,
		      const uint64_t *replaced)
{
	struct peak_walk w = {
	    .lifetimes = l,
	    .sizes = sizes,
	    .freed = freed,
	    .replaced = replaced,
	    .starts = {.trace = l->trace, .list = l->starts, .count = l->nstarts},
	    .ends = {.trace = l->trace, .list = l->ends, .count = l->nends},
	    .nparts = l->nstarts < PARALLEL_CHUNK ? 1 : 16 * parallel_workers(),
	};
	struct peak peak = {0};
	int64_t before = 0;

	w.parts = array_zero(w.nparts, sizeof *w.parts);
	parallel_for(w.nparts, part_walk, &w);
	for (size_t i = 0; i < w.nparts; i++) {
		const struct peak_part *p = &w.parts[i];

		if (p->rise != INT64_MIN && before + p->rise > (int64_t)peak.bytes)
			peak = (struct peak){(uint64_t)(before + p->rise), p->start, p->ends};
		before += p->change;
	}
	free(w.parts);
	return peak;
}
