/* Draws instances within threads as bars; searches find what a column has of a row. */
#include "base/parallel.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/scene/bars.h"
#include "viewers/gorge/scene/merges.h"
#include <stdlib.h>

/*
 * A lane has at most MOST_ROWS rows, whatever the number of its threads. Where instances overlap
 * for lack of rows, MOST_BARS in one column are bars of their own; of the others, which nobody can
 * tell apart, only the one that reaches farthest.
 */
enum { MOST_ROWS = 16, MOST_BARS = 32 };

/* All rows while they are put on their lanes; lanes are filled at once. */
struct placings {
	const struct grid *grid;
	const struct span_rows *span_rows;
	struct bars *bars;
	struct lane_merge **merges; /* by lane; NULL: it is not merged */
	int64_t wide;               /* nanoseconds: nothing shorter fills a column */
	struct span_sums *sums;     /* of each worker its part, by key */
};

/* A row of a thread while it is put on a lane. */
struct placing {
	const struct placings *all;
	struct span_sums *sums;
	uint32_t lane;
	struct lane_merge *merge; /* of a merged lane */
	bool processors;          /* its threads have other lanes, where they are counted */
	enum band band;
	unsigned row; /* of the lane */
};

/* What the row has of one key. */
struct row_share {
	const struct placing *placing;
	const struct instances *instances;
	const struct spans *spans;
	uint32_t key;
	unsigned column;
	size_t first, i, end, before; /* how many the last column had: columns are alike */
	/* of what explains blocked states, by span; NULL: spans have them */
	const uint32_t *anchors;
	bool silent;    /* nothing is drawn of it */
	bool uncounted; /* it is not in the statistics of the key */
	/* of the picked ones, by column; NULL: nothing is picked of the key */
	uint64_t *begins;
	struct selection_walk tally;
	struct event_walk walk;
};

/* Those that began before the window. */
struct reaching {
	struct row_share *share;
	size_t n, farthest;
	int64_t farthest_start, farthest_end;
	uint64_t total;
};

/* Whether nothing is shown of the row but its statistics. */
static bool is_hidden(const struct placing *p)
{
	return (p->merge && p->band != BAND_STATES) || !building_sees(p->all->grid->g, p->lane);
}

/* Adds to the time that a lane has of a state in the window. */
static void share_add(const struct row_share *p, double time)
{
	double *shares = p->placing->all->grid->g->scene->lanes[p->placing->lane].shares;

	if (shares && p->placing->band == BAND_STATES)
		shares[p->key] += time;
}

static event_id anchor_of(const struct row_share *p, size_t i)
{
	return p->anchors ? event_id_make(p->spans->from, p->anchors[i])
			  : instances_anchor(p->instances, p->spans, i);
}

static void put_one(const struct row_share *p, size_t i, int64_t start)
{
	const struct window *w = &p->placing->all->grid->g->scene->window;
	int64_t end = start + spans_length(p->spans, i);

	if (p->silent)
		return;
	share_add(p, (double)(end < w->to ? end : w->to) -
			 (double)(start > w->from ? start : w->from));
	if (p->placing->merge) {
		lane_merge_put(p->placing->merge, p->key, start, start + spans_length(p->spans, i));
		return;
	}
	bars_put(p->placing->all->bars, p->placing->lane, p->placing->row, p->key, start,
		 start + spans_length(p->spans, i), anchor_of(p, i));
}

static int64_t start_of(struct row_share *p, size_t i)
{
	uint32_t unit = p->spans->start[i];

	if (p->walk.at.unit > unit)
		event_walk_begin(&p->walk, p->placing->all->grid->event_index, p->spans->from,
				 NULL);
	event_walk_to_unit(&p->walk, unit);
	return p->walk.at.time;
}

static void put_narrow(const struct row_share *p, int32_t column, size_t i, uint64_t count,
		       double total)
{
	if (p->silent)
		return;
	share_add(p, total);
	if (count && p->placing->merge)
		lane_merge_narrow(p->placing->merge, p->key, column, total);
	else if (count)
		bars_narrow(p->placing->all->bars, p->placing->lane, p->placing->row, p->key,
			    column, count, total, anchor_of(p, i));
}

static void take_reaching(void *context, const struct spans *s, size_t i, int64_t start)
{
	struct reaching *r = context;
	int64_t length = spans_length(s, i);

	if (!r->share->uncounted)
		span_sums_add(&r->share->placing->sums[r->share->key], length);
	if (is_hidden(r->share->placing))
		return;
	if (++r->n <= MOST_BARS) {
		put_one(r->share, i, start);
		return;
	}
	r->total += (uint64_t)length;
	if (r->n > MOST_BARS + 1 && start + length <= r->farthest_end)
		return;
	r->farthest = i;
	r->farthest_start = start;
	r->farthest_end = start + length;
}

static void put_reaching(struct row_share *p)
{
	struct reaching r = {.share = p};

	grid_reaching(p->placing->all->grid, p->spans, p->i, take_reaching, &r);
	if (r.n <= MOST_BARS || is_hidden(p->placing))
		return;
	put_narrow(p, 0, r.farthest, r.n - MOST_BARS - 1,
		   (double)(r.total - (uint64_t)spans_length(p->spans, r.farthest)));
	put_one(p, r.farthest, r.farthest_start);
}

static size_t longest_of(const struct spans *s, size_t i, size_t end)
{
	size_t best = i, next = i;

	while ((next = spans_find_longer(s, next, end, spans_length(s, best) + 1)) < end)
		best = next;
	return best;
}

/* Adds the rest of a column, which has too many instances for bars of their own. */
static void put_crowd(struct row_share *p, size_t i, size_t end)
{
	size_t longest = longest_of(p->spans, i, end);

	put_narrow(
	    p, (int32_t)p->column, i, end - i - 1,
	    (double)(spans_total(p->spans, i, end) - (uint64_t)spans_length(p->spans, longest)));
	put_one(p, longest, start_of(p, longest));
}

/* Up to so many instances of a column are looked at one by one, which is faster than a search. */
enum { LOOKED_AT = 48 };

/* Adds all instances that start before the unit, if they are few and none fills a column. */
static bool put_few(struct row_share *p, uint32_t unit)
{
	const struct spans *s = p->spans;
	uint64_t wide = p->placing->all->wide > 0 ? (uint64_t)p->placing->all->wide : 0, total = 0;
	size_t i = p->i, end = p->end - i < LOOKED_AT ? p->end : i + LOOKED_AT;
	uint32_t longest = 0;

	if (s->length_high || p->before >= LOOKED_AT)
		return false;
	for (; i < end && s->start[i] < unit; i++) {
		total += s->length[i];
		longest = s->length[i] > longest ? s->length[i] : longest;
	}
	if (longest >= wide || (i == end && end < p->end))
		return false;
	put_narrow(p, (int32_t)p->column, p->i, i - p->i, (double)total);
	p->before = i - p->i;
	p->i = i;
	return true;
}

/* Adds all instances that start in the column of the next one. */
static void put_column(struct row_share *p)
{
	const struct grid *grid = p->placing->all->grid;
	const struct spans *s = p->spans;
	size_t i = p->i, wide;
	uint32_t behind;

	p->column = grid_column(grid, s->from, p->column, s->start[i]);
	behind = grid->units[s->from][p->column + 1];
	if (put_few(p, behind))
		return;
	p->i = units_near(s->start, i, p->end, i + p->before, behind);
	p->before = p->i - i;
	for (unsigned n = 0; i < p->i; i = wide + 1, n++) {
		wide = spans_find_longer(s, i, p->i, p->placing->all->wide);
		if (n == MOST_BARS && wide < p->i) {
			put_crowd(p, i, p->i);
			return;
		}
		put_narrow(p, (int32_t)p->column, i, wide - i, (double)spans_total(s, i, wide));
		if (wide < p->i)
			put_one(p, wide, start_of(p, wide));
	}
}

/* Returns the share whose next instance starts first; NULL: all are done. */
static struct row_share *earliest(struct row_share *shares, unsigned n)
{
	struct row_share *best = NULL;

	for (struct row_share *p = shares; p < shares + n; p++)
		if (p->i < p->end && (!best || p->spans->start[p->i] < best->spans->start[best->i]))
			best = p;
	return best;
}

static void begin_share(struct row_share *p)
{
	const struct grid *grid = p->placing->all->grid;
	struct begun begun = grid_begun(grid, p->spans);

	event_walk_begin(&p->walk, grid->event_index, p->spans->from, NULL);
	p->first = p->i = begun.i;
	p->end = begun.end;
	if (grid->begins && !p->uncounted && p->key == grid->g->scene->pick.key) {
		p->begins = &grid->begins[(size_t)p->placing->lane * grid->columns];
		p->tally = grid_selection(grid, p->spans, p->i);
	}
	put_reaching(p);
	if (!p->uncounted)
		spans_add_sums(p->spans, p->i, p->end, &p->placing->sums[p->key]);
}

/*
 * Takes from a lane's time what the last instance, which is narrower than a column, has behind the
 * window.
 */
static void clip_last(struct row_share *p)
{
	int64_t to = p->placing->all->grid->g->scene->window.to, behind;

	if (p->silent || p->first == p->end ||
	    spans_length(p->spans, p->end - 1) >= p->placing->all->wide)
		return;
	behind = start_of(p, p->end - 1) + spans_length(p->spans, p->end - 1) - to;
	if (behind > 0)
		share_add(p, -(double)behind);
}

/* Puts all instances of some shares, in the order of their starts. */
static void put_shares(const struct placing *placing, struct row_share *shares, unsigned n)
{
	struct row_share *p;

	if (is_hidden(placing))
		n = 0;
	while ((p = earliest(shares, n))) {
		put_column(p);
		if (p->begins)
			p->begins[p->column] += selection_walk_to(&p->tally, p->i);
	}
	for (unsigned i = 0; i < n; i++)
		clip_last(&shares[i]);
}

/* Counts the waits of a thread, whose bars are the blocked states that they explain. */
static void count_waits(const struct placing *placing, unsigned thread)
{
	const struct grid *grid = placing->all->grid;
	const struct reasons *r = grid->reasons;

	for (unsigned w = 0; r && w < r->nwaits; w++)
		for (size_t k = 0; k < r->waits[w]->within[thread].rows.n; k++) {
			struct row_share share = {.placing = placing,
						  .instances = r->waits[w],
						  .spans = &r->waits[w]->within[thread].rows.at[k],
						  .key = grid->explaining.at[w],
						  .silent = true};

			begin_share(&share);
			if (share.begins)
				put_shares(placing, &share, 1);
		}
}

/* Adds the blocked states of a thread by what explains them. Returns how many shares these are. */
static unsigned reasons_share(const struct placing *placing, unsigned thread,
			      struct row_share *shares)
{
	const struct grid *grid = placing->all->grid;
	const struct reasons *r = grid->reasons;
	unsigned n = 0;

	for (unsigned w = 0; w <= r->nwaits; w++) {
		const struct reason *why = reasons_at(r, thread, w);
		bool explained = w < r->nwaits;

		if (!why->spans.n)
			continue;
		shares[n] =
		    (struct row_share){.placing = placing,
				       .instances = explained ? r->waits[w] : r->blocked,
				       .spans = &why->spans,
				       .key = explained ? grid->explaining.at[w] : grid->blocked,
				       .anchors = explained ? why->anchors : NULL,
				       .uncounted = true};
		begin_share(&shares[n++]);
	}
	return n;
}

static void put_row(const struct placing *placing, unsigned thread, unsigned row)
{
	const struct span_rows *span_rows = placing->all->span_rows;
	const struct grid *grid = placing->all->grid;
	struct row_share *shares = array_zero(2 * span_rows->nkeys + 1, sizeof *shares);
	unsigned n = 0;

	for (unsigned key = 0; key < span_rows->nkeys; key++) {
		const struct spans *spans = span_rows->bands[key] == placing->band
						? span_rows_at(span_rows, thread, row, key)
						: NULL;
		if (!spans)
			continue;
		shares[n] = (struct row_share){.placing = placing,
					       .instances = span_rows->keys[key],
					       .spans = spans,
					       .key = key,
					       .silent = grid->reasons && key == grid->blocked,
					       .uncounted = placing->processors};
		begin_share(&shares[n]);
		n += !shares[n].silent || shares[n].begins;
	}
	if (placing->band == BAND_STATES && grid->reasons && row == 0)
		n += reasons_share(placing, thread, &shares[n]);
	put_shares(placing, shares, n);
	free(shares);
}

/*
 * Fills a band of a lane, which begins at the row: threads are one below the other, but those that
 * follow each other have the same rows; if there are more threads than rows, they share rows.
 */
static void put_band(struct placing *p, enum band band, unsigned first)
{
	const struct building *g = p->all->grid->g;
	const struct span_rows *span_rows = p->all->span_rows;
	const struct lane_plan *plan = &g->plan.at[p->lane];
	unsigned most = g->scene->lanes[p->lane].bands[band], depth = 0;

	p->band = band;
	if (plan->processors && band != BAND_STATES)
		return;
	for (unsigned i = plan->first; i < plan->first + plan->n; i++) {
		unsigned thread = g->order[i], rows = span_rows->depths[thread * BANDS + band];
		if (band == BAND_STATES && !plan->processors)
			count_waits(p, thread);
		for (unsigned row = 0; row < rows; row++) {
			p->row = most ? first + (depth + row) % most : 0;
			put_row(p, thread, row);
		}
		depth += plan->shared ? 0 : rows;
	}
}

static void bars_put_lane(void *context, size_t lane, unsigned worker)
{
	const struct placings *all = context;
	struct placing p = {
	    .all = all, .sums = &all->sums[worker * all->span_rows->nkeys], .lane = (uint32_t)lane};
	unsigned first = 0;

	p.processors = all->grid->g->plan.at[lane].processors;
	if (all->grid->g->scene->lanes[lane].merged)
		p.merge = all->merges[lane] = lane_merge_new(all->grid->g->scene, (uint32_t)lane);
	for (enum band band = 0; band < BANDS; band++) {
		put_band(&p, band, first);
		first += all->grid->g->scene->lanes[lane].bands[band];
	}
}

/* Whether there are states of which a thread has one at each moment; a user's own may overlap. */
static bool has_exclusive(const struct scene *s)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].band == BAND_STATES && s->intervals[i].state != STATE_OTHER)
			return true;
	return false;
}

/* Gives each lane the rows that its threads have over the whole trace. */
static void give_rows(const struct building *g, const struct span_rows *span_rows)
{
	bool exclusive = has_exclusive(g->scene);

	for (unsigned i = 0; i < g->scene->nlanes; i++) {
		const struct lane_plan *plan = &g->plan.at[i];
		struct lane *lane = &g->scene->lanes[i];
		for (enum band band = 0; band < BANDS && !lane->merged; band++) {
			unsigned limit = span_rows->limits[band];
			for (unsigned k = plan->first; k < plan->first + plan->n; k++) {
				unsigned depth = span_rows->depths[g->order[k] * BANDS + band];
				if (!plan->shared)
					lane->bands[band] += depth;
				else if (depth > lane->bands[band])
					lane->bands[band] = depth;
			}
			limit =
			    (plan->n > 1 && !plan->shared) || limit < MOST_ROWS ? MOST_ROWS : limit;
			if (band == BAND_STATES && exclusive)
				limit = 1;
			if (lane->bands[band] > limit)
				lane->bands[band] = limit;
			lane->rows += lane->bands[band];
		}
	}
}

void grid_bars(struct grid *grid, const struct span_rows *span_rows)
{
	struct scene *s = grid->g->scene;
	size_t nparts = (size_t)parallel_workers() * s->nintervals;
	struct placings all = {
	    .grid = grid,
	    .span_rows = span_rows,
	    .wide = bars_wide(s),
	    .sums = array_zero(nparts, sizeof *all.sums),
	};

	for (size_t i = 0; i < nparts; i++)
		all.sums[i] = span_sums_none();
	give_rows(grid->g, span_rows);
	all.merges = array_zero(s->nlanes, sizeof *all.merges);
	all.bars = bars_begin(s, 1);
	parallel_for(s->nlanes, bars_put_lane, &all);
	bars_end(all.bars);
	for (unsigned i = 0; i < s->nlanes; i++)
		if (all.merges[i])
			lane_merge_end(all.merges[i], s);
	free(all.merges);
	merges_end(s);
	for (size_t i = 0; i < nparts; i++)
		key_add(&s->intervals[i % s->nintervals], &all.sums[i]);
	for (enum band band = 0; band < BANDS; band++)
		*(band == BAND_CALLS ? &s->deep_calls : &s->deep) += span_rows->deep[band];
	free(all.sums);
}
