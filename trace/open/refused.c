#include "base/array.h"
#include "base/file.h"
#include "base/visible.h"
#include "trace/open/opened.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>

/* Returns the rest of the line that begins with a word and a space. */
static char *refused_line(const struct file *f, const char *what)
{
	const char *at = (const char *)f->bytes, *end = at + strnlen(at, f->size), *next;
	size_t n = strlen(what);

	for (; (next = memchr(at, '\n', (size_t)(end - at))); at = next + 1)
		if ((size_t)(next - at) > n && memcmp(at, what, n) == 0 && at[n] == ' ') {
			char *text =
			    text_format("%.*s", (int)(next - at - (ptrdiff_t)n - 1), at + n + 1);
			char *seen = visible_text(text);

			free(text);
			return seen;
		}
	return NULL;
}

char *trace_refused(const struct trace *t, const char *what)
{
	const struct opened *o = opened_of(t);
	char *remedy = NULL;

	for (size_t i = 0; i < o->ndirectories && !remedy; i++) {
		struct file f;

		if (!file_take(&f, directory_file(&o->directories[i], "refused"), false))
			continue;
		if (f.size)
			remedy = refused_line(&f, what);
		file_unload(&f);
	}
	return remedy;
}
