#include "spec/import_path.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of installed specifications; in a document for browsers there is none. */
#ifndef SPEC_FOLDER
#define SPEC_FOLDER ""
#endif

static const char **folders;
static size_t nfolders;

void import_folder_add(const char *folder)
{
	folders = array_grow(folders, nfolders, sizeof *folders);
	folders[nfolders++] = folder;
}

char *import_beside(const char *importer, const char *path)
{
	const char *slash = strrchr(importer, '/');

	if (*path == '/' || !slash)
		return text_format("%s", path);
	return text_format("%.*s/%s", (int)(slash - importer), importer, path);
}

/* Returns the path of a file in a folder whose name has `length` bytes; NULL if it is not there. */
static char *folder_find(const char *folder, size_t length, const char *path)
{
	char *found = length ? text_format("%.*s/%s", (int)length, folder, path) : NULL;

	if (found && access(found, F_OK) == 0)
		return found;
	free(found);
	return NULL;
}

/* Looks in the folders of a list with colons between them. */
static char *list_find(const char *list, const char *path)
{
	char *found = NULL;

	while (!found && *list) {
		size_t length = strcspn(list, ":");

		found = folder_find(list, length, path);
		list += length + (list[length] == ':');
	}
	return found;
}

char *import_find(const char *importer, const char *path)
{
	char *beside = import_beside(importer, path), *found = NULL;
	const char *list = getenv("GLIMPSE_SPEC_PATH");

	if (*path == '/' || access(beside, F_OK) == 0)
		return beside;
	for (size_t i = 0; !found && i < nfolders; i++)
		found = folder_find(folders[i], strlen(folders[i]), path);
	if (!found && list)
		found = list_find(list, path);
	if (!found)
		found = folder_find(SPEC_FOLDER, strlen(SPEC_FOLDER), path);
	if (!found)
		return beside;
	free(beside);
	return found;
}
