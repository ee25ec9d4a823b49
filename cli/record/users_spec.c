#include "cli/record/users_spec.h"
#include "base/array.h"
#include "spec/spec.h"
#include "trace/write/spec_write.h"
#include <stdlib.h>

/* Alone first: messages are then about the file, and not about an import of it. */
static bool is_good(const char *path, struct diag *diag)
{
	struct spec *spec = spec_read(path, diag);
	bool good = spec != NULL;

	spec_free(spec);
	return good;
}

static char *import_text(const char *path)
{
	char *absolute = realpath(path, NULL), *text, *to;

	if (!absolute)
		return NULL;
	text = array_new(2 * strlen(absolute) + 16, 1);
	to = stpcpy(text, "import \"");
	for (const char *c = absolute; *c; c++) {
		if (*c == '"' || *c == '\\')
			*to++ = '\\';
		*to++ = *c;
	}
	strcpy(to, "\";\n");
	free(absolute);
	return text;
}

bool users_spec_add(struct users_spec *u, const char *path, struct diag *diag)
{
	char *import = is_good(path, diag) ? import_text(path) : NULL, *imports, *whole;
	struct spec *spec;

	if (!import)
		return false;
	imports = text_format("%s%s", u->imports ? u->imports : "", import);
	whole = text_format("glimpse user\n%send\n", imports);
	spec = spec_parse("user.spec", whole, diag);
	free(whole);
	free(import);
	free(u->imports);
	u->imports = imports;
	if (!spec)
		return false;
	free(u->text);
	u->text = text_format("%s", spec->text);
	spec_free(spec);
	return true;
}

bool users_spec_write(const struct users_spec *u, const char *directory)
{
	char *path;
	bool good;

	if (!u->text)
		return true;
	path = text_format("%s/user.spec", directory);
	good = spec_write(path, u->text, strlen(u->text));
	free(path);
	return good;
}
