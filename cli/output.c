#include "cli/output.h"
#include "base/interrupt.h"
#include "base/file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *made_path;

void made_take(const char *path)
{
	made_path = path;
}

bool made_is_free(const char *what, struct diag *diag)
{
	if (access(made_path, F_OK) != 0)
		return true;
	diag_error(diag, DIAG_NOWHERE, "%s already exists; give a new %s with -o", made_path, what);
	return false;
}

static int failed(struct diag *diag)
{
	diag_error(diag, DIAG_NOWHERE, "cannot create %s: %s", made_path, strerror(errno));
	return EXIT_ERROR;
}

static int directory_fill(made_fill *fill, void *context, char *path, struct diag *diag)
{
	int status;

	if (!mkdtemp(path))
		return failed(diag);
	status = fill(context, path, diag);
	if (status != EXIT_ERROR && rename(path, made_path) != 0)
		status = failed(diag);
	if (status == EXIT_ERROR)
		directory_remove(path);
	return status;
}

int made_directory(made_fill *fill, void *context, struct diag *diag)
{
	size_t length = strlen(made_path);
	char *path;
	int status;

	while (length > 1 && made_path[length - 1] == '/')
		length--;
	if (asprintf(&path, "%.*s.XXXXXX", (int)length, made_path) < 0)
		return EXIT_ERROR;
	interrupt_catch();
	status = directory_fill(fill, context, path, diag);
	free(path);
	interrupt_end();
	return status;
}
