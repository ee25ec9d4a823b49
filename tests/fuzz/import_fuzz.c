/*
 * Traces of other tools. The first byte of an input chooses a format; the rest is its file. What becomes logs is
 * read, and every event of it.
 */
#include "base/directory.h"
#include "formats/import.h"
#include "trace/trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char folder[64], input[128], logs[128], spec[128];

/* Of lines of text. */
static const char SPEC[] =
    "glimpse lines\n"
    "event A(int i, uint u, long l, ulong ul, double d, string s, address a)\n"
    "\t= from \"^a (?<time>\\\\S+) (?<i>\\\\S*) (?<u>\\\\S*) (?<l>\\\\S*) (?<ul>\\\\S*) (?<d>\\\\S*) (?<a>\\\\S*) (?<s>.*)\"\n"
    "\tearlier \"d ms\";\n"
    "event B(string s) = from \"^b (?<process>\\\\S+) (?<thread>\\\\S*) (?<time>[^|]+)\\\\|(?<s>.*)\" time \"%d %b %f %Y %T\";\n"
    "event C = from \"(?<time>.*)\" time \"clf\";\n"
    "end\n";

static void file_write(const char *path, const unsigned char *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
		abort();
}

static void folder_remove(void)
{
	directory_remove(folder);
}

static void folder_make(void)
{
	snprintf(folder, sizeof folder, "%s/import-fuzz.XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (!mkdtemp(folder))
		abort();
	snprintf(input, sizeof input, "%s/input", folder);
	snprintf(logs, sizeof logs, "%s/logs", folder);
	snprintf(spec, sizeof spec, "%s/lines.spec", folder);
	file_write(spec, (const unsigned char *)SPEC, sizeof SPEC - 1);
	atexit(folder_remove);
}

/* Logs that were made are whole: they open, and have as many events as they say. */
static void logs_read(struct diag *quiet)
{
	const char *path = logs;
	struct trace *t = trace_open(&path, 1, NULL, quiet);
	uint64_t events = 0;
	struct merge *m;
	struct event e;

	if (!t)
		abort();
	m = merge_open(t);
	while (m && merge_next(m, &e))
		events++;
	if (!m || events != t->events)
		abort();
	merge_close(m);
	trace_close(t);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct diag quiet = {.program = "fuzz"};
	const struct import_format *format;
	struct import_input in;
	unsigned n = 0;

	if (!size)
		return 0;
	if (!*folder)
		folder_make();
	while (import_formats[n])
		n++;
	format = import_formats[*data % n];
	file_write(input, data + 1, size - 1);
	if (mkdir(logs, 0700) != 0)
		abort();
	if (import_open(&in, input, format == &import_text ? spec : NULL, &quiet)) {
		if (format->recognise)
			format->recognise(&in);
		if (import_run(&in, format, logs))
			logs_read(&quiet);
		else if (!quiet.errors)
			abort();
	}
	import_close(&in);
	directory_remove(logs);
	return 0;
}
