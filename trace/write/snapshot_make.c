/* The directory of a snapshot: all or nothing, it gets its name when it is complete. */
#include "base/array.h"
#include "base/interrupt.h"
#include "base/file.h"
#include "trace/write/snapshot.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t length_of(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return length;
}

char *snapshot_name(const char *directory, const char *wanted)
{
	int length = (int)length_of(directory);
	char *name;

	if (wanted)
		return text_format("%.*s", (int)length_of(wanted), wanted);
	name = text_format("%.*s.snapshot", length, directory);
	for (unsigned n = 1; access(name, F_OK) == 0; n++) {
		free(name);
		name = text_format("%.*s.snapshot.%u", length, directory, n);
	}
	return name;
}

static bool make_failed(const char *name, struct diag *diag)
{
	diag_error(diag, DIAG_NOWHERE, "cannot make %s: %s", name, strerror(errno));
	return false;
}

bool snapshot_make(const char *directory, const char *name, struct diag *diag)
{
	char *path;
	bool good;

	if (access(name, F_OK) == 0) {
		diag_error(diag, DIAG_NOWHERE, "%s exists; give a new directory", name);
		return false;
	}
	path = text_format("%s.XXXXXX", name);
	interrupt_catch();
	good = mkdtemp(path) || make_failed(name, diag);
	if (good && (!snapshot_write(directory, path, diag) ||
		     (rename(path, name) != 0 && !make_failed(name, diag)))) {
		directory_remove(path);
		good = false;
	}
	free(path);
	interrupt_end();
	return good;
}
