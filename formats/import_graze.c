/*
 * Logs of the original format (Graze, Glimpse of 2000), of both byte orders. Every tool reads them
 * as they are; imported, they have the specification with them and can be packed.
 */
#include "base/array.h"
#include "base/output.h"
#include "base/progress.h"
#include "formats/import.h"
#include "spec/layout.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/format/log_name.h"
#include "trace/trace.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { STEP = 4096 }; /* events between two looks at interruptions */

static bool log_is_graze(const char *directory, const char *name)
{
	char *path = text_format("%s/%s", directory, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char magic[4] = {0};
	bool is = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic &&
		  (read_swapped_32(magic, false) == GRAZE_MAGIC_32 ||
		   read_swapped_32(magic, true) == GRAZE_MAGIC_32);

	if (fd >= 0)
		close(fd);
	free(path);
	return is;
}

static bool graze_recognise(const struct import_input *in)
{
	DIR *directory = in->directory ? opendir(in->path) : NULL;
	const struct dirent *entry;
	struct log_name log;
	bool is = false;

	if (!directory)
		return false;
	while (!is && (entry = readdir(directory)))
		is = log_name_parse(entry->d_name, "log.", &log) &&
		     log_is_graze(in->path, entry->d_name);
	closedir(directory);
	return is;
}

static void event_write(struct logs_thread *t, const struct logs_event *to, int64_t time,
			const struct event *e)
{
	struct logs_value *values = array_new(e->type->nattributes, sizeof *values);

	for (unsigned i = 0; i < e->type->nattributes; i++)
		values[i] = logs_integer((int64_t)record_value(e->type, i, e->record).integer);
	logs_write(t, time, to, values);
	free(values);
}

static bool events_copy(struct import_input *in, struct logs *l, const struct trace *t)
{
	struct logs_process *p = logs_process(l, 0, NULL);
	struct merge *m = merge_open(t);
	uint64_t done = 0;
	struct event e;

	for (unsigned i = 0; i < t->nthreads; i++)
		logs_thread_number(logs_thread(p, t->threads[i].number), t->threads[i].number);
	while (m && merge_next(m, &e)) {
		event_write(logs_thread(p, e.thread), logs_event(l, e.type->name),
			    t->origin + e.time, &e);
		if (++done % STEP)
			continue;
		progress_step(done, t->events);
		if (output_interrupted())
			break;
	}
	merge_close(m);
	return done == t->events || import_fail(in, "interrupted");
}

static bool graze_read(struct import_input *in, struct logs *l)
{
	struct trace *t = trace_open(&in->path, 1, in->spec, in->diag);
	bool good = t && logs_spec(l, t->spec->text) && events_copy(in, l, t);

	trace_close(t);
	return good;
}

const struct import_format import_graze = {
    .name = "graze",
    .summary = "logs of the original format, with the specification of -s or beside them",
    .recognise = graze_recognise,
    .read = graze_read,
};
