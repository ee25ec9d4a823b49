#include "trace/log.h"
#include "trace/bytes.h"
#include "trace/graze.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

void log_skip(struct log *log, uint64_t position, uint64_t bytes, const char *why)
{
	if (bytes == 0)
		return;
	if (log->skipped.count++ == 0) {
		log->skipped.first = position;
		log->skipped.why = why;
	}
	if (__builtin_add_overflow(log->skipped.bytes, bytes, &log->skipped.bytes))
		log->skipped.bytes = UINT64_MAX;
	log->skipped.at_end = position + bytes >= log->size;
}

void log_report(const struct log *log, struct diag *diag)
{
	if (log->skipped.count == 0)
		return;
	if (log->skipped.count > 1)
		diag_warning(diag, "log", DIAG_NOWHERE,
			"%s: %" PRIu64 " bytes in %u places, the first at offset %" PRIu64
			" (%s), are no intact records; skipped, read %" PRIu64 " events",
			log->path, log->skipped.bytes, log->skipped.count, log->skipped.first, log->skipped.why,
			log->events);
	else
		diag_warning(diag, "log", DIAG_NOWHERE,
			"%s: %s %" PRIu64 " bytes at offset %" PRIu64 " are no intact record (%s); skipped, read %"
			PRIu64 " events", log->path, log->skipped.at_end ? "the last" : "the",
			log->skipped.bytes, log->skipped.first, log->skipped.why, log->events);
}

static uint32_t get_32(const struct log *log, size_t offset)
{
	uint32_t value = read_32(log->file.bytes + offset);

	return log->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t get_64(const struct log *log, size_t offset)
{
	uint64_t value = read_64(log->file.bytes + offset);

	return log->swapped ? __builtin_bswap64(value) : value;
}

/* Where the records begin, or 0 when this is no header. */
static size_t header_read(struct log *log, const char **why)
{
	size_t size = get_32(log, 8);

	*why = "its version is unknown to this program";
	if (get_32(log, 12) != FORMAT_VERSION)
		return 0;
	*why = "its header is damaged";
	if (size < LOG_HEADER || size % 4 || size > log->file.size)
		return 0;
	log->pid = get_32(log, 20);
	log->tid = get_64(log, 24);
	log->clock = get_32(log, 32);
	log->ring = get_32(log, 36);
	log->pair = (struct clock_pair){get_64(log, 40), (int64_t)get_64(log, 48), (int64_t)get_64(log, 56)};
	if (log->clock != CLOCK_COUNTER && log->clock != CLOCK_NANOSECONDS)
		return 0;
	if (log->file.bytes[64])
		log->name = strndup((const char *)log->file.bytes + 64, 63);
	return size;
}

static void part_add(struct log *log, unsigned char *bytes, size_t size, uint64_t position)
{
	const struct part *before = &log->parts[0];

	log->parts[log->nparts] = (struct part){bytes, size, position,
		log->nparts ? (before->place + before->size + 3) & ~UINT64_C(3) : 0};
	log->nparts++;
}

/* Whether the file and the tail agree where both have something, and the tail can be of this log at all. */
static bool tail_fits(const struct log *log, size_t header, const struct tail *t)
{
	uint64_t size = log->file.size, both;

	if (t->swapped != log->swapped || t->base < header || t->base > UINT64_MAX / 2)
		return false;
	if (t->base >= size)
		return true;
	both = size - t->base < t->size ? size - t->base : t->size;
	return memcmp(log->file.bytes + t->base, t->bytes, both) == 0;
}

/*
 * From its base on the tail is better than the file: the file may end in the middle of a record that was being
 * appended. Only when the file goes further has the tail nothing to add.
 */
static void content_join(struct log *log, size_t header, struct tail *t, struct diag *diag)
{
	uint64_t size = log->file.size, end;

	if (t && t->size && !tail_fits(log, header, t)) {
		diag_warning(diag, "log", DIAG_NOWHERE, "%s: this does not continue %s; its %zu bytes are skipped",
			t->path, log->path, t->size);
		t = NULL;
	}
	end = t && t->size && t->base + t->size > size && t->base < size ? t->base : size;
	log->size = size;
	part_add(log, log->file.bytes + header, end - header, header);
	if (!t || t->size == 0 || t->base + t->size <= size)
		return;
	log->tail = t->bytes;
	t->bytes = NULL;
	log->size = t->base + t->size;
	part_add(log, log->tail, t->size, t->base);
	if (t->base > size)
		log_skip(log, size, t->base - size, "they are in no file");
}

static enum { NOTHING, NATIVE, GRAZE } format_of(struct log *log)
{
	const struct file *f = &log->file;
	uint64_t magic = f->size >= LOG_HEADER ? read_64(f->bytes) : 0;

	log->swapped = magic == __builtin_bswap64(LOG_MAGIC);
	if (log->swapped || magic == LOG_MAGIC)
		return NATIVE;
	return graze_recognise(f->bytes, f->size, &log->swapped) ? GRAZE : NOTHING;
}

static void words_swap(struct part *p)
{
	for (size_t i = 0; i + 4 <= p->size; i += 4)
		write_32(p->bytes + i, __builtin_bswap32(read_32(p->bytes + i)));
}

static bool content_find(struct log *log, struct tail *tail, struct diag *diag, const char **why)
{
	size_t header;

	*why = log->file.size ? "this is no log of Glimpse or Graze" : "it is empty";
	switch (format_of(log)) {
	case GRAZE:
		log->graze = true;
		log->clock = CLOCK_NANOSECONDS;
		log->size = log->file.size;
		part_add(log, log->file.bytes + GRAZE_HEADER, log->file.size - GRAZE_HEADER, GRAZE_HEADER);
		return true;
	case NATIVE:
		header = header_read(log, why);
		if (header == 0)
			return false;
		content_join(log, header, tail, diag);
		for (unsigned i = 0; log->swapped && i < log->nparts; i++)
			words_swap(&log->parts[i]);
		return true;
	default:
		return false;
	}
}

bool log_load(struct log *log, char *path, uint32_t number, struct tail *tail, struct diag *diag)
{
	const char *why;

	*log = (struct log){.path = path, .number = number};
	if (!file_load(&log->file, path, false)) {
		diag_warning(diag, "log", DIAG_NOWHERE, "%s: %s; skipped", path, strerror(errno));
		return false;
	}
	/* Records of the other byte order are turned where they are; nobody else sees the map. */
	if (format_of(log) == NATIVE && log->swapped && log->file.mapped) {
		file_unload(&log->file);
		if (!file_load(&log->file, path, true))
			return false;
	}
	if (content_find(log, tail, diag, &why))
		return true;
	diag_warning(diag, "log", DIAG_NOWHERE, "%s: %s; skipped", path, why);
	return false;
}

void log_clear(struct log *log)
{
	free(log->path);
	free(log->name);
	free(log->tail);
	free(log->extents);
	free(log->sorted);
	file_unload(&log->file);
	*log = (struct log){0};
}
