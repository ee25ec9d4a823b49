#include "match/join/row_reader.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/search.h"
#include "base/spill.h"
#include <stdlib.h>

size_t partition_chunk = 1 << 16, join_chunk = 1 << 14;

enum { MANY = 1 << 22 };

/* A part of the stream: the moments of both sides in it. */
struct row_chunk {
	size_t begin[2], end[2]; /* by side */
};

/* The memory of a worker. */
struct row_buffer {
	uint64_t *words;
	size_t room;
	uint32_t *place; /* for partition_put() */
	struct shard_rows shard_rows;
};

struct row_reader {
	const struct plan *plan;
	const struct moments *moments[2]; /* by side */
	struct row_maker maker;
	unsigned width;
	struct row_chunk *chunks;
	size_t nchunks;
	struct row_buffer *buffers;
	/* one of the two */
	struct partition *partition;
	struct stream_join *join;
	atomic_uint_fast64_t faults;
};

/* ---- chunks ---- */

/* Finds the rank of the k-th of all moments, in the order of the stream, by searching for how many
 * of the first side are before it. */
static event_rank rank_at(const struct row_reader *r, size_t k)
{
	const struct moments *a = r->moments[0], *b = r->moments[1];
	size_t low = lower_bound(i, k > b->count ? k - b->count : 0, k < a->count ? k : a->count,
				 moments_rank(a, i) < moments_rank(b, k - i - 1));

	if (low == a->count)
		return moments_rank(b, k - low);
	if (k - low == b->count)
		return moments_rank(a, low);
	return moments_rank(a, low) < moments_rank(b, k - low) ? moments_rank(a, low)
							       : moments_rank(b, k - low);
}

/* Makes chunks of about equal numbers of moments; those of one event stay together. */
static void chunks_cut(struct row_reader *r, size_t nchunks)
{
	size_t n = r->moments[0]->count + r->moments[1]->count;
	struct row_chunk before = {{0, 0}, {0, 0}};

	r->nchunks = nchunks;
	r->chunks = array_new(nchunks, sizeof *r->chunks);
	for (size_t i = 0; i < nchunks; i++) {
		struct row_chunk *c = &r->chunks[i];
		bool last = i + 1 == nchunks;
		event_rank cut = last ? 0 : rank_at(r, (i + 1) * (n / nchunks));

		for (int side = 0; side < 2; side++) {
			const struct moments *m = r->moments[side];

			c->begin[side] = before.end[side];
			c->end[side] = last ? m->count : moments_from(m, cut);
		}
		before = *c;
	}
}

/* ---- rows ---- */

/* Makes the row of the current moment of a walk there. Returns where the next row goes. */
static inline uint64_t *read_row(struct row_reader *r, enum row_kind kind, enum side side,
				 const struct moment_walk *w, uint64_t *row, uint64_t *faults)
{
	bool made = true;

	if (kind == ROW_IS_SIMPLE)
		row_make_simple(&r->maker, side, w, row);
	else if (kind == ROW_IS_PLAIN)
		made = row_make_plain(&r->maker, side, w, row);
	else
		made = row_make_any(&r->maker, side, w, row, faults);
	if (made && kind != ROW_IS_SIMPLE && r->partition)
		made = partition_fits(r->partition, row);
	return made ? row + r->width : row;
}

/* Reads the rows of a chunk, and returns how many there are. */
static inline __attribute__((always_inline)) size_t
read_rows(struct row_reader *r, const struct row_chunk *c, uint64_t *words, enum row_kind kind)
{
	const struct plan *plan = r->plan;
	/*
	 * Which side comes first where both are at the same event: the candidate when later ones
	 * are sought, else the query. So an event is neither later nor earlier than itself.
	 */
	enum side first = plan->later ? plan->candidates : !plan->candidates;
	struct moment_walk a = moment_walk_begin(r->moments[first], c->begin[first], c->end[first]);
	struct moment_walk b =
	    moment_walk_begin(r->moments[!first], c->begin[!first], c->end[!first]);
	uint64_t *row = words, faults = 0;

	while (a.rank != MOMENT_WALK_OVER || b.rank != MOMENT_WALK_OVER) {
		for (; a.rank <= b.rank && a.rank != MOMENT_WALK_OVER; moment_walk_next(&a))
			row = read_row(r, kind, first, &a, row, &faults);
		for (; b.rank < a.rank; moment_walk_next(&b))
			row = read_row(r, kind, !first, &b, row, &faults);
	}
	atomic_fetch_add(&r->faults, faults);
	return (size_t)(row - words) / r->width;
}

/* The same into a worker's buffer; the compiler makes one loop for each kind of rows. */
static size_t read_chunk(struct row_reader *r, size_t chunk, struct row_buffer *buffer)
{
	const struct row_chunk *c = &r->chunks[chunk];
	size_t most = c->end[0] - c->begin[0] + c->end[1] - c->begin[1];

	buffer->words =
	    spill_reserve(buffer->words, &buffer->room, most * r->width, sizeof *buffer->words);
	switch (r->maker.kind) {
	case ROW_IS_SIMPLE:
		return read_rows(r, c, buffer->words, ROW_IS_SIMPLE);
	case ROW_IS_PLAIN:
		return read_rows(r, c, buffer->words, ROW_IS_PLAIN);
	default:
		return read_rows(r, c, buffer->words, ROW_ANY);
	}
}

/* ---- reading ---- */

static void reader_begin(struct row_reader *r, size_t nchunks)
{
	chunks_cut(r, nchunks);
	r->width = row_width(r->plan);
	r->maker = row_maker(r->plan, r->moments[0]->trace);
	r->buffers = array_zero(parallel_workers(), sizeof *r->buffers);
}

static void reader_end(struct row_reader *r)
{
	for (unsigned i = 0; i < parallel_workers(); i++) {
		spill_free(r->buffers[i].words);
		spill_free(r->buffers[i].shard_rows.words);
		free(r->buffers[i].place);
	}
	free(r->buffers);
	free(r->chunks);
}

static void chunk_partition(void *context, size_t chunk, unsigned worker)
{
	struct row_reader *r = context;
	struct row_buffer *buffer = &r->buffers[worker];
	size_t n = read_chunk(r, chunk, buffer);

	if (!buffer->place)
		buffer->place = array_new(r->partition->nbuckets + 1, sizeof *buffer->place);
	partition_put(r->partition, chunk, buffer->words, n, buffer->place);
}

void rows_partition(struct partition *p, const struct plan *plan, const struct moments *anchors,
		    const struct moments *partners, uint64_t *faults)
{
	struct row_reader r = {.plan = plan, .moments = {anchors, partners}, .partition = p};
	size_t n = anchors->count + partners->count, size = partition_chunk;

	/* half as large while buckets are few: what is read stays in the cache until it is
	 * parted */
	if (n < MANY && size > 1)
		size /= 2;
	reader_begin(&r, n / size + 1);
	partition_init(p, plan, n, r.nchunks, true);
	for (size_t i = 0; i < r.nchunks; i++)
		p->first[i] = r.chunks[i].begin[0] + r.chunks[i].begin[1];
	parallel_for(r.nchunks, chunk_partition, &r);
	*faults += r.faults;
	reader_end(&r);
}

static void chunk_join(void *context, size_t number, unsigned worker)
{
	struct row_reader *r = context;
	struct row_buffer *buffer = &r->buffers[worker];
	size_t chunk = r->join->reversed ? r->nchunks - 1 - number : number, n = 0;

	if (!r->join->refused)
		n = read_chunk(r, chunk, buffer);
	stream_join_put(r->join, number, buffer->words, n, &buffer->shard_rows);
}

bool rows_stream_join(struct stream_join *j, const struct plan *plan, const struct moments *anchors,
		      const struct moments *partners, uint64_t *faults)
{
	struct row_reader r = {.plan = plan, .moments = {anchors, partners}, .join = j};

	reader_begin(&r, (anchors->count + partners->count) / join_chunk + 1);
	parallel_for(r.nchunks, chunk_join, &r);
	reader_end(&r);
	if (!j->refused)
		*faults += r.faults;
	return !j->refused;
}
