#include "viewers/gorge/server/reopen.h"
#include "base/array.h"
#include "base/file.h"
#include "trace/open/grow.h"
#include "trace/symbols/start_names.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/query/definitions.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trace *reopen_trace(const struct log_source *source, const char *spec, struct diag *diag)
{
	return start_names_add((source->follow ? trace_open_growing : trace_open)(
	    source->directories, source->ndirectories, spec, diag));
}

/* Opens a trace with a text as its specification, in a file that is removed afterwards. */
static struct trace *open_with(const struct log_source *source, const char *text, struct diag *diag)
{
	const char *folder = getenv("TMPDIR");
	char *path = text_format("%s/gorge.XXXXXX", folder && *folder ? folder : "/tmp");
	struct trace *trace = NULL;
	int fd = mkstemp(path);

	if (fd < 0 || !file_write_all(fd, text, strlen(text)))
		diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, strerror(errno));
	else
		trace = reopen_trace(source, path, diag);
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	free(path);
	return trace;
}

struct trace_index *reopen_index(const struct log_source *source, struct trace_index *before,
				 const char *text, struct diag *diag)
{
	struct spec *spec = definitions_read(text, before ? before->trace->spec : NULL, diag);
	struct trace_index *m = spec && before ? trace_index_respecify(before, spec) : NULL;
	struct trace *trace;

	if (m || !spec)
		return m;
	trace = open_with(source, spec->text, diag);
	spec_free(spec);
	return trace ? trace_index_new(trace, diag) : NULL;
}
