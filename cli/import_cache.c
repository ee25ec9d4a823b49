#include "cli/import_cache.h"
#include "base/array.h"
#include "base/directory.h"
#include "base/hash.h"
#include "base/path.h"
#include "base/user_cache.h"
#include "config.h"
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* In a directory with logs: what they were made of. No log directory that a program made has it. */
#define NOTE "imported"

/* ---- what logs were made of ---- */

/* Sums of what is at a path, and in it: any change shows. */
struct path_sums {
	uint64_t bytes, times, files;
};

static void marks_add(struct path_sums *m, const char *path, unsigned depth)
{
	struct stat status;
	struct dirent *entry;
	DIR *dir;

	if (stat(path, &status) != 0)
		return;
	m->files++;
	m->times += (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec;
	if (!S_ISDIR(status.st_mode)) {
		m->bytes += (uint64_t)status.st_size;
		return;
	}
	dir = depth ? opendir(path) : NULL;
	while (dir && (entry = readdir(dir))) {
		char *inner = text_format("%s/%s", path, entry->d_name);

		if (entry->d_name[0] != '.')
			marks_add(m, inner, depth - 1);
		free(inner);
	}
	if (dir)
		closedir(dir);
}

/* Returns what logs are made of, as a text. The caller frees it. */
static char *source_text(const char *trace, const char *spec)
{
	enum { DEPTH = 6 };
	struct path_sums of_trace = {0}, of_spec = {0};
	char *whole = realpath(trace, NULL), *text;

	marks_add(&of_trace, trace, DEPTH);
	if (spec)
		marks_add(&of_spec, spec, 0);
	text = text_format("glimpse " PACKAGE_VERSION "\n%s\n%" PRIu64 " %" PRIu64 " %" PRIu64
			   "\n%s\n%" PRIu64 " %" PRIu64 "\n",
			   whole ? whole : trace, of_trace.files, of_trace.bytes, of_trace.times,
			   spec ? spec : "-", of_spec.bytes, of_spec.times);
	free(whole);
	return text;
}

static char *note_path(const char *directory)
{
	return text_format("%s/" NOTE, directory);
}

/* Returns whether a directory has a note; *same: it says this. */
static bool note_read(const char *directory, const char *text, bool *same)
{
	char *path = note_path(directory), *found = array_new(strlen(text) + 2, 1);
	FILE *in = fopen(path, "re");
	size_t n = in ? fread(found, 1, strlen(text) + 1, in) : 0;

	*same = in && n == strlen(text) && memcmp(found, text, n) == 0;
	if (in)
		fclose(in);
	free(found);
	free(path);
	return in != NULL;
}

bool import_cache_note(const char *directory, const char *trace, const char *spec)
{
	char *path = note_path(directory), *text = source_text(trace, spec);
	FILE *out = fopen(path, "wxe");
	bool good = out && fputs(text, out) >= 0;

	if (out && fclose(out) != 0)
		good = false;
	free(path);
	free(text);
	return good;
}

/* ---- where logs are ---- */

static bool may_make(const char *path)
{
	char *folder = text_format("%s", path), *slash = strrchr(folder, '/');
	bool may;

	if (slash)
		slash[slash == folder] = '\0';
	may = access(slash ? folder : ".", W_OK) == 0;
	free(folder);
	return may;
}

/* Returns a place in the user's cache. */
static char *place_of_user(const char *trace)
{
	char *whole = realpath(trace, NULL), *folder = whole ? user_cache_make() : NULL;
	char *name, *place = NULL;

	if (folder) {
		name = path_name(whole);
		place = text_format("%s/%016" PRIx64 "-%.100s", folder, hash_text(whole), name);
		free(name);
	}
	free(folder);
	free(whole);
	return place;
}

static char *place_of(const char *trace)
{
	char *path = path_copy(trace), *beside = text_format("%s.glimpse", path);

	free(path);
	if (access(beside, F_OK) == 0 || may_make(beside))
		return beside;
	free(beside);
	return place_of_user(trace);
}

char *import_cache_find(const char *trace, const char *spec, bool *fresh)
{
	char *place = place_of(trace), *text;

	*fresh = false;
	if (!place || access(place, F_OK) != 0)
		return place;
	text = source_text(trace, spec);
	if (!note_read(place, text, fresh)) {
		/* it is something else of the user's */
		free(place);
		place = place_of_user(trace);
		if (place && access(place, F_OK) == 0 && note_read(place, text, fresh) && !*fresh)
			directory_remove(place);
	} else if (!*fresh) {
		directory_remove(place);
	}
	free(text);
	return place;
}
