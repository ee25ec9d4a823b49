#include "base/array.h"
#include "base/file.h"
#include "base/visible.h"
#include "trace/open/opened.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>

/* More of a command is not shown. */
enum { COMMAND_MOST = 200 };

static char *command_read(const struct directory *d)
{
	struct file f;
	char *text, *seen;
	size_t n;

	if (!file_take(&f, directory_file(d, "command"), false))
		return NULL;
	n = strnlen((const char *)f.bytes, f.size < COMMAND_MOST ? f.size : COMMAND_MOST);
	text = text_format("%.*s%s", (int)n, (const char *)f.bytes, n < f.size ? "..." : "");
	file_unload(&f);
	seen = visible_text(text);
	free(text);
	return seen;
}

char *trace_command(const struct trace *t)
{
	const struct opened *o = opened_of(t);
	char *command = NULL;

	for (size_t i = 1; i < o->ndirectories; i++)
		if (strcmp(o->directories[i].given, o->directories[0].given) != 0)
			return NULL;
	for (size_t i = 0; i < o->ndirectories && !command; i++)
		command = command_read(&o->directories[i]);
	return command;
}
