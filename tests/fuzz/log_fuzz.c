/*
 * Log directories from nowhere: whatever the bytes, the reader must answer, in order, with records
 * that are whole.
 *
 * Input: a byte whose lowest bit says whether a specification is given with -s; then files, each as
 * a byte that chooses its name, two bytes length (little endian) and content. Of tails the first 112
 * bytes are the header, the rest stands at 4096.
 */
#include "tests/fuzz/stream.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGES "glimpse messages\nevent Send(int to, int seq);\nevent Recv(int seq);\nend\n"
#define TYPES                                                                                    \
	"glimpse types\nevent All(int i, uint u, long l, ulong ul, double d, address a, string " \
	"s, string t);\n"                                                                        \
	"event None;\nend\n"
#define TAIL_START 4096
#define TAIL_HEADER 112

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char *const names[] = {"log.0",  "log.0.1", "log.1", "tail.0",
				    "tail.1", "process", "log.2", "tail.2", "logs"};
#define NAMES (sizeof names / sizeof *names)

static char directory[64];

static void file_write(const char *name, const unsigned char *bytes, size_t size)
{
	bool tail = strncmp(name, "tail.", 5) == 0;
	size_t head = tail && size > TAIL_HEADER ? TAIL_HEADER : size;
	char path[96];
	int fd;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || pwrite(fd, bytes, head, 0) != (ssize_t)head ||
	    pwrite(fd, bytes + head, size - head, TAIL_START) != (ssize_t)(size - head) ||
	    close(fd))
		abort();
}

static void directory_remove(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", directory);
	if (system(command))
		fputs("log_fuzz: files are left\n", stderr);
}

static void directory_make(void)
{
	strcpy(directory, access("/dev/shm", W_OK) == 0 ? "/dev/shm/glimpse-fuzz.XXXXXX"
							: "/tmp/glimpse-fuzz.XXXXXX");
	if (!mkdtemp(directory))
		abort();
	atexit(directory_remove);
	file_write("messages.spec", (const unsigned char *)MESSAGES, strlen(MESSAGES));
	file_write("types.spec", (const unsigned char *)TYPES, strlen(TYPES));
}

static void files_write(const unsigned char *data, size_t size)
{
	char path[96];

	for (size_t i = 0; i < NAMES; i++) {
		snprintf(path, sizeof path, "%s/%s", directory, names[i]);
		unlink(path);
	}
	while (size >= 3) {
		size_t length = (size_t)data[1] | (size_t)data[2] << 8;

		if (length > size - 3)
			length = size - 3;
		file_write(names[data[0] % NAMES], data + 3, length);
		data += 3 + length;
		size -= 3 + length;
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct diag quiet = {.program = "log_fuzz"};
	const char *path = directory;
	struct trace *t;
	char spec[96];

	if (!*directory)
		directory_make();
	if (size == 0)
		return 0;
	files_write(data + 1, size - 1);
	snprintf(spec, sizeof spec, "%s/messages.spec", directory);
	t = trace_open(&path, 1, data[0] & 1 ? spec : NULL, &quiet);
	if (!t)
		return 0;
	stream_check(t);
	lists_check(t);
	trace_close(t);
	return 0;
}
