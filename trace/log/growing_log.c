#include "trace/log/growing_log.h"
#include "base/file.h"
#include "base/file_shrink.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
/* The event index of gorge numbers the words of a log with 32 bits. */
#define MOST (UINT64_C(18) << 30)
#define HOLES_READ (UINT64_C(1) << 26)
/* One ninth of a log's room is for checkpoints: 64 events, of 4 bytes or more, need one of 32. */
#define CHECKPOINTS 9
_Static_assert(sizeof(struct checkpoint) * 8 <= CHECKPOINT_EVENTS * 4, "checkpoints have room");

struct growth *growth_new(size_t nlogs)
{
	struct growth *g = calloc(1, sizeof *g);

	if (!g || !(g->space = address_space_new())) {
		free(g);
		return NULL;
	}
	g->traces = 1;
	/* three times as many threads may come */
	g->log_room = address_space_size(g->space) / (4 * (nlogs + 64));
	if (g->log_room > MOST)
		g->log_room = MOST;
	return g;
}

struct growth *growth_hold(struct growth *g)
{
	if (g)
		g->traces++;
	return g;
}

bool growth_release(struct growth *g)
{
	return --g->traces == 0;
}

void growth_free(struct growth *g)
{
	address_space_free(g->space);
	free(g);
}

/* The structure itself takes the first page. */
static struct growing_log *growing_log_new(struct growth *growth)
{
	size_t checkpoints = growth->log_room / CHECKPOINTS / PAGE * PAGE;
	size_t room = growth->log_room / PAGE * PAGE;
	unsigned char *at = address_space_take(growth->space, growth->log_room);
	struct growing_log *g = (struct growing_log *)(void *)at;

	if (!at)
		return NULL;
	g->checkpoints = (struct checkpoint *)(void *)(at + PAGE);
	g->ncheckpoints = checkpoints / sizeof *g->checkpoints;
	g->bytes = at + PAGE + checkpoints;
	g->room = room - PAGE - checkpoints;
	return g;
}

/* Returns whether a log is one file, which its tail continues. */
static bool can_grow(const struct log *log, size_t room)
{
	const struct log_segment *p = log->segments;

	if (log->nfiles != 1 || log->graze || log->swapped || log->skipped.count ||
	    log->size > room / 2)
		return false;
	return log->nsegments == 1 ||
	       (log->nsegments == 2 && !p[1].fresh && p[0].position + p[0].size == p[1].position);
}

/* Remaps whole pages of the file, and copies the rest. */
static void file_move(struct growing_log *g, struct file *f, size_t size)
{
	size_t whole = f->mapped ? size / PAGE * PAGE : 0;

	memcpy(g->bytes + whole, f->bytes + whole, size - whole);
	if (whole &&
	    mremap(f->bytes, whole, whole, MREMAP_MAYMOVE | MREMAP_FIXED, g->bytes) == MAP_FAILED)
		memcpy(g->bytes, f->bytes, whole);
	else if (whole) {
		file_shrink_move(f->bytes, g->bytes, whole);
		f->bytes += whole;
		f->size -= whole;
	}
	if (f->size || !whole)
		file_unload(f);
	*f = (struct file){.bytes = NULL};
}

bool growing_log_begin(struct growth *growth, struct log *log)
{
	struct growing_log *g = NULL;
	struct log_file *f = log->files;
	struct log_segment *p = log->segments;

	if (!can_grow(log, growth->log_room) || !(g = growing_log_new(growth)))
		return false;
	g->size = p[0].position + p[0].size;
	file_move(g, &f->file, g->size);
	if (log->nsegments == 2) {
		memcpy(g->bytes + g->size, p[1].bytes, p[1].size);
		g->size += p[1].size;
	}
	free(f->tail);
	f->tail = NULL;
	log->nsegments = 1;
	p->bytes = g->bytes + p->position;
	p->size = g->size - p->position;
	g->tail_lost = log->lost;
	log->growing = g;
	return true;
}

/* ---- what is new ---- */

/* Copies from [base, base + size) of the log what is between the log's size and the end. */
static void bytes_append(struct growing_log *g, uint64_t end, const unsigned char *bytes,
			 uint64_t base, uint64_t size)
{
	uint64_t from = base > g->size ? base : g->size;

	end = end < base + size ? end : base + size;
	if (from < end)
		memcpy(g->bytes + from, bytes + (from - base), end - from);
}

/* Reads the file up to the end; returns false if the file is shorter, or most of that a hole. */
static bool file_append(struct growing_log *g, int fd, uint64_t end)
{
	if (end <= g->size)
		return true;
	return fd >= 0 && file_holes_after(fd, g->size) < HOLES_READ &&
	       file_read_at(fd, g->bytes + g->size, end - g->size, g->size);
}

static uint64_t size_of_file(int fd)
{
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)
		   ? (uint64_t)status.st_size
		   : 0;
}

/* Returns how much of the log is in no tail. */
static uint64_t size_without_tail(const struct log_tail *t)
{
	bool follows = t->pending.size && t->pending.size <= t->base &&
		       t->base - t->pending.size == t->pending.base;

	return follows ? t->pending.base : t->base;
}

/* Reads what is new as log_add() reads all of it, from the file and from the tail. */
static bool content_append(struct growing_log *g, int fd, const struct log_tail *t, uint64_t *end)
{
	uint64_t size = size_of_file(fd);
	bool adds = t && t->size && (t->ends || t->base + t->size > size);

	*end = size;
	if (t && (adds || t->ends))
		*end = t->base + t->size;
	if (*end > g->room)
		return false;
	if (!t || !(adds || t->ends))
		return file_append(g, fd, *end);
	if (!file_append(g, fd, size_without_tail(t)))
		return false;
	bytes_append(g, *end, t->pending.bytes, t->pending.base, t->pending.size);
	bytes_append(g, *end, t->bytes, t->base, t->size);
	return true;
}

bool growing_log_extend(struct growing_log *g, const char *path, const struct log_tail *t)
{
	bool enough = t && (t->size || t->ends) && size_without_tail(t) <= g->size;
	uint64_t end;
	bool good;
	int fd;

	if (t && (t->ring || t->swapped || t->base > g->room || t->size > g->room - t->base))
		return false;
	fd = enough ? -1 : file_open(path, O_RDONLY);
	good = content_append(g, fd, t, &end);
	if (fd >= 0)
		close(fd);
	if (good && end > g->size)
		g->size = end;
	return good;
}
