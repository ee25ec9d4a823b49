#include "trace/open/missing.h"
#include "base/array.h"
#include "base/file.h"
#include "base/visible.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 3, MISSING_MOST = 1 << 20 };

static const char *reason_of(int error)
{
	const char *known = strerror(error);

	if (error == ENOSPC || error == EDQUOT)
		return "no room on the disk";
	if (!error)
		return "fewer than 16 descriptors (ulimit -n)";
	return known ? known : "unknown error";
}

/* Reads a line: the process' number, an error, and the program. */
static bool line_read(const char *line, struct trace_missing *m)
{
	char *at, *end;

	m->pid = (uint32_t)strtoul(line, &at, 10);
	if (at == line || *at != ' ')
		return false;
	m->reason = reason_of((int)strtol(at, &end, 10));
	if (end == at || *end != ' ')
		return false;
	m->program = visible_text(end + 1);
	return true;
}

static void lines_read(struct opened *o, const struct file *f)
{
	const char *at = (const char *)f->bytes, *end = at + strnlen(at, f->size), *next;

	for (; (next = memchr(at, '\n', (size_t)(end - at))) && o->trace.nmissing < MISSING_MOST;
	     at = next + 1) {
		char *line = text_format("%.*s", (int)(next - at), at);
		struct trace_missing m;

		if (line_read(line, &m)) {
			o->missing = array_grow(o->missing, o->trace.nmissing, sizeof *o->missing);
			o->missing[o->trace.nmissing++] = m;
		}
		free(line);
	}
	o->trace.missing = o->missing;
}

/* Warns of the processes from an index on that have the reason of the first of them. */
static void reason_warn(const struct opened *o, size_t from, struct diag *diag)
{
	const struct trace_missing *first = &o->missing[from];
	char *names = text_format("%s", "");
	size_t n = 0;

	for (size_t i = from; i < o->trace.nmissing; i++) {
		const struct trace_missing *m = &o->missing[i];
		char *longer;

		if (strcmp(m->reason, first->reason) != 0 || n++ >= NAMED)
			continue;
		longer = text_format("%s%s%s (%u)", names, n > 1 ? ", " : "", m->program, m->pid);
		free(names);
		names = longer;
	}
	diag_warning(diag, "missing", DIAG_NOWHERE, "%zu process%s not recorded: %s: %s%s", n,
		     n == 1 ? " is" : "es are", first->reason, names, n > NAMED ? ", ..." : "");
	free(names);
}

static bool reason_is_new(const struct opened *o, size_t from, size_t i)
{
	for (size_t k = from; k < i; k++)
		if (strcmp(o->missing[k].reason, o->missing[i].reason) == 0)
			return false;
	return true;
}

void missing_read(struct opened *o, const struct directory *d, struct diag *diag)
{
	size_t from = o->trace.nmissing;
	struct file f;

	if (!file_take(&f, directory_file(d, "missing"), false))
		return;
	if (f.size)
		lines_read(o, &f);
	file_unload(&f);
	for (size_t i = from; i < o->trace.nmissing; i++)
		if (reason_is_new(o, from, i))
			reason_warn(o, i, diag);
}

void missing_free(struct opened *o)
{
	for (size_t i = 0; i < o->trace.nmissing; i++)
		free((char *)o->missing[i].program);
	free(o->missing);
}
