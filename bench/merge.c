/*
 * How fast logs are opened, merged and matched: `merge [EVENTS [THREADS]]` writes a log for each
 * thread to a directory in the working directory, reads them, and removes them. Prints rows for
 * bench/run. `merge EVENTS THREADS DIRECTORY` only writes them, into that new directory.
 *
 * The events have two ints, as in the bench of the runtime, and come from the threads in an order
 * that nobody foresees. They are messages: each is sent by one thread and received by another, up
 * to FLIGHT messages later.
 */
#include "base/monotonic.h"
#include "bench/log_file.h"
#include "trace/trace.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPECIFICATION                                               \
	"glimpse bench\n"                                           \
	"event Send(int to, int seq);\n"                          \
	"event Recv(int to, int seq);\n"                          \
	"interval Transit [ s:Send -> r:Recv ] Match;\nend\n"
#define FLIGHT 1000
#define POLL 2000 /* us between two looks at a command's memory */

enum { SEND = LOG_FIRST_EVENT, RECV };

struct writer {
	struct log_file log;
	uint32_t seq;
};

static char *path_of(const char *directory, const char *name, unsigned number)
{
	char *path;

	if (asprintf(&path, name, directory, number) < 0)
		log_file_fail("no memory");
	return path;
}

struct message {
	uint32_t to, seq;
};

static void event_put(struct writer *w, uint64_t ticks, uint32_t id, const struct message *m)
{
	uint32_t record[3] = {0, m->to, m->seq};

	log_file_put(&w->log, ticks, id, record, sizeof record);
}

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static struct writer *writers_open(const char *directory, const struct spec *spec, unsigned threads)
{
	struct writer *writers = calloc(threads, sizeof *writers);

	if (!writers)
		log_file_fail("no memory");
	for (unsigned i = 0; i < threads; i++) {
		char name[32];

		snprintf(name, sizeof name, "worker %u", i);
		writers[i].log = log_file_open(directory, i, name, spec);
	}
	return writers;
}

static void logs_write(const char *directory, const struct spec *spec, uint64_t events,
		       unsigned threads)
{
	struct writer *writers = writers_open(directory, spec, threads);
	struct message flying[FLIGHT];
	uint64_t state = 88172645463325252, ticks = 0;
	unsigned n = 0;

	for (uint64_t i = 0; i < events; i++) {
		uint64_t random = random_next(&state);
		uint32_t thread = (uint32_t)(random >> 8) % threads;
		uint32_t to = (uint32_t)(random >> 32) % threads;
		unsigned k = n;

		ticks += random & 31;
		if (n == 0 || (n < FLIGHT && random >> 40 & 1)) {
			flying[n++] = (struct message){to, writers[to].seq++};
			event_put(&writers[thread], ticks, SEND, &flying[k]);
		} else {
			k = (unsigned)(random >> 41) % n;
			event_put(&writers[flying[k].to], ticks, RECV, &flying[k]);
			flying[k] = flying[--n];
		}
	}
	for (unsigned i = 0; i < threads; i++)
		log_file_close(&writers[i].log);
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
		double begun = monotonic_seconds();
		struct merge *m = merge_open(t);
		struct event e;
		uint64_t n = 0;

		while (m && merge_next(m, &e))
			n++;
		merge_close(m);
		if (n != t->events)
			log_file_fail("events are missing");
		if (monotonic_seconds() - begun < best)
			best = monotonic_seconds() - begun;
	}
	return best;
}

static void measure_merge(const char *directory)
{
	struct diag diag = {.out = stderr, .program = "merge"};
	double begun = monotonic_seconds(), opened, merged, listed;
	struct trace *t = trace_open(&directory, 1, NULL, &diag);
	char detail[100];

	if (!t)
		exit(2);
	opened = monotonic_seconds() - begun;
	merged = merge_time(t);
	begun = monotonic_seconds();
	for (unsigned i = 0; i < t->spec->nevents; i++)
		trace_announce(t, t->spec->events[i]);
	if (!trace_events(t, t->spec->events[0]))
		log_file_fail("no memory");
	listed = monotonic_seconds() - begun;
	snprintf(detail, sizeof detail, "%u threads, %.0f million events", t->nthreads,
		 (double)t->events / 1e6);
	row("open and check logs", opened, t->events, "-", detail);
	row("merge", merged, t->events, ">=60", detail);
	row("merge into lists by type", listed, t->events, "-", detail);
	trace_close(t);
}

/* ---- the command ---- */

/* Bytes of memory that a process has for itself: pages of files in the page cache are not. */
static uint64_t anonymous_bytes(pid_t pid)
{
	unsigned long long kilobytes = 0;
	char path[40], line[200];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "RssAnon: %llu", &kilobytes) == 1)
			break;
	if (f)
		fclose(f);
	return kilobytes * 1024;
}

/* Seconds that `glimpse stats` takes from its start to its end; the most memory it had. spec: NULL,
 * or another specification than that in the logs. */
static double stats_time(const char *glimpse, const char *directory, const char *spec,
			 uint64_t *most)
{
	double begun = monotonic_seconds();
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		int fd = open("stats.csv", O_WRONLY | O_CREAT | O_TRUNC, 0600);

		dup2(fd, 1);
		execl(glimpse, "glimpse", "stats", "--format=csv", directory, spec ? "-s" : NULL,
		      spec, NULL);
		log_file_fail(glimpse);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		uint64_t bytes = anonymous_bytes(pid);

		*most = bytes > *most ? bytes : *most;
		usleep(POLL);
	}
	if (status)
		log_file_fail("glimpse stats");
	return monotonic_seconds() - begun;
}

/* Best of two. */
static void measure_match(const char *glimpse, const char *directory, uint64_t events,
			  uint64_t bytes)
{
	uint64_t most = 0;
	double first = stats_time(glimpse, directory, NULL, &most);
	double second = stats_time(glimpse, directory, NULL, &most);
	char detail[100];

	snprintf(detail, sizeof detail, "glimpse stats, %.0f million events", (double)events / 1e6);
	row("open, merge, match and statistics", first < second ? first : second, events, ">=20",
	    detail);
	printf("memory of that / bytes of the logs\t%.2f\t<=2\t%.0f MB / %.0f MB\n",
	       (double)most / (double)bytes, (double)most / 1e6, (double)bytes / 1e6);
	unlink("stats.csv");
}

struct form {
	const char *name, *condition;
};

static const struct form heavy[] = {
	{"an equal attribute and a comparison", "where s.seq == r.seq && s.to <= r.to"},
	{"a comparison alone", "where s.to < r.to"},
};

#define TWO "where s.to < r.to && s.seq <= r.seq"

/* What these take beyond twice the logs lies in temporary files. */
static const struct form several[] = {
	{"two comparisons", TWO},
	{"two comparisons, nested", "nested " TWO},
	{"three comparisons", TWO " && s.seq + s.to <= r.seq + 2 * r.to"},
	{"three comparisons, once", "once " TWO " && s.seq + s.to <= r.seq + 2 * r.to"},
};

/* The most memory of forms that need most. */
static void measure_memory(const char *glimpse, const char *directory, uint64_t bytes, const struct form *forms,
			   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *path = path_of(directory, "%s/heavy.spec", 0);
		FILE *f = fopen(path, "w");
		uint64_t most = 0;
		double took;

		if (!f ||
		    fprintf(f,
			    "glimpse bench event Send(int to, int seq); event Recv(int to, int seq); "
			    "interval I [ s:Send -> r:Recv ] %s; end",
			    forms[i].condition) < 0 ||
		    fclose(f))
			log_file_fail(path);
		took = stats_time(glimpse, directory, path, &most);
		printf("memory of %s / bytes of the logs\t%.2f\t<=2\t%.0f MB / %.0f MB, %.1f s\n",
		       forms[i].name, (double)most / (double)bytes, (double)most / 1e6,
		       (double)bytes / 1e6, took);
		fflush(stdout);
		unlink(path);
		free(path);
	}
	unlink("stats.csv");
}

/* The specification and the logs. The path of the specification is the caller's. */
static char *trace_write(const char *directory, uint64_t events, unsigned threads)
{
	struct diag diag = {.out = stderr, .program = "merge"};
	struct spec *spec = spec_parse("bench.spec", SPECIFICATION, &diag);
	char *path = path_of(directory, "%s/bench.spec", 0);
	FILE *f = fopen(path, "w");

	if (!f || fputs(SPECIFICATION, f) < 0 || fclose(f))
		log_file_fail(path);
	logs_write(directory, spec, events, threads);
	spec_free(spec);
	return path;
}

static uint64_t logs_bytes(const char *directory, unsigned threads)
{
	uint64_t bytes = 0;
	struct stat log;

	for (unsigned i = 0; i < threads; i++) {
		char *path = path_of(directory, "%s/log.%u", i);

		if (stat(path, &log))
			log_file_fail(path);
		bytes += (uint64_t)log.st_size;
		free(path);
	}
	return bytes;
}

/* All of it; or, of a tenth of the events, what takes longer. */
static void measure(const char *glimpse, uint64_t events, unsigned threads, bool all)
{
	char directory[] = "bench-merge.XXXXXX";
	char *spec_path;
	uint64_t bytes;

	if (!mkdtemp(directory))
		log_file_fail(directory);
	spec_path = trace_write(directory, events, threads);
	bytes = logs_bytes(directory, threads);
	if (all) {
		measure_merge(directory);
		measure_match(glimpse, directory, events, bytes);
		measure_memory(glimpse, directory, bytes, heavy, sizeof heavy / sizeof *heavy);
	} else {
		measure_memory(glimpse, directory, bytes, several, sizeof several / sizeof *several);
	}
	unlink(spec_path);
	free(spec_path);
	directory_remove(directory, threads);
}

int main(int argc, char **argv)
{
	uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000000;
	unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 16;
	char *glimpse;

	if (events == 0 || threads == 0) {
		fputs("usage: merge [EVENTS [THREADS [DIRECTORY]]]\n", stderr);
		return 2;
	}
	if (argc > 3) {
		if (mkdir(argv[3], 0700))
			log_file_fail(argv[3]);
		free(trace_write(argv[3], events, threads));
		return 0;
	}
	glimpse = path_of(dirname(argv[0]), "%s/../glimpse", 0);
	measure(glimpse, events, threads, true);
	measure(glimpse, events / 10, threads, false);
	free(glimpse);
	return 0;
}
