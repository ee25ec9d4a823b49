#include "trace/log.h"
#include "trace/bytes.h"
#include "trace/graze.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

void log_skip(struct log *log, const struct part *part, uint64_t offset, uint64_t bytes,
	      const char *why)
{
	if (bytes == 0)
		return;
	if (log->skipped.count++ == 0) {
		log->skipped.path = part->path;
		log->skipped.position = part->position + offset;
		log->skipped.why = why;
	}
	if (__builtin_add_overflow(log->skipped.bytes, bytes, &log->skipped.bytes))
		log->skipped.bytes = UINT64_MAX;
	log->skipped.at_end = log->nparts && part == &log->parts[log->nparts - 1] &&
			      offset + bytes >= part->size;
}

void log_report(const struct log *log, struct diag *diag)
{
	if (log->skipped.count > 1)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: %" PRIu64 " bytes in %u places, the first at offset %" PRIu64
			     " (%s), are no intact records; skipped, %" PRIu64 " event%s read",
			     log->skipped.path, log->skipped.bytes, log->skipped.count,
			     log->skipped.position, log->skipped.why, log->events,
			     log->events == 1 ? "" : "s");
	else if (log->skipped.count == 1)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: %s %" PRIu64 " bytes at offset %" PRIu64
			     " are no intact record (%s); skipped, %" PRIu64 " event%s read",
			     log->skipped.path, log->skipped.at_end ? "the last" : "the",
			     log->skipped.bytes, log->skipped.position, log->skipped.why,
			     log->events, log->events == 1 ? "" : "s");
}

/* ---- header ---- */

static uint32_t get_32(const struct log *log, const unsigned char *from)
{
	return log->swapped ? __builtin_bswap32(read_32(from)) : read_32(from);
}

static uint64_t get_64(const struct log *log, const unsigned char *from)
{
	return log->swapped ? __builtin_bswap64(read_64(from)) : read_64(from);
}

/* What the log's other files must have in common with the first. */
static bool header_identity(struct log *log, const unsigned char *header)
{
	if (log->nparts > 0)
		return log->clock == get_32(log, header + 32);
	log->pid = get_32(log, header + 20);
	log->tid = get_64(log, header + 24);
	log->clock = get_32(log, header + 32);
	if (log->clock != CLOCK_COUNTER && log->clock != CLOCK_NANOSECONDS)
		return false;
	free(log->name);
	log->name = header[64] ? strndup((const char *)header + 64, 63) : NULL;
	return true;
}

/* Where the records begin, or 0 when this is no header. */
static size_t header_read(struct log *log, struct log_file *f, const char **why)
{
	const unsigned char *header = f->file.bytes;
	size_t size = get_32(log, header + 8);

	*why = "its version is unknown to this program";
	if (get_32(log, header + 12) != FORMAT_VERSION)
		return 0;
	*why = "its header is damaged";
	if (size < LOG_HEADER || size % 4 || size > f->file.size || !header_identity(log, header))
		return 0;
	f->pair = (struct clock_pair){get_64(log, header + 40), (int64_t)get_64(log, header + 48),
				      (int64_t)get_64(log, header + 56)};
	return size;
}

/* ---- content ---- */

static bool part_add(struct log *log, const struct log_file *f, unsigned char *bytes, size_t size,
		     uint64_t position)
{
	struct part *parts = realloc(log->parts, (log->nparts + 1) * sizeof *parts);
	uint64_t place = 0;

	if (!parts)
		return false;
	log->parts = parts;
	if (log->nparts)
		place =
		    (parts[log->nparts - 1].place + parts[log->nparts - 1].size + 3) & ~UINT64_C(3);
	parts[log->nparts++] = (struct part){.bytes = bytes,
					     .size = size,
					     .path = f->path,
					     .position = position,
					     .place = place,
					     .fresh = true};
	log->size += size;
	return true;
}

/* The part of the file from a piece, of which the header is no part. */
static bool piece_add(struct log *log, const struct log_file *f, const struct pack_piece *p,
		      uint64_t header, uint64_t end)
{
	uint64_t from = p->from > header ? p->from : header, to = p->to < end ? p->to : end;
	struct part *part;

	if (from >= to)
		return true;
	if (!part_add(log, f, f->file.bytes + from, to - from, from))
		return false;
	part = &log->parts[log->nparts - 1];
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
	unsigned before = log->nparts;

	for (size_t i = 0; u && i < u->npieces; i++)
		if (!piece_add(log, f, &u->pieces[i], header, end))
			return false;
	if (log->nparts == before &&
	    !part_add(log, f, f->file.bytes + header, u ? 0 : end - header, header))
		return false;
	if (u)
		log_skip(log, &(struct part){.path = f->path, .position = u->lost_at}, 0, u->lost,
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
	log->parts[log->nparts - 1].fresh = t->ring || t->base > end;
	if (!t->ring && t->base > end)
		log_skip(log, &log->parts[log->nparts - 2], log->parts[log->nparts - 2].size,
			 t->base - end, "they are in no file");
	return true;
}

/* Makes its bytes ones that may be changed; nobody else sees that. */
static bool file_write_copy(struct file *f, const char *path)
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
		log_skip(log, &(struct part){.path = t->path, .position = t->pending.base}, 0,
			 t->pending.size, "they are in no file");
		return true;
	}
	if (!file_write_copy(&f->file, f->path))
		return false;
	f->altered = true;
	memcpy(f->file.bytes + t->pending.base, t->pending.bytes, t->pending.size);
	return true;
}

/*
 * From its base on the tail is better than the file: the file may end in the middle of a record
 * that was being appended, or have room there that was asked for ahead. Only when the file may go
 * further, and does, has the tail nothing to add.
 */
static bool content_join(struct log *log, struct log_file *f, size_t header, struct tail *t,
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

enum format { NOTHING, NATIVE, NATIVE_TORN, GRAZE };

static enum format file_format(const struct file *f, bool *swapped)
{
	uint64_t magic = f->size >= sizeof magic ? read_64(f->bytes) : 0;

	*swapped = magic == __builtin_bswap64(LOG_MAGIC);
	if (*swapped || magic == LOG_MAGIC)
		return f->size >= LOG_HEADER ? NATIVE : NATIVE_TORN;
	return graze_recognise(f->bytes, f->size, swapped) ? GRAZE : NOTHING;
}

/* Records of the other byte order are turned where they are. */
static void parts_swap(struct part *p, const struct part *end)
{
	for (; p < end; p++)
		for (size_t i = 0; i + 4 <= p->size; i += 4)
			write_32(p->bytes + i, __builtin_bswap32(read_32(p->bytes + i)));
}

static bool native_take(struct log *log, struct log_file *f, struct tail *tail, struct diag *diag,
			const char **why)
{
	unsigned before = log->nparts;
	size_t header;

	if (log->swapped && !file_write_copy(&f->file, f->path))
		return false;
	header = header_read(log, f, why);
	if (header == 0)
		return false;
	*why = "no memory for it";
	if (!content_join(log, f, header, tail, diag))
		return false;
	if (log->swapped)
		parts_swap(log->parts + before, log->parts + log->nparts);
	return true;
}

static bool content_take(struct log *log, struct log_file *f, struct tail *tail, struct diag *diag,
			 const char **why)
{
	bool swapped;
	enum format format = file_format(&f->file, &swapped);

	*why = f->file.size ? "this is no log of Glimpse or Graze" : "it is empty";
	if (format == NOTHING)
		return false;
	*why = "it ends within its header";
	if (format == NATIVE_TORN)
		return false;
	*why = "it is not of the same thread as the log of the lower level";
	if (log->nparts && (swapped != log->swapped || log->graze || format == GRAZE))
		return false;
	log->swapped = swapped;
	if (format == NATIVE)
		return native_take(log, f, tail, diag, why);
	*why = "no memory for it";
	log->graze = true;
	log->clock = CLOCK_NANOSECONDS;
	log->size += GRAZE_HEADER;
	return part_add(log, f, f->file.bytes + GRAZE_HEADER, f->file.size - GRAZE_HEADER,
			GRAZE_HEADER);
}

static void log_file_clear(struct log_file *f)
{
	free(f->path);
	free(f->tail);
	file_unload(&f->file);
}

/*
 * The content of a log file: in f->file, and what is missing of it in f->unpacked. A tail that has
 * the log from its header on has more than any file, and gives it away.
 */
static bool file_get(struct log_file *f, struct unpacked *unpacked, struct tail *tail)
{
	f->unpacked = unpacked;
	if (tail && tail_has_log(tail)) {
		f->file = (struct file){.bytes = tail->bytes, .size = tail->size, .writable = true};
		f->altered = true;
		tail->base = tail->size;
		tail->size = 0;
		tail->bytes = NULL;
		return true;
	}
	if (!unpacked)
		return file_load(&f->file, f->path, false);
	f->file = unpacked->file;
	unpacked->file = (struct file){.bytes = NULL};
	return true;
}

bool log_add(struct log *log, char *path, struct unpacked *unpacked, struct tail *tail,
	     struct diag *diag)
{
	struct log_file *files = realloc(log->files, (log->nfiles + 1) * sizeof *files), *f;
	const char *why = "no memory for it";
	unsigned nparts = log->nparts;

	if (!files || !path) {
		free(path);
		return false;
	}
	log->files = files;
	f = &files[log->nfiles];
	*f = (struct log_file){.path = path};
	if (!file_get(f, unpacked, tail))
		why = strerror(errno);
	else if (unpacked && unpacked->lost && unpacked->lost_at < LOG_HEADER)
		why = "its header is damaged in the packed file";
	else if (content_take(log, f, tail, diag, &why)) {
		f->unpacked = NULL;
		log->nfiles++;
		return true;
	}
	diag_warning(diag, "log", DIAG_NOWHERE, "%s: %s; skipped", path, why);
	log->nparts = nparts;
	log_file_clear(f);
	return false;
}

void log_clear(struct log *log)
{
	for (unsigned i = 0; i < log->nfiles; i++)
		log_file_clear(&log->files[i]);
	free(log->files);
	free(log->parts);
	free(log->name);
	free(log->extents);
	if (!log->ground)
		free(log->stops);
	free(log->sorted);
	free(log->marks.list);
	*log = (struct log){0};
}
