/*
 * Jitdump files (linux/tools/perf/Documentation/jitdump-specification.txt), of machines like this
 * one.
 */
#include "base/array.h"
#include "base/search.h"
#include "recorder/samples/made_names.h"
#include <stdlib.h>
#include <unistd.h>

#define MAGIC UINT32_C(0x4a695444)
#define OTHER_CLOCK UINT64_C(1) /* a flag: time stamps are ticks of the processor */

/* How many bytes are read at once, and how many records of a file at most. */
enum { READ_SIZE = 4096, RECORDS_MOST = 1 << 20 };
enum { RECORD_LOAD = 0, RECORD_MOVE = 1 };

struct dump_header {
	uint32_t magic, version, size, machine, reserved, pid;
	uint64_t time, flags;
};

struct record_header {
	uint32_t id, size;
	uint64_t time;
};

struct load_record {
	struct record_header header;
	uint32_t pid, tid;
	uint64_t memory, start, size, index;
};

struct move_record {
	struct record_header header;
	uint32_t pid, tid;
	uint64_t memory, from, to, size, index;
};

struct moved {
	uint64_t index;
	struct made_name to;
};

struct dump_reading {
	int fd;
	uint64_t at; /* of the bytes, in the file */
	size_t have;
	unsigned char bytes[READ_SIZE];
	const uint64_t *addresses;
	size_t n, taken;
	bool timed, cut;
	VECTOR(struct moved) moves; /* of all the file; by index, then in the file's order */
	made_take *take;
	void *context;
};

/* Returns bytes of the file, as many as there are of `most`, which is at most READ_SIZE. */
static const unsigned char *bytes_at(struct dump_reading *r, uint64_t offset, size_t most,
				     size_t *n)
{
	ssize_t got;

	if (offset < r->at || offset - r->at > r->have || r->have - (offset - r->at) < most) {
		got =
		    offset < INT64_MAX ? pread(r->fd, r->bytes, sizeof r->bytes, (off_t)offset) : 0;
		r->at = offset;
		r->have = got > 0 ? (size_t)got : 0;
	}
	*n = r->have - (size_t)(offset - r->at);
	*n = *n < most ? *n : most;
	return r->bytes + (offset - r->at);
}

/* Copies a structure that is at an offset of the file; false: not all of it is there. */
static bool structure_read(struct dump_reading *r, uint64_t offset, void *to, size_t size)
{
	size_t n;
	const unsigned char *bytes = bytes_at(r, offset, size, &n);

	if (n < size)
		return false;
	memcpy(to, bytes, size);
	return true;
}

/* Sets where code is and since when; returns whether an address is in it. */
static bool place_set(const struct dump_reading *r, struct made_name *m, uint64_t time,
		      uint64_t start, uint64_t size)
{
	size_t i;

	m->time = r->timed ? time : 0;
	m->start = start;
	if (__builtin_add_overflow(start, size, &m->end))
		return false;
	i = lower_bound(k, 0, r->n, r->addresses[k] < start);
	return i < r->n && r->addresses[i] < m->end;
}

static void name_take(struct dump_reading *r, struct made_name *m, const char *name, size_t length)
{
	if (r->taken == MADE_MOST) {
		r->cut = true;
		return;
	}
	m->name = name;
	m->length = length;
	r->take(r->context, m);
	r->taken++;
}

/* ---- records ---- */

static void move_take(struct dump_reading *r, uint64_t offset, const struct record_header *h)
{
	struct move_record m;
	struct made_name to = {0};

	if (h->size < sizeof m || !structure_read(r, offset, &m, sizeof m) ||
	    !place_set(r, &to, h->time, m.to, m.size))
		return;
	if (r->moves.n == MADE_MOST)
		r->cut = true;
	else
		*vector_add(&r->moves) = (struct moved){m.index, to};
}

static void load_take(struct dump_reading *r, uint64_t offset, const struct record_header *h)
{
	struct load_record l;
	struct made_name m = {0};
	char name[MADE_NAME];
	const unsigned char *text;
	size_t i, n;
	bool sampled;

	if (h->size < sizeof l || !structure_read(r, offset, &l, sizeof l))
		return;
	sampled = place_set(r, &m, h->time, l.start, l.size);
	i = lower_bound(k, 0, r->moves.n, r->moves.at[k].index < l.index);
	if (!sampled && (i == r->moves.n || r->moves.at[i].index != l.index))
		return;
	text = bytes_at(r, offset + sizeof l,
			h->size - sizeof l < MADE_NAME ? h->size - sizeof l : MADE_NAME, &n);
	n = strnlen((const char *)text, n);
	if (!n)
		return;
	memcpy(name, text, n);
	if (sampled)
		name_take(r, &m, name, n);
	for (; i < r->moves.n && r->moves.at[i].index == l.index; i++)
		name_take(r, &r->moves.at[i].to, name, n);
}

typedef void record_take(struct dump_reading *r, uint64_t offset, const struct record_header *h);

/* Gives all records of a kind, up to one that is damaged or not yet written. */
static void records_walk(struct dump_reading *r, uint64_t offset, uint32_t id, record_take *take)
{
	struct record_header h;

	for (unsigned i = 0; structure_read(r, offset, &h, sizeof h) && h.size >= sizeof h; i++) {
		if (i == RECORDS_MOST || r->taken == MADE_MOST) {
			r->cut = true;
			return;
		}
		if (h.id == id)
			take(r, offset, &h);
		offset += h.size;
	}
}

static int by_index(const void *left, const void *right)
{
	const struct moved *a = left, *b = right;

	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (a->to.time > b->to.time) - (a->to.time < b->to.time);
}

bool jitdump_read(int fd, const uint64_t *addresses, size_t n, made_take *take, void *context)
{
	struct dump_reading r = {
	    .fd = fd, .addresses = addresses, .n = n, .take = take, .context = context};
	struct dump_header h;

	if (!structure_read(&r, 0, &h, sizeof h) || h.magic != MAGIC || h.size < sizeof h)
		return true;
	r.timed = !(h.flags & OTHER_CLOCK);
	records_walk(&r, h.size, RECORD_MOVE, move_take);
	if (r.moves.n)
		qsort(r.moves.at, r.moves.n, sizeof *r.moves.at, by_index);
	records_walk(&r, h.size, RECORD_LOAD, load_take);
	free(r.moves.at);
	return !r.cut;
}
