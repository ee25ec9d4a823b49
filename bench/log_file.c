#include "bench/log_file.h"
#include "trace/format/format.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void log_file_fail(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void put(FILE *f, const void *bytes, size_t size)
{
	if (fwrite_unlocked(bytes, 1, size, f) != size)
		log_file_fail("cannot write a log");
}

static void header_put(FILE *f, unsigned thread, const char *name, const struct spec *spec)
{
	struct {
		uint64_t magic;
		uint32_t header, version, thread, pid;
		uint64_t tid;
		uint32_t clock, ring;
		uint64_t pair[3];
		char name[64];
	} header = {LOG_MAGIC, LOG_HEADER, 1, thread, 1, thread + 1, CLOCK_COUNTER, 0, {0}, ""};
	struct {
		uint32_t word, size;
		uint64_t schema;
		uint32_t base, count;
		char name[8];
	} note = {RECORD_NOTE, 0, spec->schema, LOG_FIRST_EVENT, spec->nevents, ""};
	struct {
		uint32_t word, size;
		uint64_t pair[3];
	} clock = {RECORD_NOTE, NOTE_CLOCK << 24 | 24, {2000000000, 1000000000, 1000000000}};

	note.size = NOTE_SCHEMA << 24 | (uint32_t)(16 + strlen(spec->name));
	snprintf(note.name, sizeof note.name, "%s", spec->name);
	snprintf(header.name, sizeof header.name, "%s", name);
	put(f, &header, sizeof header);
	put(f, &note, sizeof note);
	put(f, &clock, sizeof clock);
}

struct log_file log_file_open(const char *directory, unsigned thread, const char *name,
			      const struct spec *spec)
{
	struct log_file l = {.upper = UINT64_MAX};
	char *path;

	if (asprintf(&path, "%s/log.%u", directory, thread) < 0)
		log_file_fail("no memory");
	l.f = fopen(path, "wb");
	if (!l.f)
		log_file_fail(path);
	header_put(l.f, thread, name, spec);
	free(path);
	return l;
}

void log_file_put(struct log_file *l, uint64_t ticks, uint32_t event, uint32_t *record, size_t size)
{
	uint32_t time[2] = {RECORD_TIME, (uint32_t)(ticks >> TIME_LOW_BITS)};

	record[0] = event | (uint32_t)(ticks << 12);
	if (ticks >> TIME_LOW_BITS != l->upper)
		put(l->f, time, sizeof time);
	l->upper = ticks >> TIME_LOW_BITS;
	put(l->f, record, size);
}

void log_file_close(struct log_file *l)
{
	if (fclose(l->f))
		log_file_fail("cannot write a log");
}
