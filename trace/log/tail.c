#include "trace/log/tail.h"
#include "base/file.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/log/ring.h"
#include "trace/log/tail_header.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program that runs may empty its tail while we copy it; then we copy again. */
#define ATTEMPTS 8

static unsigned char *stretch_read(const struct tail_stretch *s, int fd)
{
	unsigned char *bytes = malloc(s->size + 1);

	if (bytes && !file_read_at(fd, bytes, s->size, s->offset)) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

static bool stretches_read(struct tail *t, const struct tail_header *h, int fd)
{
	free(t->bytes);
	free(t->pending.bytes);
	t->bytes = stretch_read(&h->newest, fd);
	t->pending.bytes = stretch_read(&h->pending, fd);
	t->size = h->newest.size;
	t->pending.size = h->pending.size;
	t->pending.base = h->pending.base;
	return t->bytes && t->pending.bytes;
}

/* Copies what the file holds, once without its being emptied meanwhile. */
static bool tail_copy(struct tail *t, int fd, uint64_t at, uint64_t file_size,
		      struct tail_header *h)
{
	struct tail_header after;

	for (int i = 0; i < ATTEMPTS; i++) {
		if (!tail_header_read(h, fd, at, file_size) || !stretches_read(t, h, fd) ||
		    !tail_header_read(&after, fd, at, file_size))
			return false;
		if (tail_header_same(h, &after))
			return true;
	}
	/* It runs too fast for us: its log has what we missed, up to what is on its way. */
	if (h->pending.size)
		h->newest.base = h->pending.base;
	t->size = t->pending.size = h->head = 0;
	return true;
}

static bool tail_take(struct tail *t, int fd, uint64_t at, uint64_t file_size)
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
	t->lies = h.lies;
	t->swapped = h.swapped;
	t->next = h.stride ? at + h.stride : 0;
	return !t->ring || ring_unroll(t, h.block, h.head, fd, h.newest.offset);
}

/*
 * It is just being made, or was when the process died, or is one of several in a file that no
 * thread ever had: its magic is what it gets last.
 */
static bool tail_unused(int fd, uint64_t at)
{
	unsigned char magic[8];
	struct stat status;

	if (file_read_at(fd, magic, sizeof magic, at))
		return read_64(magic) == 0;
	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

bool tail_read(struct tail *t, char *path, int fd, uint64_t at, struct diag *diag)
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
	if (tail_unused(fd, at))
		return false;
	good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       tail_take(t, fd, at, (uint64_t)status.st_size);
	if (!good)
		diag_warning(diag, "log", DIAG_NOWHERE, "%s: this is no tail of a log; skipped",
			     path);
	else if (t->lies)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: it has not all that it says it has; read what there is", path);
	return good;
}

bool tail_has_log(const struct tail *t)
{
	return !t->ring && t->base == 0 && t->size >= LOG_HEADER;
}

void tail_clear(struct tail *t)
{
	free(t->path);
	free(t->bytes);
	free(t->pending.bytes);
	*t = (struct tail){0};
}
