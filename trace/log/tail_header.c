#include "trace/log/tail_header.h"
#include "base/file.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/log/ring.h"

/* The header's numbers as they stand there. */
struct numbers {
	unsigned char bytes[TAIL_HEADER];
	bool swapped;
};

static uint32_t get_32(const struct numbers *s, size_t offset)
{
	uint32_t value = read_32(s->bytes + offset);

	return s->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t get_64(const struct numbers *s, size_t offset)
{
	uint64_t value = read_64(s->bytes + offset);

	return s->swapped ? __builtin_bswap64(value) : value;
}

/* As much of a stretch as the room it has and the file allow. */
static struct tail_stretch stretch_fit(struct tail_header *h, struct tail_stretch s, uint64_t room,
				       uint64_t file_size)
{
	uint64_t rest = s.offset < file_size ? file_size - s.offset : 0;

	room = room < rest ? room : rest;
	if (s.size > room) {
		h->lies = true;
		s.size = (size_t)room;
	}
	return s;
}

/* The content of the staging buffer comes after the tail's own records. */
static void staging_get(struct tail_header *h, const struct numbers *s, uint64_t at,
			uint64_t file_size)
{
	h->pending = (struct tail_stretch){get_64(s, 88), at + h->start + h->staging, get_64(s, 96)};
	h->pending = stretch_fit(h, h->pending, h->staging, file_size);
}

static void stretches_get(struct tail_header *h, const struct numbers *s, uint64_t at,
			  uint64_t file_size)
{
	h->newest = (struct tail_stretch){.base = h->base};
	h->pending = h->newest;
	if (h->thread == TAIL_FREE)
		return;
	h->lies = h->start < TAIL_HEADER_1;
	if (h->lies)
		return;
	h->newest.offset = at + h->start;
	h->newest.size = h->block ? h->size : h->head;
	h->newest = stretch_fit(h, h->newest, h->size, file_size);
	if (h->block || h->version < TAIL_VERSION_STAGING)
		return;
	if (h->staging)
		staging_get(h, s, at, file_size);
	/* It is just being emptied. */
	if (h->newest.base + h->newest.size < get_64(s, 104))
		h->newest = (struct tail_stretch){.base = get_64(s, 104)};
}

static void numbers_get(struct tail_header *h, const struct numbers *s)
{
	h->version = get_32(s, 8);
	h->thread = get_32(s, 12);
	h->base = get_64(s, 16);
	h->head = get_64(s, 24);
	h->start = get_32(s, 32);
	h->size = get_32(s, 36);
	h->level = get_32(s, 40);
	h->block = get_32(s, 60);
	h->lost = get_64(s, 64);
	if (h->version < TAIL_VERSION_STAGING)
		return;
	h->stride = get_32(s, 80);
	h->staging = get_32(s, 84);
	if (h->version < TAIL_VERSION)
		return;
	h->head -= get_64(s, 112);
	h->block = get_32(s, 120);
}

bool tail_header_read(struct tail_header *h, int fd, uint64_t at, uint64_t file_size)
{
	struct numbers s = {.swapped = false};
	size_t size = file_size - at < sizeof s.bytes ? TAIL_HEADER_1 : sizeof s.bytes;

	*h = (struct tail_header){.thread = TAIL_FREE};
	if (at >= file_size || !file_read_at(fd, s.bytes, size, at))
		return false;
	h->magic = read_64(s.bytes);
	h->swapped = s.swapped = h->magic == __builtin_bswap64(TAIL_MAGIC);
	if (!s.swapped && h->magic != TAIL_MAGIC)
		return false;
	numbers_get(h, &s);
	if (h->version < 1 || h->version > TAIL_VERSION)
		return false;
	stretches_get(h, &s, at, file_size);
	return true;
}

bool tail_header_same(const struct tail_header *before, const struct tail_header *after)
{
	return before->newest.base == after->newest.base && before->thread == after->thread &&
	       before->level == after->level && before->newest.offset == after->newest.offset &&
	       (before->block || before->newest.size <= after->newest.size) &&
	       (!before->pending.size || before->pending.base == after->pending.base);
}
