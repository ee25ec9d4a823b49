/* Random files of the recorder: lines that are found for a process are those of a plain search. SEED chooses the random numbers. */
/*
 * tested: oracles with random cases, ROUNDS files: the recorder's lines of a process, and a plain
 * search.
 */
#include "recorder/merge/recorder_lines.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 300, LINES = 60, TEXT = 40 };

static unsigned tests;
static struct {
	uint32_t pid;
	int64_t since;
	char rest[TEXT];
} lines[LINES];
static size_t nlines;

static void check(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests, what);
}

static void file_make(const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		exit(1);
	nlines = (size_t)random() % LINES;
	for (size_t i = 0; i < nlines; i++) {
		lines[i].pid = (uint32_t)random() % 4;
		lines[i].since = random() % 4;
		snprintf(lines[i].rest, TEXT, "%zu of some %*d\n", i, (int)(random() % 20), 7);
		fprintf(out, "%" PRIu32 " %" PRId64 " %s", lines[i].pid, lines[i].since,
			lines[i].rest);
		if (random() % 5 == 0)
			fputs("no line\n\n", out);
	}
	fclose(out);
}

static void text_add(void *context, const char *rest)
{
	strcat(context, rest);
}

static void search(uint32_t pid, int64_t to, char *text)
{
	int64_t last = -1;

	for (size_t i = 0; i < nlines; i++)
		if (lines[i].pid == pid && lines[i].since <= to && lines[i].since > last)
			last = lines[i].since;
	for (size_t i = 0; i < nlines; i++)
		if (lines[i].pid == pid && lines[i].since == last)
			text_add(text, lines[i].rest);
}

static bool round_good(const char *path)
{
	struct recorder_lines *l;
	bool good = true;

	file_make(path);
	l = recorder_lines_open(path);
	for (uint32_t pid = 0; pid < 5; pid++)
		for (int64_t to = -1; to < 5; to++) {
			char found[LINES * TEXT] = "", wanted[LINES * TEXT] = "";

			recorder_lines_of(l, pid, to, text_add, found);
			search(pid, to, wanted);
			good &= strcmp(found, wanted) == 0;
		}
	recorder_lines_close(l);
	return good;
}

int main(void)
{
	const char *given = getenv("SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
	char path[] = "/tmp/recorder_lines.XXXXXX", found[TEXT] = "";
	struct recorder_lines *l;
	bool good = true;
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	printf("# SEED=%u\n", seed);
	srandom(seed);
	for (int i = 0; i < ROUNDS; i++)
		good &= round_good(path);
	unlink(path);
	check(good, "the lines of a process's last program, in their order");
	l = recorder_lines_open(path);
	recorder_lines_of(l, 1, 1, text_add, found);
	recorder_lines_close(l);
	check(!*found, "a file that is not there has none");
	printf("1..%u\n", tests);
	return 0;
}
