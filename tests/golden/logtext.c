/*
 * logtext SPEC... -- LOG...: prints the bytes of logs as text, one record a line, without what
 * differs from run to run: process and thread ids, clock pairs, the times of events, and the
 * records TIME and CLOCK. It is written from doc/log-format.md alone, and uses neither runtime/ nor
 * trace/.
 */
#include "spec/layout.h"
#include "spec/spec.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ID_TIME = 1, ID_NOTE = 2, FIRST_EVENT = 16, NOTE_SCHEMA = 1, NOTE_CLOCK = 3, MAX_ID = 4096 };

static const struct event_type *events[MAX_ID];
static struct spec *specs[16];
static int nspecs;

static uint32_t word(const unsigned char *at)
{
	uint32_t w;

	memcpy(&w, at, sizeof w);
	return w;
}

static uint64_t long_word(const unsigned char *at)
{
	uint64_t w;

	memcpy(&w, at, sizeof w);
	return w;
}

static void print_bytes(const unsigned char *at, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		printf("%s%02x", i % 4 ? "" : " ", at[i]);
	putchar('\n');
}

/* From here on the ids from base on are the events of that specification. */
static void take_schema(const unsigned char *content)
{
	uint32_t base = word(content + 8);

	for (int i = 0; i < nspecs; i++)
		if (specs[i]->schema == long_word(content))
			for (unsigned k = 0; k < specs[i]->nevents && base + k < MAX_ID; k++)
				events[base + k] = specs[i]->events[k];
}

static uint32_t print_note(const unsigned char *at)
{
	uint32_t kind = word(at + 4) >> 24, size = word(at + 4) & 0xffffff;
	uint32_t whole = 8 + ((size + 3) & ~3u);

	if (kind == NOTE_SCHEMA)
		take_schema(at + 8);
	if (kind != NOTE_CLOCK) {
		printf("note %" PRIu32 ":", kind);
		print_bytes(at, whole);
	}
	return whole;
}

static uint32_t print_event(const unsigned char *at, uint64_t left)
{
	uint32_t id = word(at) & 0xfff, size;

	if (id < FIRST_EVENT || !events[id] || (size = record_size(events[id], at, left)) == 0) {
		printf("no event: id %" PRIu32 "\n", id);
		exit(1);
	}
	printf("%s: id %" PRIu32, events[id]->name, id);
	print_bytes(at + 4, size - 4);
	return size;
}

static void print_log(const unsigned char *log, uint64_t length)
{
	uint32_t start = word(log + 8);

	printf("log: header %" PRIu32 ", version %" PRIu32, start, word(log + 12));
	printf(", thread %" PRIu32 ", ring %" PRIu32 ", magic", word(log + 16), word(log + 36));
	print_bytes(log, 8);
	for (uint64_t at = start; at < length && word(log + at) & 0xfff;)
		switch (word(log + at) & 0xfff) {
		case ID_TIME:
			at += 8;
			break;
		case ID_NOTE:
			at += print_note(log + at);
			break;
		default:
			at += print_event(log + at, length - at);
		}
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "logtext"};
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!(specs[nspecs++] = spec_read(argv[i], &diag)))
			return 1;
	for (i++; i < argc; i++) {
		struct source *log = source_read(argv[i]);
		if (!log || log->length < 128) {
			fprintf(stderr, "logtext: %s: no log\n", argv[i]);
			return 1;
		}
		print_log((const unsigned char *)log->text, log->length);
		source_free(log);
	}
	while (nspecs)
		spec_free(specs[--nspecs]);
	return 0;
}
