#include "trace/write/process_write.h"
#include "base/array.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Where things are: doc/log-format.md. Switches and a table of pairs may follow; there are none. */
enum {
	AT_VERSION = 8,
	AT_PID = 12,
	AT_CLOCK = 16,
	AT_STATE = 20,
	AT_FIRST = 24,
	AT_LAST = 48,
	AT_NAME = 128,
	NAME_SIZE = 128,
	SPEC_NAME = 112,
	SIZE = PROCESS_HEADER + PROCESS_SPECS * PROCESS_SPEC_SIZE
};

static void pair_put(unsigned char *to, const struct clock_sample *s)
{
	write_64(to, s->ticks);
	write_64(to + 8, (uint64_t)s->monotonic);
	write_64(to + 16, (uint64_t)s->realtime);
}

static void spec_put(unsigned char *to, const struct process_spec *s)
{
	write_64(to, s->schema);
	write_32(to + 8, s->base);
	write_32(to + 12, s->events);
	memcpy(to + 16, s->name, strnlen(s->name, SPEC_NAME - 1));
}

static void head_put(unsigned char bytes[SIZE], const struct process_head *head)
{
	write_64(bytes, PROCESS_MAGIC);
	write_32(bytes + AT_VERSION, FORMAT_VERSION);
	write_32(bytes + AT_PID, head->pid);
	write_32(bytes + AT_CLOCK, CLOCK_NANOSECONDS);
	write_32(bytes + AT_STATE, 1);
	pair_put(bytes + AT_FIRST, &head->first);
	pair_put(bytes + AT_LAST, &head->last);
	memcpy(bytes + AT_NAME, head->program, strnlen(head->program, NAME_SIZE - 1));
	for (size_t i = 0; i < head->nspecs && i < PROCESS_SPECS; i++)
		spec_put(bytes + PROCESS_HEADER + i * PROCESS_SPEC_SIZE, &head->specs[i]);
}

bool process_write(const char *directory, const struct process_head *head)
{
	unsigned char bytes[SIZE] = {0};
	char *path = text_format("%s/process", directory);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool good;

	free(path);
	if (fd < 0)
		return false;
	head_put(bytes, head);
	errno = ENOSPC; /* where only a part can be written */
	good = write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes;
	return close(fd) == 0 && good;
}
