#include "trace/open/subdirectories.h"
#include "base/array.h"
#include "trace/format/log_name.h"
#include "trace/open/tails_directory.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *subdirectory_path(const char *path, const char *name)
{
	return tails_directory_path(NULL, path, name);
}

static bool has_logs(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	struct log_name log;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = log_name_parse(entry->d_name, "log.", &log);
	if (dir)
		closedir(dir);
	return found;
}

static bool has_process(const char *path)
{
	char *process = subdirectory_path(path, "process");
	struct stat status;
	bool has = lstat(process, &status) == 0 && S_ISREG(status.st_mode);

	free(process);
	return has;
}

static bool is_log_directory(const char *path, uid_t owner)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == owner &&
	       (has_process(path) || has_logs(path));
}

static int name_compare(const void *left, const void *right)
{
	char *const *a = left, *const *b = right;

	return strverscmp(*a, *b);
}

static void name_add(struct subdirectories *s, const char *name, size_t length)
{
	s->names = array_grow(s->names, s->n, sizeof(char *));
	s->names[s->n++] = text_format("%.*s", (int)length, name);
}

/* Sorts the names, and removes those that are there several times. */
static void names_settle(struct subdirectories *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->names, s->n, sizeof(char *), name_compare);
	for (size_t i = 0; i < s->n; i++) {
		if (n && strcmp(s->names[i], s->names[n - 1]) == 0)
			free(s->names[i]);
		else
			s->names[n++] = s->names[i];
	}
	s->n = n;
}

struct subdirectories subdirectories_find(const char *path)
{
	struct subdirectories s = {NULL, 0};
	DIR *dir = opendir(path);
	struct dirent *entry;
	struct stat status;
	bool good = dir && fstat(dirfd(dir), &status) == 0;

	while (good && (entry = readdir(dir))) {
		char *inner;

		if (entry->d_name[0] == '.' ||
		    (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
			continue;
		inner = subdirectory_path(path, entry->d_name);
		if (is_log_directory(inner, status.st_uid))
			name_add(&s, entry->d_name, strlen(entry->d_name));
		free(inner);
	}
	if (dir)
		closedir(dir);
	names_settle(&s);
	return s;
}

struct subdirectories subdirectories_of_pack(const struct pack *p)
{
	struct subdirectories s = {NULL, 0};

	for (size_t i = 0; i < p->index.nmembers; i++) {
		const char *name = p->index.members[i].name, *slash = strchr(name, '/');

		if (slash)
			name_add(&s, name, (size_t)(slash - name));
	}
	names_settle(&s);
	return s;
}

bool subdirectories_have(const struct subdirectories *s, const char *name)
{
	return s->n && bsearch(&name, s->names, s->n, sizeof(char *), name_compare);
}

void subdirectories_clear(struct subdirectories *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->names[i]);
	free(s->names);
	*s = (struct subdirectories){NULL, 0};
}
