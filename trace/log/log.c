#include "trace/log/log.h"
#include "base/spill.h"
#include "base/visible.h"
#include "trace/format/bytes.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- marks, and what is skipped ---- */

bool log_mark_add(struct log *log, struct log_mark mark)
{
	struct log_marks *m = &log->marks;

	if (m->open && mark.kind == MARK_LOST) {
		uint64_t *events = &m->list[m->count - 1].events;

		if (__builtin_add_overflow(*events, mark.events, events))
			*events = UINT64_MAX;
		return true;
	}
	if (m->count == m->room) {
		size_t room = m->room ? 2 * m->room : 8;
		struct log_mark *list = realloc(m->list, room * sizeof *list);

		if (!list)
			return false;
		m->list = list;
		m->room = room;
	}
	m->list[m->count++] = mark;
	m->open = mark.kind == MARK_LOST;
	return true;
}

void log_skip(struct log *log, const struct log_segment *segment, uint64_t offset, uint64_t bytes,
	      const char *why)
{
	if (bytes == 0)
		return;
	if (log->skipped.count++ == 0) {
		log->skipped.path = segment->path;
		log->skipped.position = segment->position + offset;
		log->skipped.why = why;
	}
	if (__builtin_add_overflow(log->skipped.bytes, bytes, &log->skipped.bytes))
		log->skipped.bytes = UINT64_MAX;
	log->skipped.at_end = log->nsegments && segment == &log->segments[log->nsegments - 1] &&
			      offset + bytes >= segment->size;
}

void log_report(const struct log *log, struct diag *diag)
{
	if (log->skipped.count > 1)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: %" PRIu64 " bytes in %u places, the first at offset %" PRIu64
			     " (%s), are not intact records; skipped, %" PRIu64 " event%s read",
			     log->skipped.path, log->skipped.bytes, log->skipped.count,
			     log->skipped.position, log->skipped.why, log->events,
			     log->events == 1 ? "" : "s");
	else if (log->skipped.count == 1)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: %s %" PRIu64 " bytes at offset %" PRIu64
			     " are not an intact record (%s); skipped, %" PRIu64 " event%s read",
			     log->skipped.path, log->skipped.at_end ? "the last" : "the",
			     log->skipped.bytes, log->skipped.position, log->skipped.why,
			     log->events, log->events == 1 ? "" : "s");
}

/* ---- header ---- */

/* Takes from the first header, or compares, what all files of the thread must have in common. */
static bool header_identity(struct log *log, const unsigned char *header)
{
	char name[64] = "";

	if (log->nsegments > 0)
		return log->clock == read_swapped_32(header + 32, log->swapped);
	log->pid = read_swapped_32(header + 20, log->swapped);
	log->tid = read_swapped_64(header + 24, log->swapped);
	log->clock = read_swapped_32(header + 32, log->swapped);
	if (log->clock != CLOCK_COUNTER && log->clock != CLOCK_NANOSECONDS)
		return false;
	free(log->name);
	memcpy(name, header + 64, sizeof name - 1);
	log->name = *name ? visible_text(name) : NULL;
	return true;
}

/* Returns where the records begin, or 0 if this is no header. */
static size_t header_read(struct log *log, struct log_file *f, const char **why)
{
	const unsigned char *header = f->file.bytes;
	size_t size = read_swapped_32(header + 8, log->swapped);

	*why = "its version is unknown to this program";
	if (read_swapped_32(header + 12, log->swapped) != FORMAT_VERSION)
		return 0;
	*why = "its header is damaged";
	if (size < LOG_HEADER || size % 4 || size > f->file.size || !header_identity(log, header))
		return 0;
	f->sample = (struct clock_sample){
	    .ticks = read_swapped_64(header + 40, log->swapped),
	    .monotonic = (int64_t)read_swapped_64(header + 48, log->swapped),
	    .realtime = (int64_t)read_swapped_64(header + 56, log->swapped),
	};
	return size;
}

/* ---- content ---- */

/* Returns false, as those below do, when there is no memory. */
static bool segment_add(struct log *log, const struct log_file *f, unsigned char *bytes,
			size_t size, uint64_t position)
{
	struct log_segment *segments;
	uint64_t place = 0;

	segments = realloc(log->segments, (log->nsegments + 1) * sizeof *segments);
	if (!segments)
		return false;
	log->segments = segments;
	if (log->nsegments) {
		const struct log_segment *last = &segments[log->nsegments - 1];

		place = (last->place + last->size + 3) & ~UINT64_C(3);
	}
	segments[log->nsegments++] = (struct log_segment){.bytes = bytes,
							  .size = size,
							  .path = f->path,
							  .position = position,
							  .place = place,
							  .fresh = true};
	log->size += size;
	return true;
}

/* Adds what of an unpacked range is between the header and the end. */
static bool unpacked_add(struct log *log, const struct log_file *f, const struct unpacked_range *r,
			 uint64_t header, uint64_t end)
{
	uint64_t from = r->from > header ? r->from : header, to = r->to < end ? r->to : end;
	struct log_segment *segment;

	if (from >= to)
		return true;
	if (!segment_add(log, f, f->file.bytes + from, to - from, from))
		return false;
	segment = &log->segments[log->nsegments - 1];
	segment->lost = r->lost;
	segment->known = r->timed && from == r->from;
	segment->upper = r->upper;
	segment->seq = r->seq;
	return true;
}

static const char hole_text[] = "there is a hole in the file";

/* Adds the file from its header to the end, but for its holes, of which only the last is usual. */
static bool data_join(struct log *log, const struct log_file *f, uint64_t from, uint64_t end)
{
	unsigned before = log->nsegments;

	for (size_t i = 0; i < f->file.nholes && f->file.holes[i].from < end; i++) {
		struct file_hole hole = f->file.holes[i];
		struct log_segment skipped = {.path = f->path, .position = hole.from};

		if (hole.to <= from)
			continue;
		if (hole.from > from &&
		    !segment_add(log, f, f->file.bytes + from, hole.from - from, from))
			return false;
		from = hole.to < end ? hole.to : end;
		if (from < end)
			log_skip(log, &skipped, 0, from - hole.from, hole_text);
	}
	if (from < end && !segment_add(log, f, f->file.bytes + from, end - from, from))
		return false;
	while (++before < log->nsegments)
		log->segments[before].lost = true;
	return true;
}

/* Adds the file from its header to the end, as far as it is there. */
static bool file_join(struct log *log, const struct log_file *f, uint64_t header, uint64_t end)
{
	const struct unpacked *u = f->unpacked;
	unsigned before = log->nsegments;

	for (size_t i = 0; u && i < u->nranges; i++)
		if (!unpacked_add(log, f, &u->ranges[i], header, end))
			return false;
	if (!u && !data_join(log, f, header, end))
		return false;
	if (log->nsegments == before && !segment_add(log, f, f->file.bytes + header, 0, header))
		return false;
	if (u)
		log_skip(log, &(struct log_segment){.path = f->path, .position = u->lost_at}, 0,
			 u->lost, "it is damaged in the packed file");
	return true;
}

/* Returns whether a tail can be of this log, and agrees with the file where both have bytes. */
static bool tail_fits(const struct log *log, const struct file *file, size_t header,
		      const struct log_tail *t)
{
	uint64_t both;

	if (t->swapped != log->swapped || t->base < header || t->base > UINT64_MAX / 2)
		return false;
	if (t->ring || t->ends || t->base >= file->size)
		return true;
	both = file->size - t->base < t->size ? file->size - t->base : t->size;
	return memcmp(file->bytes + t->base, t->bytes, both) == 0;
}

/* Adds the tail after the file, of which the bytes up to end are used. */
static bool tail_join(struct log *log, struct log_file *f, struct log_tail *t, uint64_t end)
{
	struct log_segment *last;

	f->tail = t->bytes;
	t->bytes = NULL;
	if (!segment_add(log, f, f->tail, t->size, t->ring ? end : t->base))
		return false;
	/* After a gap the time is unknown until a record TIME. */
	last = &log->segments[log->nsegments - 1];
	last->fresh = t->ring || t->base > end || last[-1].position + last[-1].size < end;
	if (!t->ring && t->base > end)
		log_skip(log, last - 1, last[-1].size, t->base - end, "no file has them");
	return true;
}

/* Makes the bytes of a file writable, for this process alone. */
static bool file_make_writable(struct file *f, const char *path)
{
	if (f->writable)
		return true;
	file_unload(f);
	return file_load(f, path, true);
}

/* Puts bytes that were on their way to the file when the tail was read where the file has room. */
static bool pending_put(struct log *log, struct log_file *f, const struct log_tail *t)
{
	if (!t->pending.size)
		return true;
	if (t->pending.base > f->file.size || t->pending.size > f->file.size - t->pending.base) {
		struct log_segment pending = {.path = t->path, .position = t->pending.base};

		log_skip(log, &pending, 0, t->pending.size, "no file has them");
		return true;
	}
	if (!file_make_writable(&f->file, f->path))
		return false;
	f->altered = true;
	file_put(&f->file, t->pending.base, t->pending.bytes, t->pending.size);
	return true;
}

/*
 * Adds the file from its header on, and the bytes of which the tail (or NULL) is the authority: the
 * file may end in the middle of a record that was being appended, or have room there that was
 * reserved ahead. A tail adds nothing only if the file goes further and is allowed to.
 */
static bool content_join(struct log *log, struct log_file *f, size_t header, struct log_tail *t,
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

/* ---- files ---- */

enum log_format { NO_LOG, NATIVE, NATIVE_TORN, GRAZE };

static enum log_format file_format(const struct file *f, bool *swapped)
{
	uint64_t magic = f->size >= sizeof magic ? read_64(f->bytes) : 0;

	*swapped = magic == __builtin_bswap64(LOG_MAGIC);
	if (*swapped || magic == LOG_MAGIC)
		return f->size >= LOG_HEADER ? NATIVE : NATIVE_TORN;
	if (f->size < GRAZE_HEADER)
		return NO_LOG;
	*swapped = read_32(f->bytes) == __builtin_bswap32(GRAZE_MAGIC_32);
	if (read_swapped_32(f->bytes, *swapped) != GRAZE_MAGIC_32 ||
	    read_swapped_64(f->bytes + 4, *swapped) != GRAZE_MAGIC_64)
		return NO_LOG;
	return GRAZE;
}

/* Swaps the words of segments of the other byte order where they are. */
static void segments_swap(struct log_segment *s, const struct log_segment *end)
{
	for (; s < end; s++)
		for (size_t i = 0; i + 4 <= s->size; i += 4)
			write_32(s->bytes + i, __builtin_bswap32(read_32(s->bytes + i)));
}

static bool native_read(struct log *log, struct log_file *f, struct log_tail *tail,
			struct diag *diag, const char **why)
{
	unsigned before = log->nsegments;
	size_t header;

	if (log->swapped && !file_make_writable(&f->file, f->path))
		return false;
	header = header_read(log, f, why);
	if (header == 0)
		return false;
	*why = "out of memory";
	if (!content_join(log, f, header, tail, diag))
		return false;
	if (log->swapped)
		segments_swap(log->segments + before, log->segments + log->nsegments);
	return true;
}

/* Adds a log of the original format, where zeros are events, up to its first hole. */
static bool graze_join(struct log *log, const struct log_file *f)
{
	size_t size = f->file.size, end = size;

	if (f->file.nholes) {
		struct log_segment skipped = {.path = f->path, .position = f->file.holes[0].from};

		end = f->file.holes[0].from;
		log_skip(log, &skipped, 0, f->file.holes[0].to < size ? size - end : 0, hole_text);
	}
	return segment_add(log, f, f->file.bytes + GRAZE_HEADER, end - GRAZE_HEADER, GRAZE_HEADER);
}

static bool content_read(struct log *log, struct log_file *f, struct log_tail *tail,
			 struct diag *diag, const char **why)
{
	bool swapped;
	enum log_format format = file_format(&f->file, &swapped);

	*why = f->file.size ? "not a log of Glimpse or Graze" : "it is empty";
	if (format == NO_LOG)
		return false;
	*why = "it ends within its header";
	if (format == NATIVE_TORN)
		return false;
	*why = "it belongs to another thread than the log of the level below";
	if (log->nsegments && (swapped != log->swapped || log->graze || format == GRAZE))
		return false;
	log->swapped = swapped;
	if (format == NATIVE)
		return native_read(log, f, tail, diag, why);
	*why = "out of memory";
	log->graze = true;
	log->clock = CLOCK_NANOSECONDS;
	log->size += GRAZE_HEADER;
	return graze_join(log, f);
}

void log_file_unload(struct log_file *f)
{
	free(f->tail);
	f->tail = NULL;
	file_unload(&f->file);
}

static void log_file_clear(struct log_file *f)
{
	free(f->path);
	log_file_unload(f);
}

/*
 * Sets f->file to the content of a log file, and f->unpacked to what is missing of it. A tail that
 * has the log from its header on has more than any file, and replaces it.
 */
static bool file_get(struct log_file *f, struct unpacked *unpacked, struct log_tail *tail)
{
	f->unpacked = unpacked;
	if (tail && log_tail_has_log(tail)) {
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

bool log_add(struct log *log, char *path, struct unpacked *unpacked, struct log_tail *tail,
	     struct diag *diag)
{
	struct log_file *files = realloc(log->files, (log->nfiles + 1) * sizeof *files), *f;
	const char *why = "out of memory";
	unsigned nsegments = log->nsegments;

	if (!files || !path) {
		free(path);
		return false;
	}
	log->files = files;
	f = &files[log->nfiles];
	*f = (struct log_file){.path = path};
	if (!file_get(f, unpacked, tail))
		why = file_why(errno);
	else if (unpacked && unpacked->lost && unpacked->lost_at < LOG_HEADER)
		why = "its header is damaged in the packed file";
	else if (content_read(log, f, tail, diag, &why)) {
		f->unpacked = NULL;
		log->nfiles++;
		return true;
	}
	diag_warning(diag, "log", DIAG_NOWHERE, "%s: %s; skipped", path, why);
	log->nsegments = nsegments;
	log_file_clear(f);
	return false;
}

void log_clear(struct log *log)
{
	for (unsigned i = 0; i < log->nfiles; i++)
		log_file_clear(&log->files[i]);
	free(log->files);
	free(log->segments);
	free(log->name);
	free(log->first_name);
	free(log->ranges);
	if (!log->growing)
		free(log->checkpoints);
	free(log->merged);
	spill_free(log->ordered);
	free(log->marks.list);
	*log = (struct log){0};
}
