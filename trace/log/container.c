#include "trace/log/container.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include <inttypes.h>

#define HEAD_CHECK 20 /* offset of the check */

/* A fuzzer cannot guess checks: for it every head is intact. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define FUZZED true
#else
#define FUZZED false
#endif

/* Returns whether the check is FNV-1a, of 32 bits, over what of the head is before it. */
static bool head_intact(const unsigned char *head, bool swapped)
{
	uint32_t check = 0x811c9dc5;

	for (size_t i = 0; i < HEAD_CHECK; i++)
		check = (check ^ head[i]) * 0x01000193;
	return FUZZED || read_swapped_32(head + HEAD_CHECK, swapped) == check;
}

/* Reads the record at a place of the container; returns false if none is there. */
static bool record_read(const struct container *c, size_t at, struct contained_log *log)
{
	const unsigned char *head = c->bytes + at;
	size_t left = c->size - at;
	bool swapped;

	if (left < CONTAINER_HEAD)
		return false;
	swapped = read_64(head) == __builtin_bswap64(CONTAINER_MAGIC);
	if ((!swapped && read_64(head) != CONTAINER_MAGIC) || !head_intact(head, swapped))
		return false;
	*log = (struct contained_log){
	    .name = {read_swapped_32(head + 8, swapped), read_swapped_32(head + 12, swapped)},
	    .bytes = head + CONTAINER_HEAD,
	    .size = read_swapped_32(head + 16, swapped),
	    .swapped = swapped};
	left -= CONTAINER_HEAD;
	log->cut = log->size > left;
	if (log->name.number == UINT32_MAX || log->name.level >= LOG_LEVELS ||
	    log->size < LOG_HEADER || log->size > CONTAINER_LOG_MOST || log->size % 4)
		return false;
	if (log->cut)
		log->size = left;
	return true;
}

/* Counts the bytes before a record, or before the end, as skipped. */
static void bytes_skip(struct container *c, size_t end)
{
	if (end == c->next)
		return;
	if (c->places++ == 0)
		c->skipped_at = c->next;
	c->skipped += end - c->next;
}

/* Returns whether the bytes may be the beginning of a record that was never completed. */
static bool record_begun(const struct container *c, size_t at)
{
	static const uint64_t magic = CONTAINER_MAGIC;
	size_t left = c->size - at;

	return left < CONTAINER_HEAD &&
	       memcmp(c->bytes + at, &magic, left < sizeof magic ? left : sizeof magic) == 0;
}

/* Returns the next place where a record may be: not in a hole of the file. */
static size_t place_after(const struct container *c, size_t at)
{
	at += c->size - at < 4 ? c->size - at : 4;
	for (size_t i = 0; i < c->nholes; i++)
		if (at >= c->holes[i].from && at < c->holes[i].to)
			at = c->holes[i].to;
	return at;
}

bool container_next(struct container *c, struct contained_log *log)
{
	for (size_t at = c->next; at < c->size; at = place_after(c, at)) {
		if (record_read(c, at, log)) {
			bytes_skip(c, at);
			c->next = at + CONTAINER_HEAD + log->size;
			if (log->cut)
				c->torn = c->size - at;
			if (!log->cut || log->size >= LOG_HEADER)
				return true;
			break;
		}
		if (record_begun(c, at)) {
			bytes_skip(c, at);
			c->torn = c->size - at;
			c->next = c->size;
			return false;
		}
	}
	bytes_skip(c, c->size);
	c->next = c->size;
	return false;
}

void container_report(const struct container *c, bool ended, struct diag *diag)
{
	if (c->places)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: %" PRIu64 " bytes in %u place%s, the first at offset %" PRIu64
			     ", are no intact record of a log; skipped",
			     c->path, c->skipped, c->places, c->places == 1 ? "" : "s",
			     c->skipped_at);
	if (c->torn && ended)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: the record at offset %zu is cut off; read as far as it goes",
			     c->path, c->size - c->torn);
}
