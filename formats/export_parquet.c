#include "base/array.h"
#include "base/output.h"
#include "formats/chosen_events.h"
#include "formats/parquet_file.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
	MEMORY = 64 << 20,      /* bytes of rows that are not yet in files */
	SLICE_EVENTS = 4000000, /* of all types */
};

struct parquet {
	const char *directory;
	const struct export_request *request;
	struct event_tables tables;
	struct table_columns *columns; /* of each event type */
	bool *has_file;                /* of each event type */
	VECTOR(const char *) hosts;
	unsigned *process_hosts; /* of each process: an index in hosts */
	/* of a host and an event type, in the current slice; NULL: none */
	struct parquet_file **files;
	int64_t slice, slice_length;
	size_t bytes; /* in the memory of all files */
	uint64_t cut;
	bool failed; /* and reported */
};

/* ---- folders and files ---- */

/* Makes a folder, unless it is there. */
static void folder_make(struct parquet *p, const char *path)
{
	if (p->failed || mkdir(path, 0777) == 0 || errno == EEXIST)
		return;
	diag_error(p->request->diag, DIAG_NOWHERE, "cannot create %s: %s", path, strerror(errno));
	p->failed = true;
}

/* Returns the path of a folder in another one, which it makes with it. The caller frees it. */
static char *folder_in(struct parquet *p, char *path, const char *name)
{
	char *inner = text_format("%s/%s", path, name);

	folder_make(p, inner);
	free(path);
	return inner;
}

static void file_end(struct parquet *p, struct parquet_file *f)
{
	parquet_end(f);
	if (f->error && !p->failed)
		diag_error(p->request->diag, DIAG_NOWHERE, "cannot write %s: %s", f->path,
			   strerror(f->error));
	p->failed = p->failed || f->error;
	free(f->path);
}

static void specification_write(struct parquet *p)
{
	const char *text = p->request->trace->spec->text;
	char *path = text_format("%s/specification.spec", p->directory);
	FILE *f = fopen(path, "wx");
	bool good = f && fputs(text, f) >= 0;

	good = f && fclose(f) == 0 && good;
	if (!good)
		diag_error(p->request->diag, DIAG_NOWHERE, "cannot write %s: %s", path,
			   strerror(errno));
	p->failed = !good;
	free(path);
}

/* ---- what the trace is ---- */

static void table_begin(struct parquet *p, struct parquet_file *f, const char *name,
			const struct table_columns *columns)
{
	char *folder = folder_in(p, text_format("%s", p->directory), name);

	parquet_begin(f, text_format("%s/part-0.parquet", folder), columns);
	free(folder);
}

static void tables_write(struct parquet *p)
{
	struct parquet_file f;

	table_begin(p, &f, "trace", &trace_columns);
	trace_row_put(&parquet_writer, &f, p->request->trace, p->slice_length);
	file_end(p, &f);
	table_begin(p, &f, "processes", &process_columns);
	process_rows_put(&parquet_writer, &f, p->request->trace);
	file_end(p, &f);
	table_begin(p, &f, "threads", &thread_columns);
	thread_rows_put(&parquet_writer, &f, p->request);
	file_end(p, &f);
}

/* ---- events ---- */

static struct parquet_file *file_begin(struct parquet *p, unsigned host, unsigned event)
{
	struct parquet_file *f = array_new(1, sizeof *f);
	char *folder = folder_in(p, text_format("%s", p->directory), "events"), *name;

	folder = folder_in(p, folder, p->tables.of_event[event]);
	name = text_format("host=%s", p->hosts.at[host]);
	folder = folder_in(p, folder, name);
	free(name);
	name = text_format("slice=%" PRId64, p->slice);
	folder = folder_in(p, folder, name);
	free(name);
	parquet_begin(f, text_format("%s/part-0.parquet", folder), &p->columns[event]);
	free(folder);
	p->has_file[event] = true;
	return f;
}

static size_t files_most(const struct parquet *p)
{
	return p->hosts.n * p->request->trace->spec->nevents;
}

static void slice_end(struct parquet *p)
{
	for (size_t i = 0; i < files_most(p); i++)
		if (p->files[i]) {
			file_end(p, p->files[i]);
			free(p->files[i]);
			p->files[i] = NULL;
		}
	p->bytes = 0;
}

/* Writes the rows of the file that has most of them. */
static void largest_flush(struct parquet *p)
{
	struct parquet_file *largest = NULL;

	for (size_t i = 0; i < files_most(p); i++)
		if (p->files[i] && (!largest || p->files[i]->bytes > largest->bytes))
			largest = p->files[i];
	p->bytes -= largest->bytes;
	parquet_flush(largest);
}

static void event_put(struct parquet *p, const struct event *e, uint32_t thread)
{
	const struct trace *t = p->request->trace;
	unsigned host = p->process_hosts[t->threads[thread].directory];
	struct parquet_file **f = &p->files[host * t->spec->nevents + e->type->index];
	size_t before;

	if (e->time / p->slice_length != p->slice) {
		slice_end(p);
		p->slice = e->time / p->slice_length;
	}
	if (!*f)
		*f = file_begin(p, host, e->type->index);
	before = (*f)->bytes;
	event_row_put(&parquet_writer, *f, e);
	p->bytes += (*f)->bytes - before;
	p->cut += event_cut_strings(e);
	p->failed = p->failed || (*f)->error;
	if (p->bytes >= MEMORY)
		largest_flush(p);
}

/* A type without an event has a file, too: then a query finds its columns. */
static void empty_write(struct parquet *p)
{
	p->slice = 0;
	for (unsigned i = 0; i < p->request->trace->spec->nevents; i++)
		if (!p->has_file[i])
			p->files[i] = file_begin(p, 0, i);
	slice_end(p);
}

static void events_write(struct parquet *p)
{
	struct chosen_events events;
	uint32_t thread;
	struct event e;

	p->failed = p->failed || !chosen_events_begin(&events, p->request, &export_parquet);
	if (p->failed)
		return;
	while (!p->failed && chosen_events_next(&events, &e, &thread))
		event_put(p, &e, thread);
	chosen_events_end(&events);
	slice_end(p);
	empty_write(p);
}

/* ---- the directory ---- */

static unsigned host_number(struct parquet *p, const char *host)
{
	for (unsigned i = 0; i < p->hosts.n; i++)
		if (strcmp(p->hosts.at[i], host) == 0)
			return i;
	*vector_add(&p->hosts) = host;
	return (unsigned)p->hosts.n - 1;
}

/*
 * Events are many in some times, and few in others: slices of equal length have so many on average.
 */
static int64_t slice_fit(const struct trace *t)
{
	uint64_t slices = t->events / SLICE_EVENTS + (t->events % SLICE_EVENTS != 0);

	return t->duration / (int64_t)(slices ? slices : 1) + 1;
}

static void parquet_prepare(struct parquet *p)
{
	const struct trace *t = p->request->trace;
	const struct spec *spec = t->spec;

	p->tables = event_tables_name(spec);
	p->columns = array_new(spec->nevents, sizeof *p->columns);
	for (unsigned i = 0; i < spec->nevents; i++)
		p->columns[i] = event_columns(spec->events[i]);
	p->process_hosts = array_new(t->nprocesses, sizeof *p->process_hosts);
	for (unsigned i = 0; i < t->nprocesses; i++)
		p->process_hosts[i] = host_number(p, process_host(&t->processes[i]));
	p->slice_length = p->request->slice ? p->request->slice : slice_fit(t);
	p->has_file = array_zero(spec->nevents, sizeof *p->has_file);
	p->files = array_zero(files_most(p), sizeof *p->files);
}

static void parquet_clear(struct parquet *p)
{
	for (unsigned i = 0; i < p->request->trace->spec->nevents; i++)
		table_columns_free(&p->columns[i]);
	event_tables_free(&p->tables);
	free(p->columns);
	free(p->has_file);
	free(p->hosts.at);
	free(p->process_hosts);
	free(p->files);
}

static bool parquet_fill(const char *directory, const struct export_request *r)
{
	struct parquet p = {.directory = directory, .request = r};

	parquet_prepare(&p);
	specification_write(&p);
	tables_write(&p);
	events_write(&p);
	parquet_clear(&p);
	if (p.failed || output_interrupted())
		return false;
	export_left_out(r, &export_parquet, p.cut, EXPORT_CUT_MARKS);
	return true;
}

const struct export_format export_parquet = {
    .name = "parquet",
    .summary = "a directory of Parquet files by event, host and slice of time, for engines of SQL",
    .slices = true,
    .fill = parquet_fill,
};
