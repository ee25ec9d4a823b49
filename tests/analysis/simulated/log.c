#include "tests/analysis/simulated/log.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const event_names[NEVENTS] = {
    [EVENT_THREAD_CREATE] = "ThreadCreate",
    [EVENT_THREAD_START] = "ThreadStart",
    [EVENT_THREAD_EXIT] = "ThreadExit",
    [EVENT_JOIN_BEGIN] = "JoinBegin",
    [EVENT_JOIN_END] = "JoinEnd",
    [EVENT_LOCK] = "Lock",
    [EVENT_UNLOCK] = "Unlock",
    [EVENT_LOCK_BUSY] = "LockBusy",
    [EVENT_LOCK_END] = "LockEnd",
    [EVENT_COND_BEGIN] = "CondBegin",
    [EVENT_COND_END] = "CondEnd",
    [EVENT_COND_SIGNAL] = "CondSignal",
    [EVENT_COND_UNHEARD] = "CondUnheard",
    [EVENT_SEM_TAKE] = "SemTake",
    [EVENT_SEM_BUSY] = "SemBusy",
    [EVENT_SEM_END] = "SemEnd",
    [EVENT_SEM_POST] = "SemPost",
    [EVENT_BARRIER_BEGIN] = "BarrierBegin",
    [EVENT_BARRIER_END] = "BarrierEnd",
    [EVENT_SLEEP_BEGIN] = "SleepBegin",
    [EVENT_SLEEP_END] = "SleepEnd",
    [EVENT_YIELD] = "Yield",
    [EVENT_STARTED] = "Started",
    [EVENT_SWITCH_IN] = "SwitchIn",
    [EVENT_SWITCH_OUT] = "SwitchOut",
    [EVENT_BLOCKS] = "Blocks",
    [EVENT_READIED] = "Readied",
    [EVENT_MIGRATED] = "Migrated",
    [EVENT_EXITED] = "Exited",
    [EVENT_EXECUTED] = "Executed",
    [EVENT_SHARED] = "Shared",
};

enum { SPECIFICATIONS = 2, FIRST_EVENT = 16 };
static const char *const spec_folders[SPECIFICATIONS] = {"probes/threads", "recorder/scheduler"};
static const char *const spec_names[SPECIFICATIONS] = {"threads.spec", "scheduler.spec"};

static struct specification {
	struct source *source;
	struct spec *spec;
	unsigned base; /* the number of its first event in logs */
} specifications[SPECIFICATIONS];

static struct known_event {
	const struct event_type *type;
	unsigned number, of; /* of: bit of LOG_THREADS, LOG_SCHEDULER */
} events[NEVENTS];

static void fail(const char *what)
{
	fprintf(stderr, "simulated: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- specifications ---- */

static void events_find(const struct specification *s, unsigned of)
{
	for (unsigned i = 0; i < s->spec->nevents; i++)
		for (unsigned e = 0; e < NEVENTS; e++)
			if (!strcmp(event_names[e], s->spec->events[i]->name))
				events[e] =
				    (struct known_event){s->spec->events[i], s->base + i, of};
}

void log_specifications_read(const char *source)
{
	struct diag silent = {.program =
				  "simulated"}; /* that some attributes are not used is no news */
	unsigned base = FIRST_EVENT;

	for (unsigned i = 0; i < SPECIFICATIONS; i++) {
		struct specification *s = &specifications[i];
		char *path = text_format("%s/%s/%s", source, spec_folders[i], spec_names[i]);

		s->source = source_read(path);
		if (!s->source || !(s->spec = spec_parse(spec_names[i], s->source->text, &silent)))
			fail(path);
		s->base = base;
		base += s->spec->nevents;
		events_find(s, 1u << i);
		free(path);
	}
	for (unsigned e = 0; e < NEVENTS; e++)
		if (!events[e].type)
			fail(event_names[e]);
}

void log_specifications_free(void)
{
	for (unsigned i = 0; i < SPECIFICATIONS; i++) {
		spec_free(specifications[i].spec);
		source_free(specifications[i].source);
	}
}

/* ---- records ---- */

void recording_begin(struct simulated_log *l, unsigned which)
{
	*l = (struct simulated_log){.which = which};
	for (unsigned t = 0; t < MOST_THREADS; t++) {
		l->threads[t].upper = UINT64_MAX;
		l->threads[t].opened = -1;
	}
}

static void word_put(struct log_bytes *b, uint32_t word)
{
	vector_append(&b->bytes, (const unsigned char *)&word, sizeof word);
}

static void text_put(struct log_bytes *b, const char *text)
{
	size_t length = strlen(text);

	word_put(b, (uint32_t)length);
	vector_append(&b->bytes, (const unsigned char *)text, length);
	while (b->bytes.n % sizeof(uint32_t))
		*vector_add(&b->bytes) = 0;
}

static void record_begin(struct log_bytes *b, int64_t time, unsigned number)
{
	uint64_t upper = (uint64_t)time >> TIME_LOW_BITS;

	if (upper != b->upper) {
		word_put(b, RECORD_TIME | (uint32_t)(upper >> 32) << 12);
		word_put(b, (uint32_t)upper);
	}
	b->upper = upper;
	word_put(b, number | (uint32_t)((uint64_t)time << 12));
}

static bool is_wide(enum type type)
{
	return type != TYPE_INT && type != TYPE_UINT && type != TYPE_CODE32;
}

void recording_add(struct simulated_log *l, uint32_t thread, int64_t time, enum log_event event,
		   const uint64_t *values, const char *text)
{
	const struct known_event *e = &events[event];
	struct log_bytes *b = &l->threads[thread];

	if (l->watcher)
		l->watcher(l->context, thread, time, event, values, text);
	if (!(l->which & e->of))
		return;
	if (b->opened < 0)
		b->opened = time;
	record_begin(b, time, e->number);
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		if (e->type->attributes[i].type == TYPE_STRING)
			continue;
		word_put(b, (uint32_t)values[i]);
		if (is_wide(e->type->attributes[i].type))
			word_put(b, (uint32_t)(values[i] >> 32));
	}
	if (e->type->nstrings)
		text_put(b, text);
}

/* ---- files ---- */

/* opened: when the log was, ns */
static void header_put(FILE *f, unsigned thread, int64_t opened)
{
	struct {
		uint64_t magic;
		uint32_t header, version, thread, pid;
		uint64_t tid;
		uint32_t clock, ring;
		uint64_t pair[3];
		char name[64];
	} header = {LOG_MAGIC,
		    LOG_HEADER,
		    FORMAT_VERSION,
		    thread,
		    SIMULATED_PROCESS,
		    SIMULATED_PROCESS + thread,
		    CLOCK_NANOSECONDS,
		    0,
		    {(uint64_t)opened, (uint64_t)opened, (uint64_t)opened},
		    ""};

	snprintf(header.name, sizeof header.name, thread ? "worker-%u" : "main", thread);
	fwrite(&header, sizeof header, 1, f);
}

static void schema_put(FILE *f, const struct specification *s)
{
	struct {
		uint32_t word, size;
		uint64_t schema;
		uint32_t base, count;
		char name[16];
	} note = {RECORD_NOTE, 0, s->spec->schema, s->base, s->spec->nevents, ""};
	size_t length = strlen(s->spec->name);

	note.size = NOTE_SCHEMA << 24 | (uint32_t)(16 + length);
	snprintf(note.name, sizeof note.name, "%s", s->spec->name);
	fwrite(&note, 24 + (length + 3) / 4 * 4, 1, f);
}

static FILE *file_open(const char *directory, const char *name)
{
	char *path = text_format("%s/%s", directory, name);
	FILE *f = fopen(path, "wb");

	if (!f)
		fail(path);
	free(path);
	return f;
}

static void file_close(FILE *f)
{
	bool bad = ferror(f);

	if (fclose(f) || bad)
		fail("cannot write");
}

static void thread_write(const struct simulated_log *l, const char *directory, unsigned thread)
{
	char name[24];
	FILE *f;

	snprintf(name, sizeof name, "log.%u", thread);
	f = file_open(directory, name);
	header_put(f, thread, l->threads[thread].opened < 0 ? 0 : l->threads[thread].opened);
	for (unsigned i = 0; i < SPECIFICATIONS; i++)
		if (l->which >> i & 1)
			schema_put(f, &specifications[i]);
	fwrite(l->threads[thread].bytes.at, 1, l->threads[thread].bytes.n, f);
	file_close(f);
}

void recording_write(const struct simulated_log *l, const char *directory, unsigned nthreads)
{
	for (unsigned i = 0; i < SPECIFICATIONS; i++) {
		FILE *f;

		if (!(l->which >> i & 1))
			continue;
		f = file_open(directory, spec_names[i]);
		fputs(specifications[i].source->text, f);
		file_close(f);
	}
	for (unsigned t = 0; t < nthreads; t++)
		thread_write(l, directory, t);
}

void recording_write_process(const char *directory)
{
	unsigned char bytes[PROCESS_HEADER + PROCESS_SPECS * PROCESS_SPEC_SIZE] = {0};
	FILE *f = file_open(directory, "process");

	write_64(bytes, PROCESS_MAGIC);
	write_32(bytes + 8, FORMAT_VERSION);
	write_32(bytes + 12, SIMULATED_PROCESS);
	write_32(bytes + 16, CLOCK_NANOSECONDS);
	write_32(bytes + 20, 1);
	memcpy(bytes + 128, "simulated", sizeof "simulated");
	fwrite(bytes, sizeof bytes, 1, f);
	file_close(f);
}

void recording_free(struct simulated_log *l)
{
	for (unsigned t = 0; t < MOST_THREADS; t++)
		free(l->threads[t].bytes.at);
}
