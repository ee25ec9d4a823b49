#include "trace/write/unpack.h"
#include "base/array.h"
#include "base/output.h"
#include "base/progress.h"
#include "trace/open/load.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool file_write(const char *path, const struct pack_member *m, const struct unpacked *u)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), error;
	bool good =
	    fd >= 0 && file_write_all(fd, u->file.bytes, u->file.size) && fchmod(fd, m->mode) == 0;

	error = errno;
	if (fd >= 0 && close(fd) != 0)
		return false;
	errno = error;
	return good;
}

/* Makes the directory that a file is in, unless it is there. */
static bool folder_make(const char *directory, const char *name)
{
	const char *slash = strchr(name, '/');
	char *path;
	bool good;

	if (!slash)
		return true;
	path = text_format("%s/%.*s", directory, (int)(slash - name), name);
	good = mkdir(path, 0700) == 0 || errno == EEXIST;
	free(path);
	return good;
}

static bool member_extract(const struct pack *p, size_t member, const char *directory,
			   uint64_t *lost, struct diag *diag)
{
	const struct pack_member *m = &p->index.members[member];
	struct unpacked u;
	char *path;
	bool good;

	if (!pack_load(p, member, NULL, &u) || asprintf(&path, "%s/%s", directory, m->name) < 0)
		return report_no_memory(diag);
	if (u.lost)
		diag_warning(diag, "pack", DIAG_NOWHERE,
			     "%s: %" PRIu64 " of the %" PRIu64
			     " bytes of %s are damaged, the first "
			     "at offset %" PRIu64,
			     p->path, u.lost, m->size, m->name, u.lost_at);
	*lost += u.lost;
	good = folder_make(directory, m->name) && file_write(path, m, &u);
	if (!good && !output_interrupted())
		diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, strerror(errno));
	free(path);
	unpacked_clear(&u);
	return good && !output_interrupted();
}

bool pack_extract(const struct pack *p, const char *directory, uint64_t *lost, struct diag *diag)
{
	bool good = true;

	progress_begin("unpacking");
	for (size_t i = 0; good && i < p->index.nmembers; i++) {
		progress_step(i, p->index.nmembers);
		good = member_extract(p, i, directory, lost, diag);
	}
	progress_end();
	return good;
}
