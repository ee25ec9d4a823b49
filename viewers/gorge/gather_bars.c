/* Instances within threads, as bars: what a column has of a row is found by searches. */
#include "viewers/gorge/bars.h"
#include "viewers/gorge/gather_grid.h"
#include <stdlib.h>

/*
 * A lane has at most so many rows, whatever the number of its threads. Where instances lie on each
 * other, because there are no more rows, so many in one column are bars; of the others, which
 * nobody can tell apart, the one that reaches farthest.
 */
enum { MOST_ROWS = 16, MOST_BARS = 32 };

/* A row of a thread while it is put on a lane. */
struct placing {
	struct grid *grid;
	struct bars *bars;
	uint32_t lane;
	unsigned row;
	int64_t wide; /* nanoseconds: nothing shorter fills a column */
};

/* What the row has of one key. */
struct share {
	struct placing *placing;
	const struct instances *instances;
	const struct sheaf *sheaf;
	uint32_t key;
	unsigned column;
	size_t i, end;
	struct census_walk walk;
};

/* Those that began before the window. */
struct reaching {
	struct share *share;
	size_t n, farthest;
	int64_t farthest_start, farthest_end;
	uint64_t total;
};

event_id gather_grid_anchor(const struct instances *n, const struct sheaf *s, size_t i)
{
	return n->interval->direction == BACKWARDS ? id_make(s->to, s->end[i])
						   : id_make(s->from, s->start[i]);
}

static void put_one(const struct share *p, size_t i, int64_t start)
{
	bars_put(p->placing->bars, p->placing->lane, p->placing->row, p->key, start,
		 start + sheaf_length(p->sheaf, i), gather_grid_anchor(p->instances, p->sheaf, i));
}

static int64_t start_of(struct share *p, size_t i)
{
	uint32_t unit = p->sheaf->start[i];

	if (p->walk.at.unit > unit)
		walk_begin(&p->walk, p->placing->grid->census, p->sheaf->from, NULL);
	walk_to_unit(&p->walk, unit);
	return p->walk.at.time;
}

static void put_narrow(const struct share *p, int32_t column, size_t i, uint64_t count,
		       double total)
{
	if (count)
		bars_narrow(p->placing->bars, p->placing->lane, p->placing->row, p->key, column,
			    count, total, gather_grid_anchor(p->instances, p->sheaf, i));
}

static void take_reaching(void *context, const struct sheaf *s, size_t i, int64_t start)
{
	struct reaching *r = context;
	int64_t length = sheaf_length(s, i);

	key_count(&r->share->placing->grid->g->scene->intervals[r->share->key], length);
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

static void put_reaching(struct share *p)
{
	struct grid *grid = p->placing->grid;
	struct reaching r = {.share = p};

	sheaf_reaching(p->sheaf, grid->census, p->i, grid->g->scene->window.from, take_reaching,
		       &r);
	if (r.n <= MOST_BARS)
		return;
	put_narrow(p, 0, r.farthest, r.n - MOST_BARS - 1, (double)r.total);
	put_one(p, r.farthest, r.farthest_start);
}

static size_t longest_of(const struct sheaf *s, size_t i, size_t end)
{
	size_t best = i, next = i;

	while ((next = sheaf_longer(s, next, end, sheaf_length(s, best) + 1)) < end)
		best = next;
	return best;
}

/* Too many for bars of their own. */
static void put_crowd(struct share *p, size_t i, size_t end)
{
	size_t longest = longest_of(p->sheaf, i, end);

	put_narrow(p, (int32_t)p->column, i, end - i - 1, (double)sheaf_total(p->sheaf, i, end));
	put_one(p, longest, start_of(p, longest));
}

/* All that start in the column of the next one. */
static void put_column(struct share *p)
{
	const struct grid *grid = p->placing->grid;
	const struct sheaf *s = p->sheaf;
	size_t i = p->i, wide;

	p->column = gather_grid_column(grid, s->from, p->column, s->start[i]);
	p->i = units_seek(s->start, i, p->end, grid->units[s->from][p->column + 1]);
	for (unsigned n = 0; i < p->i; i = wide + 1, n++) {
		wide = sheaf_longer(s, i, p->i, p->placing->wide);
		if (n == MOST_BARS && wide < p->i) {
			put_crowd(p, i, p->i);
			return;
		}
		put_narrow(p, (int32_t)p->column, i, wide - i, (double)sheaf_total(s, i, wide));
		if (wide < p->i)
			put_one(p, wide, start_of(p, wide));
	}
}

/* The share whose next instance starts first; NULL: all are through. */
static struct share *earliest(struct share *shares, unsigned n)
{
	struct share *best = NULL;

	for (struct share *p = shares; p < shares + n; p++)
		if (p->i < p->end && (!best || p->sheaf->start[p->i] < best->sheaf->start[best->i]))
			best = p;
	return best;
}

static void begin_share(struct share *p)
{
	const struct grid *grid = p->placing->grid;
	const uint32_t *units = grid->units[p->sheaf->from];

	walk_begin(&p->walk, grid->census, p->sheaf->from, NULL);
	p->i = sheaf_seek(p->sheaf, 0, units[0]);
	p->end = sheaf_seek(p->sheaf, p->i, units[grid->columns]);
	put_reaching(p);
	sheaf_count(p->sheaf, p->i, p->end, &grid->g->scene->intervals[p->key]);
}

static void put_row(struct placing *placing, const struct tiers *tiers, unsigned thread,
		    unsigned row)
{
	struct share *shares = zeroed(tiers->nkeys, sizeof *shares), *p;
	unsigned n = 0;

	for (unsigned key = 0; key < tiers->nkeys; key++) {
		const struct sheaf *sheaf = tiers_row(tiers, thread, row, key);
		if (!sheaf)
			continue;
		shares[n] = (struct share){
		    .placing = placing, .instances = tiers->keys[key], .sheaf = sheaf, .key = key};
		begin_share(&shares[n++]);
	}
	while ((p = earliest(shares, n)))
		put_column(p);
	free(shares);
}

/*
 * The threads of a lane lie one below the other in it; when there are more than rows, they share
 * them. Gives how many rows the lane has over the whole trace.
 */
static unsigned put_lane(struct placing *p, const struct tiers *tiers)
{
	const struct gather *g = p->grid->g;
	const struct lane_plan *plan = &g->plan.at[p->lane];
	unsigned depth = 0;

	for (unsigned i = plan->first; i < plan->first + plan->n; i++) {
		unsigned thread = g->order[i];
		for (unsigned row = 0; row < tiers->depths[thread]; row++) {
			p->row = depth + row;
			put_row(p, tiers, thread, row);
		}
		depth += tiers->depths[thread];
	}
	return depth;
}

void gather_grid_bars(struct grid *grid, const struct tiers *tiers)
{
	struct scene *s = grid->g->scene;
	unsigned limit = tiers->rows > MOST_ROWS ? tiers->rows : MOST_ROWS;
	double pixel = ((double)s->window.to - (double)s->window.from) / s->columns;
	struct placing p = {
	    .grid = grid, .bars = bars_begin(s, limit), .wide = (int64_t)(pixel * 0.99)};
	unsigned *depths = zeroed(s->nlanes, sizeof *depths);

	for (p.lane = 0; p.lane < s->nlanes; p.lane++)
		depths[p.lane] = put_lane(&p, tiers);
	bars_end(p.bars);
	for (unsigned i = 0; i < s->nlanes; i++)
		s->lanes[i].rows = depths[i] < limit ? depths[i] : limit;
	s->deep = tiers_deep(tiers);
	free(depths);
}
