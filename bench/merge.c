/*
 * How fast logs are opened and merged: `merge [EVENTS [THREADS]]` writes a log for each thread
 * to a directory in the working directory, reads them, and removes them. Prints rows for bench/run.
 * `merge EVENTS THREADS DIRECTORY` only writes them, into that new directory.
 *
 * The events have two ints, as in the bench of the runtime, and come from the threads in an order
 * that nobody foresees.
 */
#include "trace/format.h"
#include "trace/trace.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SPECIFICATION \
	"glimpse bench\nevent Send(int to, int seq);\nevent Recv(int from, int seq);\nend\n"
#define RECORD 12
#define TARGET ">=60" /* million events a second */

struct writer {
	FILE *f;
	uint64_t upper;
	uint32_t seq;
};

static void fail(const char *what)
{
	fprintf(stderr, "merge: %s: %s\n", what, strerror(errno));
	exit(2);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static char *path_of(const char *directory, const char *name, unsigned number)
{
	char *path;

	if (asprintf(&path, name, directory, number) < 0)
		fail("no memory");
	return path;
}

static void put(FILE *f, const void *bytes, size_t size)
{
	if (fwrite_unlocked(bytes, 1, size, f) != size)
		fail("cannot write a log");
}

static void header_put(FILE *f, unsigned thread, const struct spec *spec)
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
	} note = {RECORD_NOTE, NOTE_SCHEMA << 24 | 21, spec->schema, 16, spec->nevents, "bench"};
	struct {
		uint32_t word, size;
		uint64_t pair[3];
	} clock = {RECORD_NOTE, NOTE_CLOCK << 24 | 24, {2000000000, 1000000000, 1000000000}};

	snprintf(header.name, sizeof header.name, "worker %u", thread);
	put(f, &header, sizeof header);
	put(f, &note, sizeof note);
	put(f, &clock, sizeof clock);
}

static void event_put(struct writer *w, uint64_t ticks, uint32_t id, uint32_t peer)
{
	uint32_t record[3] = {id | (uint32_t)(ticks << 12), peer, w->seq++};
	uint32_t time[2] = {RECORD_TIME, (uint32_t)(ticks >> TIME_LOW_BITS)};

	if (ticks >> TIME_LOW_BITS != w->upper)
		put(w->f, time, sizeof time);
	w->upper = ticks >> TIME_LOW_BITS;
	put(w->f, record, RECORD);
}

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static void logs_write(const char *directory, const struct spec *spec, uint64_t events,
		       unsigned threads)
{
	struct writer *writers = calloc(threads, sizeof *writers);
	uint64_t state = 88172645463325252, ticks = 0;

	if (!writers)
		fail("no memory");
	for (unsigned i = 0; i < threads; i++) {
		char *path = path_of(directory, "%s/log.%u", i);

		writers[i].f = fopen(path, "wb");
		if (!writers[i].f)
			fail(path);
		writers[i].upper = UINT64_MAX;
		header_put(writers[i].f, i, spec);
		free(path);
	}
	for (uint64_t i = 0; i < events; i++) {
		uint64_t random = random_next(&state);

		ticks += random & 31;
		event_put(&writers[(random >> 8) % threads], ticks, 16 + (random >> 40 & 1),
			  (random >> 32) % threads);
	}
	for (unsigned i = 0; i < threads; i++)
		if (fclose(writers[i].f))
			fail("cannot write a log");
	free(writers);
}

static void directory_remove(const char *directory, unsigned threads)
{
	for (unsigned i = 0; i < threads; i++) {
		char *path = path_of(directory, "%s/log.%u", i);

		unlink(path);
		free(path);
	}
	rmdir(directory);
}

static void row(const char *name, double seconds, uint64_t events, const char *target,
		const char *detail)
{
	printf("%s, million events/s\t%.1f\t%s\t%.1f ns an event, %s\n", name,
	       (double)events / seconds / 1e6, target, seconds / (double)events * 1e9, detail);
	fflush(stdout);
}

/* Best of three. */
static double merge_time(const struct trace *t)
{
	double best = 1e9;

	for (int i = 0; i < 3; i++) {
		double begun = now();
		struct merge *m = merge_open(t);
		struct event e;
		uint64_t n = 0;

		while (m && merge_next(m, &e))
			n++;
		merge_close(m);
		if (n != t->events)
			fail("events are missing");
		if (now() - begun < best)
			best = now() - begun;
	}
	return best;
}

static void measure(const char *directory, const char *spec_path)
{
	struct diag diag = {.out = stderr, .program = "merge"};
	double begun = now(), opened, merged, listed;
	struct trace *t = trace_open(&directory, 1, spec_path, &diag);
	char detail[100];

	if (!t)
		exit(2);
	opened = now() - begun;
	merged = merge_time(t);
	begun = now();
	for (unsigned i = 0; i < t->spec->nevents; i++)
		trace_announce(t, t->spec->events[i]);
	if (!trace_events(t, t->spec->events[0]))
		fail("no memory");
	listed = now() - begun;
	snprintf(detail, sizeof detail, "%u threads, %.0f million events", t->nthreads,
		 (double)t->events / 1e6);
	row("open and check logs", opened, t->events, "-", detail);
	row("merge", merged, t->events, TARGET, detail);
	row("merge into lists by type", listed, t->events, "-", detail);
	trace_close(t);
}

/* The specification and the logs. The path of the specification is the caller's. */
static char *trace_write(const char *directory, uint64_t events, unsigned threads)
{
	struct diag diag = {.out = stderr, .program = "merge"};
	struct spec *spec = spec_parse("bench.spec", SPECIFICATION, &diag);
	char *path = path_of(directory, "%s/bench.spec", 0);
	FILE *f = fopen(path, "w");

	if (!f || fputs(SPECIFICATION, f) < 0 || fclose(f))
		fail(path);
	logs_write(directory, spec, events, threads);
	spec_free(spec);
	return path;
}

int main(int argc, char **argv)
{
	uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000000;
	unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 16;
	char directory[] = "bench-merge.XXXXXX";
	char *spec_path;

	if (events == 0 || threads == 0) {
		fputs("usage: merge [EVENTS [THREADS [DIRECTORY]]]\n", stderr);
		return 2;
	}
	if (argc > 3) {
		if (mkdir(argv[3], 0700))
			fail(argv[3]);
		free(trace_write(argv[3], events, threads));
		return 0;
	}
	if (!mkdtemp(directory))
		fail(directory);
	spec_path = trace_write(directory, events, threads);
	measure(directory, NULL);
	unlink(spec_path);
	free(spec_path);
	directory_remove(directory, threads);
	return 0;
}
