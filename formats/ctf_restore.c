#include "formats/ctf_restore.h"
#include "spec/spec.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

enum { FIELDS_MOST = 5 };

/* Takes the backslashes out of a field. */
static void field_plain(char *field)
{
	char *to = field;

	for (; *field; field++) {
		if (*field == '\\' && field[1])
			*to++ = *++field == 't' ? '\t' : *field == 'n' ? '\n' : *field;
		else
			*to++ = *field;
	}
	*to = '\0';
}

/*
 * Splits a line of *text into fields, all of which are set, and moves behind it. Returns false at
 * the end.
 */
static bool line_split(char **text, char *fields[FIELDS_MOST])
{
	char *line = *text, *end = strchr(line, '\n'), *field;

	if (!end)
		return false;
	*end = '\0';
	*text = end + 1;
	for (unsigned i = 0; i < FIELDS_MOST; i++) {
		field = strsep(&line, "\t");
		fields[i] = field ? field : end;
		field_plain(fields[i]);
	}
	return true;
}

static uint32_t number(const char *text)
{
	return (uint32_t)strtoul(text, NULL, 10);
}

/* ---- processes and threads ---- */

static void side_files_make(struct logs_process *p, const struct ctf_environment *e, size_t i)
{
	static const char *const files[] = {"modules", "objects", "made"};

	for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
		char *name = text_format("glimpse_%s_%zu", files[k], i);
		const char *text = e->text(e->context, name);

		if (text)
			logs_process_file(p, files[k], text);
		free(name);
	}
}

/* pid, rank, lost, directory, program */
static void processes_make(struct ctf_restore *r, struct logs *l, const struct ctf_environment *e)
{
	const char *lines = e->text(e->context, "glimpse_processes");
	char *text = text_format("%s", lines ? lines : ""), *at = text, *f[FIELDS_MOST];

	while (line_split(&at, f)) {
		struct logs_process *p = logs_process_restore(l, number(f[0]), f[4], f[3]);

		side_files_make(p, e, r->processes.n);
		*vector_add(&r->processes) = p;
	}
	free(text);
}

/* number, process, number of the log, name, later name */
static void threads_read(struct ctf_restore *r, const struct ctf_environment *e)
{
	const char *lines = e->text(e->context, "glimpse_threads");
	char *text = text_format("%s", lines ? lines : ""), *at = text, *f[FIELDS_MOST];

	while (line_split(&at, f))
		*vector_add(&r->threads) = (struct ctf_thread){
		    number(f[0]), number(f[1]), number(f[2]), text_format("%s", f[3]),
		    *f[4] ? text_format("%s", f[4]) : NULL};
	free(text);
}

/* Returns whether the logs have the specification now; one that cannot be read is left out. */
static bool specification_take(struct logs *l, const char *text, struct diag *diag)
{
	struct diag quiet = {.out = NULL};
	struct spec *spec = spec_parse("the specification in the trace", text, &quiet);

	spec_free(spec);
	if (spec)
		return logs_spec(l, text);
	diag_warning(diag, "import", DIAG_NOWHERE,
		     "the specification in the trace cannot be read; one is made of the metadata");
	return false;
}

bool ctf_restore_begin(struct ctf_restore *r, struct logs *l, const struct ctf_environment *e,
		       struct diag *diag)
{
	const char *spec = e->text(e->context, "glimpse_specification");
	int64_t origin = e->number(e->context, "glimpse_origin"),
		real = e->number(e->context, "glimpse_origin_real");

	if (r->is_ours || !spec || !specification_take(l, spec, diag))
		return r->is_ours;
	r->is_ours = true;
	r->base = origin > 0 ? origin : 0;
	if (real)
		logs_realtime(l, r->base, real);
	processes_make(r, l, e);
	threads_read(r, e);
	return true;
}

void ctf_restore_end(struct ctf_restore *r)
{
	for (size_t i = 0; i < r->threads.n; i++) {
		free(r->threads.at[i].name);
		free(r->threads.at[i].later);
	}
	free(r->threads.at);
	free(r->processes.at);
}

struct logs_thread *ctf_restore_thread(const struct ctf_restore *r, uint64_t wanted, uint64_t tid)
{
	for (size_t i = 0; i < r->threads.n; i++) {
		const struct ctf_thread *t = &r->threads.at[i];

		if (t->number == wanted && t->process < r->processes.n)
			return logs_thread_restore(r->processes.at[t->process], tid, t->log,
						   t->name, t->later);
	}
	return NULL;
}
