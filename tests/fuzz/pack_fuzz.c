/*
 * Packed files from nowhere: whatever the bytes, the reader must answer, in order, with records that are whole. Built without
 * checksums and deflate, so that what is changed is read.
 *
 * Input: a byte whose lowest bit says whether a part of the trace is asked for; then the packed file, without its magic.
 */
#include "tests/fuzz/stream.h"
#include "trace/pack/pack.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char path[64];

static void file_remove(void)
{
	unlink(path);
}

static void file_make(void)
{
	int fd;

	strcpy(path, access("/dev/shm", W_OK) == 0 ? "/dev/shm/glimpse-fuzz.XXXXXX"
						   : "/tmp/glimpse-fuzz.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || close(fd))
		abort();
	atexit(file_remove);
}

static void file_write(const unsigned char *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, PACK_MAGIC, 8) != 8 || write(fd, bytes, size) != (ssize_t)size ||
	    close(fd))
		abort();
}

/* Every file of it, as unpack would write it. */
static void files_check(void)
{
	struct diag quiet = {.program = "pack_fuzz"};
	struct pack *p = pack_open(path, &quiet);
	struct unpacked u;

	for (size_t i = 0; p && i < p->index.nmembers; i++) {
		if (!pack_load(p, i, NULL, &u))
			continue;
		for (size_t k = 0; k < u.nranges; k++)
			if (u.ranges[k].from >= u.ranges[k].to || u.ranges[k].to > u.file.size)
				abort();
		unpacked_clear(&u);
	}
	pack_close(p);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char *const events[] = {"Send"};
	struct trace_part part = {1000, 2000, events, 1};
	struct diag quiet = {.program = "pack_fuzz"};
	const char *directory = path;
	struct trace *t;

	if (!*path)
		file_make();
	if (size == 0)
		return 0;
	file_write(data + 1, size - 1);
	files_check();
	t = trace_open_part(&directory, 1, NULL, data[0] & 1 ? &part : NULL, &quiet);
	if (!t)
		return 0;
	stream_check(t);
	lists_check(t);
	trace_close(t);
	return 0;
}
