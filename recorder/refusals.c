#include "recorder/refusals.h"
#include "base/array.h"
#include "base/file.h"
#include "trace/stream/unseen.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static VECTOR(char *) lines;

void refusal_note(const char *what, const char *remedy)
{
	size_t n = strlen(what);

	for (size_t i = 0; i < lines.n; i++)
		if (strncmp(lines.at[i], what, n) == 0 && lines.at[i][n] == ' ')
			return;
	*vector_add(&lines) = text_format("%s %s\n", what, remedy);
}

char *refusal_unprobed(const struct recorder_summary *found, const char *inside)
{
	return inside && found->obstacles ? text_format("%zu %zu %s: %s", found->unprobed,
							found->programs, inside, found->obstacles)
					  : NULL;
}

void refusal_note_unseen(const struct recorder_summary *found, int64_t used, const char *inside)
{
	char *unprobed = refusal_unprobed(found, inside);

	if (found->ran && used && unseen_matters(found->ran, used)) {
		char *text = text_format("%" PRIi64 " %" PRIi64, found->ran, used);

		refusal_note("time", text);
		free(text);
	}
	if (found->left) {
		char *text = text_format("%" PRIu32 " %s", found->left, found->one_left);

		refusal_note("left", text);
		free(text);
	}
	if (unprobed)
		refusal_note("unprobed", unprobed);
	free(unprobed);
}

bool refusals_write(const char *directory)
{
	char *path = text_format("%s/refused", directory);
	int fd = lines.n ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	/* Another recorder of the same run, of another rank of MPI, may have written it. */
	bool good = fd >= 0 || !lines.n || errno == EEXIST;

	for (size_t i = 0; i < lines.n && fd >= 0; i++)
		good = file_write_all(fd, lines.at[i], strlen(lines.at[i])) && good;
	if (fd >= 0 && close(fd) != 0)
		good = false;
	free(path);
	return good;
}
