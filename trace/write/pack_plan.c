#include "trace/write/pack_plan.h"
#include "base/array.h"
#include "trace/open/load.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- which files ---- */

static int entry_is_file(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* A path, or NULL when there is no regular file of that name. */
static char *file_path(const char *directory, const char *name, uint32_t *mode, struct diag *diag)
{
	struct directory d = {.path = directory};
	char *path = directory_join(&d, name);
	struct stat status;

	if (path && stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
		*mode = status.st_mode & 0777;
		return path;
	}
	diag_warning(diag, "pack", DIAG_NOWHERE, "%s: this is no file; left out",
		     path ? path : name);
	free(path);
	return NULL;
}

/* The log file of that name which the trace has open as it stands on the disk. */
static const struct log_file *opened_file(const struct opened *o, const char *name,
					  const char *path, const struct log **log)
{
	const struct trace_thread *thread;
	unsigned number;

	if (!o || sscanf(name, "log.%u", &number) != 1)
		return NULL;
	thread = trace_thread(&o->trace, number);
	if (!thread)
		return NULL;
	*log = &o->logs[thread - o->threads];
	for (unsigned i = 0; i < (*log)->nfiles && !(*log)->swapped && !(*log)->graze; i++)
		if (!(*log)->files[i].altered && strcmp((*log)->files[i].path, path) == 0)
			return &(*log)->files[i];
	return NULL;
}

static const struct record_layouts *layouts_of(struct pack_plan *p, const struct id_table *ids)
{
	for (size_t i = 0; i < p->nlayouts; i++)
		if (p->tables[i] == ids)
			return p->layouts[i];
	p->layouts = array_grow(p->layouts, p->nlayouts, sizeof(struct record_layouts *));
	p->tables = array_grow(p->tables, p->nlayouts, sizeof(struct id_table *));
	p->tables[p->nlayouts] = ids;
	return p->layouts[p->nlayouts++] = record_layouts_new(ids);
}

static void log_describe(struct pack_member *m, const struct log *log)
{
	m->parted = log->events > 0 && log->nfiles == 1 && !log->disordered;
	m->first = log->first;
	m->last = log->last;
}

static bool member_take(struct pack_plan *p, const char *name, const char *path, uint32_t mode,
			struct diag *diag)
{
	struct pack_member *m = pack_index_member(&p->index);
	struct packed_file *f = &p->files[p->index.nmembers - 1];
	const struct log *log;
	const struct log_file *opened = opened_file(p->opened, name, path, &log);

	m->name = strdup(name);
	m->mode = mode;
	*f = (struct packed_file){.log = NULL};
	if (opened) {
		f->log = log;
		f->bytes = opened->file.bytes;
		f->size = opened->file.size;
		f->layouts = layouts_of(p, log->ids);
		log_describe(m, log);
	} else if (file_load(&f->file, path, false)) {
		f->bytes = f->file.bytes;
		f->size = f->file.size;
	} else {
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, strerror(errno));
		return false;
	}
	m->size = f->size;
	plan_cut(p, p->index.nmembers - 1);
	return m->name || report_no_memory(diag);
}

/*
 * What cannot be opened as a trace is packed all the same, and says what is wrong when it is
 * unpacked and read.
 */
static struct opened *trace_try(const char *path)
{
	struct diag quiet = {.program = "glimpse"};
	struct trace *t = trace_open(&path, 1, NULL, &quiet);

	return t ? opened_of(t) : NULL;
}

bool pack_plan_open(struct pack_plan *p, const char *path, struct diag *diag)
{
	struct dirent **entries;
	int n = scandir(path, &entries, entry_is_file, versionsort);
	bool good = n > 0;

	*p = (struct pack_plan){.opened = NULL};
	if (n < 0 && errno != ENOENT && errno != ENOTDIR)
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, strerror(errno));
	else if (!good)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: %s; give the log directory that holds log.0, log.1, ...", path,
			   n == 0 ? "there is nothing in it" : "this is no directory");
	p->opened = good ? trace_try(path) : NULL;
	if (p->opened) {
		p->index.timed = p->opened->trace.events > 0;
		p->index.origin = p->opened->trace.origin;
	}
	p->files = array_zero(n > 0 ? (size_t)n : 1, sizeof *p->files);
	for (int i = 0; i < n; i++) {
		uint32_t mode;
		char *file = good ? file_path(path, entries[i]->d_name, &mode, diag) : NULL;

		good = !file || member_take(p, entries[i]->d_name, file, mode, diag);
		free(file);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return good;
}

void pack_plan_close(struct pack_plan *p)
{
	for (size_t i = 0; i < p->index.nmembers; i++)
		file_unload(&p->files[i].file);
	free(p->files);
	for (size_t i = 0; i < p->nlayouts; i++)
		record_layouts_free(p->layouts[i]);
	free(p->layouts);
	free(p->tables);
	pack_index_clear(&p->index);
	if (p->opened)
		trace_close(&p->opened->trace);
}
