/* Specifications of a recipe. */
#include "tests/trace/mklog.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The lines up to ">>". */
static char *text_read(void)
{
	char *text = NULL, *line = NULL;
	size_t size = 0, room = 0;
	FILE *f = open_memstream(&text, &size);

	while (getline(&line, &room, make.recipe) > 0 && strcmp(line, ">>\n") != 0) {
		fputs(line, f);
		recipe_line++;
	}
	recipe_line++;
	fclose(f);
	free(line);
	return text;
}

static char *file_read(const char *name)
{
	struct source *s;
	char *path, *text;

	if (asprintf(&path, "%s/%s", make.folder, name) < 0)
		exit(2);
	s = source_read(path);
	if (!s)
		recipe_fail("cannot read %s: %s", path, strerror(errno));
	text = strdup(s->text);
	source_free(s);
	free(path);
	return text;
}

/*
 * spec FILE [hidden] [base=ID] [as=NAME]   or   spec NAME << [hidden] [base=ID], its lines, and >>
 */
void spec_statement(const struct line *l)
{
	const char *name = line_word(l, 1, "a name")->text;
	/* What is only doubtful is the recipe's business. */
	struct diag quiet = {.program = "mklog"}, diag = {.out = stderr, .program = "mklog"};
	bool inside = false, hidden = false;
	unsigned i = make.nspecs;
	struct spec *spec;
	char *text;

	for (unsigned w = 2; w < l->nwords; w++) {
		inside |= !strcmp(l->words[w].text, "<<");
		hidden |= !strcmp(l->words[w].text, "hidden");
	}
	text = inside ? text_read() : file_read(name);
	spec = spec_parse(name, text, &quiet);
	if (!spec)
		spec_parse(name, text, &diag);
	if (!spec || i == MAX_SPECS)
		recipe_fail("%s is no good", name);
	make.specs[i] = spec;
	make.bases[i] = i ? make.bases[i - 1] + make.specs[i - 1]->nevents : FIRST_ID;
	make.bases[i] = (unsigned)line_number(l, "base", make.bases[i]);
	make.nspecs++;
	if (!hidden) {
		const char *file = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;

		file = line_text(l, "as", file);
		binary_bytes(&output_make(OUTPUT_PLAIN, make.directory, file, 0, false)->data, text,
			     strlen(text));
	}
	free(text);
}

void specs_forget(void)
{
	while (make.nspecs > 0)
		spec_free(make.specs[--make.nspecs]);
}

const struct event_type *event_find(const char *name, unsigned *id)
{
	for (unsigned i = make.nspecs; i-- > 0;) {
		const struct event_type *type = spec_event(make.specs[i], name);

		if (type) {
			*id = make.bases[i] + type->index;
			return type;
		}
	}
	recipe_fail("there is no statement and no event '%s'", name);
}
