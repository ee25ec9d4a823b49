#include "trace/format/bytes.h"
#include "trace/log/graze.h"
#include "trace/log/log_join.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

void log_skip(struct log *log, const struct log_segment *part, uint64_t offset, uint64_t bytes,
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
	log->skipped.at_end = log->nsegments && part == &log->segments[log->nsegments - 1] &&
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
	if (log->nsegments > 0)
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
	f->pair = (struct clock_sample){get_64(log, header + 40), (int64_t)get_64(log, header + 48),
				      (int64_t)get_64(log, header + 56)};
	return size;
}

/* ---- files ---- */

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
static void parts_swap(struct log_segment *p, const struct log_segment *end)
{
	for (; p < end; p++)
		for (size_t i = 0; i + 4 <= p->size; i += 4)
			write_32(p->bytes + i, __builtin_bswap32(read_32(p->bytes + i)));
}

static bool native_take(struct log *log, struct log_file *f, struct tail *tail, struct diag *diag,
			const char **why)
{
	unsigned before = log->nsegments;
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
		parts_swap(log->segments + before, log->segments + log->nsegments);
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
	if (log->nsegments && (swapped != log->swapped || log->graze || format == GRAZE))
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
	unsigned nsegments = log->nsegments;

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
	free(log->ranges);
	if (!log->growing)
		free(log->checkpoints);
	free(log->sorted);
	free(log->marks.list);
	*log = (struct log){0};
}
