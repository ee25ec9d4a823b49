#include "trace/log/tail.h"
#include "base/file.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A running program may empty its tail while it is copied; then it is copied again. */
#define ATTEMPTS 8
/* No usual tail is larger: it may be nothing but a hole. */
#define LARGE (1u << 28)

/* ---- header ---- */

/* Bytes of a log, and where they are in the tail's file. */
struct tail_range {
	uint64_t base;
	uint64_t offset;
	size_t size;
};

/* The header of a tail, checked against its file. */
struct tail_header {
	uint64_t magic, base, head, lost;
	uint32_t version, thread, start, size, level, block;
	uint32_t stride;           /* 0: no further tail in the file */
	uint32_t staging;          /* 0: it has none */
	struct tail_range newest;  /* what it holds; of a ring, all its blocks */
	struct tail_range pending; /* what may be on its way to the log's file */
	bool swapped;
	bool implausible; /* its sizes are impossible; cut to what is possible */
};

/* The header as it is in the file. */
struct raw_header {
	unsigned char bytes[TAIL_HEADER];
	bool swapped;
};

static uint32_t header_get_32(const struct raw_header *raw, size_t offset)
{
	return read_swapped_32(raw->bytes + offset, raw->swapped);
}

static uint64_t header_get_64(const struct raw_header *raw, size_t offset)
{
	return read_swapped_64(raw->bytes + offset, raw->swapped);
}

/* Cuts a range to its room and to the end of the file. */
static struct tail_range range_fit(struct tail_header *h, struct tail_range r, uint64_t room,
				   uint64_t file_size)
{
	uint64_t rest = r.offset < file_size ? file_size - r.offset : 0;

	room = room < rest ? room : rest;
	if (r.size > room) {
		h->implausible = true;
		r.size = (size_t)room;
	}
	return r;
}

static void ranges_get(struct tail_header *h, const struct raw_header *raw, uint64_t at,
		       uint64_t file_size)
{
	h->newest = (struct tail_range){.base = h->base};
	h->pending = h->newest;
	if (h->thread == TAIL_FREE)
		return;
	h->implausible = h->start < TAIL_HEADER_1;
	if (h->implausible)
		return;
	h->newest.offset = at + h->start;
	h->newest.size = h->block ? h->size : h->head;
	h->newest = range_fit(h, h->newest, h->size, file_size);
	if (h->block || h->version < TAIL_VERSION_STAGING)
		return;
	/* The content of the staging buffer is after the tail's own records. */
	if (h->staging)
		h->pending = range_fit(h,
				       (struct tail_range){header_get_64(raw, 88),
							   at + h->start + h->staging,
							   header_get_64(raw, 96)},
				       h->staging, file_size);
	/* The tail is just being emptied. */
	if (h->newest.base + h->newest.size < header_get_64(raw, 104))
		h->newest = (struct tail_range){.base = header_get_64(raw, 104)};
}

static void fields_get(struct tail_header *h, const struct raw_header *raw)
{
	h->version = header_get_32(raw, 8);
	h->thread = header_get_32(raw, 12);
	h->base = header_get_64(raw, 16);
	h->head = header_get_64(raw, 24);
	h->start = header_get_32(raw, 32);
	h->size = header_get_32(raw, 36);
	h->level = header_get_32(raw, 40);
	h->block = header_get_32(raw, 60);
	h->lost = header_get_64(raw, 64);
	if (h->version < TAIL_VERSION_STAGING)
		return;
	h->stride = header_get_32(raw, 80);
	h->staging = header_get_32(raw, 84);
	if (h->version < TAIL_VERSION)
		return;
	h->head -= header_get_64(raw, 112);
	h->block = header_get_32(raw, 120);
}

/* Reads the header at an offset of a file of that size; returns false if there is none. */
static bool tail_header_read(struct tail_header *h, int fd, uint64_t at, uint64_t file_size)
{
	struct raw_header raw = {.swapped = false};
	size_t size = file_size - at < sizeof raw.bytes ? TAIL_HEADER_1 : sizeof raw.bytes;

	*h = (struct tail_header){.thread = TAIL_FREE};
	if (at >= file_size || !file_read_at(fd, raw.bytes, size, at))
		return false;
	h->magic = read_64(raw.bytes);
	h->swapped = raw.swapped = h->magic == __builtin_bswap64(TAIL_MAGIC);
	if (!raw.swapped && h->magic != TAIL_MAGIC)
		return false;
	fields_get(h, &raw);
	if (h->version < 1 || h->version > TAIL_VERSION)
		return false;
	/* Of several in a file each has its own room. */
	if (h->stride && h->stride < file_size - at)
		file_size = at + h->stride;
	ranges_get(h, &raw, at, file_size);
	return true;
}

/* Returns whether what was read between the two is what the first says. */
static bool tail_header_same(const struct tail_header *before, const struct tail_header *after)
{
	return before->newest.base == after->newest.base && before->thread == after->thread &&
	       before->level == after->level && before->newest.offset == after->newest.offset &&
	       (before->block || before->newest.size <= after->newest.size) &&
	       (!before->pending.size || before->pending.base == after->pending.base);
}

/* ---- rings ---- */

#define RING_BLOCK_HEADER 16

struct ring_block {
	uint64_t sequence;
	size_t offset; /* of the block in the ring */
	size_t used;
};

static int ring_block_compare(const void *left, const void *right)
{
	const struct ring_block *a = left, *b = right;

	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Returns whether the block was complete when it was read, and is still the same. */
static bool block_stands(const struct log_tail *t, const struct ring_block *b, int fd,
			 uint64_t start)
{
	unsigned char now[8];

	return b->sequence && file_read_at(fd, now, sizeof now, start + b->offset) &&
	       read_swapped_64(now, t->swapped) == b->sequence;
}

static size_t ring_blocks_list(const struct log_tail *t, struct ring_block *list, size_t block,
			       int fd, uint64_t start)
{
	size_t n = 0;

	for (size_t at = 0; at + block <= t->size; at += block) {
		list[n] = (struct ring_block){read_swapped_64(t->bytes + at, t->swapped), at,
					      read_swapped_32(t->bytes + at + 8, t->swapped)};
		if (block_stands(t, &list[n], fd, start))
			n++;
	}
	if (n)
		qsort(list, n, sizeof *list, ring_block_compare);
	return n;
}

/*
 * Puts the records of the ring's blocks, which t->bytes holds, in the order of writing. Leaves out
 * blocks that the program has begun to overwrite since they were read from fd, where the first
 * begins at start. Returns false when there is no memory.
 */
static bool ring_unroll(struct log_tail *t, size_t block, uint64_t head, int fd, uint64_t start)
{
	struct ring_block *list = malloc((t->size / RING_BLOCK_HEADER + 1) * sizeof *list);
	unsigned char *bytes = malloc(t->size + 1), *to = bytes;
	size_t n = 0;

	if (!list || !bytes) {
		free(list);
		free(bytes);
		return false;
	}
	if (block > RING_BLOCK_HEADER)
		n = ring_blocks_list(t, list, block, fd, start);
	else
		t->implausible = true;
	for (size_t i = 0; i < n; i++) {
		const struct ring_block *b = &list[i];
		size_t used = b->used;

		/* The current block ends where the tail says. */
		if (i + 1 == n && head >= b->offset + RING_BLOCK_HEADER &&
		    head <= b->offset + block)
			used = head - b->offset;
		if (used < RING_BLOCK_HEADER || used > block) {
			t->implausible = true;
			continue;
		}
		memcpy(to, t->bytes + b->offset + RING_BLOCK_HEADER, used - RING_BLOCK_HEADER);
		to += used - RING_BLOCK_HEADER;
	}
	free(list);
	free(t->bytes);
	t->bytes = bytes;
	t->size = (size_t)(to - bytes);
	return true;
}

/* ---- tails ---- */

static unsigned char *range_read(const struct tail_range *s, int fd)
{
	unsigned char *bytes = calloc(s->size + 1, 1);

	if (bytes &&
	    !(s->size > LARGE ? file_read_data : file_read_at)(fd, bytes, s->size, s->offset)) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

static bool ranges_read(struct log_tail *t, const struct tail_header *h, int fd)
{
	free(t->bytes);
	free(t->pending.bytes);
	t->bytes = range_read(&h->newest, fd);
	t->pending.bytes = range_read(&h->pending, fd);
	t->size = h->newest.size;
	t->pending.size = h->pending.size;
	t->pending.base = h->pending.base;
	return t->bytes && t->pending.bytes;
}

/* Copies what the tail holds, until it is not emptied meanwhile. */
static bool tail_copy(struct log_tail *t, int fd, uint64_t at, uint64_t file_size,
		      struct tail_header *h)
{
	struct tail_header after;

	for (int i = 0; i < ATTEMPTS; i++) {
		if (!tail_header_read(h, fd, at, file_size) || !ranges_read(t, h, fd) ||
		    !tail_header_read(&after, fd, at, file_size))
			return false;
		if (tail_header_same(h, &after))
			return true;
	}
	/* The program is too fast: its log has what was missed, up to what is pending. */
	if (h->pending.size)
		h->newest.base = h->pending.base;
	t->size = t->pending.size = h->head = 0;
	return true;
}

static bool tail_load(struct log_tail *t, int fd, uint64_t at, uint64_t file_size)
{
	struct tail_header h;

	if (!tail_copy(t, fd, at, file_size, &h))
		return false;
	t->thread = h.thread;
	t->level = h.level;
	t->base = h.newest.base;
	t->lost = h.thread == TAIL_FREE ? 0 : h.lost;
	t->ring = h.block != 0;
	t->ends = h.staging != 0;
	t->implausible = h.implausible;
	t->swapped = h.swapped;
	t->next = h.stride ? at + h.stride : 0;
	return !t->ring || ring_unroll(t, h.block, h.head, fd, h.newest.offset);
}

/*
 * Returns whether the room for a tail is unused: the tail was just being made, which sets the magic
 * last, or no thread ever had this one of several in a file.
 */
static bool tail_unused(int fd, uint64_t at)
{
	unsigned char magic[8];
	struct stat status;

	if (file_read_at(fd, magic, sizeof magic, at))
		return read_64(magic) == 0;
	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

bool log_tail_read(struct log_tail *t, char *path, int fd, uint64_t at, struct diag *diag)
{
	struct stat status;
	bool good;

	*t = (struct log_tail){.path = path, .thread = TAIL_FREE};
	if (fd < 0) {
		if (errno != ENOENT)
			diag_warning(diag, "log", DIAG_NOWHERE,
				     "%s: %s; the newest events may be missing", path,
				     file_why(errno));
		return false;
	}
	if (tail_unused(fd, at))
		return false;
	good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       tail_load(t, fd, at, (uint64_t)status.st_size);
	if (!good)
		diag_warning(diag, "log", DIAG_NOWHERE, "%s: not the tail of a log; skipped", path);
	else if (t->implausible)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: shorter than its header says; read as far as it goes", path);
	return good;
}

bool log_tail_has_log(const struct log_tail *t)
{
	return !t->ring && t->base == 0 && t->size >= LOG_HEADER;
}

bool log_tail_pooled(struct log_tail *t, const struct contained_log *log)
{
	*t = (struct log_tail){.thread = log->name.number,
			       .level = log->name.level,
			       .bytes = malloc(log->size),
			       .size = log->size,
			       .swapped = log->swapped,
			       .pooled = true};
	if (!t->bytes)
		return false;
	memcpy(t->bytes, log->bytes, log->size);
	return true;
}

void log_tail_clear(struct log_tail *t)
{
	free(t->path);
	free(t->bytes);
	free(t->pending.bytes);
	*t = (struct log_tail){0};
}
