#include "cli/record/command_file.h"
#include "base/array.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The rest of a longer one is left out. */
enum { COMMAND_BYTES = 4096 };

/* What a shell reads as one word, and as it is. */
static bool is_plain(const char *word)
{
	return *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789_-+=.,:/@%^")] == '\0';
}

static char *command_text(char *const *argv)
{
	char *text = text_format("%s", "");

	for (size_t i = 0; argv[i] && strlen(text) < COMMAND_BYTES; i++) {
		const char *quote = is_plain(argv[i]) ? "" : "'";
		char *longer = text_format("%s%s%s%.*s%s", text, i ? " " : "", quote, COMMAND_BYTES,
					   argv[i], quote);

		free(text);
		text = longer;
	}
	return text;
}

bool command_file_write(char *const *argv, const char *directory)
{
	char *path = text_format("%s/command", directory), *text = command_text(argv);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* Another recorder of the same run, of another rank of MPI, may have written it. */
	bool good = fd >= 0 ? file_write_all(fd, text, strlen(text)) : errno == EEXIST;

	if (fd >= 0 && close(fd) != 0)
		good = false;
	free(path);
	free(text);
	return good;
}
