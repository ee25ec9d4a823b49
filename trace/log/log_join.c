#include "trace/log/log_join.h"
#include <stdlib.h>
#include <string.h>

bool part_add(struct log *log, const struct log_file *f, unsigned char *bytes, size_t size,
		     uint64_t position)
{
	struct log_segment *parts = realloc(log->segments, (log->nsegments + 1) * sizeof *parts);
	uint64_t place = 0;

	if (!parts)
		return false;
	log->segments = parts;
	if (log->nsegments)
		place =
		    (parts[log->nsegments - 1].place + parts[log->nsegments - 1].size + 3) & ~UINT64_C(3);
	parts[log->nsegments++] = (struct log_segment){.bytes = bytes,
					     .size = size,
					     .path = f->path,
					     .position = position,
					     .place = place,
					     .fresh = true};
	log->size += size;
	return true;
}

/* The part of the file from a piece, of which the header is no part. */
static bool piece_add(struct log *log, const struct log_file *f, const struct unpacked_range *p,
		      uint64_t header, uint64_t end)
{
	uint64_t from = p->from > header ? p->from : header, to = p->to < end ? p->to : end;
	struct log_segment *part;

	if (from >= to)
		return true;
	if (!part_add(log, f, f->file.bytes + from, to - from, from))
		return false;
	part = &log->segments[log->nsegments - 1];
	part->lost = p->lost;
	part->known = p->timed && from == p->from;
	part->upper = p->upper;
	part->seq = p->seq;
	return true;
}

/* The file from its header to the end, as far as it is there. */
static bool file_join(struct log *log, const struct log_file *f, uint64_t header, uint64_t end)
{
	const struct unpacked *u = f->unpacked;
	unsigned before = log->nsegments;

	for (size_t i = 0; u && i < u->nranges; i++)
		if (!piece_add(log, f, &u->ranges[i], header, end))
			return false;
	if (log->nsegments == before &&
	    !part_add(log, f, f->file.bytes + header, u ? 0 : end - header, header))
		return false;
	if (u)
		log_skip(log, &(struct log_segment){.path = f->path, .position = u->lost_at}, 0, u->lost,
			 "it is damaged in the packed file");
	return true;
}

/*
 * Whether the file and the tail agree where both have something, and the tail can be of this log
 * at all.
 */
static bool tail_fits(const struct log *log, const struct file *file, size_t header,
		      const struct tail *t)
{
	uint64_t both;

	if (t->swapped != log->swapped || t->base < header || t->base > UINT64_MAX / 2)
		return false;
	if (t->ring || t->ends || t->base >= file->size)
		return true;
	both = file->size - t->base < t->size ? file->size - t->base : t->size;
	return memcmp(file->bytes + t->base, t->bytes, both) == 0;
}

/* The tail as a part behind the file, which has its first bytes up to the end. */
static bool tail_join(struct log *log, struct log_file *f, struct tail *t, uint64_t end)
{
	f->tail = t->bytes;
	t->bytes = NULL;
	if (!part_add(log, f, f->tail, t->size, t->ring ? end : t->base))
		return false;
	/* Behind a gap the time is known again only where a record says it. */
	log->segments[log->nsegments - 1].fresh = t->ring || t->base > end;
	if (!t->ring && t->base > end)
		log_skip(log, &log->segments[log->nsegments - 2], log->segments[log->nsegments - 2].size,
			 t->base - end, "they are in no file");
	return true;
}

bool file_write_copy(struct file *f, const char *path)
{
	if (f->writable)
		return true;
	file_unload(f);
	return file_load(f, path, true);
}

/* What was on its way to the file when the tail was read, where the file has room for it. */
static bool pending_put(struct log *log, struct log_file *f, const struct tail *t)
{
	if (!t->pending.size)
		return true;
	if (t->pending.base > f->file.size || t->pending.size > f->file.size - t->pending.base) {
		log_skip(log, &(struct log_segment){.path = t->path, .position = t->pending.base}, 0,
			 t->pending.size, "they are in no file");
		return true;
	}
	if (!file_write_copy(&f->file, f->path))
		return false;
	f->altered = true;
	memcpy(f->file.bytes + t->pending.base, t->pending.bytes, t->pending.size);
	return true;
}

bool content_join(struct log *log, struct log_file *f, size_t header, struct tail *t,
			 struct diag *diag)
{
	uint64_t size = f->file.size, end = size;
	bool adds;

	if (t && t->size && !tail_fits(log, &f->file, header, t)) {
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: this does not continue %s; its %zu bytes are skipped", t->path,
			     f->path, t->size);
		t = NULL;
	}
	if (t && __builtin_add_overflow(log->lost, t->lost, &log->lost))
		log->lost = UINT64_MAX;
	adds = t && t->size && (t->ring || t->ends || t->base + t->size > size);
	if (t && (adds || t->ends) && t->base < size && t->base >= header)
		end = t->base;
	log->size += header;
	return (!t || pending_put(log, f, t)) && file_join(log, f, header, end) &&
	       (!adds || tail_join(log, f, t, end));
}
