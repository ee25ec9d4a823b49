#include "base/output.h"
#include "base/progress.h"
#include "formats/export.h"
#include "trace/log/cursor.h"
#include "trace/log/graze.h"
#include "trace/open/opened.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP 4096 /* events between two looks at the progress bar and at interruption */

static bool report_write_failed(FILE *f, const char *path, struct diag *diag)
{
	int error = errno;

	if (f)
		fclose(f);
	diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, strerror(error));
	return false;
}

static void put_32(FILE *f, uint32_t value)
{
	fwrite_unlocked(&value, sizeof value, 1, f);
}

static void put_64(FILE *f, uint64_t value)
{
	fwrite_unlocked(&value, sizeof value, 1, f);
}

static void event_write(FILE *f, const struct event_type *type, const struct log_cursor *c)
{
	put_32(f, type->index);
	put_64(f, (uint64_t)c->time);
	/* After the first word of a native record there are only the ints. */
	fwrite_unlocked(c->record + 4, 4, type->nattributes, f);
}

static bool log_write(const struct opened *o, size_t thread, FILE *f, uint64_t *done)
{
	struct log_cursor c;

	put_32(f, GRAZE_MAGIC_32);
	put_64(f, GRAZE_MAGIC_64);
	log_cursor_open(&c, &o->logs[thread]);
	while (log_cursor_next(&c)) {
		event_write(f, o->trace.spec->events[c.type], &c);
		if (++*done % STEP)
			continue;
		progress_step(*done, o->trace.events);
		if (output_interrupted() || ferror_unlocked(f))
			return false;
	}
	put_32(f, UINT32_MAX);
	return true;
}

static bool thread_write(const struct opened *o, size_t thread, const char *directory,
			 uint64_t *done, struct diag *diag)
{
	bool good = false;
	char *path;
	FILE *f;

	if (asprintf(&path, "%s/log.%u", directory, o->threads[thread].number) < 0)
		return false;
	f = fopen(path, "wbx");
	if (!f || (!log_write(o, thread, f, done) && !output_interrupted()) || fflush(f))
		report_write_failed(f, path, diag);
	else
		good = fclose(f) == 0 || report_write_failed(NULL, path, diag);
	free(path);
	return good && !output_interrupted();
}

static bool spec_write(const struct spec *spec, const char *directory, struct diag *diag)
{
	bool good = false;
	char *path;
	FILE *f;

	if (asprintf(&path, "%s/%s.spec", directory, spec->name) < 0)
		return false;
	f = fopen(path, "wx");
	if (!f || fputs(spec->text, f) < 0 || fflush(f))
		report_write_failed(f, path, diag);
	else
		good = fclose(f) == 0 || report_write_failed(NULL, path, diag);
	free(path);
	return good;
}

/* The original format has only ints: which attribute is not one. */
static bool spec_fits(const struct spec *spec, struct diag *diag)
{
	const struct attribute *attribute = NULL;
	const struct event_type *event = graze_misfit(spec, &attribute);

	if (event)
		diag_error(diag, attribute->where,
			   "the original format has only int attributes, and %s of %s is %s; a "
			   "specification without the event (-s FILE) leaves it out",
			   attribute->name, event->name, type_name(attribute->type));
	return !event;
}

/*
 * log.N for the thread of each number, in this machine's byte order, its events in the order of
 * time.
 */
static bool graze_fill(const char *directory, const struct export_request *r)
{
	const struct opened *o = opened_of(r->trace);
	uint64_t done = 0;
	bool good =
	    spec_fits(r->trace->spec, r->diag) && spec_write(r->trace->spec, directory, r->diag);

	progress_begin("exporting");
	for (size_t i = 0; good && i < o->nlogs; i++)
		good = thread_write(o, i, directory, &done, r->diag);
	progress_end();
	return good;
}

const struct export_format export_graze = {
    .name = "graze",
    .summary = "the original format, header 0x12345670, 4-byte attributes: a directory of logs",
    .fill = graze_fill,
};
