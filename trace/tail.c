#include "trace/tail.h"
#include "trace/bytes.h"
#include "trace/format.h"
#include "trace/ring.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program that runs may empty its tail while we copy it; then we copy again. */
#define ATTEMPTS 8

struct header {
	uint64_t magic, base, head, lost;
	uint32_t version, thread, start, size, level, block;
};

bool bytes_read(int fd, void *to, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, (char *)to + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static bool header_read(struct header *h, int fd, bool *swapped)
{
	unsigned char bytes[TAIL_HEADER];
	bool swap;

	if (!bytes_read(fd, bytes, sizeof bytes, 0))
		return false;
	h->magic = read_64(bytes);
	*swapped = swap = h->magic == __builtin_bswap64(TAIL_MAGIC);
	if (!swap && h->magic != TAIL_MAGIC)
		return false;
#define GET_32(offset) \
	(swap ? __builtin_bswap32(read_32(bytes + (offset))) : read_32(bytes + (offset)))
#define GET_64(offset) \
	(swap ? __builtin_bswap64(read_64(bytes + (offset))) : read_64(bytes + (offset)))
	h->version = GET_32(8);
	h->thread = GET_32(12);
	h->base = GET_64(16);
	h->head = GET_64(24);
	h->start = GET_32(32);
	h->size = GET_32(36);
	h->level = GET_32(40);
	h->block = GET_32(60);
	h->lost = GET_64(64);
#undef GET_32
#undef GET_64
	return h->version == FORMAT_VERSION;
}

/* How many bytes there can be, whatever the header says: of records, or of a ring's blocks. */
static size_t tail_room(const struct header *h, uint64_t file_size)
{
	uint64_t size = h->block || h->head > h->size ? h->size : h->head;

	if (h->thread == TAIL_FREE || h->start < TAIL_HEADER || h->start >= file_size)
		return 0;
	return (size_t)(size < file_size - h->start ? size : file_size - h->start);
}

static bool header_same(const struct header *before, const struct header *after)
{
	return before->base == after->base && before->thread == after->thread &&
	       before->level == after->level && (before->block || before->head <= after->head);
}

/* Copies what the file holds, once without its being emptied meanwhile. */
static bool tail_copy(struct tail *t, int fd, uint64_t file_size, struct header *h)
{
	struct header after;

	for (int i = 0; i < ATTEMPTS; i++) {
		if (!header_read(h, fd, &t->swapped))
			return false;
		t->size = tail_room(h, file_size);
		free(t->bytes);
		t->bytes = malloc(t->size + 1);
		if (!t->bytes || !bytes_read(fd, t->bytes, t->size, h->start) ||
		    !header_read(&after, fd, &t->swapped))
			return false;
		if (header_same(h, &after))
			return true;
	}
	/* It runs too fast for us: its log has what we missed. */
	t->size = h->head = h->size = 0;
	return true;
}

static bool tail_take(struct tail *t, int fd, uint64_t file_size)
{
	struct header h;

	if (!tail_copy(t, fd, file_size, &h))
		return false;
	t->thread = h.thread;
	t->level = h.level;
	t->base = h.base;
	t->lost = h.thread == TAIL_FREE ? 0 : h.lost;
	t->ring = h.block != 0;
	t->lies = h.thread != TAIL_FREE && t->size < (t->ring ? h.size : h.head);
	return !t->ring || ring_unroll(t, h.block, h.head, fd, h.start);
}

bool tail_read(struct tail *t, char *path, int fd, struct diag *diag)
{
	struct stat status;
	bool good;

	*t = (struct tail){.path = path, .thread = TAIL_FREE};
	if (fd < 0) {
		if (errno != ENOENT)
			diag_warning(diag, "log", DIAG_NOWHERE,
				     "%s: %s; the newest events may be missing", path,
				     strerror(errno));
		return false;
	}
	good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       tail_take(t, fd, (uint64_t)status.st_size);
	close(fd);
	if (!good)
		diag_warning(diag, "log", DIAG_NOWHERE, "%s: this is no tail of a log; skipped",
			     path);
	else if (t->lies)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: it has not all that it says it has; read what there is", path);
	return good;
}

void tail_clear(struct tail *t)
{
	free(t->path);
	free(t->bytes);
	*t = (struct tail){0};
}
