#include "recorder/merge/journal.h"
#include "base/array.h"
#include "base/directory.h"
#include "base/file.h"
#include "trace/open/subdirectories.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOURNAL_NAME "added"
/* The recorder's directory when all has been added; readers pass over what begins with a dot. */
#define ADDED_NAME "." RECORDER_NAME

static int journal = -1;

void journal_begin(const char *recorder)
{
	char *path = text_format("%s/" JOURNAL_NAME, recorder);

	journal =
	    open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	free(path);
}

void journal_note(const char *path)
{
	if (journal >= 0)
		file_write_all(journal, path, strlen(path) + 1);
}

void journal_end(const char *recording)
{
	char *recorder = text_format("%s/" RECORDER_NAME, recording),
	     *added = text_format("%s/" ADDED_NAME, recording);

	if (journal >= 0)
		close(journal);
	journal = -1;
	directory_remove(rename(recorder, added) == 0 ? added : recorder);
	free(added);
	free(recorder);
}

void journal_undo(const char *recording)
{
	char *recorder = text_format("%s/" RECORDER_NAME, recording);
	char *path = text_format("%s/" JOURNAL_NAME, recorder),
	     *added = text_format("%s/" ADDED_NAME, recording);
	struct file f = {.bytes = NULL};
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && file_take(&f, fd, false)) {
		for (const char *at = (const char *)f.bytes, *end = at + f.size;
		     at < end && memchr(at, '\0', (size_t)(end - at)); at += strlen(at) + 1)
			if (unlink(at) != 0)
				directory_remove(at);
		file_unload(&f);
		unlink(path);
	}
	directory_remove(added);
	free(added);
	free(path);
	free(recorder);
}
