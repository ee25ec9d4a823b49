#include "trace/log/graze.h"
#include "trace/format/record.h"
#include <stdlib.h>

#define RECORD_HEADER 12
#define END UINT32_MAX
/*
 * After damage the log is believed to continue where so many records have plausible times, the
 * first within 18 minutes.
 */
#define PLAUSIBLE 4
#define FORWARD (UINT64_C(1) << 40)

struct graze {
	const struct spec *spec;
	const unsigned char *end;
	bool swapped;
	unsigned char *to; /* where the next native record goes */
	uint64_t upper;    /* upper bits of the time there */
	uint64_t newest;
};

static uint32_t word_at(const struct graze *g, const unsigned char *at)
{
	return read_swapped_32(at, g->swapped);
}

static uint64_t time_at(const struct graze *g, const unsigned char *record)
{
	return read_swapped_64(record + 4, g->swapped);
}

const struct event_type *graze_misfit(const struct spec *spec, const struct attribute **attribute)
{
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *e = spec->events[i];

		for (unsigned j = 0; j < e->nattributes; j++) {
			*attribute = &e->attributes[j];
			if (e->attributes[j].type != TYPE_INT)
				return e;
		}
	}
	return NULL;
}

/* Returns the size of the record, or 0 if there is no whole one. */
static size_t graze_size(const struct graze *g, const unsigned char *at)
{
	size_t size;

	if (g->end - at < RECORD_HEADER || word_at(g, at) >= g->spec->nevents)
		return 0;
	size = RECORD_HEADER + 4 * g->spec->events[word_at(g, at)]->nattributes;
	return (size_t)(g->end - at) >= size ? size : 0;
}

static bool graze_plausible(const struct graze *g, const unsigned char *at)
{
	uint64_t newest = g->newest;

	for (int i = 0; i < PLAUSIBLE; i++) {
		size_t size = graze_size(g, at);
		uint64_t time;

		if (size == 0)
			return i > 1 &&
			       (at == g->end || (g->end - at >= 4 && word_at(g, at) == END));
		time = time_at(g, at);
		if (time < newest || time - newest > FORWARD)
			return false;
		newest = time;
		at += size;
	}
	return true;
}

static void record_convert(struct graze *g, const unsigned char *at, size_t size)
{
	uint64_t time = time_at(g, at), upper = time >> TIME_LOW_BITS;

	if (upper != g->upper) {
		time_write(g->to, upper << TIME_LOW_BITS);
		g->to += TIME_SIZE;
		g->upper = upper;
	}
	write_32(g->to, (RECORD_FIRST_EVENT + word_at(g, at)) | (uint32_t)time << 12);
	for (size_t i = RECORD_HEADER; i < size; i += 4)
		write_32(g->to + i - 8, word_at(g, at + i));
	g->to += size - 8;
	g->newest = time;
}

static const unsigned char *records_convert(struct graze *g, const unsigned char *at)
{
	size_t size;

	while ((size = graze_size(g, at))) {
		record_convert(g, at, size);
		at += size;
	}
	return at;
}

static void content_convert(struct graze *g, struct log *log)
{
	const unsigned char *at = log->segments[0].bytes, *next;
	bool ended = false;

	while (at < g->end) {
		const char *why = "a record is cut off or has an unknown type";

		next = at = records_convert(g, at);
		if (!ended && g->end - at >= 4 && word_at(g, at) == END) {
			ended = true;
			next = at += 4;
		}
		if (ended)
			why = "they follow the end of the log";
		while (next < g->end && !graze_plausible(g, next))
			next += g->end - next < 4 ? g->end - next : 4;
		log_skip(log, &log->segments[0], (uint64_t)(at - log->segments[0].bytes),
			 (uint64_t)(next - at), why);
		at = next;
	}
}

bool graze_convert(struct log *log, const struct spec *spec)
{
	struct log_segment *segment = &log->segments[0];
	struct graze g = {.spec = spec,
			  .end = segment->bytes + segment->size,
			  .swapped = log->swapped,
			  .upper = UINT64_MAX};
	/* A native record and the TIME before it are together as long as the original. */
	unsigned char *bytes = malloc(segment->size + 1);

	if (!bytes)
		return false;
	g.to = bytes;
	content_convert(&g, log);
	file_unload(&log->files[0].file);
	log->files[0].tail = bytes;
	segment->bytes = bytes;
	segment->size = (size_t)(g.to - bytes);
	log->swapped = false;
	return true;
}
