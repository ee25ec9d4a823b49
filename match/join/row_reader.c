/* From moments to rows: the stream in chunks, on all processors. */
#include "base/array.h"
#include "base/parallel.h"
#include "base/spill.h"
#include "match/join/partition.h"
#include "match/join/row.h"
#include "match/join/stream_join.h"
#include <stdatomic.h>
#include <stdlib.h>

size_t rows_chunk = 1 << 16, meet_piece = 1 << 14;

enum { MANY = 1 << 22 };

/* A stretch of the stream: the moments of both sides in it. */
struct chunk {
	size_t begin[2], end[2]; /* by side */
};

/* Rows in the order of the stream, before they are parted. */
struct buffer {
	uint64_t *words;
	size_t room;
	uint32_t *count; /* rows in each bucket */
	struct parting parting;
};

struct reading {
	struct rows *rows;
	const struct plan *plan;
	const struct moments *moments[2];
	struct row_maker maker;
	struct chunk *chunks;
	struct buffer *buffers; /* one for each worker */
	struct meet *meet;      /* NULL: rows are kept */
	atomic_uint_fast64_t faults;
};

/* The row of the moment at hand goes there; where the next one goes. */
static inline uint64_t *read_row(struct reading *r, enum row_kind kind, enum side side,
				 const struct moment_walk *w, uint64_t *row, uint64_t *faults)
{
	bool made = true;

	if (kind == ROW_IS_SIMPLE)
		row_make_simple(&r->maker, side, w, row);
	else if (kind == ROW_IS_PLAIN)
		made = row_make_plain(&r->maker, side, w, row);
	else
		made = row_make_any(&r->maker, side, w, row, faults);
	made = made && (kind == ROW_IS_SIMPLE || rows_fits(r->rows, row));
	return made ? row + r->rows->width : row;
}

static inline __attribute__((always_inline)) size_t
read_rows(struct reading *r, const struct chunk *c, uint64_t *words, enum row_kind kind)
{
	const struct plan *plan = r->plan;
	/*
	 * Which side comes first where both are at the same event: the candidate when later ones
	 * are sought, else the query. So an event is neither later nor earlier than itself.
	 */
	enum side first = plan->later ? plan->candidates : !plan->candidates;
	struct moment_walk one = moment_walk_begin(r->moments[first], c->begin[first], c->end[first]);
	struct moment_walk other = moment_walk_begin(r->moments[!first], c->begin[!first], c->end[!first]);
	uint64_t *row = words, faults = 0;

	while (one.rank != MOMENT_WALK_OVER || other.rank != MOMENT_WALK_OVER) {
		for (; one.rank <= other.rank && one.rank != MOMENT_WALK_OVER; moment_walk_next(&one))
			row = read_row(r, kind, first, &one, row, &faults);
		for (; other.rank < one.rank; moment_walk_next(&other))
			row = read_row(r, kind, !first, &other, row, &faults);
	}
	atomic_fetch_add(&r->faults, faults);
	return (size_t)(row - words) / r->rows->width;
}

/* How many rows it gave to the buffer. */
static size_t fill_buffer(struct reading *r, const struct chunk *c, struct buffer *buffer)
{
	size_t most = c->end[0] - c->begin[0] + c->end[1] - c->begin[1];

	buffer->words =
	    spill_reserve(buffer->words, &buffer->room, most * r->rows->width,
			  sizeof *buffer->words);
	switch (r->maker.kind) {
	case ROW_IS_SIMPLE:
		return read_rows(r, c, buffer->words, ROW_IS_SIMPLE);
	case ROW_IS_PLAIN:
		return read_rows(r, c, buffer->words, ROW_IS_PLAIN);
	default:
		return read_rows(r, c, buffer->words, ROW_ANY);
	}
}

static void read_chunk(void *context, size_t number, unsigned worker)
{
	struct reading *r = context;
	struct buffer *buffer = &r->buffers[worker];
	size_t n = fill_buffer(r, &r->chunks[number], buffer);

	rows_put(r->rows, number, buffer->words, n, buffer->count);
}

static void meet_chunk(void *context, size_t number, unsigned worker)
{
	struct reading *r = context;
	struct buffer *buffer = &r->buffers[worker];
	size_t chunk = r->meet->reversed ? r->rows->nchunks - 1 - number : number, n = 0;

	if (!r->meet->refused)
		n = fill_buffer(r, &r->chunks[chunk], buffer);
	meet_put(r->meet, number, buffer->words, n, &buffer->parting);
}

/* The rank of the k-th of all moments, in the order of the stream: how many of the first side are
 * before it is sought. */
static event_rank rank_at(const struct reading *r, size_t k)
{
	const struct moments *a = r->moments[0], *b = r->moments[1];
	size_t low = k > b->count ? k - b->count : 0, high = k < a->count ? k : a->count;

	while (low < high) {
		size_t i = low + (high - low) / 2;

		if (moments_rank(a, i) < moments_rank(b, k - i - 1))
			low = i + 1;
		else
			high = i;
	}
	if (low == a->count)
		return moments_rank(b, k - low);
	if (k - low == b->count)
		return moments_rank(a, low);
	return moments_rank(a, low) < moments_rank(b, k - low) ? moments_rank(a, low)
							       : moments_rank(b, k - low);
}

/* Stretches of equal numbers of moments; those of one event stay together. */
static void cut_chunks(struct reading *r)
{
	size_t n = r->moments[0]->count + r->moments[1]->count;
	struct chunk before = {{0, 0}, {0, 0}};

	for (size_t i = 0; i < r->rows->nchunks; i++) {
		struct chunk *c = &r->chunks[i];
		bool last = i + 1 == r->rows->nchunks;
		event_rank cut = last ? 0 : rank_at(r, (i + 1) * (n / r->rows->nchunks));

		for (int side = 0; side < 2; side++) {
			const struct moments *m = r->moments[side];

			c->begin[side] = before.end[side];
			c->end[side] = last ? m->count : moments_from(m, cut);
		}
		r->rows->first[i] = c->begin[0] + c->begin[1];
		before = *c;
	}
}

static void reading_begin(struct reading *r)
{
	unsigned workers = parallel_workers();

	r->chunks = array_new(r->rows->nchunks, sizeof *r->chunks);
	r->buffers = array_zero(workers, sizeof *r->buffers);
	for (unsigned i = 0; i < workers; i++)
		r->buffers[i].count = array_new(r->rows->nbuckets + 1, sizeof *r->buffers[i].count);
}

static void reading_end(struct reading *r)
{
	for (unsigned i = 0; i < parallel_workers(); i++) {
		spill_free(r->buffers[i].words);
		spill_free(r->buffers[i].parting.words);
		free(r->buffers[i].count);
	}
	free(r->buffers);
	free(r->chunks);
}

/* Half as large while buckets are few: then what is read stays in the cache until it is parted. */
static size_t chunk_size(size_t n)
{
	return n < MANY && rows_chunk > 1 ? rows_chunk / 2 : rows_chunk;
}

static struct reading reading_of(struct rows *rows, const struct plan *plan,
				 const struct moments *anchors, const struct moments *partners)
{
	return (struct reading){.rows = rows,
				.plan = plan,
				.moments = {anchors, partners},
				.maker = row_maker(plan, anchors->trace)};
}

void rows_read(struct rows *rows, const struct plan *plan, const struct moments *anchors,
	       const struct moments *partners)
{
	struct reading r = reading_of(rows, plan, anchors, partners);
	size_t n = anchors->count + partners->count;

	rows_new(rows, plan, n, n / chunk_size(n) + 1, true);
	reading_begin(&r);
	cut_chunks(&r);
	parallel_for(rows->nchunks, read_chunk, &r);
	rows->faults = r.faults;
	reading_end(&r);
}

bool rows_meet(struct meet *m, const struct moments *anchors, const struct moments *partners,
	       uint64_t *faults)
{
	size_t n = anchors->count + partners->count;
	struct rows rows;
	struct reading r = reading_of(&rows, m->plan, anchors, partners);

	r.meet = m;
	rows_new(&rows, m->plan, 0, n / meet_piece + 1, false);
	reading_begin(&r);
	cut_chunks(&r);
	parallel_for(rows.nchunks, meet_chunk, &r);
	reading_end(&r);
	rows_clear(&rows);
	if (!m->refused)
		*faults += r.faults;
	return !m->refused;
}
