#include "viewers/gorge/revise.h"
#include "viewers/vector.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Behind blanks and comments. */
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

/* Also where it stands in a comment: better one too many than one too few. */
bool text_has_import(const char *text)
{
	for (const char *at = text; (at = strcasestr(at, "import")); at += strlen("import"))
		if (*skip_blanks(at + strlen("import")) == '"')
			return true;
	return false;
}

static bool is_right(const char *text, struct diag *diag)
{
	struct spec *spec;

	if (text_has_import(text)) {
		diag_error(diag, DIAG_NOWHERE,
			   "files cannot be imported here; paste what they hold");
		return false;
	}
	spec = spec_parse("definitions", text, diag);
	if (!spec)
		return false;
	spec_free(spec);
	return true;
}

static bool write_all(int fd, const char *text)
{
	size_t n = strlen(text);

	while (n) {
		ssize_t written = write(fd, text, n);
		if (written <= 0)
			return false;
		text += written;
		n -= (size_t)written;
	}
	return true;
}

/* A trace takes its specification from a file: one that is gone when it was read. */
static struct trace *open_with(const struct options *o, const char *text, struct diag *diag)
{
	const char *folder = getenv("TMPDIR");
	char *path = text_of("%s/gorge.XXXXXX", folder && *folder ? folder : "/tmp");
	struct trace *trace = NULL;
	int fd = mkstemp(path);

	if (fd < 0 || !write_all(fd, text))
		diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, strerror(errno));
	else
		trace = trace_open(o->directories, o->ndirectories, path, diag);
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	free(path);
	return trace;
}

struct model *revise(const struct options *o, const char *text, struct diag *diag)
{
	struct trace *trace = is_right(text, diag) ? open_with(o, text, diag) : NULL;

	return trace ? model_new(trace, true) : NULL;
}
