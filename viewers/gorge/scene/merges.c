#include "viewers/gorge/scene/merges.h"
#include <math.h>
#include <stdlib.h>

struct lane_merge {
	const struct scene *scene;
	uint32_t lane;
	double pixel; /* nanoseconds of one column */
	/*
	 * By key, then by column: what is covered; and what is from there on, of all of a column.
	 */
	double **cover, **change;
};

struct lane_merge *lane_merge_new(const struct scene *s, uint32_t lane)
{
	struct lane_merge *m = array_zero(1, sizeof *m);

	*m = (struct lane_merge){.scene = s,
				 .lane = lane,
				 .pixel =
				     ((double)s->window.to - (double)s->window.from) / s->columns,
				 .cover = array_zero(s->nintervals, sizeof *m->cover),
				 .change = array_zero(s->nintervals, sizeof *m->change)};
	return m;
}

static void take_key(struct lane_merge *m, uint32_t key)
{
	if (m->cover[key])
		return;
	m->cover[key] = array_zero(m->scene->columns + 2, sizeof *m->cover[key]);
	m->change[key] = array_zero(m->scene->columns + 2, sizeof *m->change[key]);
}

static double clamped(const struct scene *s, int64_t time)
{
	return fmin(fmax(scene_x(s, time), 0), s->columns);
}

void lane_merge_put(struct lane_merge *m, uint32_t key, int64_t start, int64_t end)
{
	double x0 = clamped(m->scene, start), x1 = clamped(m->scene, end);
	unsigned first = (unsigned)x0, last = (unsigned)x1;

	take_key(m, key);
	if (first == last) {
		m->cover[key][first] += x1 - x0;
		return;
	}
	m->cover[key][first] += first + 1 - x0;
	m->cover[key][last] += x1 - last;
	m->change[key][first + 1]++;
	m->change[key][last]--;
}

void lane_merge_narrow(struct lane_merge *m, uint32_t key, int32_t column, double cover)
{
	take_key(m, key);
	m->cover[key][column] += cover / m->pixel;
}

/* Moves what is covered of a key into the scene. */
static void move_key(struct lane_merge *m, uint32_t key, struct scene *s)
{
	float *threads = array_zero(s->columns, sizeof *threads);
	double here = 0;

	for (unsigned c = 0; c < s->columns; c++) {
		here += m->change[key][c];
		threads[c] = (float)(m->cover[key][c] + here);
	}
	*vector_add(&s->merges) =
	    (struct merged_state){.lane = m->lane, .key = key, .threads = threads};
	free(m->cover[key]);
	free(m->change[key]);
}

void lane_merge_end(struct lane_merge *m, struct scene *s)
{
	for (uint32_t key = 0; key < s->nintervals; key++)
		if (m->cover[key])
			move_key(m, key, s);
	free(m->cover);
	free(m->change);
	free(m);
}

/* ---- the scales of lanes ---- */

/* Beside so many times the processors, more ready threads are cut off. */
enum { MOST_READY = 3 };

bool merge_is_shown(const struct scene *s, const struct merged_state *m)
{
	const struct interval_key *key = &s->intervals[m->key];

	return !key_is_low(key) && !(s->lanes[m->lane].processors && key->wait != WAIT_NONE);
}

/* Running threads are at the bottom, ready ones above them, then others. */
static int compare_merges(const void *pa, const void *pb, void *context)
{
	const struct merged_state *a = pa, *b = pb;
	const struct scene *s = context;
	int order;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	order = (int)key_rank(&s->intervals[a->key]) - (int)key_rank(&s->intervals[b->key]);
	return order ? order : (a->key > b->key) - (a->key < b->key);
}

/*
 * Returns the first power of two that is not less than the most threads in any column, or all the
 * threads if they are fewer: then lanes keep their scales in most other windows.
 */
static unsigned scale_of(const struct scene *s, const struct lane *lane, double most)
{
	unsigned power = 1, all = 0;

	if (lane->processors && s->processors)
		return (unsigned)fmin(fmax(ceil(most - 0.01), s->processors),
				      MOST_READY * s->processors);
	if (lane->processors)
		return most > 1 ? (unsigned)ceil(most - 0.01) : 1;

	for (size_t i = 0; i < lane->threads.n; i++)
		all += lane->threads.at[i].last - lane->threads.at[i].first + 1;
	while (power < most - 0.01 && power < all)
		power *= 2;
	return power < all ? power : all;
}

void merges_end(struct scene *s)
{
	double *sums = array_zero(s->columns, sizeof *sums);

	if (s->merges.n)
		qsort_r(s->merges.at, s->merges.n, sizeof *s->merges.at, compare_merges, s);
	for (size_t i = 0; i < s->merges.n; i++) {
		const struct merged_state *m = &s->merges.at[i];
		double most = 0;
		for (unsigned c = 0; c < s->columns; c++) {
			if (i == 0 || m[-1].lane != m->lane)
				sums[c] = 0;
			if (merge_is_shown(s, m))
				sums[c] += (double)m->threads[c];
			most = fmax(most, sums[c]);
		}
		s->lanes[m->lane].most = scale_of(s, &s->lanes[m->lane], most);
	}
	free(sums);
}
