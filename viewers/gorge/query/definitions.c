#include "viewers/gorge/query/definitions.h"
#include "spec/qualified.h"
#include <stdlib.h>
#include <string.h>

/* Skips blanks and comments. */
static const char *skip_blanks(const char *at)
{
	for (;;) {
		at += strspn(at, " \t\r\n\f\v");
		if (!strncmp(at, "//", 2) || *at == '#') {
			at += strcspn(at, "\n");
		} else if (!strncmp(at, "/*", 2)) {
			const char *end = strstr(at + 2, "*/");
			at = end ? end + 2 : at + strlen(at);
		} else {
			return at;
		}
	}
}

/* Finds imports, also in comments: better one too many than one too few. */
bool definitions_import(const char *text)
{
	for (const char *at = text; (at = strcasestr(at, "import")); at += strlen("import"))
		if (*skip_blanks(at + strlen("import")) == '"')
			return true;
	return false;
}

struct spec *definitions_read(const char *text, const struct spec *from, struct diag *diag)
{
	char *plain = from ? qualified_replace(from, text) : NULL;
	struct spec *spec = NULL;

	if (definitions_import(text))
		diag_error(diag, DIAG_NOWHERE,
			   "files cannot be imported here; paste their content");
	else
		spec = spec_parse("definitions", plain ? plain : text, diag);
	if (spec && from)
		homes_take(spec, from);
	free(plain);
	return spec;
}
