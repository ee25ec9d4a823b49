#include "cli/common/names_remark.h"
#include "analysis/samples/nameless.h"
#include "base/array.h"
#include "base/file.h"
#include "base/visible.h"
#include "trace/symbols/confine_symbols.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

/* Returns whether a list of dpkg has the path as a line. */
static bool list_has(const char *list, const char *line)
{
	char *path = text_format("%s/%s", PACKAGE_LISTS, list);
	struct file f;
	bool has = false;

	if (file_take(&f, file_open(path, O_RDONLY), false)) {
		has = memmem(f.bytes, f.size, line, strlen(line));
		file_unload(&f);
	}
	free(path);
	return has;
}

/* Lists are called PACKAGE.list or PACKAGE:ARCHITECTURE.list. */
static size_t package_length(const char *name, const char *dot)
{
	const char *colon = strchr(name, ':');

	return (size_t)((colon ? colon : dot) - name);
}

/*
 * Returns the package of Debian that has a file, to be freed; NULL: none. dpkg itself cannot run
 * here. The path of a library may begin with /usr/lib or /lib, which are one folder.
 */
static char *package_of(const char *path)
{
	const char *rest = strncmp(path, "/usr/", 5) == 0 ? path + 4 : path;
	char *usr = text_format("\n/usr%s\n", rest), *root = text_format("\n%s\n", rest);
	DIR *lists = opendir(PACKAGE_LISTS);
	struct dirent *entry;
	char *package = NULL;

	while (lists && !package && (entry = readdir(lists))) {
		const char *name = entry->d_name, *dot = strrchr(name, '.');

		if (dot && strcmp(dot, ".list") == 0 &&
		    (list_has(name, usr) || list_has(name, root)))
			package = text_format("%.*s", (int)package_length(name, dot), name);
	}
	if (lists)
		closedir(lists);
	free(usr);
	free(root);
	return package;
}

void names_remark(FILE *out, const struct trace *t, const char *directory)
{
	double share;
	const char *path = nameless_module(t, &share);
	char *package;

	if (!path)
		return;
	package = package_of(path);
	fprintf(out, "\n%.0f %% of the samples are in functions without names, of ", 100 * share);
	visible_puts(out, strrchr(path, '/') + 1);
	if (package)
		fprintf(out, "; install %s-dbgsym, or run: ", package);
	else
		fputs("; compile it with -g, or run: ", out);
	fputs("glimpse symbols --fetch ", out);
	visible_puts(out, directory);
	putc('\n', out);
	free(package);
}
