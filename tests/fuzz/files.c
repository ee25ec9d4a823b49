#include "tests/fuzz/files.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TYPES                                                                                    \
	"glimpse types\nevent All(int i, uint u, long l, ulong ul, double d, address a, string " \
	"s, string t);\n"                                                                        \
	"event None;\n"                                                                          \
	"event Use(object o, code c, code32 low, object p);\n"                                   \
	"event End(object o) = (ends \"o\");\n"                                                  \
	"interval Same [ x:All -> y:All ] where x.s == y.s && x.l < y.l;\nend\n"

/* Where tails have their records and process files their switches. */
#define REST 4096
#define TAIL_HEADER 128
#define PROCESS_HEAD 512
#define PROCESS_SIZE 20480

static const char *const names[] = {"log.0",   "log.0.1", "log.1",  "tail.0", "tail.1",
				    "process", "log.2",   "tail.2", "logs",   "switches",
				    "log.0.8", "within/log.0", "within/log.0.8", "within/process",
				    "modules", "objects", "names"};
#define NAMES (sizeof names / sizeof *names)

static char directory[64];

static void file_write(const char *name, const unsigned char *bytes, size_t size)
{
	bool process = strcmp(name, "process") == 0 || strcmp(name, "within/process") == 0;
	size_t most = process ? PROCESS_HEAD : strncmp(name, "tail.", 5) == 0 ? TAIL_HEADER : size;
	size_t head = size > most ? most : size;
	char path[96];
	int fd;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || pwrite(fd, bytes, head, 0) != (ssize_t)head ||
	    pwrite(fd, bytes + head, size - head, REST) != (ssize_t)(size - head) ||
	    (process && head == PROCESS_HEAD && ftruncate(fd, PROCESS_SIZE)) || close(fd))
		abort();
}

static void directory_remove(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", directory);
	if (system(command))
		fputs("fuzz: files are left\n", stderr);
}

const char *files_directory(const char *messages)
{
	char within[96];

	strcpy(directory, access("/dev/shm", W_OK) == 0 ? "/dev/shm/glimpse-fuzz.XXXXXX"
							: "/tmp/glimpse-fuzz.XXXXXX");
	if (!mkdtemp(directory))
		abort();
	atexit(directory_remove);
	snprintf(within, sizeof within, "%s/within", directory);
	if (mkdir(within, 0700))
		abort();
	file_write("messages.spec", (const unsigned char *)messages, strlen(messages));
	file_write("types.spec", (const unsigned char *)TYPES, strlen(TYPES));
	return directory;
}

void files_write(const unsigned char *data, size_t size)
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

/* What a library that is not fuzzed would do. */
struct calls;
bool pprof_write(FILE *out, const struct calls *c);

bool pprof_write(FILE *out, const struct calls *c)
{
	return !out && !c;
}
