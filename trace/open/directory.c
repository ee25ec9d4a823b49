#include "trace/open/directory.h"
#include "trace/format/format.h"
#include "trace/open/directory_fail.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *directory_join(const struct directory *d, const char *name)
{
	size_t length = strlen(d->path);
	char *path;

	while (length > 1 && d->path[length - 1] == '/')
		length--;
	return asprintf(&path, "%.*s/%s", (int)length, d->path, name) < 0 ? NULL : path;
}

static bool is_spec(const char *name)
{
	size_t length = strlen(name);

	return length > 5 && strcmp(name + length - 5, ".spec") == 0;
}

/* Makes room for one more of size bytes behind count; doubles at the powers of two. */
static bool list_grow(void *list, size_t count, size_t size)
{
	void **pointer = list, *grown;

	if (count & (count - 1))
		return true;
	grown = realloc(*pointer, (count ? 2 * count : 1) * size);
	if (grown)
		*pointer = grown;
	return grown;
}

int directory_file(const struct directory *d, const char *name)
{
	char *path;
	int fd, error;

	if (d->pack)
		return pack_descriptor(d->pack, name);
	path = directory_join(d, name);
	fd = path ? file_open(path) : -1;
	error = errno;
	free(path);
	errno = error;
	return fd;
}

static bool tail_add(struct directory *d, const char *name, int fd, uint64_t at, struct diag *diag)
{
	struct log_tail *t;

	if (!list_grow(&d->tails, d->ntails, sizeof *d->tails))
		return false;
	t = &d->tails[d->ntails];
	if (log_tail_read(t, directory_join(d, name), fd, at, diag))
		d->ntails++;
	else
		log_tail_clear(t);
	return true;
}

/* All tails of a file; the first says how far apart they are. */
static bool tails_take(struct directory *d, const char *name, struct diag *diag)
{
	int fd = directory_file(d, name);
	size_t first = d->ntails;
	bool good = tail_add(d, name, fd, 0, diag);
	uint64_t stride = good && d->ntails > first ? d->tails[first].next : 0;
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0)
		stride = 0;
	for (uint64_t at = stride; good && at && at < (uint64_t)status.st_size; at += stride)
		good = tail_add(d, name, fd, at, diag);
	if (fd >= 0)
		close(fd);
	return good;
}

static bool entry_take(struct directory *d, const char *name, struct diag *diag)
{
	struct log_name log;

	if (log_name_parse(name, "log.", &log)) {
		if (!list_grow(&d->logs, d->nlogs, sizeof *d->logs))
			return false;
		d->logs[d->nlogs++] = log;
	} else if (log_name_parse(name, "tail.", &log)) {
		return tails_take(d, name, diag);
	} else if (is_spec(name)) {
		if (!list_grow(&d->specs, d->nspecs, sizeof *d->specs))
			return false;
		d->specs[d->nspecs] = directory_join(d, name);
		return d->specs[d->nspecs++];
	}
	return true;
}

static int log_compare(const void *left, const void *right)
{
	return log_name_compare(left, right);
}

static struct log_name tail_log(const struct log_tail *t)
{
	return (struct log_name){t->thread, t->level};
}

/* By log; the tail that goes further is the better one. */
static int tail_compare(const void *left, const void *right)
{
	const struct log_tail *a = left, *b = right;
	struct log_name la = tail_log(a), lb = tail_log(b);
	int order = log_name_compare(&la, &lb);

	return order ? order : (a->base < b->base) - (a->base > b->base);
}

static int text_compare(const void *left, const void *right)
{
	char *const *a = left, *const *b = right;

	return strcmp(*a, *b);
}

static void entries_sort(struct directory *d)
{
	if (d->nlogs)
		qsort(d->logs, d->nlogs, sizeof *d->logs, log_compare);
	if (d->ntails)
		qsort(d->tails, d->ntails, sizeof *d->tails, tail_compare);
	if (d->nspecs)
		qsort(d->specs, d->nspecs, sizeof *d->specs, text_compare);
}

/* Adds the logs that have no file yet: all that there is of them stands in their tails. */
static bool logs_of_tails(struct directory *d)
{
	size_t files = d->nlogs;

	for (size_t i = 0; i < d->ntails; i++) {
		struct log_name log = tail_log(&d->tails[i]);

		if (!log_tail_has_log(&d->tails[i]) ||
		    (files && bsearch(&log, d->logs, files, sizeof log, log_compare)))
			continue;
		if (!list_grow(&d->logs, d->nlogs, sizeof *d->logs))
			return false;
		d->logs[d->nlogs++] = log;
	}
	if (d->nlogs > files)
		qsort(d->logs, d->nlogs, sizeof *d->logs, log_compare);
	return true;
}

static bool entries_read(struct directory *d, DIR *dir, struct diag *diag)
{
	struct dirent *entry;

	while ((entry = readdir(dir)))
		if (!entry_take(d, entry->d_name, diag))
			return false;
	return true;
}

/* Whether the first log that there is may be read; the others are of the same run. */
static bool logs_readable(const struct directory *d, DIR *dir)
{
	struct dirent *entry;
	struct log_name log;
	bool readable = true;

	while ((entry = readdir(dir))) {
		char *path;

		if (!log_name_parse(entry->d_name, "log.", &log))
			continue;
		path = directory_join(d, entry->d_name);
		readable = !path || access(path, R_OK) == 0 || errno != EACCES;
		free(path);
		break;
	}
	rewinddir(dir);
	return readable;
}

/* What is there was listed; good: as far as there was memory. */
static bool entries_settle(struct directory *d, DIR *dir, bool good, struct diag *diag)
{
	char *process;

	entries_sort(d);
	good = good && logs_of_tails(d);
	if (!good)
		diag_error(diag, DIAG_NOWHERE, "%s: no memory", d->path);
	else if (d->nlogs == 0)
		directory_without_logs(d, dir, diag);
	if (!good || d->nlogs == 0)
		return false;
	process = directory_join(d, "process");
	if (process)
		process_info_read(&d->process, process, directory_file(d, "process"), diag);
	free(process);
	return true;
}

static bool packed_open(struct directory *d, struct diag *diag)
{
	bool good = true;

	d->pack = pack_open(d->path, diag);
	if (!d->pack)
		return false;
	for (size_t i = 0; good && i < d->pack->index.nmembers; i++)
		good = entry_take(d, d->pack->index.members[i].name, diag);
	return entries_settle(d, NULL, good, diag);
}

bool directory_open(struct directory *d, const char *path, struct diag *diag)
{
	DIR *dir;
	bool good;

	*d = (struct directory){.path = path};
	if (pack_is(path))
		return packed_open(d, diag);
	dir = opendir(path);
	if (!dir) {
		directory_refused(path, errno, diag);
		return false;
	}
	if (!logs_readable(d, dir)) {
		directory_refused(path, EACCES, diag);
		closedir(dir);
		return false;
	}
	good = entries_settle(d, dir, entries_read(d, dir, diag), diag);
	closedir(dir);
	return good;
}

struct log_tail *directory_tail(const struct directory *d, struct log_name log)
{
	size_t low = 0, high = d->ntails;
	struct log_name found;

	while (low < high) {
		size_t middle = (low + high) / 2;

		found = tail_log(&d->tails[middle]);
		if (log_name_compare(&found, &log) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == d->ntails)
		return NULL;
	found = tail_log(&d->tails[low]);
	return log_name_compare(&found, &log) == 0 ? &d->tails[low] : NULL;
}

void directory_close(struct directory *d)
{
	free(d->logs);
	for (size_t i = 0; i < d->ntails; i++)
		log_tail_clear(&d->tails[i]);
	free(d->tails);
	for (size_t i = 0; i < d->nspecs; i++)
		free(d->specs[i]);
	free(d->specs);
	free(d->samples.list);
	clock_clear(&d->counter);
	clock_clear(&d->nanoseconds);
	pack_close(d->pack);
}
