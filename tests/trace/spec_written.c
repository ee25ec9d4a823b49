/* If only a part of a specification can be written, it has no first byte, and readers pass over it. */
#include "tests/tap.h"
#include "trace/write/spec_write.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 100, SIZE = 300 };

static char path[] = "/tmp/spec_written.XXXXXX";

/* Returns how many bytes the file has. */
static size_t file_read(char bytes[SIZE + 1])
{
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(bytes, 1, SIZE + 1, f) : 0;

	if (f)
		fclose(f);
	return n;
}

static bool write_fails(const char *text)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){LIMIT, LIMIT});
		signal(SIGXFSZ, SIG_IGN);
		_exit(!spec_write(path, text, SIZE) && errno == EFBIG);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

int main(void)
{
	char text[SIZE], read[SIZE + 1];
	int fd = mkstemp(path);

	for (size_t i = 0; i < SIZE; i++)
		text[i] = (char)('a' + i % 26);
	if (fd < 0)
		return 1;
	close(fd);
	ok(!spec_write(path, text, SIZE) && errno == EEXIST, "no file is written over");
	unlink(path);
	ok(write_fails(text) && file_read(read) == LIMIT && !read[0] &&
	       !memcmp(read + 1, text + 1, LIMIT - 1),
	   "a part has no first byte");
	unlink(path);
	ok(spec_write(path, text, SIZE) && file_read(read) == SIZE && !memcmp(read, text, SIZE),
	   "the whole text");
	unlink(path);
	ok(spec_write(path, "", 0) && file_read(read) == 0, "an empty text");
	unlink(path);
	return tap_end();
}
