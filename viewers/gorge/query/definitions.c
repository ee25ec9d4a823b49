#include "viewers/gorge/query/definitions.h"
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

struct spec *definitions_read(const char *text, struct diag *diag)
{
	if (!definitions_import(text))
		return spec_parse("definitions", text, diag);
	diag_error(diag, DIAG_NOWHERE, "files cannot be imported here; paste what they hold");
	return NULL;
}
