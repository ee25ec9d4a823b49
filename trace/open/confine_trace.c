#include "trace/open/confine_trace.h"
#include "grammar/source.h"
#include "trace/open/subdirectories.h"
#include "trace/open/tails_directory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Returns whether the user's specification may import from anywhere; one of a pipe is not read. */
static bool spec_imports(const char *path)
{
	struct stat status;
	struct source *source = NULL;
	bool imports = true;

	if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
		source = source_read(path);
	if (source) /* "import" or "Import" */
		imports = memmem(source->text, source->length, "mport", strlen("mport"));
	source_free(source);
	return imports;
}

void confine_allow_run(struct confinement *c, enum confine_use use, const char *directory)
{
	struct subdirectories within = subdirectories_find(directory);

	confine_allow(c, use, directory);
	tails_directory_allow(c, use, directory);
	for (size_t i = 0; i < within.n; i++) {
		char *path = subdirectory_path(directory, within.names[i]);

		tails_directory_allow(c, use, path);
		free(path);
	}
	subdirectories_clear(&within);
}

void confine_allow_spec(struct confinement *c, const char *spec)
{
	confine_allow(c, CONFINE_READ, spec_imports(spec) ? "/" : spec);
}

void confine_allow_trace(struct confinement *c, const char *const *directories,
			 unsigned ndirectories, const char *spec)
{
	static const char *const system_files[] = {"/proc", "/sys/devices/system/cpu",
						   "/sys/fs/cgroup"};
	const char *temporary = getenv("TMPDIR");

	tzset(); /* reads the time zone */
	for (size_t i = 0; i < sizeof system_files / sizeof *system_files; i++)
		confine_allow(c, CONFINE_READ, system_files[i]);
	for (unsigned i = 0; i < ndirectories; i++)
		confine_allow_run(c, CONFINE_READ, directories[i]);
	if (spec)
		confine_allow_spec(c, spec);
	confine_allow(c, CONFINE_WRITE, temporary && *temporary ? temporary : "/var/tmp");
}
