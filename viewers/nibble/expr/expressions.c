#include "viewers/nibble/expr/expressions.h"
#include "grammar/parse.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Begins a new plot on the page. */
static void begin_section(struct expressions *x, const char *heading, size_t length)
{
	*vector_add(&x->headings) = length > 0 ? text_format("%.*s", (int)length, heading) : NULL;
}

/* Adds an expression; takes the source. */
static bool expressions_add(struct expressions *x, struct source *source, const char *text,
			    size_t length, struct diag *diag)
{
	struct expression *e;

	if (x->headings.n == 0)
		begin_section(x, NULL, 0);
	e = vector_add(x);
	e->source = source;
	e->text = text_format("%.*s", (int)length, text);
	e->section = (unsigned)x->headings.n - 1;
	e->tree = parse_series(source, diag);
	return e->tree != NULL;
}

bool expressions_take(struct expressions *x, const char *const *arguments, unsigned n,
		      struct diag *diag)
{
	bool fine = true;

	/* What the command line adds to a file of plots is a plot of its own. */
	if (n > 0)
		begin_section(x, NULL, 0);
	for (unsigned i = 0; i < n; i++) {
		char name[40] = "<expression>";

		if (n > 1)
			snprintf(name, sizeof name, "<expression %u>", i + 1);
		fine = expressions_add(x, source_text(name, arguments[i]), arguments[i],
				       strlen(arguments[i]), diag) &&
		       fine;
	}
	return fine;
}

/* Returns the file with all but one line blanked, so that diagnostics name the line where it is. */
static struct source *only_line(const struct source *file, size_t start, size_t end)
{
	char *text = text_format("%s", file->text);
	struct source *source;

	for (size_t i = 0; text[i]; i++)
		if ((i < start || i >= end) && text[i] != '\n')
			text[i] = ' ';
	source = source_text(file->name, text);
	free(text);
	return source;
}

/* Reads the title of "plot Messages under way", which may be quoted. */
static void read_heading(struct expressions *x, const char *title, size_t length)
{
	if (length >= 2 && title[0] == '"' && title[length - 1] == '"') {
		title++;
		length -= 2;
	}
	begin_section(x, title, length);
}

static bool read_line(struct expressions *x, const struct source *file, size_t start, size_t end,
		      struct diag *diag)
{
	const char *text = file->text;

	while (start < end && strchr(" \t\r", text[start]))
		start++;
	while (end > start && strchr(" \t\r", text[end - 1]))
		end--;
	if (start == end || text[start] == '#')
		return true;
	if (end - start >= 4 && strncmp(text + start, "plot", 4) == 0 &&
	    (end - start == 4 || text[start + 4] == ' ')) {
		size_t blanks = strspn(text + start + 4, " ");

		start = start + 4 + blanks < end ? start + 4 + blanks : end;
		read_heading(x, text + start, end - start);
		return true;
	}
	return expressions_add(x, only_line(file, start, end), text + start, end - start, diag);
}

bool expressions_read(struct expressions *x, const char *path, struct diag *diag)
{
	struct source *file = source_read(path);
	bool fine = true;

	if (!file) {
		diag_error(diag, DIAG_NOWHERE, "%s: cannot be read: %s", path, strerror(errno));
		return false;
	}
	begin_section(x, NULL, 0);
	for (size_t start = 0; start < file->length;) {
		size_t end = start + strcspn(file->text + start, "\n");

		fine = read_line(x, file, start, end, diag) && fine;
		start = end + 1;
	}
	source_free(file);
	return fine;
}

void expressions_free(struct expressions *x)
{
	for (size_t i = 0; i < x->n; i++) {
		if (x->at[i].tree)
			ast_free(x->at[i].tree);
		source_free(x->at[i].source);
		free(x->at[i].text);
	}
	for (size_t i = 0; i < x->headings.n; i++)
		free(x->headings.at[i]);
	free(x->headings.at);
	free(x->at);
}
