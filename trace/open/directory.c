#include "trace/open/directory.h"
#include "base/array.h"
#include "base/search.h"
#include "trace/format/format.h"
#include "trace/open/tails_directory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *directory_join(const struct directory *d, const char *name)
{
	return tails_directory_path(d->tails_directory, d->path, name);
}

/* ---- why it cannot be opened ---- */

/* Reports why a path could not be opened, and what to do about it. */
static void report_refused(const char *path, int error, struct diag *diag)
{
	if (error == ENOTDIR)
		diag_error(
		    diag, DIAG_NOWHERE,
		    "%s: neither a packed file nor a trace of a format that glimpse import knows; "
		    "give one, or the log directory that holds log.0, log.1, ...",
		    path);
	else if (error == ENOENT)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: no such directory; a program writes its logs to $GLIMPSE_DIR or "
			   "glimpse.PROGRAM.PID",
			   path);
	else if (error == EACCES)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: %s; logs are private to the user who ran the program", path,
			   strerror(error));
	else
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, strerror(error));
}

static bool has_file(const struct directory *d, const char *name)
{
	char *path = directory_join(d, name);
	struct stat status;
	bool found = stat(path, &status) == 0 && S_ISREG(status.st_mode);

	free(path);
	return found;
}

/* Names the first directory in this one that has logs. */
static void report_inner(const struct directory *d, struct diag *diag)
{
	DIR *dir = opendir(d->path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir))) {
		struct directory inner = {
		    .path = entry->d_name[0] == '.' ? NULL : directory_join(d, entry->d_name)};

		found =
		    inner.path && (has_file(&inner, "log.0") || has_file(&inner, CONTAINER_NAME));
		if (found)
			diag_note(diag, DIAG_NOWHERE, "%s has some", inner.path);
		free((char *)inner.path);
	}
	if (dir)
		closedir(dir);
}

void directory_report_empty(const struct directory *d, struct diag *diag)
{
	if (d->pack) {
		diag_error(diag, DIAG_NOWHERE, "%s: there are no logs in this packed file",
			   d->path);
		return;
	}
	diag_error(diag, DIAG_NOWHERE,
		   "%s: no logs (log.0, log.1, ...); run the program with GLIMPSE_DIR=%s", d->path,
		   d->path);
	report_inner(d, diag);
}

/* ---- entries ---- */

static bool is_spec(const char *name)
{
	size_t length = strlen(name);

	return length > 5 && strcmp(name + length - 5, ".spec") == 0;
}

/* Returns the name of a file in the packed file, which the caller frees. */
static char *member_name(const struct directory *d, const char *name)
{
	return d->inner ? text_format("%s/%s", d->name, name) : text_format("%s", name);
}

size_t directory_member(const struct directory *d, const char *name)
{
	char *member = member_name(d, name);
	size_t found = pack_find(d->pack, member);

	free(member);
	return found;
}

int directory_file(const struct directory *d, const char *name)
{
	char *path;
	int fd, error;

	if (d->pack) {
		path = member_name(d, name);
		fd = pack_descriptor(d->pack, path);
		error = errno;
		free(path);
		errno = error;
		return fd;
	}
	path = directory_join(d, name);
	fd = file_open(path, O_RDONLY);
	error = errno;
	free(path);
	errno = error;
	return fd;
}

static void tail_add(struct directory *d, const char *name, int fd, uint64_t at, struct diag *diag)
{
	struct log_tail *t;

	d->tails = array_grow(d->tails, d->ntails, sizeof *d->tails);
	t = &d->tails[d->ntails];
	if (log_tail_read(t, directory_join(d, name), fd, at, diag))
		d->ntails++;
	else
		log_tail_clear(t);
}

/* Adds all tails of a file; the first says how far apart they are. */
static void tails_add(struct directory *d, const char *name, struct diag *diag)
{
	int fd = directory_file(d, name);
	size_t first = d->ntails;
	struct stat status;
	uint64_t stride;

	tail_add(d, name, fd, 0, diag);
	stride = d->ntails > first ? d->tails[first].next : 0;
	if (fd < 0 || fstat(fd, &status) != 0)
		stride = 0;
	for (uint64_t at = stride; at && at < (uint64_t)status.st_size; at += stride) {
		/* a tail that nobody has used yet may be a hole */
		uint64_t data = file_data_from(fd, at);

		if (stride < TAIL_HEADER || data == UINT64_MAX)
			break;
		at += (data - at) / stride * stride;
		tail_add(d, name, fd, at, diag);
	}
	if (fd >= 0)
		close(fd);
}

static void log_add_name(struct directory *d, struct log_name log)
{
	d->logs = array_grow(d->logs, d->nlogs, sizeof *d->logs);
	d->logs[d->nlogs++] = log;
}

static void entry_add(struct directory *d, const char *name, struct diag *diag)
{
	struct log_name log;

	if (strcmp(name, "process") == 0)
		d->claimed = true;
	if (log_name_parse(name, "log.", &log)) {
		log_add_name(d, log);
	} else if (log_name_parse(name, "tail.", &log)) {
		if (!d->tails_directory)
			tails_add(d, name, diag);
	} else if (is_spec(name)) {
		d->specs = array_grow(d->specs, d->nspecs, sizeof *d->specs);
		d->specs[d->nspecs++] = directory_join(d, name);
	}
}

static int log_compare(const void *left, const void *right)
{
	return log_name_compare(left, right);
}

static struct log_name tail_log(const struct log_tail *t)
{
	return (struct log_name){t->thread, t->level};
}

static int tail_log_compare(const struct log_tail *t, const struct log_name *log)
{
	struct log_name own = tail_log(t);

	return log_name_compare(&own, log);
}

/*
 * By log; of two tails of a log the one that goes further comes first, and before any tail the
 * container, into which a log goes when it is complete.
 */
static int tail_compare(const void *left, const void *right)
{
	const struct log_tail *a = left, *b = right;
	struct log_name la = tail_log(a), lb = tail_log(b);
	int order = log_name_compare(&la, &lb);

	if (order || a->pooled != b->pooled)
		return order ? order : b->pooled - a->pooled;
	return (a->base < b->base) - (a->base > b->base);
}

static int text_compare(const void *left, const void *right)
{
	char *const *a = left, *const *b = right;

	return strcmp(*a, *b);
}

/* The first `files` logs, in ascending order, have files. */
static bool log_has_file(const struct directory *d, size_t files, struct log_name log)
{
	return files && bsearch(&log, d->logs, files, sizeof log, log_compare);
}

/* Adds the logs that have no file: their tails, or the container, have all of them. */
static void logs_of_tails_add(struct directory *d)
{
	size_t files = d->nlogs;

	for (size_t i = 0; i < d->ntails; i++) {
		struct log_name log = tail_log(&d->tails[i]);

		if (d->nlogs > files && log_name_compare(&d->logs[d->nlogs - 1], &log) == 0)
			continue;
		if (log_tail_has_log(&d->tails[i]) && !log_has_file(d, files, log))
			log_add_name(d, log);
	}
	if (d->nlogs > files)
		qsort(d->logs, d->nlogs, sizeof *d->logs, log_compare);
}

/* Returns whether the first log may be read; the others are of the same run. */
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
		readable = access(path, R_OK) == 0 || errno != EACCES;
		free(path);
		break;
	}
	rewinddir(dir);
	return readable;
}

/* ---- the container ---- */

/* Loads the container, of a packed file what of it is intact; returns false if there is none. */
static bool container_load(const struct directory *d, const char *path, struct file *f,
			   struct diag *diag)
{
	struct stat status;
	struct unpacked u;
	size_t member;

	if (!d->pack) {
		/* A directory of that name has nothing to do with logs. */
		if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
			return false;
		if (file_take(f, directory_file(d, CONTAINER_NAME), false))
			return true;
		if (errno != ENOENT)
			diag_warning(diag, "log", DIAG_NOWHERE, "%s: %s; read without it", path,
				     file_why(errno));
		return false;
	}
	member = directory_member(d, CONTAINER_NAME);
	if (member == SIZE_MAX || !pack_load(d->pack, member, NULL, &u))
		return false;
	*f = u.file;
	u.file = (struct file){.bytes = NULL};
	unpacked_clear(&u);
	return true;
}

/* A log that was only begun to be put into the container still has its tail, or its file. */
static bool log_is_listed(const struct directory *d, struct log_name log)
{
	for (size_t i = 0; i < d->ntails; i++)
		if (tail_log_compare(&d->tails[i], &log) == 0)
			return true;
	for (size_t i = 0; i < d->nlogs; i++)
		if (log_name_compare(&d->logs[i], &log) == 0)
			return true;
	return false;
}

/*
 * Adds the logs of what was read of the container. Returns false, and goes on with it the next
 * time, at one that is cut off and is nowhere else, unless it is to be added as it is.
 */
static bool container_add(struct directory *d, struct container *c, bool as_it_is)
{
	struct contained_log log;

	while (container_next(c, &log)) {
		if (log.cut && log_is_listed(d, log.name)) {
			c->torn = 0;
			continue;
		}
		if (log.cut && !as_it_is) {
			c->next = c->size - c->torn;
			c->torn = 0;
			return false;
		}
		d->tails = array_grow(d->tails, d->ntails, sizeof *d->tails);
		d->ntails += log_tail_pooled(&d->tails[d->ntails], &log);
	}
	return true;
}

/*
 * A running program may just be writing a log that began after the tails were read. Waits a little,
 * and returns whether there is more of it now.
 */
static bool container_grows(const struct container *c)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	struct stat status;

	for (int i = 0; i < 20; i++) {
		if (stat(c->path, &status) == 0 && (size_t)status.st_size > c->size)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/*
 * Adds the logs of the container. Tails are read before the container, so that a log that goes from
 * one to the other is in either.
 */
static void container_read(struct directory *d, struct container *c, struct diag *diag)
{
	struct file f;
	bool added = false, grows = true;

	while (!added && container_load(d, c->path, &f, diag)) {
		c->bytes = f.bytes;
		d->container = c->size = f.size;
		c->holes = f.holes;
		c->nholes = f.nholes;
		added = container_add(d, c, d->pack || !grows);
		grows = added || container_grows(c);
		file_unload(&f);
	}
}

bool directory_is_process(const struct directory *d)
{
	return d->nlogs || d->claimed;
}

bool directory_is_recorder(const struct directory *d)
{
	return d->inner && strcmp(d->name, RECORDER_NAME) == 0;
}

/* Completes a directory whose entries are listed. */
static bool entries_settle(struct directory *d, struct diag *diag)
{
	struct diag quiet = {.program = diag->program};
	char *process = directory_join(d, "process"), *path = directory_join(d, CONTAINER_NAME);
	struct container container = {.path = path};

	container_read(d, &container, diag);
	if (d->nlogs)
		qsort(d->logs, d->nlogs, sizeof *d->logs, log_compare);
	if (d->nspecs)
		qsort(d->specs, d->nspecs, sizeof *d->specs, text_compare);
	if (d->ntails)
		qsort(d->tails, d->ntails, sizeof *d->tails, tail_compare);
	logs_of_tails_add(d);
	/* Before the first event nothing may be in it yet. */
	process_info_read(&d->process, process, directory_file(d, "process"),
			  d->nlogs ? diag : &quiet);
	container_report(&container, d->process.ended, diag);
	free(process);
	free(path);
	if (directory_is_process(d) || d->within.n || d->inner)
		return true;
	directory_report_empty(d, diag);
	return false;
}

/* Adds the tails that are in another directory. */
static void tails_elsewhere_add(struct directory *d, struct diag *diag)
{
	DIR *dir = d->tails_directory ? opendir(d->tails_directory) : NULL;
	struct dirent *entry;
	struct log_name log;

	while (dir && (entry = readdir(dir)))
		if (log_name_parse(entry->d_name, "tail.", &log))
			tails_add(d, entry->d_name, diag);
	if (dir)
		closedir(dir);
}

/* Adds the files of a packed directory. */
static void members_add(struct directory *d, struct diag *diag)
{
	char *prefix = member_name(d, "");
	const struct pack_member **names = d->pack->by_name;
	size_t length = strlen(prefix), n = d->pack->index.nmembers;

	for (size_t i = lower_bound(k, 0, n, strcmp(names[k]->name, prefix) < 0);
	     i < n && strncmp(names[i]->name, prefix, length) == 0; i++)
		if (!strchr(names[i]->name + length, '/'))
			entry_add(d, names[i]->name + length, diag);
	free(prefix);
}

/* Adds the files of a directory. */
static bool entries_read(struct directory *d, DIR *dir, struct diag *diag)
{
	struct dirent *entry;
	bool empty = true;

	if (!logs_readable(d, dir)) {
		report_refused(d->path, EACCES, diag);
		return false;
	}
	d->tails_directory = tails_directory_find(d->path, diag);
	while ((entry = readdir(dir))) {
		empty &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
		/* a child of a program called tail is in tail.PID */
		if (!subdirectories_have(&d->within, entry->d_name))
			entry_add(d, entry->d_name, diag);
	}
	tails_elsewhere_add(d, diag);
	/* A program makes its directory first, then its process file. */
	d->claimed |= empty;
	return true;
}

bool directory_open(struct directory *d, const char *path, struct diag *diag)
{
	bool good;
	DIR *dir;

	*d = (struct directory){.path = path, .given = path};
	if (pack_is(path)) {
		d->pack = pack_open(path, diag);
		if (!d->pack)
			return false;
		d->within = subdirectories_of_pack(d->pack);
		members_add(d, diag);
		return entries_settle(d, diag);
	}
	dir = opendir(path);
	if (!dir) {
		report_refused(path, errno, diag);
		return false;
	}
	d->within = subdirectories_find(path);
	good = entries_read(d, dir, diag) && entries_settle(d, diag);
	closedir(dir);
	return good;
}

bool directory_open_inner(struct directory *d, const struct directory *outer, const char *name,
			  struct diag *diag)
{
	bool good;
	DIR *dir;

	*d = (struct directory){.given = outer->given, .pack = pack_hold(outer->pack)};
	d->path = d->inner = subdirectory_path(outer->path, name);
	d->name = strrchr(d->inner, '/') + 1;
	if (d->pack) {
		members_add(d, diag);
		return entries_settle(d, diag);
	}
	dir = opendir(d->path);
	if (!dir && errno != ENOENT)
		report_refused(d->path, errno, diag);
	if (!dir)
		return errno == ENOENT;
	good = entries_read(d, dir, diag) && entries_settle(d, diag);
	closedir(dir);
	return good;
}

struct log_tail *directory_tail(const struct directory *d, struct log_name log)
{
	size_t place = lower_bound(i, 0, d->ntails, tail_log_compare(&d->tails[i], &log) < 0);

	if (place == d->ntails || tail_log_compare(&d->tails[place], &log) != 0)
		return NULL;
	return &d->tails[place];
}

void directory_close(struct directory *d)
{
	free(d->inner);
	subdirectories_clear(&d->within);
	free(d->tails_directory);
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
	free(d->breaks);
	pack_close(d->pack);
}
