/*
 * within grow DIRECTORY: opens a trace that grows and, for each line of the standard input, says
 * what there is by then, and whether only what is new was read.
 * within names: which names of files a packed file may have.
 */
#include "tests/tap.h"
#include "trace/open/grow.h"
#include "trace/pack/pack_index.h"
#include <stdlib.h>

static int grow(const char *directory)
{
	struct diag diag = {.out = stderr, .program = "within"};
	struct trace *t = trace_open_growing(&directory, 1, NULL, &diag), *next;
	const char *how = "opened";
	char line[64];

	while (t && fgets(line, sizeof line, stdin)) {
		next = trace_grow(t);
		how = next ? "grown" : "anew";
		if (!next)
			next = trace_open_growing(&directory, 1, NULL, &diag);
		trace_close(t);
		t = next;
		if (t)
			printf("%s: %u processes, %u threads, %llu events\n", how, t->nprocesses,
			       t->nthreads, (unsigned long long)t->events);
		fflush(stdout);
	}
	trace_close(t);
	return 0;
}

/* Returns whether a list with a file of that name is read. */
static bool name_taken(const char *name, size_t size)
{
	struct pack_index x = {.nmembers = 0};
	struct byte_buffer list = {NULL, 0, 0};
	struct byte_view view;
	bool good;

	buffer_put_varint(&list, 1);
	buffer_put_varint(&list, size);
	buffer_put(&list, name, size);
	for (int i = 0; i < 3; i++) /* permissions, size, no part */
		buffer_put_varint(&list, 0);
	view = byte_view_of(&list);
	good = pack_index_read_members(&view, &x);
	pack_index_clear(&x);
	free(list.bytes);
	return good;
}

static int names(void)
{
	static const char *const good[] = {"log.0", "pigz.1/log.0", "a/b", "..a/..b", ".a/.b"};
	static const char *const bad[] = {"", "/", "a/", "/a", "a//b", "a/b/c", ".", "..", "./a",
					  "../a", "a/.", "a/..", "../..", "/etc/passwd"};
	char text[600], said[700];

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(name_taken(good[i], strlen(good[i])), good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(said, sizeof said, "not '%s'", bad[i]);
		ok(!name_taken(bad[i], strlen(bad[i])), said);
	}
	ok(!name_taken("a/b\0c", 5) && !name_taken("a\0/c", 4), "no NUL");
	memset(text, 'a', sizeof text);
	text[255] = '/';
	ok(name_taken(text, 511) && !name_taken(text, 512) && !name_taken(text + 1, 256 + 255) &&
	       name_taken(text, 255) && !name_taken(text + 256, 256),
	   "parts of up to 255 bytes");
	return tap_end();
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "grow") == 0)
		return grow(argv[2]);
	return argc == 2 && strcmp(argv[1], "names") == 0 ? names() : 2;
}
